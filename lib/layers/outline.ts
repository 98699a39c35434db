// Outlines of boxes (masks, shapes), clipping to them, and borders. A border is a ring inside the box, along its outline.
import { type Affine, IDENTITY } from '../geometry/affine.js';
import { uniformCorners } from '../geometry/corners.js';
import { flatten } from '../geometry/flatten.js';
import type { Path } from '../geometry/path.js';
import { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { ellipse, rectangle, roundedRectangle, squircle } from '../geometry/shapes.js';
import type { Color } from '../raster/color.js';
import { PixmapPaint, SolidPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import type { Frame } from './frame.js';

export type Outline =
  | { readonly kind: 'rectangle' }
  | { readonly kind: 'rounded'; readonly radius: number }
  | { readonly kind: 'ellipse' }
  | { readonly kind: 'squircle' };

export const RECTANGLE: Outline = { kind: 'rectangle' };

/** Appends the outline inscribed in `rect`. */
export function outlinePath(outline: Outline, rect: Rect, path?: Path): Path {
  switch (outline.kind) {
    case 'rectangle':
      return rectangle(rect, path);
    case 'rounded':
      return roundedRectangle(rect, uniformCorners(outline.radius), path);
    case 'ellipse':
      return ellipse(rect, path);
    case 'squircle':
      return squircle(rect, path);
  }
}

/** Fills the outline of the frame's box with a colour. */
export function fillOutline(surface: Surface, frame: Frame, outline: Outline, color: Color): void {
  const paint = new SolidPaint(color);
  if (hasWholeEdges(frame, outline)) surface.fillRect(frame.box, paint);
  else surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
}

/**
 * Clips what `draw` paints to the outline. `draw` gets a scratch surface and should paint beyond the outline: the clip is
 * then the only antialiased edge.
 */
export function drawClipped(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  opacity: number,
  draw: (target: Surface) => void,
): void {
  const bounds = intersect(roundOut(mapRect(frame.box, frame.toCanvas)), surface.bounds);
  if (isEmpty(bounds)) return;
  const group = new Surface(bounds);
  draw(group);
  const paint = new PixmapPaint(
    group.pixmap,
    bounds.left - surface.bounds.left,
    bounds.top - surface.bounds.top,
    opacity,
  );
  surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
}

/** A border; the colour includes the layer's opacity. */
export interface Border {
  readonly width: number;
  readonly color: Color;
}

/**
 * Draws a border over what `drawContent` paints. If content and border were clipped separately to the same antialiased
 * outline, content would show as a hairline outside the border (Chromium: background bleed). So content is clipped along
 * the middle of an opaque border, and together with any other border: `clip` is then undefined, and content should extend
 * beyond the outline.
 */
export function drawBordered(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  border: Border,
  drawContent: (target: Surface, clip: { frame: Frame; outline: Outline } | undefined) => void,
): void {
  const width = borderWidth(border.width);
  if (hasWholeEdges(frame, outline) || width === 0) drawContent(surface, { frame, outline });
  else if (border.color.a === 1 && width >= 2) {
    // the clip edge is at least a pixel from both edges of the border, so no pixel is crossed by two edges
    const middle = inset(outline, frame.box, Math.floor(width / 2));
    if (middle) drawContent(surface, { frame: { ...frame, box: middle.rect }, outline: middle.outline });
  } else {
    drawClipped(surface, frame, outline, 1, (group) => {
      drawContent(group, undefined);
      drawRing(group, frame, outline, border, outlinePath(RECTANGLE, group.bounds), IDENTITY);
    });
    return;
  }
  drawBorder(surface, frame, outline, border);
}

/** Fills the outline with a colour, under a border. */
export function drawBorderedFill(surface: Surface, frame: Frame, outline: Outline, border: Border, fill: Color): void {
  drawBordered(surface, frame, outline, border, (target, clip) => {
    if (clip) fillOutline(target, clip.frame, clip.outline, fill);
    else target.fillRect(target.bounds, new SolidPaint(fill));
  });
}

/** Whether the outline is an upright rectangle, whose edges are on pixel boundaries. */
function hasWholeEdges(frame: Frame, outline: Outline): boolean {
  return outline.kind === 'rectangle' && frame.isUpright;
}

/** Draws a border without content. */
export function drawBorder(surface: Surface, frame: Frame, outline: Outline, border: Border): void {
  if (borderWidth(border.width) === 0) return;
  drawRing(surface, frame, outline, border, outlinePath(outline, frame.box), frame.toCanvas);
}

/** Fills `outer`, mapped by `outerMap`, minus the area inside the border. */
function drawRing(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  { width, color }: Border,
  outer: Path,
  outerMap: Affine,
): void {
  const ring = new Polygon();
  flatten(outer, outerMap, ring);
  const inner = inset(outline, frame.box, borderWidth(width));
  if (inner) {
    // the opposite winding subtracts the inner area exactly, even in pixels that both outlines cross
    flatten(outlinePath(inner.outline, inner.rect), frame.toCanvas, ring);
    ring.reverse(1);
  }
  surface.fillPolygon(ring, new SolidPaint(color));
}

/** CSS Values and Units 4 section 6.1: border widths round down to whole device pixels, but to at least one. */
function borderWidth(width: number): number {
  return width > 0 && width < 1 ? 1 : Math.floor(width);
}

/** The outline moved inwards on each side, its radii reduced alike; undefined when nothing is left. */
function inset(outline: Outline, box: Rect, by: number): { outline: Outline; rect: Rect } | undefined {
  const rect = { left: box.left + by, top: box.top + by, right: box.right - by, bottom: box.bottom - by };
  if (isEmpty(rect)) return undefined;
  if (outline.kind !== 'rounded') return { outline, rect };
  const maxRadius = Math.min(box.right - box.left, box.bottom - box.top) / 2;
  const radius = Math.max(0, Math.min(outline.radius, maxRadius) - by);
  return { outline: { kind: 'rounded', radius }, rect };
}
