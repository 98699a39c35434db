// Axis-aligned rectangles by their edges. Empty when right ≤ left or bottom ≤ top.
import type { Affine } from './affine.js';

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function rectOf(x: number, y: number, width: number, height: number): Rect {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

export function isEmpty(rect: Rect): boolean {
  return !(rect.right > rect.left && rect.bottom > rect.top);
}

/** The number of pixels; 0 of an empty rectangle. */
export function areaOf({ left, top, right, bottom }: Rect): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

export function intersect(p: Rect, q: Rect): Rect {
  return {
    left: Math.max(p.left, q.left),
    top: Math.max(p.top, q.top),
    right: Math.min(p.right, q.right),
    bottom: Math.min(p.bottom, q.bottom),
  };
}

/** The smallest rectangle around both; empty rectangles are ignored. */
export function unite(p: Rect, q: Rect): Rect {
  if (isEmpty(p)) return q;
  if (isEmpty(q)) return p;
  return {
    left: Math.min(p.left, q.left),
    top: Math.min(p.top, q.top),
    right: Math.max(p.right, q.right),
    bottom: Math.max(p.bottom, q.bottom),
  };
}

/** Moves every edge outwards by `by` (inwards when negative). */
export function expand(rect: Rect, by: number): Rect {
  return { left: rect.left - by, top: rect.top - by, right: rect.right + by, bottom: rect.bottom + by };
}

export function offset(rect: Rect, x: number, y: number): Rect {
  return { left: rect.left + x, top: rect.top + y, right: rect.right + x, bottom: rect.bottom + y };
}

/** The smallest rectangle with integer edges around `rect`. */
export function roundOut(rect: Rect): Rect {
  return {
    left: Math.floor(rect.left),
    top: Math.floor(rect.top),
    right: Math.ceil(rect.right),
    bottom: Math.ceil(rect.bottom),
  };
}

/** Rounds every edge to the nearest pixel, halves up, as browsers snap upright boxes. */
export function snap(rect: Rect): Rect {
  return {
    left: Math.floor(rect.left + 0.5),
    top: Math.floor(rect.top + 0.5),
    right: Math.floor(rect.right + 0.5),
    bottom: Math.floor(rect.bottom + 0.5),
  };
}

/** The bounds of the transformed `rect`. */
export function mapRect(rect: Rect, map: Affine): Rect {
  const { left, top, right, bottom } = rect;
  const { a, b, c, d, e, f } = map;
  // the least sum is that of the least terms: sums are rounded in the order of their terms
  return {
    left: Math.min(a * left, a * right) + Math.min(c * top, c * bottom) + e,
    top: Math.min(b * left, b * right) + Math.min(d * top, d * bottom) + f,
    right: Math.max(a * left, a * right) + Math.max(c * top, c * bottom) + e,
    bottom: Math.max(b * left, b * right) + Math.max(d * top, d * bottom) + f,
  };
}
