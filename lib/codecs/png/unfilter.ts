// Reverses PNG's row filters (PNG specification section 9) in place. Invariant: the row above is already unfiltered.
import { malformed } from '../errors.js';

/**
 * Unfilters the `length` bytes at `start`. `above`: offset of the row above, -1 for the first row. `step`: distance in
 * bytes to the same sample of the pixel on the left, at least 1.
 */
export function unfilter(rows: Uint8Array, filter: number, start: number, length: number, above: number, step: number) {
  const end = start + length;
  const left = Math.min(start + step, end);
  const up = above - start;
  switch (filter) {
    case 0:
      return;
    case 1:
      for (let i = left; i < end; i++) rows[i] += rows[i - step];
      return;
    case 2:
      if (above >= 0) for (let i = start; i < end; i++) rows[i] += rows[i + up];
      return;
    case 3:
      if (above < 0) for (let i = left; i < end; i++) rows[i] += rows[i - step] >> 1;
      else {
        for (let i = start; i < left; i++) rows[i] += rows[i + up] >> 1;
        for (let i = left; i < end; i++) rows[i] += (rows[i - step] + rows[i + up]) >> 1;
      }
      return;
    case 4:
      // If there is no row above, the Paeth predictor is always the left neighbour; if there is no left one, the one above.
      if (above < 0) for (let i = left; i < end; i++) rows[i] += rows[i - step];
      else {
        for (let i = start; i < left; i++) rows[i] += rows[i + up];
        for (let i = left; i < end; i++) rows[i] += paeth(rows[i - step], rows[i + up], rows[i + up - step]);
      }
      return;
    default:
      throw malformed('png', `a row has the unknown filter ${filter}`);
  }
}

/** Returns the neighbour (left, above or upper left) that is nearest to left + above − upper left; ties in this order. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - corner - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
