// Converts one row of CMYK or YCCK samples to RGBA pixels. Samples are treated as inverted (Adobe's convention), as
// browsers do regardless of what the file declares: 255 is no ink, so a channel is ink × black / 255. In YCCK, the
// first three decode to the complements of the inks.
import { unpackHi, unpackLo } from '../simd';
import { triangleFilter } from './ycbcr-to-rgba';

/** Upsamples sums (see `writeUpsampled`) to twice as many samples. Writes groups of 16. */
export function upsampleRow(sums: usize, shift: i32, columns: i32, out: usize): void {
  const left = i16x8.splat(shift == 4 ? 8 : 1);
  const right = i16x8.splat(shift == 4 ? 7 : 2);
  const center = i8x16.splat(-128);
  for (let i = 0; i < columns; i += 8, sums += 16, out += 16) {
    const even = triangleFilter(sums, -2, left, shift);
    const odd = triangleFilter(sums, 2, right, shift);
    v128.store(out, i8x16.add(i8x16.narrow_i16x8_s(unpackLo(even, odd), unpackHi(even, odd)), center));
  }
}

/** Writes cyan, magenta and yellow as R, G and B, without black. Writes groups of 16 pixels. */
export function writeCmy(cyan: usize, magenta: usize, yellow: usize, width: i32, out: usize): void {
  const opaque = i8x16.splat(-1);
  for (const end = cyan + width; cyan < end; cyan += 16, magenta += 16, yellow += 16, out += 64) {
    const c = v128.load(cyan);
    const m = v128.load(magenta);
    const y = v128.load(yellow);
    const redGreen = i8x16.shuffle(c, m, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const blueAlpha = i8x16.shuffle(y, opaque, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    v128.store(out, i16x8.shuffle(redGreen, blueAlpha, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(out, i16x8.shuffle(redGreen, blueAlpha, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    const moreRedGreen = i8x16.shuffle(c, m, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const moreBlueAlpha = i8x16.shuffle(y, opaque, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    v128.store(out, i16x8.shuffle(moreRedGreen, moreBlueAlpha, 0, 8, 1, 9, 2, 10, 3, 11), 32);
    v128.store(out, i16x8.shuffle(moreRedGreen, moreBlueAlpha, 4, 12, 5, 13, 6, 14, 7, 15), 48);
  }
}

/** Multiplies the opaque pixels at `out` by black; inverts them first if `isInverted`. Processes groups of 8 pixels. */
export function applyBlack(black: usize, width: i32, isInverted: bool, out: usize): void {
  const inverted = i32x4.splat(isInverted ? 0xffffff : 0);
  const opaque = i8x16.splat(-1);
  for (const end = black + width; black < end; black += 8, out += 32) {
    const k = v128.load64_zero(black);
    const first = i8x16.shuffle(k, opaque, 0, 0, 0, 16, 1, 1, 1, 16, 2, 2, 2, 16, 3, 3, 3, 16);
    const second = i8x16.shuffle(k, opaque, 4, 4, 4, 16, 5, 5, 5, 16, 6, 6, 6, 16, 7, 7, 7, 16);
    v128.store(out, multiplyDiv255(v128.xor(v128.load(out), inverted), first));
    v128.store(out, multiplyDiv255(v128.xor(v128.load(out, 16), inverted), second), 16);
  }
}

/** a × b / 255, truncated. */
@inline
function multiplyDiv255(a: v128, b: v128): v128 {
  const low = div255(i16x8.extmul_low_i8x16_u(a, b));
  const high = div255(i16x8.extmul_high_i8x16_u(a, b));
  return i8x16.narrow_i16x8_u(low, high);
}

/** Divides by 255, truncated: exact up to 255 × 255. */
@inline
function div255(products: v128): v128 {
  const sum = i16x8.add(i16x8.add(products, i16x8.shr_u(products, 8)), i16x8.splat(1));
  return i16x8.shr_u(sum, 8);
}
