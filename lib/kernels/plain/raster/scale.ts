// Resamples rows of premultiplied pixels: bilinear with weights in 16ths, truncated. Each source row is scaled
// horizontally once; then rows are blended vertically. Two channels share a word: their sums have at most 16 bits.
// Twin of assembly/raster/scale.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

/** Selects every other channel of a pixel. */
const PAIR = 0x00ff00ff;

/** A source row scaled horizontally: per pixel two words, red and blue, then green and alpha, in 16ths. */
interface ScaledLine {
  row: number;
  isOpaque: boolean;
  readonly pairs: Uint32Array;
}

export function scaleKernel(memory: PlainMemory): Pick<Kernels, 'scaleRows'> {
  return {
    /**
     * Fills `out` with `rows` rows of `width` pixels (a multiple of 4).
     * `offsets`: per output column, the byte offset of the left one of its two source pixels.
     * `weights`: per output column, the weight (0–16) of the right source pixel, four times, 2 bytes each.
     * `rowSources`: per output row, its upper source row and the weight (0–16) of the row `next` (0 or 1) below.
     * `opaqueFlags`: one byte per output row, set to 1 if both its source rows are opaque.
     */
    scaleRows(pixels, stride, offsets, weights, width, rowSources, next, rows, _lines, opaqueFlags, out) {
      const { bytes, words, shorts } = memory;
      // one line holds an even source row, the other an odd one
      const lines = [0, 1].map((): ScaledLine => ({ row: -1, isOpaque: false, pairs: new Uint32Array(2 * width) }));
      const lineOf = (row: number): ScaledLine => {
        const line = lines[row & 1];
        if (line.row === row) return line;
        line.row = row;
        const from = (pixels + row * stride) / 4;
        line.isOpaque = words.subarray(from, from + stride / 4).every((word) => word >>> 24 === 255);
        for (let x = 0; x < width; x++) {
          const at = from + words[offsets / 4 + x] / 4;
          const weight = shorts[weights / 2 + 4 * x];
          line.pairs[2 * x] = mix(words[at] & PAIR, words[at + 1] & PAIR, weight);
          line.pairs[2 * x + 1] = mix((words[at] >>> 8) & PAIR, (words[at + 1] >>> 8) & PAIR, weight);
        }
        return line;
      };
      for (let y = 0; y < rows; y++) {
        const row = words[rowSources / 4 + 2 * y];
        const weight = words[rowSources / 4 + 2 * y + 1];
        const above = lineOf(row);
        const below = lineOf(row + next);
        bytes[opaqueFlags + y] = above.isOpaque && below.isOpaque ? 1 : 0;
        for (let x = 0, to = out / 4 + y * width; x < width; x++, to++) {
          const even = mix(above.pairs[2 * x], below.pairs[2 * x], weight);
          const odd = mix(above.pairs[2 * x + 1], below.pairs[2 * x + 1], weight);
          words[to] = ((even >>> 8) & PAIR) | (odd & ~PAIR);
        }
      }
    },
  };
}

/** 16 - weight parts of the first pair and weight parts of the second. */
function mix(first: number, second: number, weight: number): number {
  return (first * (16 - weight) + second * weight) >>> 0;
}
