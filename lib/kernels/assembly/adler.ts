// Bytes → their Adler-32 sum (RFC 1950 section 8.2).
import { across } from './lanes';

const BASE: u32 = 65521;
/** So many bytes before the sums are reduced: the larger stays below 2^32. */
const REDUCE_EVERY: usize = 5536;

export function adler32(start: u32, from: usize, length: usize): u32 {
  let low = start & 0xffff;
  let high = start >> 16;
  const end = from + length;
  const weightsLow = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const weightsHigh = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (from + 16 <= end) {
    const stop = from + (min(end - from, REDUCE_EVERY) & ~15);
    let sums = i32x4.splat(0);
    let befores = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    const blocks = <u32>((stop - from) >> 4);
    for (; from < stop; from += 16) {
      const bytes = v128.load(from);
      const a = i16x8.extend_low_i8x16_u(bytes);
      const b = i16x8.extend_high_i8x16_u(bytes);
      befores = i32x4.add(befores, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.add(a, b)));
      weighted = i32x4.add(
        weighted,
        i32x4.add(i32x4.dot_i16x8_s(a, weightsLow), i32x4.dot_i16x8_s(b, weightsHigh)),
      );
    }
    // every block adds 16 times what the low sum was before it, and its own bytes by their places
    high = (high + low * 16 * blocks + 16 * across(befores) + across(weighted)) % BASE;
    low = (low + across(sums)) % BASE;
  }
  for (; from < end; from++) {
    low += load<u8>(from);
    high += low;
  }
  return ((high % BASE) << 16) | (low % BASE);
}
