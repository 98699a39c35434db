// Evaluates a radial or conic gradient along a row of pixels, in blocks. A block whose colours are straight, but for a
// fraction of a level, is interpolated between its ends. The other blocks, around hard stops and near the centre, take a
// place per pixel.
import { MAX_CELLS, MAX_KNOTS, colors, pixels, places, storeColors, table } from './gradient';

/** Pixels per block. */
const BLOCK = 16;
/** Largest error of a colour, in levels of 255, that interpolating within a block may cause. */
const MAX_BEND: f64 = 0.1;

/** Per knot: how much the ramp bends up to it, in levels per length. */
const bends = memory.data(MAX_KNOTS * 8, 16);
/** Per cell of the table: the last knot that is not after its start. */
const knotsOfCells = memory.data((MAX_CELLS + 2) * 2, 16);

export function gradientBends(): usize {
  return bends;
}

export function gradientKnotsOfCells(): usize {
  return knotsOfCells;
}

/**
 * Fills the first `count` pixels (rounded up to four blocks). Pixel x is at (u + du x, v + dv x) of the gradient's space:
 * its place s is `scale` times the distance from the origin, or the angle in turns, plus `shift`. `cells`: a power of two.
 * `reach`: a block's length in the gradient's space. `curvature`, divided by the distance (conic: its square), is how far
 * the places of a block are from a straight line; beyond `maxMargin`, the block takes a place per pixel.
 */
export function polarGradientRow(
  isConic: bool,
  count: i32,
  u: f32,
  v: f32,
  du: f32,
  dv: f32,
  scale: f32,
  shift: f32,
  isRepeating: bool,
  cells: i32,
  knots: i32,
  reach: f32,
  curvature: f32,
  maxMargin: f32,
): void {
  // two copies of the loop, neither of which branches on the kind
  if (isConic) {
    fillRow(true, count, u, v, du, dv, scale, shift, isRepeating, cells, knots, reach, curvature, maxMargin);
  } else {
    fillRow(false, count, u, v, du, dv, scale, shift, isRepeating, cells, knots, reach, curvature, maxMargin);
  }
}

