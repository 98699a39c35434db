// Blurs premultiplied pixels along one axis by three box filters in succession, of `window`, `window` and `last` pixels.
// Output pixel i is the weighted sum of the input pixels i to i + reach, where reach = 2 window + last − 3. Twin of
// assembly/raster/box-blur.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

export function boxBlurKernels(memory: PlainMemory): Pick<Kernels, 'boxBlurRows' | 'boxBlurColumns'> {
  return {
    /**
     * Blurs `rows` lines of `stride` bytes along the x axis into rows of `width` pixels. A line holds 2 window + last zero
     * pixels, then `width` + reach pixels.
     */
    boxBlurRows(lines, stride, rows, window, last, multiplier, shift, fraction, width, out) {
      const { bytes } = memory;
      const lead = 2 * window + last;
      const samples = new Float64Array(width + lead - 3);
      for (let y = 0; y < rows; y++) {
        for (let channel = 0; channel < 4; channel++) {
          const from = lines + y * stride + lead * 4 + channel;
          for (let i = 0; i < samples.length; i++) samples[i] = bytes[from + i * 4];
          const sums = threeBoxes(samples, window, last);
          const to = out + y * width * 4 + channel;
          for (let x = 0; x < width; x++) bytes[to + x * 4] = divide(sums[x], multiplier, shift, fraction);
        }
      }
    },

    /**
     * Blurs `width` columns along the y axis into `rows` rows. `addresses`: those of 2 window + last rows of zeros and of
     * the `rows` + reach rows to blur.
     */
    boxBlurColumns(addresses, rows, window, last, multiplier, shift, fraction, width, _sums, out) {
      const { bytes, words } = memory;
      const lead = 2 * window + last;
      const first = addresses / 4 + lead;
      const samples = new Float64Array(rows + lead - 3);
      for (let x = 0; x < width * 4; x++) {
        for (let i = 0; i < samples.length; i++) samples[i] = bytes[words[first + i] + x];
        const sums = threeBoxes(samples, window, last);
        for (let y = 0; y < rows; y++) bytes[out + y * width * 4 + x] = divide(sums[y], multiplier, shift, fraction);
      }
    },
  };
}

function threeBoxes(samples: Float64Array, window: number, last: number): Float64Array {
  return movingSum(movingSum(movingSum(samples, window), window), last);
}

/** The sum of each `window` neighbours. */
function movingSum(samples: Float64Array, window: number): Float64Array {
  const sums = new Float64Array(samples.length - window + 1);
  let sum = 0;
  for (let i = 0; i < samples.length; i++) {
    sum += samples[i];
    if (i < window - 1) continue;
    sums[i - window + 1] = sum;
    sum -= samples[i - window + 1];
  }
  return sums;
}

/** The sum, shifted right by `shift`, times `multiplier` / 2^15 has `fraction` binary places, of which none are kept. */
function divide(sum: number, multiplier: number, shift: number, fraction: number): number {
  const value = ((sum >>> shift) * multiplier + 0x4000) >> 15;
  return (value + (1 << (fraction - 1))) >> fraction;
}
