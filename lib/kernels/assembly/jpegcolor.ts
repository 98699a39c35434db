// One row of Y, Cb and Cr samples → RGBA pixels. Chroma of half the width or height is smoothed as libjpeg does it ("fancy
// upsampling", jdsample.c), colours by its formulas (jdcolor.c): Q16 factors, rounded.
import { highPairs, lowPairs } from './lanes';

/** Gray: the same value three times. Writes whole 16 pixels. */
export function writeGray(luma: usize, width: i32, out: usize): void {
  const opaque = i8x16.splat(-1);
  for (const end = luma + width; luma < end; luma += 16, out += 64) {
    const y = v128.load(luma);
    v128.store(out, i8x16.shuffle(y, opaque, 0, 0, 0, 16, 1, 1, 1, 16, 2, 2, 2, 16, 3, 3, 3, 16));
    v128.store(out, i8x16.shuffle(y, opaque, 4, 4, 4, 16, 5, 5, 5, 16, 6, 6, 6, 16, 7, 7, 7, 16), 16);
    v128.store(out, i8x16.shuffle(y, opaque, 8, 8, 8, 16, 9, 9, 9, 16, 10, 10, 10, 16, 11, 11, 11, 16), 32);
    v128.store(out, i8x16.shuffle(y, opaque, 12, 12, 12, 16, 13, 13, 13, 16, 14, 14, 14, 16, 15, 15, 15, 16), 48);
  }
}

/** Chroma at full width. Writes whole 8 pixels. */
export function writeWhole(luma: usize, cb: usize, cr: usize, width: i32, out: usize): void {
  const middle = i16x8.splat(128);
  for (const end = luma + width; luma < end; luma += 8, cb += 8, cr += 8, out += 32) {
    writePixels(luma, i16x8.sub(v128.load8x8_u(cb), middle), i16x8.sub(v128.load8x8_u(cr), middle), out);
  }
}

/** Chroma of half the width, `columns` samples of it, 2 bytes each, with room for one before and one behind; 1 × the sample. */
export function halfSums(chroma: usize, columns: i32, sums: usize): void {
  for (let i = 0; i < columns; i += 8) v128.store(sums + (i << 1), v128.load8x8_u(chroma + i));
  goOn(sums, columns);
}

/** The same of half the height as well: 3 × the row that is nearer and 1 × the other. */
export function quarterSums(near: usize, far: usize, columns: i32, sums: usize): void {
  for (let i = 0; i < columns; i += 8) {
    const sample = v128.load8x8_u(near + i);
    const triple = i16x8.add(sample, i16x8.shl(sample, 1));
    v128.store(sums + (i << 1), i16x8.add(triple, v128.load8x8_u(far + i)));
  }
  goOn(sums, columns);
}

/** Beyond the edges the edge goes on. */
@inline
function goOn(sums: usize, columns: i32): void {
  store<u16>(sums - 2, load<u16>(sums));
  const end = sums + (columns << 1);
  store<u16>(end, load<u16>(end - 2));
}

/** Chroma as sums, which are the sample 2 to the power of `shift` - 2 times. Writes whole 16 pixels. */
export function writeSmoothed(luma: usize, cb: usize, cr: usize, shift: i32, columns: i32, out: usize): void {
  // jdsample.c: to the left 8 and to the right 7 of 16; 1 and 2 of 4
  const left = i16x8.splat(shift == 4 ? 8 : 1);
  const right = i16x8.splat(shift == 4 ? 7 : 2);
  for (let i = 0; i < columns; i += 8, luma += 16, cb += 16, cr += 16, out += 64) {
    const cbLeft = smoothed(cb, -2, left, shift);
    const cbRight = smoothed(cb, 2, right, shift);
    const crLeft = smoothed(cr, -2, left, shift);
    const crRight = smoothed(cr, 2, right, shift);
    writePixels(luma, lowPairs(cbLeft, cbRight), lowPairs(crLeft, crRight), out);
    writePixels(luma + 8, highPairs(cbLeft, cbRight), highPairs(crLeft, crRight), out + 32);
  }
}

/** Three parts of a sum and one of its neighbour, less 128. */
@inline
export function smoothed(sums: usize, neighbour: i32, round: v128, shift: i32): v128 {
  const sum = v128.load(sums);
  const triple = i16x8.add(sum, i16x8.shl(sum, 1));
  const all = i16x8.add(i16x8.add(triple, v128.load(sums + neighbour)), round);
  return i16x8.sub(i16x8.shr_u(all, shift), i16x8.splat(128));
}

/**
 * Eight pixels. R = Y + 1.402 Cr, G = Y - 0.34414 Cb - 0.71414 Cr, B = Y + 1.772 Cb, in 65536ths 91881, 22554, 46802 and
 * 116130. Whole parts aside, half of a factor in 32768ths is rounded to the same values (for Cr tried for all 256).
 */
@inline
function writePixels(luma: usize, cb: v128, cr: v128, out: usize): void {
  const y = v128.load8x8_u(luma);
  const red = i16x8.add(i16x8.add(y, cr), i16x8.q15mulr_sat_s(cr, i16x8.splat(13172)));
  const blue = i16x8.add(i16x8.add(y, i16x8.shl(cb, 1)), i16x8.q15mulr_sat_s(cb, i16x8.splat(-7471)));
  const green = i16x8.add(i16x8.sub(y, cr), i16x8.narrow_i32x4_s(greens(lowPairs(cb, cr)), greens(highPairs(cb, cr))));
  const redGreen = i8x16.narrow_i16x8_u(red, green);
  const blueAlpha = i8x16.narrow_i16x8_u(blue, i16x8.splat(255));
  v128.store(out, i8x16.shuffle(redGreen, blueAlpha, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27));
  v128.store(out, i8x16.shuffle(redGreen, blueAlpha, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31), 16);
}

/** Pairs of Cb and Cr → -0.34414 Cb + 0.28586 Cr, rounded. */
@inline
function greens(pairs: v128): v128 {
  const products = i32x4.dot_i16x8_s(pairs, i32x4.splat((18734 << 16) | (-22554 & 0xffff)));
  return i32x4.shr_s(i32x4.add(products, i32x4.splat(32768)), 16);
}
