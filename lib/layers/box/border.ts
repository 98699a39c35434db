// Borders: rings inside a box, along its outline.
import { type Affine, IDENTITY } from '../../geometry/affine.js';
import { flatten } from '../../geometry/flatten.js';
import type { Path } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import { type LineCap, strokePath } from '../../geometry/stroke/stroke.js';
import type { PaintTarget } from '../../paint/target.js';
import { type Fill, type FillArea, isOpaqueFill } from '../../raster/fill.js';
import { type Frame, imageScaleOf } from '../frame.js';
import { drawClipped, insetOutline, type Outline, outlinePath, RECTANGLE, wholeRect } from '../outline.js';

export interface BorderPaint {
  readonly width: number;
  readonly color: Fill;
  /** Lengths of dashes and gaps in turn. */
  readonly dash?: readonly number[] | undefined;
  readonly dashOffset?: number | undefined;
  readonly cap?: LineCap | undefined;
}

/** A box and its corners. */
export interface OutlinedBox {
  readonly frame: Frame;
  readonly outline: Outline;
  /** The area of gradients, if it isn't the frame's box. */
  readonly area?: FillArea | undefined;
}

/** Paints what lies in a box, clipped to `clip`; without it, extends beyond the outline, where it is clipped later. */
export type DrawContent = (target: PaintTarget, clip: OutlinedBox | undefined) => void;

/**
 * Draws a border over what `drawContent` paints. If content and border were clipped separately to the same antialiased
 * outline, content would show as a hairline outside the border (Chromium: background bleed). So content is clipped along
 * the middle of an opaque border, and together with any other border.
 */
export function drawBordered(
  target: PaintTarget,
  box: OutlinedBox,
  border: BorderPaint,
  opacity: number,
  drawContent: DrawContent,
): void {
  const { frame, outline } = box;
  const width = borderWidth(border);
  // content shows between dashes, up to the outline
  if (wholeRect(frame, outline) || isDashed(border)) drawContent(target, box);
  else if (opacity === 1 && isOpaqueFill(border.color) && width * imageScaleOf(frame) >= 2) {
    // the clip edge is at least a pixel from both edges of the border, so no pixel is crossed by two edges
    const middle = insetOutline(outline, frame.box, Math.floor(width / 2));
    if (middle) drawContent(target, { frame: { ...frame, box: middle.rect }, outline: middle.outline });
  } else {
    drawClipped(target, frame, outline, 1, (group) => {
      drawContent(group, undefined);
      drawRing(group, box, border, opacity, outlinePath(RECTANGLE, group.bounds), IDENTITY);
    });
    return;
  }
  drawBorder(target, box, border, opacity);
}

/** Draws a border without content. */
export function drawBorder(target: PaintTarget, box: OutlinedBox, border: BorderPaint, opacity: number): void {
  const { frame, outline, area = frame } = box;
  const centre = isDashed(border) ? insetOutline(outline, frame.box, borderWidth(border) / 2) : undefined;
  if (centre) {
    const dashes = new Polygon();
    const { dash, dashOffset, cap } = border;
    const stroke = { width: borderWidth(border), dash, dashOffset, cap, isBox: isSvgBox(outline) };
    strokePath(outlinePath(centre.outline, centre.rect), frame.toCanvas, stroke, dashes, target.bounds);
    target.fillPolygon(dashes, { fill: border.color, area, opacity });
    return;
  }
  drawRing(target, box, border, opacity, outlinePath(outline, frame.box), frame.toCanvas);
}

/** Fills `outer`, mapped by `outerMap`, minus the area inside the border. */
function drawRing(
  target: PaintTarget,
  { frame, outline, area = frame }: OutlinedBox,
  border: BorderPaint,
  opacity: number,
  outer: Path,
  outerMap: Affine,
): void {
  const ring = new Polygon();
  flatten(outer, outerMap, ring);
  const inner = insetOutline(outline, frame.box, borderWidth(border));
  if (inner) {
    // the opposite winding subtracts the inner area exactly, even in pixels that both outlines cross
    flatten(outlinePath(inner.outline, inner.rect), frame.toCanvas, ring);
    // in a mirrored frame it may wind the other way already
    if (determinant(outerMap) > 0 === determinant(frame.toCanvas) > 0) ring.reverse(1);
  }
  const curves = () => [
    { path: outer, map: outerMap },
    ...(inner ? [{ path: outlinePath(inner.outline, inner.rect), map: frame.toCanvas }] : []),
  ];
  target.fillPolygon(ring, { fill: border.color, area, opacity }, undefined, curves);
}

/** Returns the determinant of a map; it is below 0 if the map mirrors. */
function determinant({ a, b, c, d }: Affine): number {
  return a * d - b * c;
}

/** Whether SVG has an element for the outline, `<ellipse>` or `<rect>`; others are paths. Dashes depend on it a little. */
function isSvgBox(outline: Outline): boolean {
  if (outline.kind !== 'rounded') return true;
  const [first, ...others] = outline.corners;
  return others.every(({ x, y }) => x === first.x && y === first.y);
}

function isDashed({ dash }: BorderPaint): boolean {
  return dash?.some((length) => length > 0) === true;
}

/** Returns the distance by which a border reaches beyond its box, which square caps do on round corners. */
export function borderReach(border: BorderPaint | undefined): number {
  return border && isDashed(border) && border.cap === 'square' ? borderWidth(border) / 2 : 0;
}

/** CSS Values and Units 4 section 6.1: border widths round down to whole device pixels, but to at least one. */
export function borderWidth({ width }: BorderPaint): number {
  return width > 0 && width < 1 ? 1 : Math.floor(width);
}
