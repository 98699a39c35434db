// Detects rows that equal the row above: drawn images repeat whole rows, which then cost almost nothing.
import { host } from '../host.js';
import type { Pixmap } from '../raster/pixmap.js';

/** Returns a function that compares row `y` with row `y` - 1; false for the first row. */
export function equalsPreviousRow({ width, words }: Pixmap): (y: number) => boolean {
  const areEqual = host().native?.rowComparison(words) ?? wordComparison(words);
  return (y) => {
    const at = y * width;
    // Comparing one pixel rules out most rows of a photograph without a call.
    if (y === 0 || words[at] !== words[at - width]) return false;
    return areEqual(at - width, at, width);
  };
}

/** Compares `count` words from `a` on with those from `b` on. */
function wordComparison(words: Uint32Array): (a: number, b: number, count: number) => boolean {
  return (a, b, count) => {
    let i = 0;
    while (i < count && words[a + i] === words[b + i]) i++;
    return i === count;
  };
}
