// What a layer type hands to the compositor: where its ink is, and how to draw it.
import type { Rect } from '../geometry/rect.js';
import type { Surface } from '../raster/surface.js';

export interface Drawable {
  /** Bounds of all ink on the canvas, without the shadow. */
  readonly bounds: Rect;
  /** Whether no painted part lies over another, so that an opacity can be given to each part by itself. */
  readonly nonOverlapping: boolean;
  /** Draws onto the surface, in canvas coordinates; `opacity` other than 1 only comes to flat content. */
  draw(surface: Surface, opacity: number): void;
}

/** A layer without ink. */
export const EMPTY_DRAWABLE: Drawable = {
  bounds: { left: 0, top: 0, right: 0, bottom: 0 },
  nonOverlapping: true,
  draw() {},
};
