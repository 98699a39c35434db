// Bounds what effects draw beyond the visible part of a picture, where blurs and shadows come from. Effects of groups inside
// each other add to it, so that no picture of an effect is larger than the canvas by more than MAX_HIDDEN_PIXELS.
import { areaOf, expand, intersect, type Rect } from '../geometry/rect.js';

/** The widest blurs of 4,000 × 4,000 pixels, one within another, or 900 pixels more on each side of the largest canvas. */
export const MAX_HIDDEN_PIXELS = 2 ** 25;

/** Hidden pixels of the effects whose pictures are being drawn. Painting is synchronous, so one number is enough. */
let held = 0;

/** Returns `wanted` or, if it has too many pixels beyond `visible`, the part of it that is nearest to `visible`. */
export function affordable(wanted: Rect, visible: Rect): Rect {
  const room = MAX_HIDDEN_PIXELS - held;
  if (areaOf(wanted) - areaOf(visible) <= room) return wanted;
  // the largest margin whose pixels fit: 2m(w + h) + 4m² ≤ room
  const sides = visible.right - visible.left + visible.bottom - visible.top;
  const margin = Math.floor((Math.sqrt(sides * sides + 4 * room) - sides) / 4);
  return intersect(wanted, expand(visible, margin));
}

/** Draws while the pixels of `picture` beyond `visible` are taken: effects in it get what remains. */
export function withHidden(picture: Rect, visible: Rect, draw: () => void): void {
  const pixels = Math.max(0, areaOf(picture) - areaOf(visible));
  held += pixels;
  try {
    draw();
  } finally {
    held -= pixels;
  }
}
