// Evaluates a gradient along a row of pixels by a table of colours; exact colours where a cell of the table is mixed. Radial
// and conic gradients are interpolated in blocks where that is exact enough. Sums and products are rounded to single
// precision, as in the twins, assembly/raster/gradient.ts and polar-gradient.ts.
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
const BENDS_BYTES = MAX_KNOTS * 8;
const KNOTS_OF_CELLS_BYTES = (MAX_CELLS + 2) * 2;

/** Bytes of the six parts that are at `area`, a multiple of 8. */
export const GRADIENT_BYTES =
  TABLE_BYTES + PLACES_BYTES + COLORS_BYTES + MAX_PIXELS * 4 + BENDS_BYTES + KNOTS_OF_CELLS_BYTES;

/** Pixels that are interpolated at a time. */
const BLOCK = 16;
/** Largest error of a colour, in levels of 255, that interpolating within a block may cause. */
const MAX_BEND = 0.1;

const { fround } = Math;
const CHANNELS = [0, 1, 2, 3];

type GradientKernels = Pick<
  Kernels,
  | 'gradientTable'
  | 'gradientPlaces'
  | 'gradientColors'
  | 'gradientPixels'
  | 'gradientBends'
  | 'gradientKnotsOfCells'
  | 'linearGradientRow'
  | 'polarGradientRow'
>;

export function gradientKernels(memory: PlainMemory, area: number): GradientKernels {
  const places = area + TABLE_BYTES;
  const colors = places + PLACES_BYTES;
  const pixels = colors + COLORS_BYTES;
  const bends = pixels + MAX_PIXELS * 4;
  const knotsOfCells = bends + BENDS_BYTES;

  const knotBefore = (s: number, knots: number): number => {
    let knot = knots - 1;
    while (knot > 0 && memory.floats[places / 4 + knot] > s) knot--;
    return knot;
  };

  /** The channels at `s`, 0 to 255, interpolated from the last knot before it. */
  const channelsAt = (s: number, knots: number): number[] => {
    const { floats } = memory;
    const knot = knotBefore(s, knots);
    const distance = fround(s - floats[places / 4 + knot]);
    const at = colors / 4 + knot * 8;
    return CHANNELS.map((c) => fround(floats[at + c] + fround(floats[at + 4 + c] * distance)));
  };

  const exactColorAt = (s: number, knots: number): number =>
    packed(channelsAt(s, knots).map((value) => Math.min(255, Math.max(0, Math.trunc(fround(value + 0.5))))));

  const colorAt = (place: number, isRepeating: boolean, cells: number, knots: number): number => {
    const s = isRepeating ? fround(place - Math.floor(place)) : place;
    const word = memory.words[area / 4 + cellOf(s, cells)];
    return word === MIXED ? exactColorAt(s, knots) : word;
  };

  /** Stores the block at pixel `start`, whose channels run from those at `first` to those at `last`. */
  const interpolate = (start: number, first: number, last: number, knots: number): void => {
    // in 1/256 levels and rounded up by half a level
    const fixed = (s: number) =>
      channelsAt(s, knots).map((value) => fround(fround(value * 256) + (8388608 + 128)) - 8388608);
    const from = fixed(first);
    const to = fixed(last);
    const steps = CHANNELS.map((c) => (to[c] - from[c] + BLOCK / 2) >> 4);
    for (let i = 0; i < BLOCK; i++) {
      memory.words[pixels / 4 + start + i] = packed(CHANNELS.map((c) => (from[c] + steps[c] * i) >> 8));
    }
  };

  return {
    gradientTable: () => area,
    gradientPlaces: () => places,
    gradientColors: () => colors,
    gradientPixels: () => pixels,
    gradientBends: () => bends,
    gradientKnotsOfCells: () => knotsOfCells,

    /** Fills the first `count` pixels with a linear gradient. Pixel x is at the place s = u + du x. */
    linearGradientRow(count, u, du, isRepeating, cells, knots) {
      const [start, step] = [fround(u), fround(du)];
      for (let column = 0; column < count; column++) {
        const s = fround(start + fround(step * column));
        memory.words[pixels / 4 + column] = colorAt(s, isRepeating, cells, knots);
      }
    },

    /**
     * Fills the first `count` pixels, rounded up to whole blocks. Pixel x is at (u + du x, v + dv x) of the gradient's
     * space: its place is `scale` times the distance from the origin, or the angle in turns, plus `shift`. `reach`: a
     * block's length in the gradient's space. `curvature`, divided by the distance (conic: its square), is how far the
     * places of a block are from a straight line; beyond `maxMargin`, the block takes a place per pixel.
     */
    polarGradientRow(
      isConic,
      count,
      u,
      v,
      du,
      dv,
      scale,
      shift,
      isRepeating,
      cells,
      knots,
      reach,
      curvature,
      maxMargin,
    ) {
      const [u0, v0, stepU, stepV] = [fround(u), fround(v), fround(du), fround(dv)];
      const [factor, offset] = [fround(scale), fround(shift)];
      const [length, curve, limit] = [fround(reach), fround(curvature), fround(maxMargin)];
      const locate = (column: number) => {
        const x = fround(u0 + fround(stepU * column));
        const y = fround(v0 + fround(stepV * column));
        const distance = fround(Math.sqrt(fround(fround(x * x) + fround(y * y))));
        const near = Math.max(0, fround(distance - length));
        return {
          place: fround(fround((isConic ? turns(x, y) : distance) * factor) + offset),
          margin: fround(curve / (isConic ? fround(near * near) : near)),
        };
      };
      for (let start = 0; start < count; start += BLOCK) {
        const [one, other] = [locate(start), locate(start + BLOCK)];
        // in this order, the margin is what it is in the twin also where one is not a number
        const margin = other.margin < one.margin ? other.margin : one.margin;
        const below = fround(Math.min(one.place, other.place) - margin);
        const above = fround(Math.max(one.place, other.place) + margin);
        const turn = isRepeating ? Math.floor(below) : 0;
        const [low, high] = [fround(below - turn), fround(above - turn)];
        // further apart, the ends lie on either side of the ray where the angle starts anew
        const isNear = !isConic || Math.abs(fround(one.place - other.place)) <= fround(factor * 0.5);
        const isStraight = margin <= limit && isNear;
        const bendsBefore = (s: number) => memory.doubles[bends / 8 + knotBefore(s, knots)];
        const quarter = fround(fround(above - below) * 0.25);
        if (isStraight && low >= 0 && high < 1 && (bendsBefore(high) - bendsBefore(low)) * quarter <= MAX_BEND) {
          interpolate(start, fround(one.place - turn), fround(other.place - turn), knots);
        } else if (isStraight && (high < 0 || low >= 1)) {
          const word = memory.words[area / 4 + (low >= 1 ? cells + 1 : 0)];
          memory.words.fill(word, pixels / 4 + start, pixels / 4 + start + BLOCK);
        } else {
          for (let x = start; x < start + BLOCK; x++) {
            memory.words[pixels / 4 + x] = colorAt(locate(x).place, isRepeating, cells, knots);
          }
        }
      }
    },
  };
}

/** The cell of a place; what is not a number is in the first. */
function cellOf(s: number, cells: number): number {
  const cell = fround(fround(s * cells) + 1);
  return cell > 0 ? Math.trunc(Math.min(cell, cells + 1)) : 0;
}

/** A pixel; its channels don't exceed alpha. */
function packed(channels: readonly number[]): number {
  return channels.reduce((word, channel, c) => (word | (Math.min(channel, channels[3]) << (8 * c))) >>> 0, 0);
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
