// Converts opaque pixels to the YCbCr samples of one MCU, centred on 0: 8 × 8 blocks of 16-bit values, one after
// another. Samples have 5 fraction bits (32 × the value), as the column pass of the FDCT expects.

/**
 * Luma and chroma factors of the JFIF specification in 32768ths. Each row sums to its exact total, so gray has no
 * chroma.
 */
const LUMA_RED: i16 = 9798;
const LUMA_GREEN: i16 = 19235;
const LUMA_BLUE: i16 = 3735;
const CB_RED: i16 = -5529;
const CB_GREEN: i16 = -10855;
const CR_GREEN: i16 = -13720;
const CR_BLUE: i16 = -2664;
const CHROMA_MAIN: i16 = 16384;

/** From 15 fraction bits to 5; two bits more for sums of four pixels. */
const SHIFT = 10;
const SHIFT_OF_FOUR = 12;
/** Rounding term of `SHIFT`. */
const HALF: i32 = 1 << (SHIFT - 1);
const CENTER: i32 = 128 << 15;

/** Bytes of a block of samples, and of one of its rows. */
export const BLOCK_BYTES: usize = 128;
const ROW_BYTES: usize = 16;

@inline
function pairs(first: i16, second: i16): v128 {
  return i16x8(first, second, first, second, first, second, first, second);
}

/** Red and blue of four pixels, interleaved, 16 bits each. */
@inline
function redBlue(four: v128): v128 {
  return v128.and(four, i32x4.splat(0x00ff00ff));
}

/** Green and alpha of four pixels, interleaved. */
@inline
function greenAlpha(four: v128): v128 {
  return i16x8.shr_u(four, 8);
}

@inline
function weightedSum(rb: v128, ga: v128, red: i16, green: i16, blue: i16): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(rb, pairs(red, blue)), i32x4.dot_i16x8_s(ga, pairs(green, 0)));
}

/** The luma of eight pixels. */
@inline
function luma(rb0: v128, ga0: v128, rb1: v128, ga1: v128): v128 {
  const bias = i32x4.splat(HALF - CENTER);
  const low = i32x4.add(weightedSum(rb0, ga0, LUMA_RED, LUMA_GREEN, LUMA_BLUE), bias);
  const high = i32x4.add(weightedSum(rb1, ga1, LUMA_RED, LUMA_GREEN, LUMA_BLUE), bias);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, SHIFT), i32x4.shr_s(high, SHIFT));
}

/** Stores a row of eight samples of both chroma components, computed from pixels or from sums of four pixels. */
@inline
function putChroma(rb0: v128, ga0: v128, rb1: v128, ga1: v128, shift: i32, cbOut: usize, crOut: usize): void {
  const half = i32x4.splat(1 << (shift - 1));
  const cbLow = i32x4.add(weightedSum(rb0, ga0, CB_RED, CB_GREEN, CHROMA_MAIN), half);
  const cbHigh = i32x4.add(weightedSum(rb1, ga1, CB_RED, CB_GREEN, CHROMA_MAIN), half);
  v128.store(cbOut, i16x8.narrow_i32x4_s(i32x4.shr_s(cbLow, shift), i32x4.shr_s(cbHigh, shift)));
  const crLow = i32x4.add(weightedSum(rb0, ga0, CHROMA_MAIN, CR_GREEN, CR_BLUE), half);
  const crHigh = i32x4.add(weightedSum(rb1, ga1, CHROMA_MAIN, CR_GREEN, CR_BLUE), half);
  v128.store(crOut, i16x8.narrow_i32x4_s(i32x4.shr_s(crLow, shift), i32x4.shr_s(crHigh, shift)));
}

/** Adds adjacent 32-bit lanes, as pairs of 16-bit values. */
@inline
function addNeighbours(a: v128, b: v128): v128 {
  return i16x8.add(i32x4.shuffle(a, b, 0, 2, 4, 6), i32x4.shuffle(a, b, 1, 3, 5, 7));
}

/**
 * Converts 16 × 16 pixels, with rows `stride` bytes apart, to 4:2:0: four luma blocks at `to`, then one block of each
 * chroma component whose samples are the means of four pixels.
 */
export function convert420(from: usize, stride: usize, to: usize): void {
  for (let y: usize = 0; y < 8; y++, from += stride << 1) {
    // rows 0–7 of luma go to the upper two blocks, 8–15 to the lower
    const row = to + (y >> 2) * 2 * BLOCK_BYTES + (y & 3) * 2 * ROW_BYTES;
    const below = from + stride;
    let rb0 = i16x8.splat(0);
    let ga0 = rb0;
    let rb1 = rb0;
    let ga1 = rb0;
    for (let side: usize = 0; side < 2; side++) {
      const at = side << 5;
      const a0 = v128.load(from + at);
      const a1 = v128.load(from + at, 16);
      const b0 = v128.load(below + at);
      const b1 = v128.load(below + at, 16);
      const aboveRb0 = redBlue(a0);
      const aboveRb1 = redBlue(a1);
      const aboveGa0 = greenAlpha(a0);
      const aboveGa1 = greenAlpha(a1);
      const belowRb0 = redBlue(b0);
      const belowRb1 = redBlue(b1);
      const belowGa0 = greenAlpha(b0);
      const belowGa1 = greenAlpha(b1);
      const block = row + side * BLOCK_BYTES;
      v128.store(block, luma(aboveRb0, aboveGa0, aboveRb1, aboveGa1));
      v128.store(block, luma(belowRb0, belowGa0, belowRb1, belowGa1), ROW_BYTES);
      const rb = addNeighbours(i16x8.add(aboveRb0, belowRb0), i16x8.add(aboveRb1, belowRb1));
      const ga = addNeighbours(i16x8.add(aboveGa0, belowGa0), i16x8.add(aboveGa1, belowGa1));
      if (side == 0) {
        rb0 = rb;
        ga0 = ga;
      } else {
        rb1 = rb;
        ga1 = ga;
      }
    }
    const cb = to + 4 * BLOCK_BYTES + y * ROW_BYTES;
    putChroma(rb0, ga0, rb1, ga1, SHIFT_OF_FOUR, cb, cb + BLOCK_BYTES);
  }
}

/** Converts 8 × 8 pixels to 4:4:4: one block per component. */
export function convert444(from: usize, stride: usize, to: usize): void {
  for (let y: usize = 0; y < 8; y++, from += stride, to += ROW_BYTES) {
    const low = v128.load(from);
    const high = v128.load(from, 16);
    const rb0 = redBlue(low);
    const ga0 = greenAlpha(low);
    const rb1 = redBlue(high);
    const ga1 = greenAlpha(high);
    v128.store(to, luma(rb0, ga0, rb1, ga1));
    putChroma(rb0, ga0, rb1, ga1, SHIFT, to + BLOCK_BYTES, to + 2 * BLOCK_BYTES);
  }
}
