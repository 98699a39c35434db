// What coverage is filled with, as a value: it stands wherever a layer has a colour.
import type { Affine } from '../geometry/affine.js';
import type { Rect } from '../geometry/rect.js';
import { type Color, withOpacity } from './color.js';
import { type Paint, SolidPaint } from './paint.js';

export type Fill = Color;

/** Where a fill lies: its box, and the map from the box's coordinates to canvas pixels. */
export interface FillArea {
  readonly box: Rect;
  readonly toCanvas: Affine;
}

/** Whether the fill hides everything beneath it. */
export function isOpaqueFill(fill: Fill): boolean {
  return fill.a === 1;
}

/** Whether the fill paints nothing at all. */
export function isTransparentFill(fill: Fill): boolean {
  return fill.a === 0;
}

/**
 * The paint of `fill` on a target whose first pixel is the canvas's (left, top). `table` (256 entries) maps coverage before
 * it is used.
 */
export function createPaint(
  fill: Fill,
  _area: FillArea,
  _left: number,
  _top: number,
  opacity: number,
  table: Uint8Array | undefined,
): Paint {
  return new SolidPaint(withOpacity(fill, opacity), table);
}
