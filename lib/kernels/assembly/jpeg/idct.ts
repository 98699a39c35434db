// Inverse DCT: 64 coefficients → 8 × 8 samples, by libjpeg's integer transform (jidctint.c, "islow"): Loeffler,
// Ligtenberg and Moschytz 1989 with 13-bit constants. Adds two products at a time, as libjpeg-turbo does, with
// bit-identical results.
import { unpackHi, unpackLo } from '../simd';

const work = memory.data(128, 16);

/** Two factors, for the lower and upper number of each 16-bit pair. */
@inline
function factors(first: i32, second: i32): v128 {
  return i32x4.splat((second << 16) | (first & 0xffff));
}

/**
 * Writes the samples of `block` (row by row, 2 bytes each) to `out`, whose rows are `stride` bytes apart. `last`: index
 * of the last non-zero coefficient. Returns false if an intermediate value leaves the range in which libjpeg clamps as
 * this code does.
 */
export function idctBlock(block: usize, last: i32, out: usize, stride: usize): bool {
  if (last == 0) {
    const dc = ((load<i16>(block) + 4) >> 3) + 128;
    const row = <u64>(dc < 0 ? 0 : dc > 255 ? 255 : dc) * 0x0101010101010101;
    for (let y = 0; y < 8; y++, out += stride) store<u64>(out, row);
    return dc >= -384 && dc < 640;
  }
  idctColumns(block, 11);
  let outside = outOfRange(work, 1 << 14);
  idctColumns(work, 18);
  // jdmaster.c, prepare_range_limit_table: values of more than 10 bits wrap around
  outside = v128.or(outside, outOfRange(work, 1 << 9));
  const center = i8x16.splat(-128);
  for (let y: usize = 0; y < 128; y += 32, out += 2 * stride) {
    const two = i8x16.add(i8x16.narrow_i16x8_s(v128.load(work + y), v128.load(work + y, 16)), center);
    v128.store64_lane(out, two, 0);
    v128.store64_lane(out + stride, two, 1);
  }
  return !v128.any_true(outside);
}

/** Non-zero where a value is outside -`limit`…`limit` - 1. `limit` is a power of 2. */
@inline
function outOfRange(values: usize, limit: i16): v128 {
  let all = i16x8.splat(0);
  for (let i: usize = 0; i < 128; i += 16) all = v128.or(all, i16x8.add(v128.load(values + i), i16x8.splat(limit)));
  return v128.and(all, i16x8.splat(<i16>-(2 * limit)));
}

/**
 * One-dimensional pass over the columns of 8 rows. Writes the transposed result to `work`, divided by 2^`shift` and
 * rounded.
 */
@inline
function idctColumns(from: usize, shift: i32): void {
  const r0 = v128.load(from);
  const r1 = v128.load(from, 16);
  const r2 = v128.load(from, 32);
  const r3 = v128.load(from, 48);
  const r4 = v128.load(from, 64);
  const r5 = v128.load(from, 80);
  const r6 = v128.load(from, 96);
  const r7 = v128.load(from, 112);
  const z3 = i16x8.add(r7, r3);
  const z4 = i16x8.add(r5, r1);
  idctHalf(
    unpackLo(r0, r4),
    unpackLo(r2, r6),
    unpackLo(r7, r1),
    unpackLo(r5, r3),
    unpackLo(z3, z4),
    shift,
    low,
  );
  idctHalf(
    unpackHi(r0, r4),
    unpackHi(r2, r6),
    unpackHi(r7, r1),
    unpackHi(r5, r3),
    unpackHi(z3, z4),
    shift,
    high,
  );
  transpose();
}

/** Four columns each: eight rows of 32-bit values. */
const low = memory.data(128, 16);
const high = memory.data(128, 16);

