// Variants of JPEG, WebP and AVIF that this project's encoders do not write; all fixtures show the same four quadrants.
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage } from '../../lib/codecs/index.js';
import { convertYCbCr } from '../../lib/codecs/jpeg/color.js';
import { decodeByFallback } from '../../lib/codecs/jpeg/fallback.js';
import { readJpegHeader } from '../../lib/codecs/jpeg/header.js';
import { orient } from '../../lib/codecs/orientation.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { BLUE, corners, difference, drawn, fixture, GREEN, near, RED, YELLOW } from './pictures.js';

const SHOWN = [RED, GREEN, BLUE, YELLOW];
const GRAYS = [76, 150, 29, 226].map((gray) => [gray, gray, gray, 255]);

t.test('decodes every variant to the quadrants', async (t) => {
  for (const [name, expected] of [
    ['quadrants-420.jpg', SHOWN],
    ['quadrants-progressive.jpg', SHOWN],
    ['quadrants-restart.jpg', SHOWN],
    ['quadrants-rgb.jpg', SHOWN],
    ['quadrants-cmyk.jpg', SHOWN],
    ['quadrants-gray.jpg', GRAYS],
    ['quadrants-10bit.avif', SHOWN],
    ['quadrants-gray.avif', GRAYS],
    ['quadrants-interlaced.gif', SHOWN],
    ['quadrants-lossless.webp', SHOWN],
  ] as const) {
    const pixmap = await decodeImage(fixture(name));
    t.same([pixmap.width, pixmap.height], [48, 32], name);
    t.ok(near(corners(pixmap), expected, 3), `${name}: ${corners(pixmap).join(' ')}`);
  }
});

t.test("decodes WebP with alpha: a still, and an animation's first frame on its canvas", async (t) => {
  const half = SHOWN.map((color) => color.map((value) => Math.round((value * 127) / 255)));
  const still = await decodeImage(fixture('quadrants-translucent.webp'));
  t.ok(near(corners(still), half, 3));
  const animated = fixture('quadrants-animated.webp');
  t.match(readHeader(animated), { format: 'webp', width: 58, height: 38 });
  const { words, width } = await decodeImage(animated);
  const frame = new Pixmap(48, 32);
  for (let y = 0; y < 32; y++) frame.words.set(words.subarray((y + 6) * width + 10, (y + 6) * width + 58), y * 48);
  t.equal(difference(frame.data, still.data).max, 0, 'the frame is at (10, 6)');
  t.notOk(words.subarray(0, 6 * width).some(Boolean), 'the rest is transparent');
});

t.test('decodes alike with mozjpeg and with its fallback jpeg-js', async (t) => {
  for (const name of ['420', 'progressive', 'restart', 'rgb', 'gray']) {
    const bytes = fixture(`quadrants-${name}.jpg`);
    const fallback = decodeByFallback(bytes, readJpegHeader(bytes));
    const { max, mean } = difference((await decodeImage(bytes)).data, fallback.data);
    t.ok(max <= 4 && mean < 0.5, `${name}: at most ${max}, on average ${mean}`);
  }
});

/** The rows that are not transparent. */
function opaqueRows({ width, height, words }: Pixmap): number[] {
  return Array.from({ length: height }, (_, y) => y).filter((y) => words[y * width] !== 0);
}

t.test('shows the rows of a truncated JPEG that arrived, transparent below', async (t) => {
  for (const [name, band] of [
    ['420', 16],
    ['restart', 8],
    ['rgb', 8],
    ['gray', 8],
  ] as const) {
    const bytes = fixture(`quadrants-${name}.jpg`);
    const complete = await decodeImage(bytes);
    const counts = new Set<number>();
    for (let length = bytes.length - 2; length > 0; length--) {
      const pixmap = await decodeImage(bytes.subarray(0, length)).catch(() => undefined);
      if (!pixmap) break;
      const rows = opaqueRows(pixmap);
      t.same(
        rows,
        rows.map((_, i) => i),
        `${name}, ${length} bytes: from the top`,
      );
      // the last row may be filtered with missing chroma, and the last MCU padded
      const certain = Math.max(0, rows.length - band - 1) * complete.width;
      t.equal(difference(pixmap.words.subarray(0, certain), complete.words.subarray(0, certain)).max, 0);
      t.notOk(pixmap.words.subarray(rows.length * complete.width).some(Boolean));
      counts.add(rows.length);
    }
    const bands = Array.from({ length: 32 / band }, (_, i) => 32 - i * band);
    t.same([...counts], bands, `${name}: whole bands of ${band} rows`);
  }
});

