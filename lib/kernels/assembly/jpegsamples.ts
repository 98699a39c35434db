// Opaque pixels → the luma and chroma samples of one coding unit of a JPEG, centred on 0, a block of 8 × 8 after another,
// 16 bits each. Samples are 32 times too large: five bits of fraction, as the transform of the columns takes them.

/** Luma and chroma of the JFIF specification, in parts of 32768; each row sums to its whole, so grey has no chroma. */
const LUMA_RED: i16 = 9798;
const LUMA_GREEN: i16 = 19235;
const LUMA_BLUE: i16 = 3735;
const BLUE_RED: i16 = -5529;
const BLUE_GREEN: i16 = -10855;
const RED_GREEN: i16 = -13720;
const RED_BLUE: i16 = -2664;
const CHROMA_OWN: i16 = 16384;

/** From parts of 32768 to parts of 32; of sums of four, by two bits more. */
const SHIFT = 10;
const SHIFT_OF_FOUR = 12;
/** Half of a part of 32, so that it rounds. */
const HALF: i32 = 1 << (SHIFT - 1);
const CENTRE: i32 = 128 << 15;

/** Bytes of a block of samples, and of a row of one. */
export const BLOCK: usize = 128;
const ROW: usize = 16;

@inline
function pairs(first: i16, second: i16): v128 {
  return i16x8(first, second, first, second, first, second, first, second);
}

/** Of four pixels, red and blue in turn, as 16 bits each. */
@inline
function redBlue(four: v128): v128 {
  return v128.and(four, i32x4.splat(0x00ff00ff));
}

/** Of four pixels, green and alpha in turn. */
@inline
function greenAlpha(four: v128): v128 {
  return i16x8.shr_u(four, 8);
}

@inline
function weighed(rb: v128, ga: v128, red: i16, green: i16, blue: i16): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(rb, pairs(red, blue)), i32x4.dot_i16x8_s(ga, pairs(green, 0)));
}

/** The luma of eight pixels. */
@inline
function luma(rb0: v128, ga0: v128, rb1: v128, ga1: v128): v128 {
  const bias = i32x4.splat(HALF - CENTRE);
  const low = i32x4.add(weighed(rb0, ga0, LUMA_RED, LUMA_GREEN, LUMA_BLUE), bias);
  const high = i32x4.add(weighed(rb1, ga1, LUMA_RED, LUMA_GREEN, LUMA_BLUE), bias);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, SHIFT), i32x4.shr_s(high, SHIFT));
}

/** A row of eight of each chroma, of pixels or of sums of four. */
@inline
function putChroma(rb0: v128, ga0: v128, rb1: v128, ga1: v128, shift: i32, blue: usize, red: usize): void {
  const half = i32x4.splat(1 << (shift - 1));
  const blueLow = i32x4.add(weighed(rb0, ga0, BLUE_RED, BLUE_GREEN, CHROMA_OWN), half);
  const blueHigh = i32x4.add(weighed(rb1, ga1, BLUE_RED, BLUE_GREEN, CHROMA_OWN), half);
  v128.store(blue, i16x8.narrow_i32x4_s(i32x4.shr_s(blueLow, shift), i32x4.shr_s(blueHigh, shift)));
  const redLow = i32x4.add(weighed(rb0, ga0, CHROMA_OWN, RED_GREEN, RED_BLUE), half);
  const redHigh = i32x4.add(weighed(rb1, ga1, CHROMA_OWN, RED_GREEN, RED_BLUE), half);
  v128.store(red, i16x8.narrow_i32x4_s(i32x4.shr_s(redLow, shift), i32x4.shr_s(redHigh, shift)));
}

/** Neighbours of 32 bits added up as pairs of 16. */
@inline
function addNeighbours(a: v128, b: v128): v128 {
  return i16x8.add(i32x4.shuffle(a, b, 0, 2, 4, 6), i32x4.shuffle(a, b, 1, 3, 5, 7));
}

/**
 * 16 × 16 pixels, rows `stride` bytes apart → four luma blocks at `to`, then one of each chroma, every sample the mean of
 * four pixels.
 */
export function takeHalved(from: usize, stride: usize, to: usize): void {
  for (let y: usize = 0; y < 8; y++, from += stride << 1) {
    // rows 0–7 of luma go to the upper two blocks, 8–15 to the lower
    const row = to + (y >> 2) * 2 * BLOCK + (y & 3) * 2 * ROW;
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
      const block = row + side * BLOCK;
      v128.store(block, luma(aboveRb0, aboveGa0, aboveRb1, aboveGa1));
      v128.store(block, luma(belowRb0, belowGa0, belowRb1, belowGa1), ROW);
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
    putChroma(rb0, ga0, rb1, ga1, SHIFT_OF_FOUR, to + 4 * BLOCK + y * ROW, to + 5 * BLOCK + y * ROW);
  }
}

/** 8 × 8 pixels → a block of luma and one of each chroma. */
export function takeFull(from: usize, stride: usize, to: usize): void {
  for (let y: usize = 0; y < 8; y++, from += stride, to += ROW) {
    const low = v128.load(from);
    const high = v128.load(from, 16);
    const rb0 = redBlue(low);
    const ga0 = greenAlpha(low);
    const rb1 = redBlue(high);
    const ga1 = greenAlpha(high);
    v128.store(to, luma(rb0, ga0, rb1, ga1));
    putChroma(rb0, ga0, rb1, ga1, SHIFT, to + BLOCK, to + 2 * BLOCK);
  }
}
