// PNG encoding: lossless round trips, also with pngjs; the best colour type; several bands; deterministic output.
import { ok } from 'node:assert/strict';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import t from 'tap';
import { premultiply } from '../../../lib/codecs/alpha.js';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { readPngFile, readPngHeader } from '../../../lib/codecs/png/chunks.js';
import { crc32, tableCrc32 } from '../../../lib/codecs/png/crc.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { FORM, sample } from '../../exhaustive.js';
import { awaitWithPlainKernels } from '../../kernels/plain.js';
import { difference, drawn, quadrants, randomBelow, smooth } from '../pictures.js';

/** The PNG of an image, which must be the same by the plain kernels. */
async function png(pixmap: Pixmap): Promise<Uint8Array> {
  const encode = () => encodeImage(pixmap, 'png', { quality: 90 });
  const bytes = await encode();
  ok(Buffer.compare(bytes, await awaitWithPlainKernels(encode)) === 0);
  return bytes;
}

const fileOf = (bytes: Uint8Array) => readPngFile(bytes, readPngHeader(bytes));

async function survives(pixmap: Pixmap): Promise<boolean> {
  const before = pixmap.data.slice();
  const bytes = await png(pixmap);
  const ours = await decodeImage(bytes);
  const theirs = new Uint8ClampedArray(PNG.sync.read(Buffer.from(bytes)).data);
  premultiply(theirs);
  return [ours.data, theirs, before].every((data) => difference(data, pixmap.data).max === 0);
}

const PAINTS = [
  'opaque noise',
  'translucent noise',
  'few colours',
  'few translucent colours',
  'gradient',
  'gray',
] as const;

function painted(kind: (typeof PAINTS)[number], width: number, height: number, seed: number): Pixmap {
  const random = randomBelow(seed);
  const table = Array.from(
    { length: 1 + random(300) },
    () => [random(256), random(256), random(256), random(256)] as const,
  );
  return drawn(width, height, (x, y) => {
    switch (kind) {
      case 'opaque noise':
        return [random(256), random(256), random(256), 255];
      case 'translucent noise':
        return [random(256), random(256), random(256), random(256)];
      case 'few colours': {
        const [r, g, b] = table[random(table.length)];
        return [r, g, b, 255];
      }
      case 'few translucent colours':
        return table[random(table.length)];
      case 'gradient':
        return [(x * 3) & 255, (y * 5) & 255, (x + y) & 255, 255];
      case 'gray':
        return [(x * y) & 255, (x * y) & 255, (x * y) & 255, 255];
    }
  });
}

t.test('round-trips any image, decoded by this project and by pngjs', async (t) => {
  const sides = fc.oneof(fc.constantFrom(1, 2, 7, 8, 9), fc.integer({ min: 1, max: 120 }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PAINTS), sides, sides, fc.nat(), (kind, width, height, seed) =>
      survives(painted(kind, width, height, seed)),
    ),
    { numRuns: 150, seed: 1 },
  );
  t.pass('150 images');
});

t.test('encodes one row, one column, one pixel', async (t) => {
  for (const [width, height] of [
    [1, 1],
    [1, 3000],
    [8192, 1],
  ]) {
    for (const kind of PAINTS) t.ok(await survives(painted(kind, width, height, 3)), `${kind}, ${width} × ${height}`);
  }
});

t.test('encodes images of more than one band', async (t) => {
  for (const kind of sample(['opaque noise', 'translucent noise', 'gradient', 'few colours'] as const, 2)) {
    const pixmap = painted(kind, 1500, 1100, 5);
    t.ok(await survives(pixmap), kind);
  }
  const bytes = await png(painted('opaque noise', 1500, 1100, 5));
  t.ok(fileOf(bytes).data.length > 1, 'several IDAT chunks');
  const wide = drawn(6000, 900, (x, y) => [(x >> 5) & 7, y >> 8, 0, 255]);
  t.equal(readPngHeader(await png(wide)).colorType, 3, 'indexed');
  t.ok(await survives(wide), 'indexed, in bands');
});

t.test('uses the smallest lossless colour type', async (t) => {
  const kind = async (pixmap: Pixmap) => {
    const { colorType, depth } = readPngHeader(await png(pixmap));
    return `${colorType}/${depth}`;
  };
  const colors = (count: number) => drawn(99, 99, (x, y) => [(x * 99 + y) % count, 0, 0, 255]);
  t.equal(await kind(colors(2)), '3/8', 'never fewer than 8 bits');
  t.equal(await kind(colors(16)), '3/8');
  const random = randomBelow(9);
  t.equal(await kind(drawn(100, 100, () => [random(256), 0, 0, 255])), '3/8', '256 colours');
  t.equal(await kind(smooth(100, 100)), '2/8', 'opaque');
  t.equal(await kind(smooth(100, 100, 128)), '6/8', 'translucent');
  t.ok((await png(drawn(1, 1, () => [1, 2, 3, 255]))).length <= 70, 'a pixel needs no palette');
});

t.test('ends tRNS at the last colour that is not opaque', async (t) => {
  const pixmap = drawn(100, 100, (x) => (x < 99 ? [x >> 5, 0, 0, 255] : [0, 0, 0, 0]));
  const { transparency } = fileOf(await png(pixmap));
  t.same(transparency && [...transparency], [255, 255, 255, 255, 0]);
  const { transparency: none } = fileOf(await png(quadrants(200, 200)));
  t.equal(none, undefined);
});

t.test('compresses drawn images well', async (t) => {
  t.ok((await png(quadrants(1200, 630))).length < 6000, 'four rectangles');
  // Rows repeat with a horizontal shift: unfiltered rows let deflate find that, Sub hides it.
  const diagonal = drawn(600, 300, (x, y) => [(x + y) & 255, ((x + y) >> 1) & 255, 90, 255]);
  t.ok((await png(diagonal)).length < 20000, 'a diagonal gradient');
});

t.test('encodes the same pixels to the same bytes', async (t) => {
  for (const kind of PAINTS) {
    const pixmap = FORM === 'normal' ? painted(kind, 500, 300, 11) : painted(kind, 1300, 1000, 11);
    t.equal(Buffer.compare(await png(pixmap), await png(pixmap)), 0, kind);
  }
});

t.test("the table-driven CRC equals Node's", (t) => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * i) & 255);
  t.equal(tableCrc32(new TextEncoder().encode('123456789')), 0xcbf43926, "the CRC's check value");
  t.equal(crc32(bytes), tableCrc32(bytes));
  t.equal(crc32(bytes.subarray(10), crc32(bytes.subarray(0, 10))), tableCrc32(bytes), 'continued');
  t.end();
});
