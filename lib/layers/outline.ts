// The outlines of boxes (masks, shapes) and the rings that borders are: the border lies inside the box, along its outline.
import { flatten } from '../geometry/flatten.js';
import type { Path } from '../geometry/path.js';
import { Polygon } from '../geometry/polygon.js';
import { isEmpty, type Rect } from '../geometry/rect.js';
import { ellipse, rectangle, roundedRectangle, squircle } from '../geometry/shapes.js';
import type { Color } from '../raster/color.js';
import { SolidPaint } from '../raster/paint.js';
import type { Surface } from '../raster/surface.js';
import type { Frame } from './frame.js';

export type Outline =
  | { readonly kind: 'rectangle' }
  | { readonly kind: 'rounded'; readonly radius: number }
  | { readonly kind: 'ellipse' }
  | { readonly kind: 'squircle' };

export const RECTANGLE: Outline = { kind: 'rectangle' };

/** Appends the outline that fills `rect`. */
export function outlinePath(outline: Outline, rect: Rect, path?: Path): Path {
  switch (outline.kind) {
    case 'rectangle':
      return rectangle(rect, path);
    case 'rounded':
      return roundedRectangle(rect, outline.radius, outline.radius, path);
    case 'ellipse':
      return ellipse(rect, path);
    case 'squircle':
      return squircle(rect, path);
  }
}

/** Fills the outline of the frame's box with a colour. */
export function fillOutline(surface: Surface, frame: Frame, outline: Outline, color: Color): void {
  const paint = new SolidPaint(color);
  if (outline.kind === 'rectangle' && frame.upright) surface.fillRect(frame.box, paint);
  else surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
}

/** Draws a ring `width` pixels wide along the inside of the outline. */
export function drawBorder(surface: Surface, frame: Frame, outline: Outline, width: number, color: Color): void {
  const thickness = borderWidth(width);
  if (thickness === 0) return;
  const ring = new Polygon();
  flatten(outlinePath(outline, frame.box), frame.toCanvas, ring);
  const inner = inset(outline, frame.box, thickness);
  if (inner) {
    // wound the other way, what is open is taken off exactly, in pixels that both outlines cross as well
    flatten(outlinePath(inner.outline, inner.rect), frame.toCanvas, ring);
    ring.reverse(1);
  }
  surface.fillPolygon(ring, new SolidPaint(color));
}

/** CSS Values and Units 4 section 6.1: border widths are whole device pixels, down, but at least one. */
function borderWidth(width: number): number {
  return width > 0 && width < 1 ? 1 : Math.floor(width);
}

/** What the ring leaves open: the box less the width on each side, its radii less the width. */
function inset(outline: Outline, box: Rect, by: number): { outline: Outline; rect: Rect } | undefined {
  const rect = { left: box.left + by, top: box.top + by, right: box.right - by, bottom: box.bottom - by };
  if (isEmpty(rect)) return undefined;
  if (outline.kind !== 'rounded') return { outline, rect };
  const most = Math.min(box.right - box.left, box.bottom - box.top) / 2;
  const radius = Math.max(0, Math.min(outline.radius, most) - by);
  return { outline: { kind: 'rounded', radius }, rect };
}
