// A layer's box as painted: upright boxes snap to whole pixels, rotated boxes don't.
import { type Affine, IDENTITY, rotationAbout } from '../geometry/affine.js';
import { type Rect, rectOf, snap } from '../geometry/rect.js';

export interface Frame {
  readonly isUpright: boolean;
  /** The box as painted, before rotation; integers when upright. */
  readonly box: Rect;
  /** Maps layer space (the canvas before rotation) to the canvas. */
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
  if (rotation % 360 === 0) return { isUpright: true, box: snap(boxRect(layer)), toCanvas: IDENTITY };
  const box = rectOf(x, y, width, height);
  return { isUpright: false, box, toCanvas: rotationAbout(rotation, x + width / 2, y + height / 2) };
}

/**
 * An upright box as browsers lay it out: truncated to 64ths of a pixel. This decides which pixel an edge snaps to when
 * its coordinates sum to a half.
 */
export function boxRect({ x, y, width, height }: Box): Rect {
  return rectOf(to64ths(x), to64ths(y), to64ths(width), to64ths(height));
}

function to64ths(length: number): number {
  return Math.trunc(length * 64) / 64;
}

/** Snaps a rectangle inside the layer to whole pixels when the layer is upright. */
export function snapIfUpright(frame: Frame, rect: Rect): Rect {
  return frame.isUpright ? snap(rect) : rect;
}
