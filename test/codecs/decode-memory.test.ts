// Memory estimates from image headers; and AVIFs whose coded size differs from their boxes.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { codedImages } from '../../lib/codecs/avif/coded-pictures.js';
import { readObus } from '../../lib/codecs/avif/obu.js';
import { decodeImage } from '../../lib/codecs/index.js';
import { Reader } from '../../lib/codecs/reader.js';
import { webpChunk, webpFile, webpHeader } from '../../lib/codecs/webp/container.js';
import { estimateDecodeMemory } from './pictures.js';
import { makePng } from './png/maker.js';

const fixture = (name: string) => Uint8Array.from(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

t.test('estimates peak bytes per pixel', (t) => {
  const png = (colorType: number, depth: number) =>
    estimateDecodeMemory(makePng({ width: 3, height: 2, colorType, depth, sample: () => 0, palette: [0, 0, 0] }))
      .bytesPerPixel;
  t.equal(png(6, 16), 12);
  t.equal(png(2, 8), 7);
  t.equal(png(3, 1), 4.125);
  for (const [name, expected] of [
    ['quadrants-420.jpg', 4],
    ['quadrants-progressive.jpg', 14],
    ['quadrants-cmyk.jpg', 4],
    ['inks-progressive.jpg', 40],
    ['quadrants-lossless.webp', 13],
    ['quadrants-translucent.webp', 14],
    ['quadrants-animated.webp', 18],
    ['quadrants-turned.avif', 24],
    ['quadrants-10bit.avif', 46],
    ['quadrants-interlaced.gif', 5],
  ] as const) {
    const { bytesPerPixel, width } = estimateDecodeMemory(fixture(name));
    t.equal(bytesPerPixel, expected, name);
    t.ok(width > 0);
  }
  const large = fixture('quadrants-420.jpg');
  const frame = large.findIndex((byte, at) => byte === 0xff && large[at + 1] === 0xc0);
  large.set([0x1f, 0x40, 0x1f, 0x40], frame + 5);
  t.match(estimateDecodeMemory(large), { width: 8000, bytesPerPixel: 9 });
  t.throws(() => estimateDecodeMemory(Uint8Array.of(1, 2, 3)), { code: 'render_failed' });
  t.end();
});

t.test('estimates a WebP by its coding, whatever chunks precede the image', (t) => {
  const part = (type: string, ...data: Uint8Array[]) => webpChunk(type, Buffer.concat(data));
  const weightOf = (flags: number, ...chunks: Uint8Array[]) => {
    const header = webpHeader(40, 30);
    header[8] = flags;
    return estimateDecodeMemory(webpFile(header, ...chunks)).bytesPerPixel;
  };
  const [lossy, lossless, alpha] = ['VP8 ', 'VP8L', 'ALPH'].map((type) => part(type, Buffer.alloc(3)));
  const frame = (...chunks: Uint8Array[]) => part('ANMF', Buffer.alloc(16), ...chunks);
  const animated = 2;
  t.equal(weightOf(0, part('ICCP', Buffer.alloc(9)), lossy), 9);
  t.equal(weightOf(0, lossless), 13);
  t.equal(weightOf(0, alpha, lossy), 14);
  t.equal(weightOf(0, ...Array<Uint8Array>(100).fill(part('ABCD')), lossy), 14, 'after too many chunks');
  t.equal(weightOf(animated, part('ANIM', Buffer.alloc(6)), frame(lossy)), 13);
  t.equal(weightOf(animated, lossy, frame(lossless)), 17, 'an image outside the frames is ignored');
  t.equal(weightOf(animated, frame(alpha, lossy)), 18);
  t.equal(weightOf(animated), 18, 'truncated');
  t.end();
});

t.test('holds a full-canvas frame only once', async (t) => {
  const still = fixture('quadrants-lossless.webp');
  const image = await decodeImage(still);
  const { width, height } = image;
  const place = Buffer.alloc(16);
  place.writeUIntLE(width - 1, 6, 3);
  place.writeUIntLE(height - 1, 9, 3);
  const framed = (columns: number) => {
    const header = webpHeader(columns, height);
    header[8] = 2;
    return webpFile(header, webpChunk('ANMF', Buffer.concat([place, still.subarray(12)])));
  };
  t.same((await decodeImage(framed(width))).words, image.words);
  const wider = await decodeImage(framed(width + 1));
  t.equal(wider.width, width + 1);
  t.equal(wider.words[width], 0, 'transparent beside the frame');
  t.equal(wider.words[width + 1], image.words[width]);
});

t.test('reads the coded size of an AVIF', async (t) => {
  for (const name of ['quadrants-turned.avif', 'quadrants-10bit.avif', 'quadrants-gray.avif']) {
    const bytes = fixture(name);
    const sizes = [...codedImages(new Reader(bytes, 'avif'), bytes)].map((data) => readObus(data).largest);
    t.ok(sizes.length > 0, name);
    for (const size of sizes) t.same(size, { width: 48, height: 32 }, name);
  }
});

t.test('rejects an AVIF that declares 40 pixels and codes 5000', async (t) => {
  const bytes = Uint8Array.from(readFileSync(new URL('../fuzz/corpus/avif/memory-coded-size.avif', import.meta.url)));
  t.match(estimateDecodeMemory(bytes), { width: 40, height: 40 });
  await t.rejects(decodeImage(bytes), { code: 'render_failed', message: /its image data does not match its header/ });
});

t.test('reads extended sequence headers, truncated anywhere', (t) => {
  // profile 0, no timing, one operating point of level 8, 12-bit sizes: 1600 × 900
  const bits = ['000', '0', '0', '0', '0', '00000', '000000000000', '01000', '0', '1011', '1011'];
  const text = [...bits, (1599).toString(2).padStart(12, '0'), (899).toString(2).padStart(12, '0')].join('');
  const body = text
    .padEnd(96, '0')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2));
  const unit = Uint8Array.from([0x12, 0, 0x0a, body.length, ...body]);
  t.same(readObus(unit).largest, { width: 1600, height: 900 });
  t.same(readObus(Uint8Array.from([0x08, ...body])).largest, { width: 1600, height: 900 }, 'without a length field');
  for (let length = 0; length < unit.length; length++) readObus(unit.subarray(0, length)).largest;
  t.equal(readObus(Uint8Array.of(0x12, 0xff, 0xff)).largest, undefined, 'an unterminated length');
  t.end();
});
