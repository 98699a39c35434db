// Round trips through lossless WebP, decoded by libwebp: few and many colours, translucent ones, rows shorter than a
// hash, distant matches. Images with too many colours or bytes are rejected, then encoded lossy.
import fc from 'fast-check';
import t from 'tap';
import { readHeader } from '../../../lib/codecs/header.js';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { writeLosslessWebp } from '../../../lib/codecs/webp/lossless.js';
import { Pixmap } from '../../../lib/raster/pixmap.js';
import { withPlainKernels } from '../../kernels/plain.js';
import { difference, drawn, randomBelow } from '../pictures.js';

const ROOM = 1 << 22;

/** The maximum channel difference after a round trip; 255 if it is rejected. */
async function loss(image: Pixmap): Promise<number> {
  const bytes = writeLosslessWebp(image, ROOM);
  if (!bytes) return 255;
  const back = await decodeImage(bytes);
  if (back.width !== image.width || back.height !== image.height) return 255;
  return difference(back.data, image.data).max;
}

/** Noise of `colors` opaque colours. */
function noise(width: number, height: number, colors: number): Pixmap {
  const random = randomBelow(colors);
  return drawn(width, height, () => {
    const color = random(colors);
    return [color, (color * 7) & 255, 255 - color, 255];
  });
}

t.test('writes the same file with the plain kernels', (t) => {
  const stripes = drawn(300, 40, (x, y) => [(x * x + y) & 7, (x >> 4) & 3, 9, y < 20 ? 255 : 128]);
  const tiles = drawn(200, 150, (x, y) => [((x * 7) ^ (y * 3)) & 63, 0, (y % 37) & 2, 255]);
  for (const image of [noise(90, 70, 2), noise(61, 33, 200), stripes, tiles, new Pixmap(1, 1), new Pixmap(640, 9)]) {
    const expected = writeLosslessWebp(image, ROOM);
    const found = withPlainKernels(() => writeLosslessWebp(image, ROOM));
    t.ok(expected && found && Buffer.compare(found, expected) === 0, `${image.width} × ${image.height}`);
  }
  const many = noise(200, 200, 256);
  t.equal(
    withPlainKernels(() => writeLosslessWebp(many, 20_000)),
    undefined,
    'too many bytes',
  );
  t.end();
});

t.test('round-trips up to 256 colours', async (t) => {
  for (const colors of [1, 2, 4, 16, 17, 255, 256]) t.equal(await loss(noise(90, 70, colors)), 0, `${colors} colours`);
  // two bits per channel give 256 colours, including transparent and premultiplied ones
  const image = drawn(64, 64, (x, y) => [(x & 3) * 85, (x >> 2) & 3 ? 255 : 0, (y & 3) * 60, ((y >> 2) & 3) * 85]);
  t.equal(await loss(image), 0, 'translucent');
});

t.test('round-trips any size', async (t) => {
  for (const [width, height] of [
    [1, 1],
    [1, 300],
    [300, 1],
    [2, 50],
    [3, 50],
    [4, 4],
    [8, 1],
    [1200, 3],
    [5000, 30],
  ]) {
    t.equal(await loss(noise(width, height, 3)), 0, `noise of ${width} × ${height}`);
    t.equal(await loss(drawn(width, height, () => [9, 8, 7, 255])), 0, `one colour of ${width} × ${height}`);
  }
});

t.test('finds matches before, above, far above and not beyond the window', async (t) => {
  const tile = noise(97, 83, 200);
  const at = (x: number, y: number) => (y % 83) * 97 + (x % 97);
  const tiled = new Pixmap(700, 500);
  for (let y = 0; y < 500; y++) for (let x = 0; x < 700; x++) tiled.words[y * 700 + x] = tile.words[at(x, y)];
  t.equal(await loss(tiled), 0);
  t.ok((writeLosslessWebp(tiled, ROOM)?.length ?? ROOM) < 700 * 500 * 0.1, 'matches are found');
});

t.test('property: round-trips images of runs and repeats', async () => {
  const row = fc.array(fc.tuple(fc.nat(7), fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 12 });
  const rows = fc.array(fc.tuple(row, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 120 }), async (rows, width) => {
      const lines = rows.flatMap(([runs, times]) => {
        const line = runs.flatMap(([color, length]) => Array<number>(length).fill(color));
        return Array<number[]>(times).fill(line);
      });
      const image = drawn(width, lines.length, (x, y) => [lines[y][x % lines[y].length] * 30, 10, x & 1, 255]);
      return (await loss(image)) === 0;
    }),
    { numRuns: 150, seed: 1 },
  );
});

t.test('encodes rejected images lossy', async (t) => {
  const many = drawn(32, 32, (x, y) => [x * 8, y * 8, 0, 255]);
  t.equal(writeLosslessWebp(many, ROOM), undefined, '1024 colours');
  t.equal(writeLosslessWebp(noise(200, 200, 256), 20000), undefined, 'too many bytes');
  t.equal(writeLosslessWebp(new Pixmap(2049, 2048), ROOM), undefined, 'too large');
  const lossy = await encodeImage(noise(200, 200, 256), 'webp', { quality: 90 });
  t.match(readHeader(lossy), { format: 'webp', width: 200, height: 200 });
  t.ok(Buffer.from(lossy).includes('VP8 '), 'lossy');
  const exact = await encodeImage(noise(200, 200, 1), 'webp', { quality: 1 });
  t.ok(Buffer.from(exact).includes('VP8L'), 'lossless at any quality if small');
});

t.test('does not modify the pixmap', (t) => {
  const image = drawn(40, 40, (x) => [x, 0, 0, 128]);
  const before = image.data.slice();
  writeLosslessWebp(image, ROOM);
  t.same(image.data, before);
  t.end();
});
