// Evaluates a gradient along a row of pixels by a table of colours; exact colours where a cell of the table is mixed. Sums
// and products are rounded to single precision, as in the twin, assembly/raster/gradient.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

const MAX_PIXELS = 4096;
const MAX_CELLS = 4096;
const MAX_KNOTS = 1024;
/** Marks a cell whose pixels have different colours. */
const MIXED = 1;

const TABLE_BYTES = (MAX_CELLS + 2) * 4;
const PLACES_BYTES = MAX_KNOTS * 4;
const COLORS_BYTES = MAX_KNOTS * 32;

/** Bytes of the four parts that are at `area`, a multiple of 8. */
export const GRADIENT_BYTES = TABLE_BYTES + PLACES_BYTES + COLORS_BYTES + MAX_PIXELS * 4;

const { fround } = Math;
const LINEAR = 0;
const RADIAL = 1;

export function gradientKernels(
  memory: PlainMemory,
  area: number,
): Pick<Kernels, 'gradientTable' | 'gradientPlaces' | 'gradientColors' | 'gradientPixels' | 'gradientRow'> {
  const places = area + TABLE_BYTES;
  const colors = places + PLACES_BYTES;
  const pixels = colors + COLORS_BYTES;

  /** The colour at `s`, interpolated from the last knot before it; its channels don't exceed alpha. */
  const colorAt = (s: number, knots: number): number => {
    const { floats } = memory;
    let knot = knots - 1;
    while (knot > 0 && floats[places / 4 + knot] > s) knot--;
    const distance = fround(s - floats[places / 4 + knot]);
    const channels = [0, 1, 2, 3].map((c) => {
      const at = colors / 4 + knot * 8 + c;
      const value = fround(floats[at] + fround(floats[at + 4] * distance));
      return Math.min(255, Math.max(0, Math.trunc(fround(value + 0.5))));
    });
    return channels.reduce((word, channel, c) => (word | (Math.min(channel, channels[3]) << (8 * c))) >>> 0, 0);
  };

  return {
    gradientTable: () => area,
    gradientPlaces: () => places,
    gradientColors: () => colors,
    gradientPixels: () => pixels,

    /**
     * Fills the first `count` pixels. `kind`: 0 linear, 1 radial, 2 conic. Pixel x is at (u + du x, v + dv x) of the
     * gradient's space: its place s is the abscissa, or `scale` times the distance from the origin plus `shift`, or the
     * same with the angle, in turns.
     */
    gradientRow(kind, count, u, v, du, dv, scale, shift, isRepeating, cells, knots) {
      const { words } = memory;
      const [u0, v0, stepU, stepV] = [fround(u), fround(v), fround(du), fround(dv)];
      const [factor, offset] = [fround(scale), fround(shift)];
      for (let column = 0; column < count; column++) {
        const x = fround(u0 + fround(stepU * column));
        let s = x;
        if (kind !== LINEAR) {
          const y = fround(v0 + fround(stepV * column));
          const polar = kind === RADIAL ? fround(Math.sqrt(fround(fround(x * x) + fround(y * y)))) : turns(x, y);
          s = fround(fround(polar * factor) + offset);
        }
        if (isRepeating) s = fround(s - Math.floor(s));
        const cell = fround(fround(s * cells) + 1);
        const word = words[area / 4 + Math.trunc(Math.min(Math.max(cell, 0), cells + 1))];
        words[pixels / 4 + column] = word === MIXED ? colorAt(s, knots) : word;
      }
    },
  };
}

/** Coefficients of atan(x) / 2πx in x², highest degree first, as browsers have them. */
const COEFFICIENTS = [-0.007054738234728575, 0.0247610192745924, -0.0518539696931839, 0.15912117063999176].map(fround);
const SMALLEST_NORMAL = 1.1754943508222875e-38;

/** The angle of (x, y) in turns, 0 to 1, clockwise from the right; of the origin 0. */
function turns(x: number, y: number): number {
  const width = Math.abs(x);
  const height = Math.abs(y);
  const slope = fround(Math.min(width, height) / Math.max(width, height, SMALLEST_NORMAL));
  const square = fround(slope * slope);
  let sum = COEFFICIENTS[0];
  for (const coefficient of COEFFICIENTS.slice(1)) sum = fround(fround(sum * square) + coefficient);
  let turn = fround(sum * slope);
  if (height > width) turn = fround(0.25 - turn);
  if (x < 0) turn = fround(0.5 - turn);
  return y < 0 ? fround(1 - turn) : turn;
}
