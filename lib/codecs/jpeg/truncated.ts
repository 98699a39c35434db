// Makes the missing rows of a truncated JPEG transparent, as browsers do. The decoder fills missing data with zero
// coefficients: exact mid-gray in the rows below the last one that arrived.
import { type Pixmap, packWord } from '../../raster/pixmap.js';

const MISSING = packWord(128, 128, 128, 255);

/**
 * Clears the rows that did not arrive, in bands of `bandRows` rows (the height of the file's MCUs): a band whose right
 * end is missing is cleared entirely. Returns the number of remaining rows.
 */
export function clearMissingRows({ width, height, words }: Pixmap, bandRows: number): number {
  const bands = Math.ceil(height / bandRows);
  let arrivedRows = bands * bandRows;
  while (arrivedRows > 0 && !isRightEndPresent(arrivedRows - bandRows)) arrivedRows -= bandRows;
  words.fill(0, arrivedRows * width);
  return Math.min(arrivedRows, height);

  /**
   * Whether the right end of the band at `top` arrived. Skips its first row: upsampling mixes chroma of the band above
   * into it.
   */
  function isRightEndPresent(top: number): boolean {
    const end = Math.min(height, top + bandRows);
    for (let y = Math.min(top + 1, end - 1); y < end; y++) if (words[(y + 1) * width - 1] !== MISSING) return true;
    return false;
  }
}
