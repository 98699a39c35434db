// Fills as values: a layer takes one wherever it has a colour.
import { type Affine, compose, translation } from '../geometry/affine.js';
import type { Rect } from '../geometry/rect.js';
import { type Color, TRANSPARENT, withOpacity } from './color.js';
import type { Gradient } from './gradient/gradient.js';
import { createGradientPaint } from './gradient/gradient-paint.js';
import { type Paint, SolidPaint } from './paint.js';

export type Fill = Color | Gradient;

/** Maximum fills of a background. */
export const MAX_BACKGROUND_FILLS = 8;

/** A background: one fill, or at least two with the topmost first. */
export type Background = Fill | readonly Fill[];

/** The area of a fill: its box, and the map from the box's coordinates to canvas pixels. */
export interface FillArea {
  readonly box: Rect;
  readonly toCanvas: Affine;
}

export function isGradient(fill: Fill): fill is Gradient {
  return 'stops' in fill;
}

/** The fills of a background in the order of painting: the first is at the bottom. */
export function fillsOf(background: Background): readonly Fill[] {
  return isList(background) ? [...background].reverse() : [background];
}

/** `Array.isArray` does not tell readonly arrays from other objects. */
function isList(background: Background): background is readonly Fill[] {
  return Array.isArray(background);
}

/** Whether the fill hides everything beneath it. */
export function isOpaqueFill(fill: Fill): boolean {
  return fillColors(fill).every(({ a }) => a === 1);
}

/** Whether one of the fills hides everything beneath it. */
export function isOpaqueBackground(background: Background): boolean {
  return fillsOf(background).some(isOpaqueFill);
}

/** The fill's colour, or those of its stops. */
export function fillColors(fill: Fill): readonly Color[] {
  return isGradient(fill) ? fill.stops.flatMap(({ color }) => (color ? [color] : [])) : [fill];
}

/**
 * The paint of `fill` on a target whose first pixel is the canvas's (left, top). `table` (256 entries) maps coverage before
 * it is used.
 */
export function createPaint(
  fill: Fill,
  { box, toCanvas }: FillArea,
  left: number,
  top: number,
  opacity: number,
  table: Uint8Array | undefined,
): Paint {
  if (!isGradient(fill)) return new SolidPaint(withOpacity(fill, opacity), table);
  const toTarget = compose(toCanvas, translation(-left, -top));
  return createGradientPaint(fill, box, toTarget, opacity, table) ?? new SolidPaint(TRANSPARENT);
}
