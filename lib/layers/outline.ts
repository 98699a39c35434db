// Outlines of boxes (masks, shapes), clipping to them, and borders. A border is a ring inside the box, along its outline.
import { type Affine, IDENTITY } from '../geometry/affine.js';
import { uniformCorners } from '../geometry/corners.js';
import { flatten } from '../geometry/flatten.js';
import type { Path } from '../geometry/path.js';
import { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { ellipse, rectangle, roundedRectangle, squircle } from '../geometry/shapes.js';
import { type Fill, type FillArea, isOpaqueFill } from '../raster/fill.js';
import { PixmapPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import { canvasRect, type Frame, scaleOf } from './frame.js';

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

/** Fills the outline of the frame's box. `area` is where the fill lies when that is not the frame's box. */
export function fillOutline(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  fill: Fill,
  opacity = 1,
  area: FillArea = frame,
): void {
  const paint = surface.paintOf(fill, area, opacity);
  const whole = wholeRect(frame, outline);
  if (whole) surface.fillRect(whole, paint);
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

/** A border, and the opacity that it is drawn with. */
export interface Border {
  readonly width: number;
  readonly color: Fill;
  readonly opacity: number;
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
  if (wholeRect(frame, outline) || width === 0) drawContent(surface, { frame, outline });
  else if (border.opacity === 1 && isOpaqueFill(border.color) && width * scaleOf(frame) >= 2) {
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

/** Fills the outline under a border, with the border's opacity. */
export function drawBorderedFill(surface: Surface, frame: Frame, outline: Outline, border: Border, fill: Fill): void {
  const { opacity } = border;
  drawBordered(surface, frame, outline, border, (target, clip) => {
    if (clip) fillOutline(target, clip.frame, clip.outline, fill, opacity, frame);
    else target.fillRect(target.bounds, target.paintOf(fill, frame, opacity));
  });
}

/** The outline on the canvas if it is a rectangle whose edges lie between canvas pixels. */
function wholeRect(frame: Frame, outline: Outline): Rect | undefined {
  return outline.kind === 'rectangle' ? canvasRect(frame, frame.box) : undefined;
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
  { width, color, opacity }: Border,
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
  surface.fillPolygon(ring, surface.paintOf(color, frame, opacity));
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
