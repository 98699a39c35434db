// The interface between layer types and the compositor.
import type { Rect } from '../geometry/rect.js';
import type { PaintTarget } from '../paint/target.js';
import type { OutlinedBox } from './box/ring.js';
import type { Frame } from './frame.js';
import type { Outline } from './outline.js';

export interface Drawable {
  /** The layer's box. */
  readonly frame: Frame;
  /** The box's corners. */
  readonly outline: Outline;
  /** Whether the box is filled opaquely, up to its outline: box shadows then extend beneath its edge. */
  readonly isOpaqueBox?: boolean;
  /** The boxes that cast box shadows, if not the layer's. */
  readonly shadowBoxes?: readonly OutlinedBox[] | undefined;
  /** Ink bounds on the canvas, without the shadow. */
  readonly bounds: Rect;
  /** Whether no painted part overlaps another: opacity can then apply to each part instead of the group. */
  readonly nonOverlapping: boolean;
  /** Whether the pixels beneath decide what is painted: so it is in a group whose layers blend. */
  readonly readsBackdrop?: boolean | undefined;
  /** Whether to draw it once and keep the picture when it is needed several times. */
  readonly isCostly?: boolean;
  /** The steps in which `draw` paints straight onto the target, if it does. */
  steps?(): readonly PaintStep[];
  /** Paints onto the target. `opacity` is 1 unless the content is `nonOverlapping`. */
  draw(target: PaintTarget, opacity: number): void;
}

/** A part of what is painted. Two steps from the same source paint the same over the same pixels. */
export interface PaintStep {
  readonly source: object;
  /** The canvas pixels that it may read and paint; integers. */
  bounds(): Rect;
  draw(target: PaintTarget): void;
}

/** A layer without ink. */
export function emptyDrawable(frame: Frame, outline: Outline): Drawable {
  return { frame, outline, bounds: NO_BOUNDS, nonOverlapping: true, draw() {} };
}

export const NO_BOUNDS: Rect = { left: 0, top: 0, right: 0, bottom: 0 };
