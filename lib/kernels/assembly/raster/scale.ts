// Resamples rows of premultiplied pixels: bilinear with weights in 16ths, truncated. Each source row is scaled
// horizontally once, two pixels per operation; then rows are blended vertically, four pixels per operation.

/** Channels of a horizontally scaled pixel are fixed-point with 4 fraction bits, 0–4080: 2 bytes each. */
const SCALED_PIXEL_BYTES = 8;

/**
 * Fills `out` with `rows` rows of `width` pixels (a multiple of 4).
 * `offsets`: per output column, the byte offset of the left one of its two source pixels (8 bytes are read there).
 * `weights`: per output column, the weight (0–16) of the right source pixel, four times, 2 bytes each.
 * `rowSources`: per output row, its upper source row and the weight (0–16) of the row `next` (0 or 1) below.
 * `lines`: scratch memory for two scaled rows.
 * `opaqueFlags`: one byte per output row, set to 1 if both its source rows are opaque.
 */
export function scaleRows(
  pixels: usize,
  stride: usize,
  offsets: usize,
  weights: usize,
  width: i32,
  rowSources: usize,
  next: i32,
  rows: i32,
  lines: usize,
  opaqueFlags: usize,
  out: usize,
): void {
  const lineBytes = <usize>width * SCALED_PIXEL_BYTES;
  // one line holds an even source row, the other an odd one
  let evenRow = -1;
  let oddRow = -1;
  let evenOpaque = false;
  let oddOpaque = false;
  for (let y = 0; y < rows; y++, rowSources += 8, out += <usize>width << 2) {
    const upper = load<i32>(rowSources);
    const lower = upper + next;
    for (let row = upper; row <= lower; row++) {
      if (row == (row & 1 ? oddRow : evenRow)) continue;
      const from = pixels + <usize>row * stride;
      if (row & 1) {
        oddRow = row;
        oddOpaque = isOpaque(from, stride);
        scaleLine(from, offsets, weights, width, lines + lineBytes);
      } else {
        evenRow = row;
        evenOpaque = isOpaque(from, stride);
        scaleLine(from, offsets, weights, width, lines);
      }
    }
    store<u8>(opaqueFlags + y, next ? evenOpaque && oddOpaque : upper & 1 ? oddOpaque : evenOpaque);
    const weight = load<i32>(rowSources, 4);
    const above = lines + (upper & 1 ? lineBytes : 0);
    const below = lines + (lower & 1 ? lineBytes : 0);
    if (weight == 0) narrow(above, width, out);
    else blend(above, below, <i16>weight, width, out);
  }
}

function scaleLine(from: usize, offsets: usize, weights: usize, width: i32, line: usize): void {
  const end = line + <usize>width * SCALED_PIXEL_BYTES;
  const zero = i8x16.splat(0);
  for (; line < end; line += 16, weights += 16, offsets += 8) {
    const two = v128.load64_lane(from + load<u32>(offsets, 4), v128.load64_zero(from + load<u32>(offsets)), 1);
    const left = i8x16.shuffle(two, zero, 0, 16, 1, 16, 2, 16, 3, 16, 8, 16, 9, 16, 10, 16, 11, 16);
    const right = i8x16.shuffle(two, zero, 4, 16, 5, 16, 6, 16, 7, 16, 12, 16, 13, 16, 14, 16, 15, 16);
    v128.store(line, i16x8.add(i16x8.shl(left, 4), i16x8.mul(i16x8.sub(right, left), v128.load(weights))));
  }
}

/** Whether all pixels of a row are opaque. */
function isOpaque(from: usize, stride: usize): bool {
  const end = from + stride;
  let all = i32x4.splat(-1);
  for (; from + 16 <= end; from += 16) all = v128.and(all, v128.load(from));
  for (; from < end; from += 4) all = v128.and(all, v128.load32_splat(from));
  return i32x4.bitmask(i32x4.eq(i32x4.shr_u(all, 24), i32x4.splat(255))) == 15;
}

function narrow(line: usize, width: i32, out: usize): void {
  const end = out + (<usize>width << 2);
  for (; out < end; out += 16, line += 32) {
    v128.store(out, i8x16.narrow_i16x8_u(i16x8.shr_u(v128.load(line), 4), i16x8.shr_u(v128.load(line, 16), 4)));
  }
}

/** Sums are at most 255 × 256, which 16 bits hold; negative differences wrap around and come out right in the sum. */
function blend(above: usize, below: usize, weight: i16, width: i32, out: usize): void {
  const end = out + (<usize>width << 2);
  const weights = i16x8.splat(weight);
  for (; out < end; out += 16, above += 32, below += 32) {
    const first = mix(v128.load(above), v128.load(below), weights);
    const second = mix(v128.load(above, 16), v128.load(below, 16), weights);
    v128.store(out, i8x16.narrow_i16x8_u(first, second));
  }
}

@inline
function mix(upper: v128, lower: v128, weights: v128): v128 {
  return i16x8.shr_u(i16x8.add(i16x8.shl(upper, 4), i16x8.mul(i16x8.sub(lower, upper), weights)), 8);
}
