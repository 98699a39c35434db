// Evaluates a gradient along a row of pixels, four pixels per operation. A pixel's place s on the gradient, 0 at the first
// stop and 1 at the last, selects a cell of a colour table; cells with a hard stop or a steep slope are marked in it, and
// their pixels are interpolated between the knots around s.

/** Maximum pixels per call. */
const MAX_PIXELS = 4096;
/** Maximum cells of the table between the first stop and the last; before and after them is one more each. */
const MAX_CELLS = 4096;
const MAX_KNOTS = 1024;

/** Marks a cell whose pixels have different colours: no premultiplied pixel has this value. */
const MIXED = 1;

/** Static memory: it keeps the gradient from row to row while callers allocate elsewhere. */
const table = memory.data((MAX_CELLS + 2) * 4, 16);
/** Places of the knots on the gradient. */
const places = memory.data(MAX_KNOTS * 4, 16);
/** Per knot four channels 0–255: the colour there, then the slopes up to the next knot. */
const colors = memory.data(MAX_KNOTS * 32, 16);
const pixels = memory.data(MAX_PIXELS * 4, 16);

export function gradientTable(): usize {
  return table;
}

export function gradientPlaces(): usize {
  return places;
}

export function gradientColors(): usize {
  return colors;
}

export function gradientPixels(): usize {
  return pixels;
}

/**
 * Fills the first `count` pixels (rounded up to a multiple of 4). `kind`: 0 linear, 1 radial, 2 conic. Pixel x is at
 * (u + du x, v + dv x) of the gradient's space: s is the abscissa, or `scale` times the distance from the origin plus
 * `shift`, or the same with the angle, in turns. `cells`: a power of two.
 */
export function gradientRow(
  kind: i32,
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
): void {
  if (kind === 0) linear(count, u, du, isRepeating, cells, knots);
  else if (kind === 1) radial(count, u, v, du, dv, scale, shift, isRepeating, cells, knots);
  else conic(count, u, v, du, dv, scale, shift, isRepeating, cells, knots);
}

function linear(count: i32, u: f32, du: f32, isRepeating: bool, cells: i32, knots: i32): void {
  const lanes = f32x4(0, 1, 2, 3);
  for (let x = 0; x < count; x += 4) {
    const column = f32x4.add(f32x4.splat(<f32>x), lanes);
    storePixels(x, f32x4.add(f32x4.splat(u), f32x4.mul(f32x4.splat(du), column)), isRepeating, cells, knots);
  }
}

function radial(
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
): void {
  const lanes = f32x4(0, 1, 2, 3);
  for (let x = 0; x < count; x += 4) {
    const column = f32x4.add(f32x4.splat(<f32>x), lanes);
    const right = f32x4.add(f32x4.splat(u), f32x4.mul(f32x4.splat(du), column));
    const down = f32x4.add(f32x4.splat(v), f32x4.mul(f32x4.splat(dv), column));
    const distance = f32x4.sqrt(f32x4.add(f32x4.mul(right, right), f32x4.mul(down, down)));
    storePixels(x, f32x4.add(f32x4.mul(distance, f32x4.splat(scale)), f32x4.splat(shift)), isRepeating, cells, knots);
  }
}

function conic(
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
): void {
  const lanes = f32x4(0, 1, 2, 3);
  for (let x = 0; x < count; x += 4) {
    const column = f32x4.add(f32x4.splat(<f32>x), lanes);
    const right = f32x4.add(f32x4.splat(u), f32x4.mul(f32x4.splat(du), column));
    const down = f32x4.add(f32x4.splat(v), f32x4.mul(f32x4.splat(dv), column));
    const angle = turns(right, down);
    storePixels(x, f32x4.add(f32x4.mul(angle, f32x4.splat(scale)), f32x4.splat(shift)), isRepeating, cells, knots);
  }
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

/** Stores the colours of four pixels from pixel `x` on, at the places `s`. */
@inline
function storePixels(x: i32, s: v128, isRepeating: bool, cells: i32, knots: i32): void {
  if (isRepeating) s = f32x4.sub(s, f32x4.floor(s));
  const cell = f32x4.add(f32x4.mul(s, f32x4.splat(<f32>cells)), f32x4.splat(1));
  // in this order of operands, what is not a number becomes 0
  const whole = f32x4.floor(f32x4.pmin(f32x4.pmax(f32x4.splat(0), cell), f32x4.splat(<f32>(cells + 1))));
  // the mantissa of 2^23 + n is n: fewer instructions than a conversion that saturates
  const index = v128.and(f32x4.add(whole, f32x4.splat(8388608)), i32x4.splat(0x7fffff));
  let words = v128.load_zero<u32>(table + (<usize>i32x4.extract_lane(index, 0) << 2));
  words = v128.load_lane<u32>(table + (<usize>i32x4.extract_lane(index, 1) << 2), words, 1);
  words = v128.load_lane<u32>(table + (<usize>i32x4.extract_lane(index, 2) << 2), words, 2);
  words = v128.load_lane<u32>(table + (<usize>i32x4.extract_lane(index, 3) << 2), words, 3);
  const at = pixels + (<usize>x << 2);
  v128.store(at, words);
  const mixed = i32x4.eq(words, i32x4.splat(MIXED));
  if (v128.any_true(mixed)) {
    if (i32x4.extract_lane(mixed, 0)) storeMixed(at, 0, f32x4.extract_lane(s, 0), knots);
    if (i32x4.extract_lane(mixed, 1)) storeMixed(at, 4, f32x4.extract_lane(s, 1), knots);
    if (i32x4.extract_lane(mixed, 2)) storeMixed(at, 8, f32x4.extract_lane(s, 2), knots);
    if (i32x4.extract_lane(mixed, 3)) storeMixed(at, 12, f32x4.extract_lane(s, 3), knots);
  }
}

/** Stores the colour at `s`, interpolated from the last knot before it; its channels don't exceed alpha. */
function storeMixed(at: usize, offset: usize, s: f32, knots: i32): void {
  let low = 0;
  let high = knots - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (load<f32>(places + (<usize>middle << 2)) <= s) low = middle;
    else high = middle - 1;
  }
  const distance = s - load<f32>(places + (<usize>low << 2));
  const knot = colors + (<usize>low << 5);
  const color = f32x4.add(v128.load(knot), f32x4.mul(v128.load(knot, 16), f32x4.splat(distance)));
  let rounded = i32x4.trunc_sat_f32x4_s(f32x4.add(color, f32x4.splat(0.5)));
  rounded = i32x4.min_s(i32x4.max_s(rounded, i32x4.splat(0)), i32x4.splat(255));
  rounded = i32x4.min_s(rounded, i32x4.splat(i32x4.extract_lane(rounded, 3)));
  const narrow = i16x8.narrow_i32x4_u(rounded, rounded);
  store<u32>(at + offset, <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(narrow, narrow), 0));
}