t.test('shows as much detail of a truncated progressive JPEG as arrived', async (t) => {
  const bytes = fixture('quadrants-progressive.jpg');
  const complete = await decodeImage(bytes);
  const half = await decodeImage(bytes.subarray(0, bytes.length >> 1));
  t.ok(half.isOpaque());
  t.ok(difference(half.data, complete.data).mean < 12);
  t.equal(difference((await decodeImage(bytes.slice(0, -2))).data, complete.data).max, 0, 'without its end marker');
});

t.test('skips bytes between JPEG segments and markers without length', async (t) => {
  for (const name of ['quadrants-420.jpg', 'quadrants-progressive.jpg']) {
    const bytes = fixture(name);
    const { words } = await decodeImage(bytes);
    const first = 4 + ((bytes[4] << 8) | bytes[5]);
    for (const junk of [[0], [1, 2, 3, 0xfe], [0xff, 0], [0xff, 0xff, 0xff], [0xff, 1], [7, 0xff, 0xd3, 9]]) {
      const file = Buffer.concat([bytes.subarray(0, first), Buffer.from(junk), bytes.subarray(first)]);
      t.same((await decodeImage(file)).words, words, `${name}: ${junk}`);
    }
  }
  const endless = Buffer.concat([fixture('quadrants-420.jpg').subarray(0, 4), Buffer.alloc(1000)]);
  t.throws(() => readHeader(endless), { message: /no image data/ });
});

t.test('rejects a JPEG without any complete row', async (t) => {
  const bytes = fixture('quadrants-420.jpg');
  const scan = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xda);
  for (const length of [scan + 2, scan + 14, scan + 15]) {
    await t.rejects(decodeImage(bytes.slice(0, length)), {
      code: 'render_failed',
      message: /its image data is truncated/,
    });
  }
});

// fault: 56
t.test('decodes the next file after rejecting one', async (t) => {
  const bytes = fixture('quadrants-420.jpg');
  const corrupt = bytes.slice();
  // a Huffman table that declares more codes than possible
  const table = corrupt.findIndex((byte, at) => byte === 0xff && corrupt[at + 1] === 0xc4);
  corrupt[table + 5] = 9;
  await t.rejects(decodeImage(corrupt), { code: 'render_failed', message: /^the JPEG is malformed/ });
  t.ok(near(corners(await decodeImage(bytes)), SHOWN, 3));
});

// fault: 49
t.test('treats CMYK without an Adobe marker as inverted, like with a CMYK marker', async (t) => {
  const cmyk = fixture('quadrants-cmyk.jpg');
  const marked = cmyk.slice();
  marked[2 + 4 + 11] = 0;
  const bare = Uint8Array.from([...cmyk.slice(0, 2), ...cmyk.slice(2 + 16)]);
  const images = [await decodeImage(marked), await decodeImage(bare)];
  t.equal(difference(images[0].data, images[1].data).max, 0);
});

/** A copy with an APP1 segment that only has the orientation. */
function withExif(jpeg: Uint8Array, orientation: number, little: boolean): Uint8Array {
  const tiff = Buffer.alloc(26);
  const u16 = (value: number, at: number) => (little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at));
  tiff.write(little ? 'II' : 'MM', 'latin1');
  u16(42, 2);
  if (little) tiff.writeUInt32LE(8, 4);
  else tiff.writeUInt32BE(8, 4);
  u16(1, 8);
  u16(0x0112, 10);
  u16(3, 12);
  if (little) tiff.writeUInt32LE(1, 14);
  else tiff.writeUInt32BE(1, 14);
  u16(orientation, 18);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return new Uint8Array(Buffer.concat([jpeg.slice(0, 2), head, body, jpeg.slice(2)]));
}

