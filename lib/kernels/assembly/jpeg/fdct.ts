// Forward DCT and quantization of an 8 × 8 block of samples (from rgba-to-ycbcr.ts): the transform of Loeffler,
// Ligtenberg and Moschytz ("Practical fast 1-D DCT algorithms with 11 multiplications", 1989), eight lines at a time in
// 16 bits. No sum overflows: the largest, 8 × 32 × -128, is -32768. Coefficients come out in column order, 32 times too
// large.
import { unpackHi, unpackLo } from '../simd';

/** In 32768ths, for products rounded to 16 bits: cosines and sines of 3π/16 and π/16. */
const COS_3: i16 = 27246;
const SIN_3: i16 = 18205;
const COS_1: i16 = 32138;
const SIN_1: i16 = 6393;
/** √2 sin(π/8); √2 cos(π/8) and √2 minus 1: the integer part is added separately. */
const SIN_2: i16 = 17734;
const COS_2_MINUS_1: i16 = 10045;
const SQRT2_MINUS_1: i16 = 13573;

@inline
function multiply(a: v128, factor: i16): v128 {
  return i16x8.q15mulr_sat_s(a, i16x8.splat(factor));
}

/** Transforms the columns of the block at `at`, in place. */
@inline
function transformColumns(at: usize): void {
  const s0 = v128.load(at);
  const s1 = v128.load(at, 16);
  const s2 = v128.load(at, 32);
  const s3 = v128.load(at, 48);
  const s4 = v128.load(at, 64);
  const s5 = v128.load(at, 80);
  const s6 = v128.load(at, 96);
  const s7 = v128.load(at, 112);
  const sum0 = i16x8.add(s0, s7);
  const sum1 = i16x8.add(s1, s6);
  const sum2 = i16x8.add(s2, s5);
  const sum3 = i16x8.add(s3, s4);
  const difference0 = i16x8.sub(s0, s7);
  const difference1 = i16x8.sub(s1, s6);
  const difference2 = i16x8.sub(s2, s5);
  const difference3 = i16x8.sub(s3, s4);

  const outer = i16x8.add(sum0, sum3);
  const inner = i16x8.add(sum1, sum2);
  v128.store(at, i16x8.add(outer, inner));
  v128.store(at, i16x8.sub(outer, inner), 64);
  const outerDifference = i16x8.sub(sum0, sum3);
  const innerDifference = i16x8.sub(sum1, sum2);
  const outerCos = i16x8.add(outerDifference, multiply(outerDifference, COS_2_MINUS_1));
  const innerCos = i16x8.add(innerDifference, multiply(innerDifference, COS_2_MINUS_1));
  const second = i16x8.add(outerCos, multiply(innerDifference, SIN_2));
  const sixth = i16x8.sub(multiply(outerDifference, SIN_2), innerCos);
  v128.store(at, second, 32);
  v128.store(at, sixth, 96);

  const a = i16x8.add(multiply(difference3, COS_3), multiply(difference0, SIN_3));
  const b = i16x8.add(multiply(difference2, COS_1), multiply(difference1, SIN_1));
  const c = i16x8.sub(multiply(difference1, COS_1), multiply(difference2, SIN_1));
  const d = i16x8.sub(multiply(difference0, COS_3), multiply(difference3, SIN_3));
  const ac = i16x8.add(a, c);
  const db = i16x8.add(d, b);
  const third = i16x8.sub(d, b);
  const fifth = i16x8.sub(a, c);
  v128.store(at, i16x8.add(db, ac), 16);
  v128.store(at, i16x8.add(third, multiply(third, SQRT2_MINUS_1)), 48);
  v128.store(at, i16x8.add(fifth, multiply(fifth, SQRT2_MINUS_1)), 80);
  v128.store(at, i16x8.sub(db, ac), 112);
}

@inline
function low32(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 4, 1, 5);
}
@inline
function high32(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 2, 6, 3, 7);
}
/** Stores two rows of values that were interleaved twice. */
@inline
function putHalves(to: usize, a: v128, b: v128): void {
  v128.store(to, i64x2.shuffle(a, b, 0, 2));
  v128.store(to, i64x2.shuffle(a, b, 1, 3), 16);
}

/** Divides by 8, rounded. No sum comes within 4 of 32768. */
@inline
function div8(line: v128): v128 {
  return i16x8.shr_s(i16x8.add(line, i16x8.splat(4)), 3);
}

/** Transposes in place and divides by 8, which makes room for the growth of the second pass. */
@inline
function transpose(at: usize): void {
  const r0 = div8(v128.load(at));
  const r1 = div8(v128.load(at, 16));
  const r2 = div8(v128.load(at, 32));
  const r3 = div8(v128.load(at, 48));
  const r4 = div8(v128.load(at, 64));
  const r5 = div8(v128.load(at, 80));
  const r6 = div8(v128.load(at, 96));
  const r7 = div8(v128.load(at, 112));
  const left01 = unpackLo(r0, r1);
  const left23 = unpackLo(r2, r3);
  const left45 = unpackLo(r4, r5);
  const left67 = unpackLo(r6, r7);
  putHalves(at, low32(left01, left23), low32(left45, left67));
  putHalves(at + 32, high32(left01, left23), high32(left45, left67));
  const right01 = unpackHi(r0, r1);
  const right23 = unpackHi(r2, r3);
  const right45 = unpackHi(r4, r5);
  const right67 = unpackHi(r6, r7);
  putHalves(at + 64, low32(right01, right23), low32(right45, right67));
  putHalves(at + 96, high32(right01, right23), high32(right45, right67));
}

/** Quantizes one column of coefficients. `divisors`: see `fdctAndQuantize`. */
@inline
function quantizeColumn(at: usize, divisors: usize): v128 {
  const fine = i16x8.q15mulr_sat_s(v128.load(at), v128.load(divisors));
  return i16x8.q15mulr_sat_s(fine, v128.load(divisors, 128));
}

/** Bit mask of the zeros among sixteen coefficients. */
@inline
function zeroMask(first: v128, second: v128): u64 {
  const zero = i16x8.splat(0);
  return <u64>(<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(first, zero), i16x8.eq(second, zero))));
}

/**
 * Transforms and quantizes the block at `at`, in place, in column order. `divisors`: in column order, 64 values of
 * 2^(15 + m) / step, then 64 of 2^(10 - m), where m normalizes the former to 2^14–2^15: the quotient is rounded first
 * to 5 + m fraction bits, then to an integer. Returns a bit mask of the non-zero coefficients.
 */
export function fdctAndQuantize(at: usize, divisors: usize): u64 {
  transformColumns(at);
  transpose(at);
  transformColumns(at);
  let zeroBits: u64 = 0;
  for (let part: usize = 0; part < 4; part++, at += 32, divisors += 32) {
    const first = quantizeColumn(at, divisors);
    const second = quantizeColumn(at + 16, divisors + 16);
    v128.store(at, first);
    v128.store(at, second, 16);
    zeroBits |= zeroMask(first, second) << (<u64>part << 4);
  }
  return ~zeroBits;
}
