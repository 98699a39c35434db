// Borders: rings inside a box, along its outline.
import { type Affine, IDENTITY } from '../../geometry/affine.js';
import type { Path } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import { intersect, isEmpty, mapRect, roundOut } from '../../geometry/rect.js';
import { strokePath } from '../../geometry/stroke/stroke.js';
import type { PaintTarget } from '../../paint/target.js';
import { isOpaqueFill } from '../../raster/fill.js';
import { imageScaleOf } from '../frame.js';
import { partOf } from '../optional.js';
import { drawClipped, insetOutline, type Outline, outlinePath, RECTANGLE, wholeRect } from '../outline.js';
import { type BorderPaint, fillRing, type OutlinedBox } from './ring.js';
import type { BoxSides, SideBorder } from './side-border.js';

/** What the border of a box is: one line around it, or lines that its sides have. */
export type BoxBorder = BorderPaint | SideBorder;

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
  border: BoxBorder,
  opacity: number,
  drawContent: DrawContent,
): void {
  const { frame, outline } = box;
  if (isSideBorder(border)) {
    drawSidesAround(target, box, border, opacity, drawContent);
    return;
  }
  const width = lineWidth(border);
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

/** Draws content and, over it, a border whose sides differ. Content reaches the middle of a border that hides it. */
function drawSidesAround(
  target: PaintTarget,
  box: OutlinedBox,
  border: SideBorder,
  opacity: number,
  drawContent: DrawContent,
): void {
  const { frame, outline } = box;
  const widths = borderWidths(border, frame);
  const hides = (line: BorderPaint | undefined, i: number) =>
    line && !isDashed(line) && isOpaqueFill(line.color) && widths[i] * imageScaleOf(frame) >= 2;
  if (wholeRect(frame, outline)) drawContent(target, box);
  else if (opacity === 1 && border.sides.every(hides)) {
    const middle = insetOutline(
      outline,
      frame.box,
      widths.map((width) => Math.floor(width / 2)) as unknown as BoxSides<number>,
    );
    if (middle) drawContent(target, { frame: { ...frame, box: middle.rect }, outline: middle.outline });
  } else {
    drawClipped(target, frame, outline, 1, (group) => {
      drawContent(group, undefined);
      drawTogether(group, box, opacity, (on) => partOf('sideBorder').drawSideBorder(on, box, border, widths, true));
    });
    return;
  }
  drawBorder(target, box, border, opacity);
}

/** Draws parts that may overlap in the opacity of all. */
function drawTogether(
  target: PaintTarget,
  { frame }: OutlinedBox,
  opacity: number,
  draw: (target: PaintTarget) => void,
): void {
  const bounds = intersect(roundOut(mapRect(frame.box, frame.toCanvas)), target.bounds);
  if (opacity === 1) draw(target);
  else if (!isEmpty(bounds)) target.drawGroup({ bounds, opacity }, draw);
}

/** Draws a border without content. */
export function drawBorder(target: PaintTarget, box: OutlinedBox, border: BoxBorder, opacity: number): void {
  const { frame, outline, area = frame } = box;
  if (isSideBorder(border)) {
    drawTogether(target, box, opacity, (on) =>
      partOf('sideBorder').drawSideBorder(on, box, border, borderWidths(border, frame)),
    );
    return;
  }
  const centre = isDashed(border) ? insetOutline(outline, frame.box, lineWidth(border) / 2) : undefined;
  if (centre) {
    const dashes = new Polygon();
    const { dash, dashOffset, cap } = border;
    const stroke = { width: lineWidth(border), dash, dashOffset, cap, isBox: isSvgBox(outline) };
    strokePath(outlinePath(centre.outline, centre.rect), frame.toCanvas, stroke, dashes, target.bounds);
    target.fillPolygon(dashes, { fill: border.color, area, opacity });
    return;
  }
  drawRing(target, box, border, opacity, outlinePath(outline, frame.box), frame.toCanvas);
}

/** Fills `outer`, mapped by `outerMap`, minus the area inside the border. */
function drawRing(
  target: PaintTarget,
  box: OutlinedBox,
  border: BorderPaint,
  opacity: number,
  outer: Path,
  outerMap: Affine,
): void {
  const { frame, outline } = box;
  const inner = insetOutline(outline, frame.box, lineWidth(border));
  const hole = inner && { path: outlinePath(inner.outline, inner.rect), map: frame.toCanvas };
  fillRing(target, box, border.color, opacity, { path: outer, map: outerMap }, hole);
}

/** Whether SVG has an element for the outline, `<ellipse>` or `<rect>`; others are paths. Dashes depend on it a little. */
function isSvgBox(outline: Outline): boolean {
  if (outline.kind !== 'rounded') return true;
  const [first, ...others] = outline.corners;
  return others.every(({ x, y }) => x === first.x && y === first.y);
}

function isDashed({ dash, style }: BorderPaint): boolean {
  return style === 'dashed' || style === 'dotted' || dash?.some((length) => length > 0) === true;
}

export function isSideBorder(border: BoxBorder): border is SideBorder {
  return 'sides' in border;
}

/** Returns the distance by which a border reaches beyond its box, which square caps do on round corners. */
export function borderReach(border: BoxBorder | undefined): number {
  if (!border || isSideBorder(border)) return 0;
  return isDashed(border) && border.cap === 'square' ? lineWidth(border) / 2 : 0;
}

/** CSS Values and Units 4 section 6.1: border widths round down to whole device pixels, but to at least one. */
function lineWidth({ width }: BorderPaint): number {
  return width > 0 && width < 1 ? 1 : Math.floor(width);
}

/** The widths of a border's sides; less in a box that has no room for both sides of an axis. */
export function borderWidths(border: BoxBorder | undefined, { box }: OutlinedBox['frame']): BoxSides<number> {
  if (!border) return [0, 0, 0, 0];
  if (!isSideBorder(border)) {
    const width = lineWidth(border);
    return [width, width, width, width];
  }
  const [top, right, bottom, left] = border.sides.map((line) => (line ? lineWidth(line) : 0));
  const across = Math.min(1, (box.right - box.left) / (left + right || 1));
  const down = Math.min(1, (box.bottom - box.top) / (top + bottom || 1));
  return [top * down, right * across, bottom * down, left * across];
}

/** The border of a layer with these fields: `border`, and in its place what a side has of its own. */
export function boxBorder({
  border,
  borderTop,
  borderRight,
  borderBottom,
  borderLeft,
}: BorderedLayer): BoxBorder | undefined {
  const own = [borderTop, borderRight, borderBottom, borderLeft] as const;
  const { style = 'solid' } = border ?? {};
  if (style === 'solid' && own.every((line) => line === undefined)) return border;
  const [top = border, right = border, bottom = border, left = border] = own;
  return { sides: [top, right, bottom, left] };
}

/** The fields of a layer that make its border. */
export interface BorderedLayer {
  readonly border?: BorderPaint | undefined;
  readonly borderTop?: BorderPaint | undefined;
  readonly borderRight?: BorderPaint | undefined;
  readonly borderBottom?: BorderPaint | undefined;
  readonly borderLeft?: BorderPaint | undefined;
}
