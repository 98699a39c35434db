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

interface Placement {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
}

export function frameOf({ x, y, width, height, rotation }: Placement): Frame {
  const box = rectOf(x, y, width, height);
  if (rotation % 360 === 0) return { upright: true, box: snap(box), toCanvas: IDENTITY };
  return { upright: false, box, toCanvas: rotationAbout(rotation, x + width / 2, y + height / 2) };
}

/** A rectangle inside the layer, snapped like the box when upright. */
export function settle(frame: Frame, rect: Rect): Rect {
  return frame.upright ? snap(rect) : rect;
}
