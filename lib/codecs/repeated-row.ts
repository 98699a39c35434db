// Detects rows that equal the row above, using memcmp: drawn images repeat whole rows, which then cost almost nothing.
import type { Pixmap } from '../raster/pixmap.js';

/** Returns a function that compares row `y` with row `y` - 1; false for the first row. */
export function equalsPreviousRow({ width, words }: Pixmap): (y: number) => boolean {
  const bytes = Buffer.from(words.buffer);
  const rowBytes = width * 4;
  return (y) => {
    const at = y * width;
    // Comparing one pixel rules out most rows of a photograph without a call.
    if (y === 0 || words[at] !== words[at - width]) return false;
    const start = y * rowBytes;
    return bytes.compare(bytes, start - rowBytes, start, start, start + rowBytes) === 0;
  };
}
