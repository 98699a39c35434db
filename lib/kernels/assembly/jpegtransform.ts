// A block of 8 × 8 samples (jpegsamples.ts) → its quantized cosine coefficients, by the transform of Loeffler, Ligtenberg and
// Moschytz ("Practical fast 1-D DCT algorithms with 11 multiplications", 1989), eight lines at a time in 16 bits. No sum
// overflows: the largest, of 8 × 32 × -128, is -32768. Coefficients come out by columns, 32 times too large.
import { highPairs, lowPairs } from './lanes';

/** In parts of 32768, for products that are rounded to 16 bits: cosines and sines of 3π/16 and π/16. */
const COS_3: i16 = 27246;
const SIN_3: i16 = 18205;
const COS_1: i16 = 32138;
const SIN_1: i16 = 6393;
/** √2 sin(π/8); √2 cos(π/8) and √2, of which the whole is added. */
const SIN_2: i16 = 17734;
const COS_2_LESS_1: i16 = 10045;
const ROOT_LESS_1: i16 = 13573;

@inline
function times(a: v128, factor: i16): v128 {
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
  const outerTurn = i16x8.sub(sum0, sum3);
  const innerTurn = i16x8.sub(sum1, sum2);
  const second = i16x8.add(i16x8.add(outerTurn, times(outerTurn, COS_2_LESS_1)), times(innerTurn, SIN_2));
  const sixth = i16x8.sub(times(outerTurn, SIN_2), i16x8.add(innerTurn, times(innerTurn, COS_2_LESS_1)));
  v128.store(at, second, 32);
  v128.store(at, sixth, 96);

  const a = i16x8.add(times(difference3, COS_3), times(difference0, SIN_3));
  const b = i16x8.add(times(difference2, COS_1), times(difference1, SIN_1));
  const c = i16x8.sub(times(difference1, COS_1), times(difference2, SIN_1));
  const d = i16x8.sub(times(difference0, COS_3), times(difference3, SIN_3));
  const ac = i16x8.add(a, c);
  const db = i16x8.add(d, b);
  const third = i16x8.sub(d, b);
  const fifth = i16x8.sub(a, c);
  v128.store(at, i16x8.add(db, ac), 16);
  v128.store(at, i16x8.add(third, times(third, ROOT_LESS_1)), 48);
  v128.store(at, i16x8.add(fifth, times(fifth, ROOT_LESS_1)), 80);
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
/** Two rows of what has been interleaved twice. */
@inline
function putHalves(to: usize, a: v128, b: v128): void {
  v128.store(to, i64x2.shuffle(a, b, 0, 2));
  v128.store(to, i64x2.shuffle(a, b, 1, 3), 16);
}

/** An eighth, rounded. No sum comes within 4 of 32768. */
@inline
function eighth(line: v128): v128 {
  return i16x8.shr_s(i16x8.add(line, i16x8.splat(4)), 3);
}

/** Columns become rows, an eighth as large, in place: what the transform adds is made room for. */
@inline
function transpose(at: usize): void {
  const r0 = eighth(v128.load(at));
  const r1 = eighth(v128.load(at, 16));
  const r2 = eighth(v128.load(at, 32));
  const r3 = eighth(v128.load(at, 48));
  const r4 = eighth(v128.load(at, 64));
  const r5 = eighth(v128.load(at, 80));
  const r6 = eighth(v128.load(at, 96));
  const r7 = eighth(v128.load(at, 112));
  const left01 = lowPairs(r0, r1);
  const left23 = lowPairs(r2, r3);
  const left45 = lowPairs(r4, r5);
  const left67 = lowPairs(r6, r7);
  putHalves(at, low32(left01, left23), low32(left45, left67));
  putHalves(at + 32, high32(left01, left23), high32(left45, left67));
  const right01 = highPairs(r0, r1);
  const right23 = highPairs(r2, r3);
  const right45 = highPairs(r4, r5);
  const right67 = highPairs(r6, r7);
  putHalves(at + 64, low32(right01, right23), low32(right45, right67));
  putHalves(at + 96, high32(right01, right23), high32(right45, right67));
}

/** One column of coefficients, quantized: `divisors` and `scales` are those of `quantizeBlock`. */
@inline
function quantized(at: usize, divisors: usize): v128 {
  const fine = i16x8.q15mulr_sat_s(v128.load(at), v128.load(divisors));
  return i16x8.q15mulr_sat_s(fine, v128.load(divisors, 128));
}

/** Which of sixteen coefficients are 0, a bit each. */
@inline
function zeros(first: v128, second: v128): u64 {
  const zero = i16x8.splat(0);
  return <u64>(<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(first, zero), i16x8.eq(second, zero))));
}

/**
 * Transforms and quantizes the block at `at`, in place, by columns. `divisors`: by columns, 64 of 2^(15 + m) / step, then 64 of
 * 2^(10 - m), where m brings the former to 2^14–2^15: the quotient is rounded where it still has 5 + m bits of fraction, then
 * whole. Returns which coefficients are not 0, a bit each.
 */
export function transformBlock(at: usize, divisors: usize): u64 {
  transformColumns(at);
  transpose(at);
  transformColumns(at);
  let none: u64 = 0;
  for (let part: usize = 0; part < 4; part++, at += 32, divisors += 32) {
    const first = quantized(at, divisors);
    const second = quantized(at + 16, divisors + 16);
    v128.store(at, first);
    v128.store(at, second, 16);
    none |= zeros(first, second) << (<u64>part << 4);
  }
  return ~none;
}
