// Forward DCT and quantization of an 8 × 8 block of samples: the transform of Loeffler, Ligtenberg and Moschytz
// ("Practical fast 1-D DCT algorithms with 11 multiplications", 1989) with 16-bit products. Twin of
// assembly/jpeg/fdct.ts.

/** Cosines and sines of 3π/16 and π/16 in 32768ths. */
const COS_3 = 27246;
const SIN_3 = 18205;
const COS_1 = 32138;
const SIN_1 = 6393;
/** √2 sin(π/8); √2 cos(π/8) and √2 minus 1: the integer part is added separately. */
const SIN_2 = 17734;
const COS_2_MINUS_1 = 10045;
const SQRT2_MINUS_1 = 13573;

/** The rounded product of `a` and a factor in 32768ths. */
function times(a: number, factor: number): number {
  return (a * factor + 16384) >> 15;
}

/** 64 samples in 32nds → coefficients in 32nds, row by row, in place. */
export function transform(block: Int16Array): void {
  for (let column = 0; column < 8; column++) transformLine(block, column, 8);
  // makes room for the growth of the second pass
  for (let i = 0; i < 64; i++) block[i] = (block[i] + 4) >> 3;
  for (let row = 0; row < 64; row += 8) transformLine(block, row, 1);
}

/** The DCT of the eight values from `at` on, `step` apart, scaled by √8 relative to the orthonormal DCT. */
function transformLine(block: Int16Array, at: number, step: number): void {
  const last = at + 7 * step;
  const sum0 = block[at] + block[last];
  const sum1 = block[at + step] + block[last - step];
  const sum2 = block[at + 2 * step] + block[last - 2 * step];
  const sum3 = block[at + 3 * step] + block[last - 3 * step];
  const difference0 = block[at] - block[last];
  const difference1 = block[at + step] - block[last - step];
  const difference2 = block[at + 2 * step] - block[last - 2 * step];
  const difference3 = block[at + 3 * step] - block[last - 3 * step];
  const outer = sum0 - sum3;
  const inner = sum1 - sum2;
  const a = times(difference3, COS_3) + times(difference0, SIN_3);
  const b = times(difference2, COS_1) + times(difference1, SIN_1);
  const c = times(difference1, COS_1) - times(difference2, SIN_1);
  const d = times(difference0, COS_3) - times(difference3, SIN_3);
  block[at] = sum0 + sum3 + sum1 + sum2;
  block[at + step] = d + b + a + c;
  block[at + 2 * step] = outer + times(outer, COS_2_MINUS_1) + times(inner, SIN_2);
  block[at + 3 * step] = d - b + times(d - b, SQRT2_MINUS_1);
  block[at + 4 * step] = sum0 + sum3 - sum1 - sum2;
  block[at + 5 * step] = a - c + times(a - c, SQRT2_MINUS_1);
  block[at + 6 * step] = times(outer, SIN_2) - inner - times(inner, COS_2_MINUS_1);
  block[last] = d + b - a - c;
}

/**
 * Quantizes a coefficient. The divisor is 2^(15 + m) / step and the scale 2^(10 - m), where m normalizes the former: the
 * quotient is rounded first to 5 + m fraction bits, then to an integer.
 */
export function quantize(coefficient: number, divisor: number, scale: number): number {
  return times(times(coefficient, divisor), scale);
}
