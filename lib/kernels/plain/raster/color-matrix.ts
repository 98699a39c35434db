// Applies colour matrices to premultiplied pixels, one after the other, in single precision: as Chromium does, nothing
// is rounded to 8 bits in between, but each result is clamped to 0–1. Twin of assembly/raster/color-matrix.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

/** Floats of a matrix: the factors of red, green, blue and alpha, then the constants, each for the four results. */
const MATRIX_FLOATS = 20;

const { fround } = Math;

export function colorMatrixKernel(memory: PlainMemory): Pick<Kernels, 'applyColorMatrices'> {
  return {
    /**
     * Replaces `count` pixels. `matrices`: `matrixCount` of them, each five vectors of four floats: what red, green, blue
     * and alpha add to the four channels of the result, and a constant.
     */
    applyColorMatrices(pixels, count, matrices, matrixCount) {
      const { bytes, words } = memory;
      const factors = memory.floats.subarray(matrices / 4, matrices / 4 + matrixCount * MATRIX_FLOATS);
      const color = new Float32Array(4);
      const next = new Float32Array(4);
      const first = pixels / 4;
      let last = -1;
      let result = 0;
      for (let i = first; i < first + count; i++) {
        const word = words[i];
        if (word !== last) {
          const at = i * 4;
          const alpha = bytes[at + 3];
          for (let c = 0; c < 3; c++) color[c] = bytes[at + c] / Math.max(1, alpha);
          color[3] = alpha / 255;
          for (let m = 0; m < factors.length; m += MATRIX_FLOATS) {
            for (let c = 0; c < 4; c++) {
              let sum = fround(color[0] * factors[m + c]);
              for (let k = 1; k < 4; k++) sum = fround(sum + fround(color[k] * factors[m + 4 * k + c]));
              sum = fround(sum + factors[m + 16 + c]);
              next[c] = Math.min(Math.max(sum, 0), 1);
            }
            color.set(next);
          }
          for (let c = 0; c < 4; c++) {
            const premultiplied = c === 3 ? color[3] : fround(color[c] * color[3]);
            bytes[at + c] = fround(fround(premultiplied * 255) + 0.5);
          }
          last = word;
          result = words[i];
        } else words[i] = result;
      }
    },
  };
}
