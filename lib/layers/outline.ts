// Outlines of boxes (masks, shapes), filling them and clipping to them.
import {
  areSquare,
  type CornerLengths,
  type Corners,
  cornersOf,
  insetCorners,
  outsetCorners,
  reduceCorners,
} from '../geometry/corners.js';
import { flatten } from '../geometry/flatten.js';
import type { Path } from '../geometry/path.js';
import { Polygon } from '../geometry/polygon.js';
import { expand, intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { cornerRectangle, ellipse, rectangle, squircle } from '../geometry/shapes.js';
import type { ClipShape, PaintTarget } from '../paint/target.js';
import type { Fill, FillArea } from '../raster/fill.js';
import { canvasRect, type Frame } from './frame.js';

export type Outline =
  | { readonly kind: 'rectangle' }
  /** The corners fit the box that the outline is for. */
  | { readonly kind: 'rounded'; readonly corners: Corners }
  | { readonly kind: 'ellipse' }
  | { readonly kind: 'squircle' };

export const RECTANGLE: Outline = { kind: 'rectangle' };

/** `box` with rounded corners. */
export function roundedOutline(radii: CornerLengths, box: Rect): Outline {
  const corners = reduceCorners(cornersOf(radii, box), box);
  return areSquare(corners) ? RECTANGLE : { kind: 'rounded', corners };
}

/** Appends the outline inscribed in `rect`. */
export function outlinePath(outline: Outline, rect: Rect, path?: Path): Path {
  switch (outline.kind) {
    case 'rectangle':
      return rectangle(rect, path);
    case 'rounded':
      return cornerRectangle(rect, outline.corners, path);
    case 'ellipse':
      return ellipse(rect, path);
    case 'squircle':
      return squircle(rect, path);
  }
}

/** The outline inscribed in `rect`, on the canvas. */
export function outlinePolygon(outline: Outline, rect: Rect, { toCanvas }: Frame): Polygon {
  const polygon = new Polygon();
  flatten(outlinePath(outline, rect), toCanvas, polygon);
  return polygon;
}

/** Fills the outline of the frame's box. `area` is where the fill lies when that is not the frame's box. */
export function fillOutline(
  target: PaintTarget,
  frame: Frame,
  outline: Outline,
  fill: Fill,
  opacity = 1,
  area: FillArea = frame,
): void {
  const style = { fill, area, opacity };
  const whole = wholeRect(frame, outline);
  if (whole) target.fillRects([whole], style);
  else target.fillPath(outlinePath(outline, frame.box), frame.toCanvas, style);
}

/**
 * Clips what `draw` paints to the outline. `draw` should paint beyond the outline: the clip is then the only antialiased
 * edge.
 */
export function drawClipped(
  target: PaintTarget,
  frame: Frame,
  outline: Outline,
  opacity: number,
  draw: (group: PaintTarget) => void,
): void {
  const bounds = intersect(roundOut(mapRect(frame.box, frame.toCanvas)), target.bounds);
  if (!isEmpty(bounds)) target.drawGroup({ bounds, opacity, clip: clipShape(frame, outline) }, draw);
}

/** The outline of the frame's box as a clip. */
export function clipShape(frame: Frame, outline: Outline): ClipShape {
  return { path: outlinePath(outline, frame.box), map: frame.toCanvas };
}

/** The outline on the canvas if it is a rectangle whose edges lie between canvas pixels. */
export function wholeRect(frame: Frame, outline: Outline): Rect | undefined {
  return outline.kind === 'rectangle' ? canvasRect(frame, frame.box) : undefined;
}

/** An outline and the box that it is inscribed in. */
export interface PlacedOutline {
  readonly outline: Outline;
  readonly rect: Rect;
}

/** The outline moved inwards, its radii reduced alike; undefined when nothing is left. `by`: on all sides, or clockwise from the top. */
export function insetOutline(
  outline: Outline,
  box: Rect,
  by: number | readonly [number, number, number, number],
): PlacedOutline | undefined {
  const rect = typeof by === 'number' ? expand(box, -by) : insetRect(box, by);
  if (isEmpty(rect)) return undefined;
  if (outline.kind !== 'rounded') return { outline, rect };
  const corners = insetCorners(outline.corners, by);
  return { outline: { kind: 'rounded', corners }, rect };
}

function insetRect(
  { left, top, right, bottom }: Rect,
  [above, after, below, before]: readonly [number, number, number, number],
): Rect {
  return { left: left + before, top: top + above, right: right - after, bottom: bottom - below };
}

/** The outline moved outwards on each side as that of a spread shadow, or inwards when `by` is negative. */
export function outsetOutline(outline: Outline, box: Rect, by: number): PlacedOutline | undefined {
  if (by <= 0) return insetOutline(outline, box, -by);
  const rect = expand(box, by);
  if (outline.kind !== 'rounded') return { outline, rect };
  const corners = outsetCorners(outline.corners, box, by);
  return { outline: { kind: 'rounded', corners }, rect };
}
