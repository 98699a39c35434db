// A JPEG that ends too early → the rows that it holds; the rest becomes transparent, as browsers show it. The decoder
// fills what is missing with coefficients of 0: exact mid-gray, in the rows below the last that arrived.
import { type Pixmap, packWord } from '../raster/pixmap.js';

const MISSING = packWord(128, 128, 128, 255);

/**
 * Clears the rows that did not arrive, whole bands of `bandRows` at a time (the height of the file's coding units): a band
 * whose right end is missing is dropped with the rest. Gives the number of rows that are left.
 */
export function clearMissingRows({ width, height, words }: Pixmap, bandRows: number): number {
  const bands = Math.ceil(height / bandRows);
  let arrived = bands * bandRows;
  while (arrived > 0 && !rightEndArrived(arrived - bandRows)) arrived -= bandRows;
  words.fill(0, arrived * width);
  return Math.min(arrived, height);

  /** Of the band at `top`. Smoothing takes chroma of the band above into the first row of a missing one. */
  function rightEndArrived(top: number): boolean {
    const end = Math.min(height, top + bandRows);
    for (let y = Math.min(top + 1, end - 1); y < end; y++) if (words[(y + 1) * width - 1] !== MISSING) return true;
    return false;
  }
}
