// Blurs premultiplied pixels along one axis by three box filters in succession, of `window`, `window` and `last` pixels.
// Each filter is a running sum; all three are exact integers, so an output pixel needs six pixels of the input, whatever
// the window: (1 − z^window)² (1 − z^last) / (1 − z)³, where z delays by a pixel. The sums may wrap around before they
// come out right: the result, at most 255 × window² × last, fits into 32 bits up to a window of 256.
//
// Output pixel i is the weighted sum of the input pixels i to i + reach, where reach = 2 window + last − 3. The sum is
// divided by window² last in 16 bits, which takes two thirds of the time of the exact quotient, measured: 1/32 off at most.
// Sums shifted right by `shift` have 15 bits; `multiplier` / 2^15 makes of them results with `fraction` binary places.

/** Columns that boxBlurColumns finishes before it goes on: their sums stay in the first-level cache. */
const STRIP = 256;

/** The six taps of two pixels, in 16-bit lanes: from −1020 to 1020. */
@inline
function difference(x0: usize, x1: usize, x2: usize, y0: usize, y1: usize, y2: usize): v128 {
  const even = i16x8.add(v128.load8x8_u(x0), v128.load8x8_u(x2));
  const odd = i16x8.add(v128.load8x8_u(y0), v128.load8x8_u(y2));
  const double = i16x8.shl(i16x8.sub(v128.load8x8_u(y1), v128.load8x8_u(x1)), 1);
  return i16x8.add(i16x8.sub(even, odd), double);
}

/** Two pixels of eight 16-bit lanes, given as sums. */
@inline
function divide(first: v128, second: v128, multiplier: v128, shift: i32, half: v128, fraction: i32): v128 {
  const sums = i16x8.narrow_i32x4_u(i32x4.shr_u(first, shift), i32x4.shr_u(second, shift));
  return i16x8.shr_u(i16x8.add(i16x8.q15mulr_sat_s(sums, multiplier), half), fraction);
}

/**
 * Blurs `rows` lines of `stride` bytes along the x axis into rows of `width` pixels (a multiple of 4). A line holds
 * 2 window + last zero pixels, then `width` + reach pixels.
 */
export function boxBlurRows(
  lines: usize,
  stride: usize,
  rows: i32,
  window: i32,
  last: i32,
  multiplier: i32,
  shift: i32,
  fraction: i32,
  width: i32,
  out: usize,
): void {
  const w = <usize>window << 2;
  const l = <usize>last << 2;
  const lead = 2 * w + l;
  const factor = i16x8.splat(<i16>multiplier);
  const rounding = 1 << (fraction - 1);
  const half = i16x8.splat(<i16>rounding);
  for (let y = 0; y < rows; y++, lines += stride) {
    let sum = i32x4.splat(0);
    let sumOfSums = sum;
    let total = sum;
    let at = lines + lead;
    // an even number of pixels comes before the first result
    for (const start = at + lead - 12; at < start; at += 8) {
      const d = difference(at, at - w, at - 2 * w, at - l, at - w - l, at - lead);
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_s(d));
      sumOfSums = i32x4.add(sumOfSums, sum);
      total = i32x4.add(total, sumOfSums);
      sum = i32x4.add(sum, i32x4.extend_high_i16x8_s(d));
      sumOfSums = i32x4.add(sumOfSums, sum);
      total = i32x4.add(total, sumOfSums);
    }
    for (const end = out + (<usize>width << 2); out < end; out += 16, at += 16) {
      const d = difference(at, at - w, at - 2 * w, at - l, at - w - l, at - lead);
      const e = difference(at + 8, at + 8 - w, at + 8 - 2 * w, at + 8 - l, at + 8 - w - l, at + 8 - lead);
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_s(d));
      sumOfSums = i32x4.add(sumOfSums, sum);
      const first = i32x4.add(total, sumOfSums);
      sum = i32x4.add(sum, i32x4.extend_high_i16x8_s(d));
      sumOfSums = i32x4.add(sumOfSums, sum);
      const second = i32x4.add(first, sumOfSums);
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_s(e));
      sumOfSums = i32x4.add(sumOfSums, sum);
      const third = i32x4.add(second, sumOfSums);
      sum = i32x4.add(sum, i32x4.extend_high_i16x8_s(e));
      sumOfSums = i32x4.add(sumOfSums, sum);
      total = i32x4.add(third, sumOfSums);
      storePixels(out, first, second, third, total, factor, shift, half, fraction);
    }
  }
}

/** Stores four pixels, given as sums. */
@inline
function storePixels(
  out: usize,
  first: v128,
  second: v128,
  third: v128,
  fourth: v128,
  factor: v128,
  shift: i32,
  half: v128,
  fraction: i32,
): void {
  const low = divide(first, second, factor, shift, half, fraction);
  const high = divide(third, fourth, factor, shift, half, fraction);
  v128.store(out, i8x16.narrow_i16x8_u(low, high));
}

/**
 * Blurs `width` columns (a multiple of 4) along the y axis into `rows` rows. `addresses`: those of 2 window + last rows of
 * zeros and of the `rows` + reach rows to blur. `sums`: scratch memory for 48 bytes per column.
 */
export function boxBlurColumns(
  addresses: usize,
  rows: i32,
  window: i32,
  last: i32,
  multiplier: i32,
  shift: i32,
  fraction: i32,
  width: i32,
  sums: usize,
  out: usize,
): void {
  const w = <usize>window << 2;
  const l = <usize>last << 2;
  const lead = 2 * w + l;
  const factor = i16x8.splat(<i16>multiplier);
  const rounding = 1 << (fraction - 1);
  const half = i16x8.splat(<i16>rounding);
  memory.fill(sums, 0, <usize>width * 48);
  const rowBytes = <usize>width << 2;
  for (let left: usize = 0; left < rowBytes; left += STRIP * 4) {
    const right = min(left + STRIP * 4, rowBytes);
    let to = out;
    const first = addresses + lead + lead - 12;
    const end = first + (<usize>rows << 2);
    for (let at = addresses + lead; at < end; at += 4) {
      const x0 = load<u32>(at);
      const x1 = load<u32>(at - w);
      const x2 = load<u32>(at - 2 * w);
      const y0 = load<u32>(at - l);
      const y1 = load<u32>(at - w - l);
      const y2 = load<u32>(at - lead);
      const hasResult = at >= first;
      let state = sums + left * 12;
      for (let x = left; x < right; x += 16, state += 192) {
        const d = difference(x0 + x, x1 + x, x2 + x, y0 + x, y1 + x, y2 + x);
        const e = difference(x0 + x + 8, x1 + x + 8, x2 + x + 8, y0 + x + 8, y1 + x + 8, y2 + x + 8);
        const a = accumulate(state, i32x4.extend_low_i16x8_s(d));
        const b = accumulate(state + 48, i32x4.extend_high_i16x8_s(d));
        const c = accumulate(state + 96, i32x4.extend_low_i16x8_s(e));
        const f = accumulate(state + 144, i32x4.extend_high_i16x8_s(e));
        if (hasResult) storePixels(to + x, a, b, c, f, factor, shift, half, fraction);
      }
      if (hasResult) to += rowBytes;
    }
  }
}

/** Adds to a pixel's three sums; returns the third. */
@inline
function accumulate(state: usize, difference: v128): v128 {
  const sum = i32x4.add(v128.load(state), difference);
  const sumOfSums = i32x4.add(v128.load(state, 16), sum);
  const total = i32x4.add(v128.load(state, 32), sumOfSums);
  v128.store(state, sum);
  v128.store(state, sumOfSums, 16);
  v128.store(state, total, 32);
  return total;
}
