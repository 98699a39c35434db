// A layer's box as painted: upright boxes snap to whole CSS pixels, turned boxes don't.
import { type Affine, compose, IDENTITY, invert, rotationAbout } from '../geometry/affine.js';
import type { Position } from '../geometry/length.js';
import { hypot } from '../geometry/math.js';
import { mapRect, type Rect, rectOf, snap } from '../geometry/rect.js';
import { onlyMoves, resolveTransform, type TransformFunction } from '../geometry/transform.js';

/** The coordinates in which layers are placed, in CSS pixels. */
export interface Space {
  /** Origin of the layers' own coordinates. */
  readonly x: number;
  readonly y: number;
  /** Maps the space to canvas pixels. */
  readonly toCanvas: Affine;
  /** Canvas pixels per pixel of the image, which edges of modules snap to; default 1. */
  readonly enlargement?: number | undefined;
  /** Whether boxes snap to whole CSS pixels even if turned, as those inside an element with a CSS transform do; default false. */
  readonly snaps?: boolean | undefined;
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
  /** Whether boxes and baselines snap to whole CSS pixels: in upright frames and in those of a CSS transform. */
  readonly snaps: boolean;
  /** The box in its space, before rotation; whole CSS pixels when `snaps`. */
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
  /** Instead of both. */
  readonly transform?: readonly TransformFunction[] | undefined;
  /** The point of the box that stays in place under `transform`; its centre by default. */
  readonly transformOrigin?: Position | undefined;
}

export type Flip = 'x' | 'y' | 'both';

/** Computes a layer's frame. The render line does it once for each layer, when it loads it. */
export function frameOf(layer: Placed, space: Space): Frame {
  if (isTransformed(layer)) return transformedFrame(layer, space);
  const { width, height, rotation, flip } = layer;
  const x = layer.x + space.x;
  const y = layer.y + space.y;
  const isTurned = rotation % 360 !== 0;
  const turned = isTurned ? rotationAbout(rotation, x + width / 2, y + height / 2) : IDENTITY;
  const toCanvas = isTurned ? compose(turned, space.toCanvas) : space.toCanvas;
  const isUpright = !isTurned && toCanvas.b === 0 && toCanvas.c === 0;
  const snaps = isUpright || space.snaps === true;
  const unsnapped = snaps ? boxRect({ x, y, width, height }) : rectOf(x, y, width, height);
  const box = snaps ? snap(unsnapped) : unsnapped;
  return { space, isUpright, snaps, box, unsnapped, toCanvas: flip ? compose(mirror(box, flip), toCanvas) : toCanvas };
}

/** Whether the layer has a CSS transform, even one that does nothing: it is then drawn as one image, as in CSS. */
export function isTransformed({ transform = [] }: Pick<Placed, 'transform'>): boolean {
  return transform.length > 0;
}

/** Whether a transform leaves the box no area, as scale(0) does: nothing is then drawn, as in CSS. */
export function isFlat({ toCanvas }: Pick<Frame, 'toCanvas'>): boolean {
  return invert(toCanvas) === undefined;
}

/** The most canvas pixels per CSS pixel: strokes of outlines that are larger take minutes. */
export const MAX_ENLARGEMENT = 10_000;

/** Whether transforms enlarge the layer beyond that. */
export function isTooLarge(frame: Pick<Frame, 'toCanvas'>): boolean {
  const { x, y } = scalesOf(frame);
  return Math.max(x, y) > MAX_ENLARGEMENT;
}

/**
 * The frame of a layer with a CSS transform. As in Chromium, the box starts at a whole pixel, unless the transform only moves
 * it, and snaps before it is transformed.
 */
function transformedFrame(layer: Placed, space: Space): Frame {
  const { width, height, transform = [], transformOrigin } = layer;
  const place = onlyMoves(transform) ? (length: number) => length : (length: number) => Math.floor(length + 0.5);
  const unsnapped = boxRect({ x: place(layer.x + space.x), y: place(layer.y + space.y), width, height });
  const toCanvas = compose(resolveTransform(transform, unsnapped, transformOrigin), space.toCanvas);
  const isUpright = toCanvas.b === 0 && toCanvas.c === 0;
  return { space, isUpright, snaps: true, box: snap(unsnapped), unsnapped, toCanvas };
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

/** Snaps a rectangle inside the layer to whole CSS pixels, if the layer's box snaps. */
export function snapInFrame(frame: Frame, rect: Rect): Rect {
  return frame.snaps ? snap(rect) : rect;
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

/** Canvas pixels per CSS pixel; the geometric mean of both directions when a transform scales them differently. */
export function scaleOf({ toCanvas }: Pick<Frame, 'toCanvas'>): number {
  const { a, b, c, d } = toCanvas;
  if (Math.abs(a) !== Math.abs(d) || Math.abs(b) !== Math.abs(c)) return Math.sqrt(Math.abs(a * d - b * c));
  return b === 0 ? Math.abs(a) : Math.sqrt(a * a + b * b);
}

/** Canvas pixels per CSS pixel along the frame's axes. */
export function scalesOf(frame: Pick<Frame, 'toCanvas'>): { readonly x: number; readonly y: number } {
  const { a, b, c, d } = frame.toCanvas;
  if (Math.abs(a) === Math.abs(d) && Math.abs(b) === Math.abs(c)) {
    const scale = scaleOf(frame);
    return { x: scale, y: scale };
  }
  return { x: hypot(a, b), y: hypot(c, d) };
}

/** Canvas pixels per pixel of the image. */
export function enlargementOf({ space: { enlargement = 1 } }: Pick<Frame, 'space'>): number {
  return enlargement;
}

/** Pixels of the image per CSS pixel. */
export function imageScaleOf(frame: Pick<Frame, 'toCanvas' | 'space'>): number {
  return scaleOf(frame) / enlargementOf(frame);
}
