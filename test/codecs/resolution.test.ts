// The resolution in files, and encoding without loss.
import { PNG } from 'pngjs';
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage, encodeImage } from '../../lib/codecs/index.js';
import { Pixmap, packColor } from '../../lib/raster/pixmap.js';
import { exifDpi } from './pictures.js';

/** A gradient with noise, of more than 256 colours. */
function picture(width: number, height: number, alpha: (x: number) => number = () => 1): Pixmap {
  const pixmap = new Pixmap(width, height);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    pixmap.words[i] = packColor({ r: (x * 7) % 256, g: (y * 5) % 256, b: (x * y * 13) % 256, a: alpha(x) });
  }
  return pixmap;
}

const opaque = picture(90, 60);
const translucent = picture(90, 60, (x) => (x % 5) / 4);
/** A picture of few colours, which WebP encodes in another way. */
const flat = new Pixmap(40, 30);
flat.fill({ r: 200, g: 30, b: 60, a: 1 });

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

t.test('PNG: pHYs in pixels per metre', async (t) => {
  const bytes = await encodeImage(opaque, 'png', { quality: 90, dpi: 300 });
  const at = latin1(bytes).indexOf('pHYs');
  t.ok(at > 0 && at < latin1(bytes).indexOf('IDAT'));
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 4);
  t.same([view.getUint32(0), view.getUint32(4), view.getUint8(8)], [11811, 11811, 1]);
  t.same(PNG.sync.read(Buffer.from(bytes)).width, 90);
  const indexed = latin1(await encodeImage(flat, 'png', { quality: 90, dpi: 72 }));
  t.ok(indexed.indexOf('pHYs') > 0);
});

t.test('JPEG: the density of JFIF', async (t) => {
  const bytes = await encodeImage(opaque, 'jpeg', { quality: 90, dpi: 299.6 });
  t.same([...bytes.subarray(13, 18)], [1, 300 >> 8, 300 & 255, 300 >> 8, 300 & 255]);
  t.same([...(await encodeImage(opaque, 'jpeg', { quality: 90 })).subarray(13, 18)], [0, 0, 1, 0, 1]);
});

t.test('WebP and AVIF: EXIF, in files that still decode to the same picture', async (t) => {
  for (const format of ['webp', 'avif'] as const) {
    for (const [name, pixmap] of Object.entries({ opaque, translucent, flat })) {
      for (const lossless of [false, true]) {
        const options = { quality: 90, lossless };
        const plain = await encodeImage(pixmap, format, options);
        const bytes = await encodeImage(pixmap, format, { ...options, dpi: 150.5 });
        t.same(exifDpi(bytes), [150.5, 150.5], `${format}, ${name}`);
        t.match(readHeader(bytes), { format, width: pixmap.width, height: pixmap.height });
        t.same((await decodeImage(bytes)).data, (await decodeImage(plain)).data, `${format}, ${name}`);
        if (format === 'webp') {
          t.equal(latin1(bytes.subarray(12, 16)), 'VP8X');
          t.equal((bytes[20] & 0x10) !== 0, pixmap === translucent, 'says whether there is alpha');
          t.equal(bytes.length, new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + 8);
        }
      }
    }
  }
});

t.test('lossless WebP and AVIF decode to the same pixels', async (t) => {
  // quick to fail: a difference of arrays takes minutes to print
  const isSame = (first: Pixmap, second: Pixmap) => first.words.every((word, i) => word === second.words[i]);
  for (const format of ['webp', 'avif'] as const) {
    for (const [name, pixmap] of Object.entries({ opaque, translucent, flat })) {
      const bytes = await encodeImage(pixmap, format, { quality: 30, lossless: true });
      t.ok(isSame(await decodeImage(bytes), pixmap), `${format}, ${name}`);
    }
    const lossy = await encodeImage(opaque, format, { quality: 30 });
    t.notOk(isSame(await decodeImage(lossy), opaque), `${format} at quality 30 is not`);
  }
});
