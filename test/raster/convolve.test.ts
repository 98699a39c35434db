// convolve, which computes repeated rows once, against its plain twin: bit-identical.
import fc from 'fast-check';
import t from 'tap';
import type { Rect } from '../../lib/geometry/rect.js';
import { convolve, type FloatGrid } from '../../lib/raster/convolve.js';

fc.configureGlobal({ seed: 1706 });

/** Convolves every row horizontally, then adds it to every row in reach. */
function plain(source: FloatGrid, kernel: Float32Array, region: Rect): Float32Array {
  const reach = kernel.length - 1;
  const width = region.right - region.left;
  const values = new Float32Array(width * (region.bottom - region.top));
  const at = (x: number, y: number) => (x < 0 || x >= source.width ? 0 : source.values[y * source.width + x]);
  const line = new Float32Array(width);
  for (let y = 0; y < source.height; y++) {
    for (let x = 0; x < width; x++) {
      const middle = region.left + x;
      let sum = kernel[0] * at(middle, y);
      for (let k = 1; k <= reach; k++) sum += kernel[k] * (at(middle - k, y) + at(middle + k, y));
      line[x] = sum;
    }
    for (let row = Math.max(region.top, y - reach); row < Math.min(region.bottom, y + reach + 1); row++) {
      const weight = kernel[Math.abs(row - y)];
      for (let x = 0; x < width; x++) values[(row - region.top) * width + x] += weight * line[x];
    }
  }
  return values;
}

t.test('repeated rows, empty rows and any region are bit-identical to the twin', (t) => {
  const WIDTH = 7;
  const cell = fc.oneof(fc.constantFrom(0, 255), fc.integer({ min: 0, max: 255 }));
  const row = fc.oneof(
    fc.constant(new Array<number>(WIDTH).fill(0)),
    fc.constant(new Array<number>(WIDTH).fill(255)),
    fc.array(cell, { minLength: WIDTH, maxLength: WIDTH }),
  );
  const runs = fc.array(fc.record({ row, times: fc.integer({ min: 1, max: 14 }) }), { minLength: 1, maxLength: 6 });
  const weights = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 });
  const corner = fc.integer({ min: -9, max: 40 });
  const size = fc.integer({ min: 1, max: 70 });
  const region = fc.record({ left: fc.integer({ min: -9, max: 12 }), top: corner, width: size, height: size });
  fc.assert(
    fc.property(runs, weights, region, (runs, weights, { left, top, width, height }) => {
      const rows = runs.flatMap(({ row, times }) => new Array<number[]>(times).fill(row));
      const source: FloatGrid = { width: WIDTH, height: rows.length, values: Float32Array.from(rows.flat()) };
      const kernel = Float32Array.from(weights);
      const bounds = { left, top, right: left + width, bottom: top + height };
      const expected = plain(source, kernel, bounds);
      return convolve(source, kernel, bounds).values.every((value, i) => value === expected[i]);
    }),
    { numRuns: 500 },
  );
  t.end();
});
