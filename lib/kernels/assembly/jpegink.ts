// One row of four inks' samples → RGBA pixels. Samples are inverted, as Adobe has them and as browsers take them whatever the
// file says: 255 is no ink, so that a colour is ink × black / 255. Of YCCK the first three are the inks' complements.
import { highPairs, lowPairs } from './lanes';
import { smoothed } from './jpegcolor';

/** Sums (see `writeSmoothed`) → samples of twice as many columns. Writes whole 16. */
export function writeSamples(sums: usize, shift: i32, columns: i32, out: usize): void {
  const left = i16x8.splat(shift == 4 ? 8 : 1);
  const right = i16x8.splat(shift == 4 ? 7 : 2);
  const middle = i8x16.splat(-128);
  for (let i = 0; i < columns; i += 8, sums += 16, out += 16) {
    const even = smoothed(sums, -2, left, shift);
    const odd = smoothed(sums, 2, right, shift);
    v128.store(out, i8x16.add(i8x16.narrow_i16x8_s(lowPairs(even, odd), highPairs(even, odd)), middle));
  }
}

/** Cyan, magenta, yellow → R, G, B as they are where there is no black. Writes whole 16 pixels. */
export function writeInks(cyan: usize, magenta: usize, yellow: usize, width: i32, out: usize): void {
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

/** Multiplies the opaque pixels at `out`, inverted first when `isInverted`, by black. Takes whole 8 pixels. */
export function blacken(black: usize, width: i32, isInverted: bool, out: usize): void {
  const inverted = i32x4.splat(isInverted ? 0xffffff : 0);
  const opaque = i8x16.splat(-1);
  for (const end = black + width; black < end; black += 8, out += 32) {
    const k = v128.load64_zero(black);
    const first = i8x16.shuffle(k, opaque, 0, 0, 0, 16, 1, 1, 1, 16, 2, 2, 2, 16, 3, 3, 3, 16);
    const second = i8x16.shuffle(k, opaque, 4, 4, 4, 16, 5, 5, 5, 16, 6, 6, 6, 16, 7, 7, 7, 16);
    v128.store(out, product(v128.xor(v128.load(out), inverted), first));
    v128.store(out, product(v128.xor(v128.load(out, 16), inverted), second), 16);
  }
}

/** a × b / 255, cut off. */
@inline
function product(a: v128, b: v128): v128 {
  const low = part(i16x8.extmul_low_i8x16_u(a, b));
  const high = part(i16x8.extmul_high_i8x16_u(a, b));
  return i8x16.narrow_i16x8_u(low, high);
}

/** A 255th, cut off: exact up to 255 × 255. */
@inline
function part(products: v128): v128 {
  const sum = i16x8.add(i16x8.add(products, i16x8.shr_u(products, 8)), i16x8.splat(1));
  return i16x8.shr_u(sum, 8);
}