t.test('applies EXIF orientations 1–8', async (t) => {
  // The displayed colours at top left, top right, bottom left, bottom right (EXIF 2.3, tag 274).
  const shown = [
    [RED, GREEN, BLUE, YELLOW],
    [GREEN, RED, YELLOW, BLUE],
    [YELLOW, BLUE, GREEN, RED],
    [BLUE, YELLOW, RED, GREEN],
    [RED, BLUE, GREEN, YELLOW],
    [BLUE, RED, YELLOW, GREEN],
    [YELLOW, GREEN, BLUE, RED],
    [GREEN, YELLOW, RED, BLUE],
  ];
  for (let orientation = 1; orientation <= 8; orientation++) {
    const bytes = withExif(fixture('quadrants-rgb.jpg'), orientation, orientation % 2 === 0);
    const size = orientation < 5 ? { width: 48, height: 32 } : { width: 32, height: 48 };
    t.match(readHeader(bytes), { format: 'jpeg', ...size });
    const pixmap = await decodeImage(bytes);
    t.same({ width: pixmap.width, height: pixmap.height }, size);
    t.ok(near(corners(pixmap), shown[orientation - 1], 3), `orientation ${orientation}`);
  }
  for (const nonsense of [0, 9, 65535]) {
    t.same(readHeader(withExif(fixture('quadrants-rgb.jpg'), nonsense, false)).width, 48, `${nonsense} is upright`);
  }
  const signed = Buffer.from(withExif(fixture('quadrants-rgb.jpg'), 6, true));
  signed[signed.indexOf(Buffer.from([0x12, 0x01, 3, 0])) + 2] = 9;
  t.equal(readHeader(signed).width, 48, 'a value of the wrong type is upright, as in Chromium');
});

t.test('maps every pixel exactly once for each orientation', (t) => {
  const pixmap = drawn(5, 3, (x, y) => [x, y, x + y, 255]);
  for (const [once, back] of [
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 8],
    [7, 7],
    [8, 6],
  ] as const) {
    t.equal(difference(orient(orient(pixmap, once), back).data, pixmap.data).max, 0, `${once}, then ${back}`);
  }
  t.end();
});

t.test('applies AVIF irot and imir as Chromium does', async (t) => {
  const bytes = fixture('quadrants-turned.avif');
  const text = Buffer.from(bytes).toString('latin1');
  const [irot, imir] = [text.indexOf('irot') + 4, text.indexOf('imir') + 4];
  const shown = [
    [
      [BLUE, YELLOW, RED, GREEN],
      [GREEN, RED, YELLOW, BLUE],
    ],
    [
      [RED, BLUE, GREEN, YELLOW],
      [YELLOW, GREEN, BLUE, RED],
    ],
    [
      [GREEN, RED, YELLOW, BLUE],
      [BLUE, YELLOW, RED, GREEN],
    ],
    [
      [YELLOW, GREEN, BLUE, RED],
      [RED, BLUE, GREEN, YELLOW],
    ],
  ];
  for (let angle = 0; angle < 4; angle++) {
    for (let axis = 0; axis < 2; axis++) {
      bytes[irot] = angle;
      bytes[imir] = axis;
      const pixmap = await decodeImage(bytes);
      t.same([pixmap.width, pixmap.height], angle % 2 ? [32, 48] : [48, 32]);
      t.ok(near(corners(pixmap), shown[angle][axis], 4), `${angle} quarters, axis ${axis}`);
    }
  }
});

t.test('upsamples chroma with the triangle filter', (t) => {
  // One row of gray luma with chroma of half width: samples 100, 100 and 200, each twice, as jpeg-js repeats them.
  const data = new Uint8ClampedArray([100, 100, 100, 100, 200, 200].flatMap((cb) => [128, cb, 128, 255]));
  convertYCbCr(data, 6, 1, 2, 1);
  const blue = [0, 4, 8, 12, 16, 20].map((i) => data[i + 2]);
  // libjpeg: 3/4 of the nearer sample and 1/4 of the other, so 125 and 175 on either side of the edge.
  const expected = [100, 100, 100, 125, 175, 200].map((cb) => Math.round(128 + 1.772 * (cb - 128)));
  t.same(
    blue,
    expected.map((value) => Math.min(255, value)),
  );
  t.end();
});
