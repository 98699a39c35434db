// Inverse DCT: 64 coefficients → 8 × 8 samples, by libjpeg's integer transform (jidctint.c, "islow"): Loeffler,
// Ligtenberg and Moschytz 1989 with 13-bit constants. Twin of assembly/jpeg/idct.ts.

const work = new Int32Array(64);

/** The fraction bits of the constants; and how many of them the first pass keeps, on top of 3 for the scale of the DCT. */
const CONST_BITS = 13;
const PASS_1_BITS = 2;

/** Bits that are set in values outside -2^14…2^14 - 1 after adding 2^14; in samples outside -512…511 after adding 512. */
const OUTSIDE_WORK = ~((1 << 15) - 1);
const OUTSIDE_SAMPLE = ~((1 << 10) - 1);

/** The same as `idctBlock` for a block that has only DC. */
export function idctDc(dc: number, out: Uint8ClampedArray, at: number, stride: number): boolean {
  const sample = (dc + 4) >> 3;
  for (let row = at; row < at + 8 * stride; row += stride) out.fill(sample + 128, row, row + 8);
  return ((sample + 512) & OUTSIDE_SAMPLE) === 0;
}

/**
 * Writes the samples of `block` (row by row) to `out` from `at` on, in rows `stride` apart. Returns false if an
 * intermediate value leaves the range in which 16 bits suffice, or a sample the one in which libjpeg clamps: values of
 * more than 10 bits wrap around (jdmaster.c, prepare_range_limit_table).
 */
export function idctBlock(block: Int16Array, out: Uint8ClampedArray, at: number, stride: number): boolean {
  let outside = 0;
  for (let column = 0; column < 8; column++) idctLine(block, column, 8, CONST_BITS - PASS_1_BITS);
  for (let i = 0; i < 64; i++) outside |= (work[i] + (1 << 14)) & OUTSIDE_WORK;
  for (let row = 0; row < 64; row += 8) idctLine(work, row, 1, CONST_BITS + PASS_1_BITS + 3);
  for (let i = 0, row = at; i < 64; row += stride) {
    for (let x = row; x < row + 8; x++, i++) {
      outside |= (work[i] + 512) & OUTSIDE_SAMPLE;
      out[x] = work[i] + 128;
    }
  }
  return outside === 0;
}

/** Transforms the eight values of `from` from `at` on, `step` apart, to the same places of `work`, divided by 2^`shift`. */
function idctLine(from: Int16Array | Int32Array, at: number, step: number, shift: number): void {
  const round = 1 << (shift - 1);
  const s0 = from[at];
  const s1 = from[at + step];
  const s2 = from[at + 2 * step];
  const s3 = from[at + 3 * step];
  const s4 = from[at + 4 * step];
  const s5 = from[at + 5 * step];
  const s6 = from[at + 6 * step];
  const s7 = from[at + 7 * step];

  // jidctint.c's shortcut, with the same result: most lines have only their first value
  if ((s1 | s2 | s3 | s4 | s5 | s6 | s7) === 0) {
    const constant = (s0 * 8192 + round) >> shift;
    for (let i = 0; i < 8; i++) work[at + i * step] = constant;
    return;
  }

  // even part, figure 1 of the paper
  const z1 = (s2 + s6) * 4433;
  const even2 = z1 - s6 * 15137;
  const even3 = z1 + s2 * 6270;
  const sum = (s0 + s4) * 8192 + round;
  const difference = (s0 - s4) * 8192 + round;
  const t10 = sum + even3;
  const t13 = sum - even3;
  const t11 = difference + even2;
  const t12 = difference - even2;

  // odd part, figure 8
  const z5 = (s7 + s3 + s5 + s1) * 9633;
  const z3 = z5 - (s7 + s3) * 16069;
  const z4 = z5 - (s5 + s1) * 3196;
  const z71 = (s7 + s1) * -7373;
  const z53 = (s5 + s3) * -20995;
  const odd0 = s7 * 2446 + z71 + z3;
  const odd1 = s5 * 16819 + z53 + z4;
  const odd2 = s3 * 25172 + z53 + z3;
  const odd3 = s1 * 12299 + z71 + z4;

  work[at] = (t10 + odd3) >> shift;
  work[at + step] = (t11 + odd2) >> shift;
  work[at + 2 * step] = (t12 + odd1) >> shift;
  work[at + 3 * step] = (t13 + odd0) >> shift;
  work[at + 4 * step] = (t13 - odd0) >> shift;
  work[at + 5 * step] = (t12 - odd1) >> shift;
  work[at + 6 * step] = (t11 - odd2) >> shift;
  work[at + 7 * step] = (t10 - odd3) >> shift;
}
