// Compares the PNG decoder with pngjs for every colour type, bit depth and filter; interlaced files with the same image
// non-interlaced; and which files are rejected.
import { constants, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import t from 'tap';
import { premultiply } from '../../../lib/codecs/alpha.js';
import { decodeImage } from '../../../lib/codecs/index.js';
import { difference, randomBelow } from '../pictures.js';
import { chunk, ihdr, makePng, SIGNATURE } from './maker.js';

const KINDS = [
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
] as const;

function twin(bytes: Uint8Array): Uint8ClampedArray {
  const data = new Uint8ClampedArray(PNG.sync.read(Buffer.from(bytes)).data);
  premultiply(data);
  return data;
}

t.test('decodes every colour type, depth and size like pngjs, interlaced or not', async (t) => {
  for (const [colorType, depths] of KINDS) {
    for (const depth of depths) {
      for (const [width, height] of [
        [1, 1],
        [2, 3],
        [5, 1],
        [13, 9],
        [33, 17],
      ] as const) {
        const random = randomBelow(width * 100 + depth + colorType);
        const samples = Array.from({ length: width * height * 4 }, () => random(2 ** depth));
        const palette = Array.from({ length: 3 << depth }, () => random(256));
        const recipe = {
          width,
          height,
          depth,
          colorType,
          sample: (x: number, y: number, channel: number) => samples[(y * width + x) * 4 + channel],
          filter: () => random(5),
          ...(colorType === 3 && { palette, transparency: [0, 100] }),
        };
        const bytes = makePng(recipe);
        const pixmap = await decodeImage(bytes);
        const name = `type ${colorType}, ${depth} bits, ${width} × ${height}`;
        t.same([pixmap.width, pixmap.height], [width, height], name);
        t.equal(difference(pixmap.data, twin(bytes)).max, 0, name);
        const interlaced = await decodeImage(makePng({ ...recipe, interlaced: true }));
        t.equal(difference(interlaced.data, pixmap.data).max, 0, `${name}, interlaced`);
      }
    }
  }
});

t.test('applies the transparent colour of gray and RGB files', async (t) => {
  for (const [colorType, depth, transparency] of [
    [0, 2, [0, 2]],
    [0, 8, [0, 200]],
    [0, 16, [200, 7]],
    [2, 8, [0, 10, 0, 20, 0, 30]],
    [2, 16, [10, 1, 20, 2, 30, 3]],
  ] as const) {
    const clear = Array.from(
      { length: transparency.length / 2 },
      (_, i) => transparency[i * 2] * 256 + transparency[i * 2 + 1],
    );
    const sample = (x: number, _y: number, channel: number) => (x === 1 ? clear[channel] : 1);
    const recipe = { width: 3, height: 1, depth, colorType, transparency, sample };
    const bytes = makePng(recipe);
    const { data } = await decodeImage(bytes);
    const interlaced = await decodeImage(makePng({ ...recipe, interlaced: true }));
    t.equal(difference(data, interlaced.data).max, 0, `type ${colorType}, ${depth} bits, interlaced`);
    t.same([data[3], data[7], data[11]], [255, 0, 255], `type ${colorType}, ${depth} bits`);
    t.equal(difference(data, twin(bytes)).max, 0, `type ${colorType}, ${depth} bits, as pngjs`);
  }
});

t.test('rounds 16-bit samples to the nearest 8-bit value', async (t) => {
  for (const interlaced of [false, true]) {
    const sample = (x: number, y: number) => y * 256 + x;
    const bytes = makePng({ width: 256, height: 256, depth: 16, colorType: 0, interlaced, sample });
    const { data } = await decodeImage(bytes);
    const wrong = Array.from({ length: 65536 }, (_, v) => v).filter((v) => data[v * 4] !== Math.round(v / 257));
    t.same(wrong, [], interlaced ? 'interlaced' : 'plain');
  }
});

t.test('decodes palettes and tRNS of the wrong length, interlaced or not', async (t) => {
  const base = { width: 9, height: 9, depth: 4, colorType: 3, sample: (x: number) => x };
  const opaque = { palette: [10, 20, 30, 40, 50, 60], transparency: [] };
  for (const [name, colors, expected] of [
    ['an index past the palette is opaque black', opaque, [10, 20, 30, 255, 40, 50, 60, 255, 0, 0, 0, 255]],
    [
      'more alphas than colours',
      { ...opaque, transparency: [0, 255, 9, 9] },
      [0, 0, 0, 0, 40, 50, 60, 255, 0, 0, 0, 9],
    ],
    ['half a colour', { palette: [1, 2, 3, 4], transparency: [] }, [1, 2, 3, 255, 4, 0, 0, 255, 0, 0, 0, 255]],
  ] as const) {
    const plain = await decodeImage(makePng({ ...base, ...colors }));
    t.same([...plain.data.subarray(0, 12)], expected, name);
    const interlaced = await decodeImage(makePng({ ...base, ...colors, interlaced: true }));
    t.equal(difference(interlaced.data, plain.data).max, 0, `${name}, interlaced`);
  }
  for (const [colorType, transparency] of [
    [0, [1]],
    [2, [0, 1, 0, 1]],
    [4, [0, 1]],
    [6, [0, 1, 0, 1, 0, 1]],
  ] as const) {
    const recipe = { width: 9, height: 9, depth: 8, colorType, transparency, sample: (x: number) => x };
    const plain = await decodeImage(makePng(recipe));
    const interlaced = await decodeImage(makePng({ ...recipe, interlaced: true }));
    t.equal(difference(interlaced.data, plain.data).max, 0, `type ${colorType}: no transparent colour`);
  }
});

const pixels = { width: 4, height: 4, depth: 8, colorType: 0, sample: () => 7 };
const rows = deflateSync(Buffer.alloc(4 * 5));
const file = (...chunks: Buffer[]) => new Uint8Array(Buffer.concat([SIGNATURE, ...chunks]));

// fault: 48
t.test('tolerates the errors that browsers tolerate', async (t) => {
  t.equal((await decodeImage(makePng(pixels).slice(0, -12))).width, 4, 'no IEND');
  const complete = file(ihdr(4, 4, 8, 0), chunk('IDAT', rows), chunk('tEXt', Buffer.alloc(9)), chunk('IEND', []));
  const { words } = await decodeImage(complete);
  const end = complete.length - 12 - 21 - 4;
  for (let length = end; length < complete.length; length++) {
    t.same((await decodeImage(complete.subarray(0, length))).words, words, `${length} of ${complete.length} bytes`);
  }
  await t.rejects(decodeImage(complete.subarray(0, end - 4 - 2)), { message: /truncated/ }, 'a row is missing');
  const long = Uint8Array.from(complete);
  long[8 + 25] = 0x7f;
  t.same((await decodeImage(long)).words, words, 'a chunk whose length exceeds the file');
  const badText = makePng(pixels);
  badText[8 + 25 + 8] ^= 1;
  t.equal((await decodeImage(badText)).width, 4, 'a text chunk with a wrong CRC');
  const longer = deflateSync(Buffer.alloc(4 * 5 + 100));
  t.equal((await decodeImage(file(ihdr(4, 4, 8, 0), chunk('IDAT', longer)))).width, 4, 'a little too much data');
});

t.test('decodes a zlib stream with every row but a missing or wrong end', async (t) => {
  const raw = Buffer.from(Array.from({ length: 20 }, (_, i) => (i % 5 === 0 ? 0 : i * 9)));
  const complete = deflateSync(raw);
  const { words } = await decodeImage(file(ihdr(4, 4, 8, 0), chunk('IDAT', complete)));
  const wrong = Buffer.from(complete);
  wrong[wrong.length - 1] ^= 1;
  for (const [name, stream] of [
    ['wrong checksum', wrong],
    ['no checksum', complete.subarray(0, -4)],
    ['no last block', deflateSync(raw, { finishFlush: constants.Z_SYNC_FLUSH })],
    ['extra data', Buffer.concat([complete, Buffer.alloc(50, 7)])],
  ] as const) {
    t.same((await decodeImage(file(ihdr(4, 4, 8, 0), chunk('IDAT', stream)))).words, words, name);
  }
  const header = (...bytes: number[]) => Buffer.concat([Buffer.from(bytes), complete.subarray(2)]);
  for (const [name, stream, message] of [
    ['rows missing', deflateSync(raw.subarray(0, 15)), /truncated/],
    ['nothing but a header', complete.subarray(0, 2), /truncated/],
    ['another compression method', header(0x77, 0x85), /compressed data is corrupt/],
    ['a window of 64 KiB', header(0x88, 0x1c), /compressed data is corrupt/],
    ['wrong header check bits', header(0x78, 0x9d), /compressed data is corrupt/],
    ['a dictionary', deflateSync(raw, { dictionary: Buffer.from('abcdef') }), /compressed data is corrupt/],
  ] as const) {
    await t.rejects(decodeImage(file(ihdr(4, 4, 8, 0), chunk('IDAT', stream))), { message }, name);
  }
});

// fault: 48
t.test('rejects malformed files with a reason', async (t) => {
  const cases: [name: string, bytes: Uint8Array, message: RegExp][] = [
    ['no size', file(ihdr(0, 4, 8, 0), chunk('IDAT', rows)), /its size is 0 × 4/],
    ['too large', file(ihdr(30000, 30000, 8, 0), chunk('IDAT', rows)), /30000 × 30000 pixels, more than the 67108864/],
    ['too little data', file(ihdr(4000, 4000, 8, 0), chunk('IDAT', rows)), /truncated/],
    ['a bomb', file(ihdr(4, 4, 8, 0), chunk('IDAT', deflateSync(Buffer.alloc(1 << 20)))), /more data than its size/],
    [
      'a bomb, interlaced',
      file(ihdr(4, 4, 8, 0, true), chunk('IDAT', deflateSync(Buffer.alloc(1 << 20)))),
      /more data/,
    ],
    ['two headers', file(ihdr(4, 4, 8, 0), ihdr(9000, 9000, 8, 0), chunk('IDAT', rows)), /two IHDR chunks/],
    ['no data', file(ihdr(4, 4, 8, 0), chunk('IEND', [])), /no image data/],
    ['no palette', file(ihdr(4, 4, 8, 3), chunk('IDAT', rows)), /palette is missing/],
    ['an impossible depth', file(ihdr(4, 4, 4, 2), chunk('IDAT', rows)), /does not allow a bit depth of 4/],
    ['a filter', file(ihdr(4, 4, 8, 0), chunk('IDAT', deflateSync(Buffer.alloc(20, 9)))), /unknown filter 9/],
    [
      'a filter, interlaced',
      file(ihdr(4, 4, 8, 0, true), chunk('IDAT', deflateSync(Buffer.alloc(24, 9)))),
      /unknown filter 9/,
    ],
    ['too little data, interlaced', file(ihdr(4000, 4000, 8, 0, true), chunk('IDAT', rows)), /truncated/],
    [
      'an invalid zlib stream',
      file(ihdr(4, 4, 8, 0), chunk('IDAT', Buffer.alloc(20, 9))),
      /compressed data is corrupt/,
    ],
    ['an unknown critical chunk', file(ihdr(4, 4, 8, 0), chunk('ABCD', []), chunk('IDAT', rows)), /ABCD chunk/],
  ];
  const corrupt = makePng(pixels);
  corrupt[corrupt.length - 20] ^= 1;
  cases.push(['a CRC', corrupt, /IDAT chunk is corrupt/]);
  for (const [name, bytes, message] of cases) {
    await t.rejects(decodeImage(bytes), { name: 'RenderError', code: 'render_failed', message }, name);
  }
});
