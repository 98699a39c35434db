// Converts pixels to indexes into a palette that is built in order of appearance, at most 256 colours. Twin of
// assembly/png/palette.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';
import { NONE, UP } from './filter.js';

const MAX_COLORS = 256;

export function paletteKernels(memory: PlainMemory): Pick<Kernels, 'paletteStart' | 'indexedColor' | 'indexRows'> {
  const indexes = new Map<number, number>();
  const colors: number[] = [];

  return {
    paletteStart() {
      indexes.clear();
      colors.length = 0;
    },

    /** The colour at `index`, as a 32-bit pixel. */
    indexedColor: (index) => colors[index],

    /**
     * Writes `rows` rows of `width` pixels at `pixels` to `out`: filter None, then one index per pixel. A row marked in
     * `repeats` equals the previous row and isn't read: it becomes filter Up and zeros. Returns the number of colours
     * so far, or 0 if there are more than 256.
     */
    indexRows(pixels, width, rows, repeats, out) {
      const { bytes, words } = memory;
      let from = pixels / 4;
      for (let y = 0; y < rows; y++, from += width, out += 1 + width) {
        if (bytes[repeats + y]) {
          bytes[out] = UP;
          bytes.fill(0, out + 1, out + 1 + width);
          continue;
        }
        bytes[out] = NONE;
        let last = -1;
        let index: number | undefined = 0;
        for (let x = 0; x < width; x++) {
          const color = words[from + x];
          if (color !== last) {
            last = color;
            index = indexes.get(color);
            if (index === undefined) {
              index = colors.length;
              if (index === MAX_COLORS) return 0;
              indexes.set(color, index);
              colors.push(color);
            }
          }
          bytes[out + 1 + x] = index;
        }
      }
      return colors.length;
    },
  };
}
