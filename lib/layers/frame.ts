// A layer's box, where it is painted: upright boxes on whole pixels, turned ones as they are.
import { type Affine, IDENTITY, rotationAbout } from '../geometry/affine.js';
import { type Rect, rectOf, snap } from '../geometry/rect.js';

export interface Frame {
  readonly upright: boolean;
  /** The box as painted, before the turn; whole when upright. */
  readonly box: Rect;
  /** From the layer's space (the canvas before the turn) to the canvas. */
  readonly toCanvas: Affine;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function frameOf(layer: Box & { readonly rotation: number }): Frame {
  const { x, y, width, height, rotation } = layer;
  if (rotation % 360 === 0) return { upright: true, box: snap(boxRect(layer)), toCanvas: IDENTITY };
  const box = rectOf(x, y, width, height);
  return { upright: false, box, toCanvas: rotationAbout(rotation, x + width / 2, y + height / 2) };
}

/**
 * An upright box as browsers lay it out: in 64ths of a pixel, towards zero. That decides on which pixel an edge falls
 * whose coordinates add up to a half.
 */
export function boxRect({ x, y, width, height }: Box): Rect {
  return rectOf(to64ths(x), to64ths(y), to64ths(width), to64ths(height));
}

function to64ths(length: number): number {
  return Math.trunc(length * 64) / 64;
}

/** A rectangle inside the layer, snapped like the box when upright. */
export function snapIfUpright(frame: Frame, rect: Rect): Rect {
  return frame.upright ? snap(rect) : rect;
}
