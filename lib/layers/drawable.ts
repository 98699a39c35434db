// The interface between layer types and the compositor.
import type { Rect } from '../geometry/rect.js';
import type { Surface } from '../raster/surface.js';

export interface Drawable {
  /** Ink bounds on the canvas, without the shadow. */
  readonly bounds: Rect;
  /** Whether no painted part overlaps another: opacity can then apply to each part instead of the group. */
  readonly nonOverlapping: boolean;
  /** Draws onto the surface, in canvas coordinates. `opacity` is 1 unless the content is `nonOverlapping`. */
  draw(surface: Surface, opacity: number): void;
}

/** A layer without ink. */
export const EMPTY_DRAWABLE: Drawable = {
  bounds: { left: 0, top: 0, right: 0, bottom: 0 },
  nonOverlapping: true,
  draw() {},
};