@inline
function idctHalf(p04: v128, p26: v128, p71: v128, p53: v128, p34: v128, shift: i32, out: usize): void {
  const round = i32x4.splat(1 << (shift - 1));
  const sum = i32x4.add(i32x4.dot_i16x8_s(p04, factors(8192, 8192)), round);
  const difference = i32x4.add(i32x4.dot_i16x8_s(p04, factors(8192, -8192)), round);
  const even2 = i32x4.dot_i16x8_s(p26, factors(4433, 4433 - 15137));
  const even3 = i32x4.dot_i16x8_s(p26, factors(4433 + 6270, 4433));
  const t10 = i32x4.add(sum, even3);
  const t13 = i32x4.sub(sum, even3);
  const t11 = i32x4.add(difference, even2);
  const t12 = i32x4.sub(difference, even2);
  const z3 = i32x4.dot_i16x8_s(p34, factors(9633 - 16069, 9633));
  const z4 = i32x4.dot_i16x8_s(p34, factors(9633, 9633 - 3196));
  const odd0 = i32x4.add(i32x4.dot_i16x8_s(p71, factors(2446 - 7373, -7373)), z3);
  const odd3 = i32x4.add(i32x4.dot_i16x8_s(p71, factors(-7373, 12299 - 7373)), z4);
  const odd1 = i32x4.add(i32x4.dot_i16x8_s(p53, factors(16819 - 20995, -20995)), z4);
  const odd2 = i32x4.add(i32x4.dot_i16x8_s(p53, factors(-20995, 25172 - 20995)), z3);
  v128.store(out, i32x4.shr_s(i32x4.add(t10, odd3), shift));
  v128.store(out, i32x4.shr_s(i32x4.add(t11, odd2), shift), 16);
  v128.store(out, i32x4.shr_s(i32x4.add(t12, odd1), shift), 32);
  v128.store(out, i32x4.shr_s(i32x4.add(t13, odd0), shift), 48);
  v128.store(out, i32x4.shr_s(i32x4.sub(t13, odd0), shift), 64);
  v128.store(out, i32x4.shr_s(i32x4.sub(t12, odd1), shift), 80);
  v128.store(out, i32x4.shr_s(i32x4.sub(t11, odd2), shift), 96);
  v128.store(out, i32x4.shr_s(i32x4.sub(t10, odd3), shift), 112);
}

@inline
function row(k: usize): v128 {
  return i16x8.narrow_i32x4_s(v128.load(low + (k << 4)), v128.load(high + (k << 4)));
}

/** Transposes the rows of `low` and `high` into `work`. */
function transpose(): void {
  const r0 = row(0);
  const r1 = row(1);
  const r2 = row(2);
  const r3 = row(3);
  const r4 = row(4);
  const r5 = row(5);
  const r6 = row(6);
  const r7 = row(7);
  const a0 = unpackLo(r0, r1);
  const a1 = unpackHi(r0, r1);
  const a2 = unpackLo(r2, r3);
  const a3 = unpackHi(r2, r3);
  const a4 = unpackLo(r4, r5);
  const a5 = unpackHi(r4, r5);
  const a6 = unpackLo(r6, r7);
  const a7 = unpackHi(r6, r7);
  // pairs of rows → groups of four
  const b0 = i32x4.shuffle(a0, a2, 0, 4, 1, 5);
  const b1 = i32x4.shuffle(a0, a2, 2, 6, 3, 7);
  const b2 = i32x4.shuffle(a1, a3, 0, 4, 1, 5);
  const b3 = i32x4.shuffle(a1, a3, 2, 6, 3, 7);
  const b4 = i32x4.shuffle(a4, a6, 0, 4, 1, 5);
  const b5 = i32x4.shuffle(a4, a6, 2, 6, 3, 7);
  const b6 = i32x4.shuffle(a5, a7, 0, 4, 1, 5);
  const b7 = i32x4.shuffle(a5, a7, 2, 6, 3, 7);
  v128.store(work, i64x2.shuffle(b0, b4, 0, 2));
  v128.store(work, i64x2.shuffle(b0, b4, 1, 3), 16);
  v128.store(work, i64x2.shuffle(b1, b5, 0, 2), 32);
  v128.store(work, i64x2.shuffle(b1, b5, 1, 3), 48);
  v128.store(work, i64x2.shuffle(b2, b6, 0, 2), 64);
  v128.store(work, i64x2.shuffle(b2, b6, 1, 3), 80);
  v128.store(work, i64x2.shuffle(b3, b7, 0, 2), 96);
  v128.store(work, i64x2.shuffle(b3, b7, 1, 3), 112);
}
