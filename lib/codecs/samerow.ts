// Whether a row of a picture repeats the one above, by memcmp: drawn pictures repeat whole rows, and those are nearly free.
import type { Pixmap } from '../raster/pixmap.js';

/** A test of row `y` against row `y` - 1; false for the first row. */
export function rowRepeats({ width, words }: Pixmap): (y: number) => boolean {
  const bytes = Buffer.from(words.buffer);
  const rowBytes = width * 4;
  return (y) => {
    const at = y * width;
    // One word tells most rows of a photograph apart before any call.
    if (y === 0 || words[at] !== words[at - width]) return false;
    const start = y * rowBytes;
    return bytes.compare(bytes, start - rowBytes, start, start, start + rowBytes) === 0;
  };
}
