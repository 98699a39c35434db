// Computes the Adler-32 checksum (RFC 1950 section 8.2).
import { hsum } from '../simd';

const BASE: u32 = 65521;
/** Bytes between two modulo reductions; the larger sum stays below 2^32. */
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
    let prefixSums = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    const blocks = <u32>((stop - from) >> 4);
    for (; from < stop; from += 16) {
      const bytes = v128.load(from);
      const a = i16x8.extend_low_i8x16_u(bytes);
      const b = i16x8.extend_high_i8x16_u(bytes);
      prefixSums = i32x4.add(prefixSums, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.add(a, b)));
      weighted = i32x4.add(
        weighted,
        i32x4.add(i32x4.dot_i16x8_s(a, weightsLow), i32x4.dot_i16x8_s(b, weightsHigh)),
      );
    }
    // each block adds 16 times the low sum from before it, plus its own bytes weighted by position
    high = (high + low * 16 * blocks + 16 * hsum(prefixSums) + hsum(weighted)) % BASE;
    low = (low + hsum(sums)) % BASE;
  }
  for (; from < end; from++) {
    low += load<u8>(from);
    high += low;
  }
  return ((high % BASE) << 16) | (low % BASE);
}