@inline
function fillRow(
  isConic: bool,
  count: i32,
  u: f32,
  v: f32,
  du: f32,
  dv: f32,
  scale: f32,
  shift: f32,
  isRepeating: bool,
  cells: i32,
  knots: i32,
  reach: f32,
  curvature: f32,
  maxMargin: f32,
): void {
  const blocks = (count + BLOCK - 1) / BLOCK;
  // the piece of the ramp where the last four blocks are
  let start = f32x4.splat(0);
  let end = f32x4.splat(0);
  let base = f32x4.splat(0);
  let slope = f32x4.splat(0);
  /** The first of the blocks that take a place per pixel, up to the current one. */
  let firstExact = -1;
  let columns = f32x4.mul(f32x4(0, 1, 2, 3), f32x4.splat(<f32>BLOCK));
  let ends = f32x4.splat(0);
  let margins = f32x4.splat(0);
  for (let i = -4; i < blocks; i += 4) {
    const x = f32x4.add(f32x4.splat(u), f32x4.mul(f32x4.splat(du), columns));
    const y = f32x4.add(f32x4.splat(v), f32x4.mul(f32x4.splat(dv), columns));
    columns = f32x4.add(columns, f32x4.splat(4 * <f32>BLOCK));
    const radius = distance(x, y);
    const near = f32x4.pmax(f32x4.splat(0), f32x4.sub(radius, f32x4.splat(reach)));
    const polar = isConic ? turns(x, y) : radius;
    const nextEnds = f32x4.add(f32x4.mul(polar, f32x4.splat(scale)), f32x4.splat(shift));
    const nextMargins = f32x4.div(f32x4.splat(curvature), isConic ? f32x4.mul(near, near) : near);
    let first = ends;
    let last = i32x4.shuffle(ends, nextEnds, 1, 2, 3, 4);
    const margin = f32x4.pmin(margins, i32x4.shuffle(margins, nextMargins, 1, 2, 3, 4));
    ends = nextEnds;
    margins = nextMargins;
    if (i < 0) continue;

    let isStraight = f32x4.le(margin, f32x4.splat(maxMargin));
    if (isConic) {
      // places further apart lie on either side of the ray where the angle starts anew
      const apart = f32x4.abs(f32x4.sub(first, last));
      isStraight = v128.and(isStraight, f32x4.le(apart, f32x4.splat(scale * 0.5)));
    }
    if (!v128.any_true(isStraight)) {
      if (firstExact < 0) firstExact = i;
      continue;
    }
    let low = f32x4.sub(f32x4.pmin(first, last), margin);
    let high = f32x4.add(f32x4.pmax(first, last), margin);
    const quarter = f32x4.mul(f32x4.sub(high, low), f32x4.splat(0.25));
    let isOneTurn = true;
    if (isRepeating) {
      const turn = f32x4.floor(low);
      isOneTurn = !v128.any_true(f32x4.ne(turn, i32x4.shuffle(turn, turn, 0, 0, 0, 0)));
      first = f32x4.sub(first, turn);
      last = f32x4.sub(last, turn);
      low = f32x4.sub(low, turn);
      high = f32x4.sub(high, turn);
    }
    // most often, all four blocks are straight and in one piece of the ramp
    if (isOneTurn && i32x4.all_true(isStraight)) {
      if (!isWithin(low, high, start, end)) {
        const lowest = f32x4.extract_lane(low, 0);
        if (lowest >= 0 && lowest < 1) {
          const knot = knotOf(lowest, cells, knots);
          start = v128.load32_splat(places + (<usize>knot << 2));
          end = knot + 1 < knots ? v128.load32_splat(places + (<usize>(knot + 1) << 2)) : f32x4.splat(1);
          base = v128.load(colors + (<usize>knot << 5));
          slope = v128.load(colors + (<usize>knot << 5), 16);
        }
      }
      if (isWithin(low, high, start, end)) {
        if (firstExact >= 0) {
          storePlaces(isConic, firstExact, i, u, v, du, dv, scale, shift, isRepeating, cells, knots);
          firstExact = -1;
        }
        const along = f32x4.sub(first, start);
        const a = fixed(base, slope, i32x4.shuffle(along, along, 0, 0, 0, 0));
        const b = fixed(base, slope, i32x4.shuffle(along, along, 1, 1, 1, 1));
        const c = fixed(base, slope, i32x4.shuffle(along, along, 2, 2, 2, 2));
        const d = fixed(base, slope, i32x4.shuffle(along, along, 3, 3, 3, 3));
        const beyond = f32x4.sub(last, start);
        const e = fixed(base, slope, i32x4.shuffle(beyond, beyond, 3, 3, 3, 3));
        const out = pixels + (<usize>i << 6);
        if (isOpaque(v128.and(v128.and(a, b), v128.and(c, d)), e)) {
          interpolate(true, out, a, b);
          interpolate(true, out + 64, b, c);
          interpolate(true, out + 128, c, d);
          interpolate(true, out + 192, d, e);
        } else {
          interpolate(false, out, a, b);
          interpolate(false, out + 64, b, c);
          interpolate(false, out + 128, c, d);
          interpolate(false, out + 192, d, e);
        }
        continue;
      }
    }
    v128.store(blockOf, isStraight, IS_STRAIGHT);
    v128.store(blockOf, first, FIRST);
    v128.store(blockOf, last, LAST);
    v128.store(blockOf, low, LOW);
    v128.store(blockOf, high, HIGH);
    v128.store(blockOf, quarter, QUARTER);
    for (let lane = 0; lane < 4 && i + lane < blocks; lane++) {
      const block = i + lane;
      if (storeBlock(pixels + (<usize>block << 6), blockOf + (<usize>lane << 2), cells, knots)) {
        if (firstExact >= 0) {
          storePlaces(isConic, firstExact, block, u, v, du, dv, scale, shift, isRepeating, cells, knots);
          firstExact = -1;
        }
      } else if (firstExact < 0) firstExact = block;
    }
  }
  if (firstExact >= 0) {
    storePlaces(isConic, firstExact, blocks, u, v, du, dv, scale, shift, isRepeating, cells, knots);
  }
}

