// Four-component JPEGs decoded by the kernels: bit-identical to Chromium's output, stored in the PNGs beside them.
import { deepEqual } from 'node:assert/strict';
import t from 'tap';
import { decodeImage } from '../../../lib/codecs/index.js';
import { decodeBaseline } from '../../../lib/codecs/jpeg/decode-baseline.js';
import { isYCbCr, readJpegHeader } from '../../../lib/codecs/jpeg/header.js';
import { kernels } from '../../../lib/kernels/kernels.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { withPlainKernels } from '../../kernels/plain.js';
import { difference, estimateDecodeMemory, fixture, randomBelow } from '../pictures.js';

/** Adobe's marker comes first in all of them. */
const TRANSFORM = 2 + 4 + 11;
const MARKER_END = 2 + 16;

/** The image by the kernels, which must equal that by the plain kernels. */
function byKernels(bytes: Uint8Array): Pixmap | undefined {
  const header = readJpegHeader(bytes);
  const decode = () => decodeBaseline(bytes, header, isYCbCr(header));
  const pixmap = decode();
  deepEqual(withPlainKernels(decode)?.words, pixmap?.words);
  return pixmap;
}

/** The same data declared as CMYK by Adobe's marker. */
function untransformed(jpeg: Uint8Array): Uint8Array {
  const copy = jpeg.slice();
  copy[TRANSFORM] = 0;
  return copy;
}

for (const name of ['inks-444', 'inks-422', 'inks-420', 'inks-thin']) {
  t.test(`${name}: decodes like Chromium`, async (t) => {
    const pixmap = byKernels(fixture(`${name}.jpg`));
    const shown = await decodeImage(fixture(`${name}.png`));
    t.same([pixmap?.width, pixmap?.height], [shown.width, shown.height]);
    t.same(pixmap?.words, shown.words);
    t.equal(estimateDecodeMemory(fixture(`${name}.jpg`)).bytesPerPixel, 4);
  });
}

t.test('treats samples as CMYK without a transform or a marker', async (t) => {
  const plain = untransformed(fixture('inks-420.jpg'));
  const bare = Buffer.concat([plain.subarray(0, 2), plain.subarray(MARKER_END)]);
  const { words } = await decodeImage(fixture('inks-420-plain.png'));
  t.same(byKernels(plain)?.words, words);
  t.same(byKernels(bare)?.words, words);
});

t.test('decodes progressive files alike with jpeg-js', async (t) => {
  const bytes = fixture('inks-progressive.jpg');
  t.equal(byKernels(bytes), undefined);
  t.equal(estimateDecodeMemory(bytes).bytesPerPixel, 40);
  for (const change of [(file: Uint8Array) => file, untransformed]) {
    const read = await decodeImage(change(bytes));
    const { max, mean } = difference(read.data, (await decodeImage(change(fixture('inks-444.jpg')))).data);
    t.ok(max <= 4 && mean < 0.5, `at most ${max}, on average ${mean}`);
  }
});

// fault: 49
t.test('shows the rows of a truncated file that arrived, transparent below', async (t) => {
  for (const [name, band] of [
    ['inks-444', 8],
    ['inks-420', 16],
  ] as const) {
    const bytes = fixture(`${name}.jpg`);
    const complete = await decodeImage(bytes);
    const counts = new Set<number>();
    for (let length = bytes.length - 2; length > 0; length -= 11) {
      const pixmap = await decodeImage(bytes.subarray(0, length)).catch(() => undefined);
      if (!pixmap) break;
      const missing = pixmap.words.indexOf(0);
      const rows = missing === -1 ? pixmap.height : missing / pixmap.width;
      const end = rows * pixmap.width;
      t.equal(difference(pixmap.words.subarray(0, end), complete.words.subarray(0, end)).max, 0);
      t.notOk(pixmap.words.subarray(end).some(Boolean), `${name}, ${length} bytes`);
      counts.add(rows);
    }
    // if chroma has half the height, the last row needs the rows below
    const waits = band === 16 ? 1 : 0;
    const bands = Array.from({ length: Math.floor(43 / band) }, (_, i) => (i + 1) * band - waits).reverse();
    t.same([...counts], [43, ...bands], name);
  }
});

// fault: 49
t.test('decodes or rejects files with one wrong byte', async (t) => {
  const random = randomBelow(41);
  let read = 0;
  for (const name of ['inks-444', 'inks-422', 'inks-420', 'inks-thin']) {
    const complete = fixture(`${name}.jpg`);
    for (let i = 0; i < 60; i++) {
      const bytes = Uint8Array.from(complete);
      bytes[20 + random(bytes.length - 20)] = i % 8 === 0 ? 0xff : random(256);
      const outcome = await decodeImage(bytes, { maxPixels: 1e6 }).catch((error: unknown) => error);
      if (outcome instanceof Error) t.match(outcome, { code: 'render_failed' });
      else read++;
    }
  }
  t.ok(read > 50, `${read} were read`);
});

t.test('uses a fresh kernel instance for a large file and frees its memory', async (t) => {
  const bytes = fixture('inks-420.jpg');
  const comment = Buffer.alloc(2 + 65_535);
  comment.set([0xff, 0xfe, 0xff, 0xff]);
  const large = Buffer.concat([bytes.subarray(0, 2), ...Array<Buffer>(130).fill(comment), bytes.subarray(2)]);
  t.same((await decodeImage(large)).words, (await decodeImage(bytes)).words);
  t.ok(kernels().memory.buffer.byteLength < 2 ** 22);
});
