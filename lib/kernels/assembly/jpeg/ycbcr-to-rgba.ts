// Converts one row of Y, Cb and Cr samples to RGBA pixels. Upsamples chroma of half width or height with libjpeg's
// triangle filter ("fancy upsampling", jdsample.c); converts colours by libjpeg's formulas (jdcolor.c): Q16 factors,
// rounded.
import { unpackHi, unpackLo } from '../simd';

/** Grayscale. Writes groups of 16 pixels. */
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

/** Chroma at full width. Writes groups of 8 pixels. */
export function writeFullChroma(luma: usize, cb: usize, cr: usize, width: i32, out: usize): void {
  const center = i16x8.splat(128);
  for (const end = luma + width; luma < end; luma += 8, cb += 8, cr += 8, out += 32) {
    writePixels(luma, i16x8.sub(v128.load8x8_u(cb), center), i16x8.sub(v128.load8x8_u(cr), center), out);
  }
}

/**
 * Widens one row of `columns` half-width chroma samples to 16-bit sums (here 1 × the sample) for `writeUpsampled`.
 * `sums` needs space for one more sum before and after.
 */
export function h2v1Sums(chroma: usize, columns: i32, sums: usize): void {
  for (let i = 0; i < columns; i += 8) v128.store(sums + (i << 1), v128.load8x8_u(chroma + i));
  replicateEdges(sums, columns);
}

/** The same for chroma of half height: 3 × the nearer row plus 1 × the farther row. */
export function h2v2Sums(near: usize, far: usize, columns: i32, sums: usize): void {
  for (let i = 0; i < columns; i += 8) {
    const sample = v128.load8x8_u(near + i);
    const triple = i16x8.add(sample, i16x8.shl(sample, 1));
    v128.store(sums + (i << 1), i16x8.add(triple, v128.load8x8_u(far + i)));
  }
  replicateEdges(sums, columns);
}

/** Replicates the edge samples. */
@inline
function replicateEdges(sums: usize, columns: i32): void {
  store<u16>(sums - 2, load<u16>(sums));
  const end = sums + (columns << 1);
  store<u16>(end, load<u16>(end - 2));
}

/** Chroma as sums, each 2^(`shift` - 2) × the sample. Writes groups of 16 pixels. */
export function writeUpsampled(luma: usize, cb: usize, cr: usize, shift: i32, columns: i32, out: usize): void {
  // jdsample.c: rounding terms are 8 (left) and 7 (right) of 16; 1 and 2 of 4
  const left = i16x8.splat(shift == 4 ? 8 : 1);
  const right = i16x8.splat(shift == 4 ? 7 : 2);
  for (let i = 0; i < columns; i += 8, luma += 16, cb += 16, cr += 16, out += 64) {
    const cbLeft = triangleFilter(cb, -2, left, shift);
    const cbRight = triangleFilter(cb, 2, right, shift);
    const crLeft = triangleFilter(cr, -2, left, shift);
    const crRight = triangleFilter(cr, 2, right, shift);
    writePixels(luma, unpackLo(cbLeft, cbRight), unpackLo(crLeft, crRight), out);
    writePixels(luma + 8, unpackHi(cbLeft, cbRight), unpackHi(crLeft, crRight), out + 32);
  }
}

/** Three parts of a sum plus one part of its neighbour, minus 128. */
@inline
export function triangleFilter(sums: usize, neighbour: i32, rounding: v128, shift: i32): v128 {
  const sum = v128.load(sums);
  const triple = i16x8.add(sum, i16x8.shl(sum, 1));
  const sumOfFour = i16x8.add(i16x8.add(triple, v128.load(sums + neighbour)), rounding);
  return i16x8.sub(i16x8.shr_u(sumOfFour, shift), i16x8.splat(128));
}

/**
 * Eight pixels. R = Y + 1.402 Cr, G = Y - 0.34414 Cb - 0.71414 Cr, B = Y + 1.772 Cb; in 65536ths 91881, 22554, 46802
 * and 116130. The integer part is added separately; half of the remaining factor, in 32768ths, rounds to the same
 * values (for Cr verified for all 256).
 */
@inline
function writePixels(luma: usize, cb: v128, cr: v128, out: usize): void {
  const y = v128.load8x8_u(luma);
  const red = i16x8.add(i16x8.add(y, cr), i16x8.q15mulr_sat_s(cr, i16x8.splat(13172)));
  const blue = i16x8.add(i16x8.add(y, i16x8.shl(cb, 1)), i16x8.q15mulr_sat_s(cb, i16x8.splat(-7471)));
  const greenOffset = i16x8.narrow_i32x4_s(greenOffsets(unpackLo(cb, cr)), greenOffsets(unpackHi(cb, cr)));
  const green = i16x8.add(i16x8.sub(y, cr), greenOffset);
  const redGreen = i8x16.narrow_i16x8_u(red, green);
  const blueAlpha = i8x16.narrow_i16x8_u(blue, i16x8.splat(255));
  v128.store(out, i8x16.shuffle(redGreen, blueAlpha, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27));
  v128.store(out, i8x16.shuffle(redGreen, blueAlpha, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31), 16);
}

/** Pairs of Cb and Cr → -0.34414 Cb + 0.28586 Cr, rounded. */
@inline
function greenOffsets(pairs: v128): v128 {
  const products = i32x4.dot_i16x8_s(pairs, i32x4.splat((18734 << 16) | (-22554 & 0xffff)));
  return i32x4.shr_s(i32x4.add(products, i32x4.splat(32768)), 16);
}