/** The state of four blocks; offsets of 32-bit lanes. */
const blockOf = memory.data(16 * 6, 16);
const IS_STRAIGHT = 0;
const FIRST = 16;
const LAST = 32;
const LOW = 48;
const HIGH = 64;
const QUARTER = 80;

@inline
function isWithin(low: v128, high: v128, start: v128, end: v128): bool {
  return i32x4.all_true(v128.and(f32x4.ge(low, start), f32x4.lt(high, end)));
}

/** Stores the block of which `at` knows, unless it must take a place per pixel. */
function storeBlock(out: usize, at: usize, cells: i32, knots: i32): bool {
  if (!load<i32>(at, IS_STRAIGHT)) return false;
  const low = load<f32>(at, LOW);
  const high = load<f32>(at, HIGH);
  if (low >= 0 && high < 1) {
    const bend =
      load<f64>(bends + (<usize>knotOf(high, cells, knots) << 3)) -
      load<f64>(bends + (<usize>knotOf(low, cells, knots) << 3));
    if (bend * <f64>load<f32>(at, QUARTER) > MAX_BEND) return false;
    const first = colorOf(load<f32>(at, FIRST), cells, knots);
    const last = colorOf(load<f32>(at, LAST), cells, knots);
    interpolate(isOpaque(first, last), out, first, last);
    return true;
  }
  if (!(high < 0 || low >= 1)) return false;
  const word = v128.load32_splat(table + (<usize>(low < 0 ? 0 : cells + 1) << 2));
  v128.store(out, word);
  v128.store(out, word, 16);
  v128.store(out, word, 32);
  v128.store(out, word, 48);
  return true;
}

/** The last knot that is not after the place `s`, which is on the ramp. */
@inline
function knotOf(s: f32, cells: i32, knots: i32): i32 {
  let knot = <i32>load<u16>(knotsOfCells + (<usize>(<i32>(s * <f32>cells) + 1) << 1));
  while (knot + 1 < knots && load<f32>(places + (<usize>(knot + 1) << 2)) <= s) knot++;
  return knot;
}

/** The color at place `s`, which is on the ramp, as `fixed` has it. */
@inline
function colorOf(s: f32, cells: i32, knots: i32): v128 {
  const knot = knotOf(s, cells, knots);
  const at = colors + (<usize>knot << 5);
  return fixed(v128.load(at), v128.load(at, 16), f32x4.splat(s - load<f32>(places + (<usize>knot << 2))));
}

/** The color `distance` beyond a knot, in 1/256 levels and rounded up by half a level. */
@inline
function fixed(base: v128, slope: v128, distance: v128): v128 {
  const color = f32x4.add(base, f32x4.mul(slope, distance));
  // the mantissa of 2^23 + n is n
  const shifted = f32x4.add(f32x4.mul(color, f32x4.splat(256)), f32x4.splat(8388608 + 128));
  return v128.and(shifted, i32x4.splat(0x7fffff));
}

