// A layer's box as painted: upright boxes snap to whole CSS pixels, turned boxes don't.
import { type Affine, compose, IDENTITY, rotationAbout } from '../geometry/affine.js';
import { mapRect, type Rect, rectOf, snap } from '../geometry/rect.js';

/** The coordinates in which layers are placed, in CSS pixels. */
export interface Space {
  /** Origin of the layers' own coordinates. */
  readonly x: number;
  readonly y: number;
  /** Maps the space to canvas pixels. */
  readonly toCanvas: Affine;
  /** Canvas pixels per pixel of the image, which edges of modules snap to; default 1. */
  readonly enlargement?: number | undefined;
}

/** The space of a canvas whose pixels are CSS pixels. */
export const CANVAS_SPACE: Space = { x: 0, y: 0, toCanvas: IDENTITY };

/** The space of a canvas with `scale` pixels per CSS pixel. */
export function canvasSpace(scale: number, enlargement?: number): Space {
  if (scale === 1 && enlargement === undefined) return CANVAS_SPACE;
  return { x: 0, y: 0, toCanvas: { a: scale, b: 0, c: 0, d: scale, e: 0, f: 0 }, enlargement };
}

export interface Frame {
  readonly space: Space;
  /** Whether the box's edges are parallel to the canvas's: it may be scaled and mirrored, but is not turned. */
  readonly isUpright: boolean;
  /** The box in its space, before rotation; whole CSS pixels when upright. */
  readonly box: Rect;
  /** The same box before it snaps to whole pixels. */
  readonly unsnapped: Rect;
  /** Maps the box's coordinates to canvas pixels. */
  readonly toCanvas: Affine;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Placed extends Box {
  readonly rotation: number;
  /** Mirrors about the centre, before the rotation. */
  readonly flip?: Flip | undefined;
}

export type Flip = 'x' | 'y' | 'both';

/** Computes a layer's frame. The render line does it once for each layer, when it loads it. */
export function frameOf(layer: Placed, space: Space): Frame {
  const { width, height, rotation, flip } = layer;
  const x = layer.x + space.x;
  const y = layer.y + space.y;
  const isTurned = rotation % 360 !== 0;
  const turned = isTurned ? rotationAbout(rotation, x + width / 2, y + height / 2) : IDENTITY;
  const toCanvas = isTurned ? compose(turned, space.toCanvas) : space.toCanvas;
  const isUpright = !isTurned && toCanvas.b === 0 && toCanvas.c === 0;
  const unsnapped = isUpright ? boxRect({ x, y, width, height }) : rectOf(x, y, width, height);
  const box = isUpright ? snap(unsnapped) : unsnapped;
  return { space, isUpright, box, unsnapped, toCanvas: flip ? compose(mirror(box, flip), toCanvas) : toCanvas };
}

/** Swaps the box's left and right edge, top and bottom edge, or both. */
function mirror({ left, top, right, bottom }: Rect, flip: Flip): Affine {
  const [x, y] = [flip !== 'y', flip !== 'x'];
  return { a: x ? -1 : 1, b: 0, c: 0, d: y ? -1 : 1, e: x ? left + right : 0, f: y ? top + bottom : 0 };
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

/** Snaps a rectangle inside the layer to whole CSS pixels when the layer is upright. */
export function snapIfUpright(frame: Frame, rect: Rect): Rect {
  return frame.isUpright ? snap(rect) : rect;
}

/** Whether the frame's coordinates are canvas pixels: neither scaled, nor mirrored, nor turned, nor moved. */
export function isCanvasAligned({ toCanvas: { a, b, c, d, e, f } }: Frame): boolean {
  return a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;
}

/** The rectangle on the canvas when its edges lie between canvas pixels; else undefined. */
export function canvasRect(frame: Frame, rect: Rect): Rect | undefined {
  if (!frame.isUpright) return undefined;
  const mapped = isCanvasAligned(frame) ? rect : mapRect(rect, frame.toCanvas);
  const { left, top, right, bottom } = mapped;
  const isWhole =
    Number.isInteger(left) && Number.isInteger(top) && Number.isInteger(right) && Number.isInteger(bottom);
  return isWhole ? mapped : undefined;
}

/** Canvas pixels per CSS pixel. Spaces are scaled alike in both directions. */
export function scaleOf({ toCanvas: { a, b } }: Pick<Frame, 'toCanvas'>): number {
  return b === 0 ? Math.abs(a) : Math.sqrt(a * a + b * b);
}

/** Canvas pixels per pixel of the image. */
export function enlargementOf({ space: { enlargement = 1 } }: Pick<Frame, 'space'>): number {
  return enlargement;
}

/** Pixels of the image per CSS pixel. */
export function imageScaleOf(frame: Pick<Frame, 'toCanvas' | 'space'>): number {
  return scaleOf(frame) / enlargementOf(frame);
}
