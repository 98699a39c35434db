// Scaled rows against their definition, four truncated products per channel, and against the plain kernel; over several
// bands of the kernel, at every kind of edge.
import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { rectOf } from '../../lib/geometry/rect.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { ScaledRows } from '../../lib/raster/scaled-rows.js';
import { randomBelow } from '../codecs/pictures.js';
import { withPlainKernels } from '../kernels/plain.js';
import { anyPixmap } from './pixels.js';

fc.configureGlobal({ seed: 1704 });

/** A pixel's taps: the first of two source pixels, and the weight of the second in 16ths. */
function place(at: number, scale: number, size: number): { first: number; second: number; share: number } {
  const middle = (at + 0.5) * scale - 0.5 + 1e-6;
  const cell = Math.floor(middle);
  if (cell < 0) return { first: 0, second: 0, share: 0 };
  if (cell >= size - 1) return { first: size - 1, second: size - 1, share: 0 };
  return { first: cell, second: cell + 1, share: Math.floor((middle - cell) * 16) };
}

function plainPixel({ data, width, height }: Pixmap, x: number, y: number, across: number, down: number): number[] {
  const u = place(x, across, width);
  const v = place(y, down, height);
  return [0, 1, 2, 3].map((channel) => {
    const at = (column: number, row: number) => data[(row * width + column) * 4 + channel];
    const upper = at(u.first, v.first) * (16 - u.share) + at(u.second, v.first) * u.share;
    const lower = at(u.first, v.second) * (16 - u.share) + at(u.second, v.second) * u.share;
    return (upper * (16 - v.share) + lower * v.share) >> 8;
  });
}

/** Whether every `stride`th pixel of the part equals the twin's. */
function agrees(source: Pixmap, width: number, height: number, part: ReturnType<typeof rectOf>, stride = 1): boolean {
  const rows = new ScaledRows(source, width, height, part);
  const plainRows = new ScaledRows(source, width, height, part);
  for (let y = 0; y < rows.height; y++) {
    const from = rows.locate(y);
    withPlainKernels(() => plainRows.locate(y));
    if (from === 0) deepEqual(plainRows.pixels.words, rows.pixels.words);
    if (plainRows.isOpaque(y) !== rows.isOpaque(y)) return false;
    for (let x = y % stride; x < rows.width; x += stride) {
      const at = (from + x) * 4;
      const expected = plainPixel(source, part.left + x, part.top + y, source.width / width, source.height / height);
      if (expected.some((value, channel) => rows.pixels.data[at + channel] !== value)) return false;
    }
  }
  return true;
}

t.test('scales small images, also one pixel wide or high', (t) => {
  const side = fc.integer({ min: 1, max: 9 });
  const factor = fc.double({ min: 0.4, max: 12, noNaN: true });
  const pictures = fc.tuple(side, side).chain(([width, height]) => anyPixmap(width, height));
  fc.assert(
    fc.property(pictures, factor, factor, fc.nat(), fc.nat(), (source, across, down, i, j) => {
      const width = Math.max(1, Math.round(source.width * across));
      const height = Math.max(1, Math.round(source.height * down));
      const left = i % width;
      const top = j % height;
      return agrees(source, width, height, rectOf(left, top, width - left, height - top));
    }),
    { numRuns: 300 },
  );
  t.end();
});

t.test('scales images that take several bands', (t) => {
  const random = randomBelow(3);
  const source = new Pixmap(701, 467);
  for (let i = 0; i < source.data.length; i += 4) {
    source.data[i + 3] = 255 - random(2) * random(256);
    for (let c = 0; c < 3; c++) source.data[i + c] = random(source.data[i + 3] + 1);
  }
  t.ok(agrees(source, 523, 349, rectOf(0, 0, 523, 349), 7), 'shrunk');
  t.ok(agrees(source, 1262, 840, rectOf(301, 7, 473, 830), 13), 'enlarged, the middle of it');
  t.ok(agrees(source, 250, 1400, rectOf(3, 0, 247, 1400), 11), 'shrunk across, enlarged down');
  t.end();
});

t.test('a row is opaque when both of its source rows are', (t) => {
  const source = new Pixmap(6, 4);
  source.fill({ r: 9, g: 8, b: 7, a: 1 });
  source.data[(1 * 6 + 2) * 4 + 3] = 254;
  const rows = new ScaledRows(source, 9, 8, rectOf(0, 0, 9, 8));
  const opaque = Array.from({ length: 8 }, (_, y) => {
    rows.locate(y);
    return rows.isOpaque(y);
  });
  t.same(opaque, [false, false, false, false, false, true, true, true]);
  t.end();
});