/** Stores the blocks from `from` to the one before `to` with a place per pixel. */
function storePlaces(
  isConic: bool,
  from: i32,
  to: i32,
  u: f32,
  v: f32,
  du: f32,
  dv: f32,
  scale: f32,
  shift: f32,
  isRepeating: bool,
  cells: i32,
  knots: i32,
): void {
  let columns = f32x4.add(f32x4.splat(<f32>(from * BLOCK)), f32x4(0, 1, 2, 3));
  for (let x = from * BLOCK; x < to * BLOCK; x += 4) {
    const right = f32x4.add(f32x4.splat(u), f32x4.mul(f32x4.splat(du), columns));
    const down = f32x4.add(f32x4.splat(v), f32x4.mul(f32x4.splat(dv), columns));
    columns = f32x4.add(columns, f32x4.splat(4));
    const polar = isConic ? turns(right, down) : distance(right, down);
    v128.store(pixels + (<usize>x << 2), f32x4.add(f32x4.mul(polar, f32x4.splat(scale)), f32x4.splat(shift)));
  }
  storeColors(from * BLOCK, to * BLOCK, isRepeating, cells, knots);
}

/** The alpha of an opaque colour. */
const OPAQUE = 255 * 256 + 128;

@inline
function isOpaque(first: v128, last: v128): bool {
  return i32x4.extract_lane(v128.and(first, last), 3) === OPAQUE;
}

/** Stores a block from `first` to the colour before `last`; channels don't exceed alpha. */
@inline
function interpolate(isOpaque: bool, out: usize, first: v128, last: v128): void {
  const step = i32x4.shr_s(i32x4.add(i32x4.sub(last, first), i32x4.splat(BLOCK >> 1)), 4);
  let left = i16x8.narrow_i32x4_u(first, i32x4.add(first, step));
  const one = i16x8.narrow_i32x4_s(step, step);
  const two = i16x8.add(one, one);
  let right = i16x8.add(left, two);
  const four = i16x8.add(two, two);
  storeFour(isOpaque, out, left, right);
  left = i16x8.add(left, four);
  right = i16x8.add(right, four);
  storeFour(isOpaque, out + 16, left, right);
  left = i16x8.add(left, four);
  right = i16x8.add(right, four);
  storeFour(isOpaque, out + 32, left, right);
  storeFour(isOpaque, out + 48, i16x8.add(left, four), i16x8.add(right, four));
}

/** Stores the whole levels of four pixels. */
@inline
function storeFour(isOpaque: bool, out: usize, left: v128, right: v128): void {
  let color = i8x16.narrow_i16x8_u(i16x8.shr_u(left, 8), i16x8.shr_u(right, 8));
  if (!isOpaque) {
    color = i8x16.min_u(color, i8x16.shuffle(color, color, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
  }
  v128.store(out, color);
}

@inline
function distance(x: v128, y: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)));
}

/** The angle of (x, y) in turns, 0 to 1, clockwise from the right; of the origin 0. */
@inline
function turns(x: v128, y: v128): v128 {
  const width = f32x4.abs(x);
  const height = f32x4.abs(y);
  // the smallest normal number: no division by zero
  const longer = f32x4.pmax(f32x4.pmax(width, height), f32x4.splat(1.1754943508222875e-38));
  const slope = f32x4.div(f32x4.pmin(width, height), longer);
  const square = f32x4.mul(slope, slope);
  // atan(slope) / 2π by the polynomial that browsers use, off by 3e-5 at most: hard stops then fall on the same pixels
  let sum = f32x4.splat(-0.007054738234728575);
  sum = f32x4.add(f32x4.mul(sum, square), f32x4.splat(0.0247610192745924));
  sum = f32x4.add(f32x4.mul(sum, square), f32x4.splat(-0.0518539696931839));
  sum = f32x4.add(f32x4.mul(sum, square), f32x4.splat(0.15912117063999176));
  let turn = f32x4.mul(sum, slope);
  turn = v128.bitselect(f32x4.sub(f32x4.splat(0.25), turn), turn, f32x4.gt(height, width));
  turn = v128.bitselect(f32x4.sub(f32x4.splat(0.5), turn), turn, f32x4.lt(x, f32x4.splat(0)));
  return v128.bitselect(f32x4.sub(f32x4.splat(1), turn), turn, f32x4.lt(y, f32x4.splat(0)));
}
