// A block of 8 × 8 samples → its cosine coefficients, in place: the forward transform of Arai, Agui and Nakajima in floats,
// 5 multiplications a line. Each coefficient comes out multiplied by SCALE of its row and column; quantization divides it out.

/** What coefficient k of a line is multiplied by, beyond the normed transform; both axes together by 8 more. */
const SCALE = Array.from({ length: 8 }, (_, k) => (k === 0 ? 1 : Math.SQRT2 * Math.cos((k * Math.PI) / 16)));

/** By natural place, what a transformed coefficient is to be multiplied by to come to whole steps of `steps`. */
export function inverseSteps(steps: Uint8Array, sampleScale: number): Float64Array {
  return Float64Array.from(steps, (step, i) => 1 / (step * SCALE[i >> 3] * SCALE[i & 7] * 8 * sampleScale));
}

const C4 = Math.SQRT1_2;
const C6 = Math.sin(Math.PI / 8);
const C2_LESS_C6 = Math.cos(Math.PI / 8) - C6;
const C2_PLUS_C6 = Math.cos(Math.PI / 8) + C6;

/** Transforms the 64 samples from `at`, row by row. */
export function transformBlock(samples: Float64Array, at: number): void {
  for (let row = at; row < at + 64; row += 8) transformLine(samples, row, 1);
  for (let column = at; column < at + 8; column++) transformLine(samples, column, 8);
}

/** Eight samples, `step` apart. */
function transformLine(samples: Float64Array, at: number, step: number): void {
  const i1 = at + step;
  const i2 = i1 + step;
  const i3 = i2 + step;
  const i4 = i3 + step;
  const i5 = i4 + step;
  const i6 = i5 + step;
  const i7 = i6 + step;
  const sum0 = samples[at] + samples[i7];
  const sum1 = samples[i1] + samples[i6];
  const sum2 = samples[i2] + samples[i5];
  const sum3 = samples[i3] + samples[i4];
  const difference0 = samples[at] - samples[i7];
  const difference1 = samples[i1] - samples[i6];
  const difference2 = samples[i2] - samples[i5];
  const difference3 = samples[i3] - samples[i4];

  const outer = sum0 + sum3;
  const inner = sum1 + sum2;
  const even = sum0 - sum3;
  const turned = (sum1 - sum2 + even) * C4;
  samples[at] = outer + inner;
  samples[i4] = outer - inner;
  samples[i2] = even + turned;
  samples[i6] = even - turned;

  const odd0 = difference3 + difference2;
  const odd1 = (difference2 + difference1) * C4;
  const odd2 = difference1 + difference0;
  const shared = (odd0 - odd2) * C6;
  const low = odd0 * C2_LESS_C6 + shared;
  const high = odd2 * C2_PLUS_C6 + shared;
  const near = difference0 + odd1;
  const far = difference0 - odd1;
  samples[i5] = far + low;
  samples[i3] = far - low;
  samples[i1] = near + high;
  samples[i7] = near - high;
}
