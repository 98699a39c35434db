// Places a colour glyph on the canvas: flattens the outlines of its paint tree and bounds what each part covers.
import { RenderError } from '../../errors.js';
import { type Affine, compose } from '../../geometry/affine.js';
import { flatten } from '../../geometry/flatten.js';
import { Polygon } from '../../geometry/polygon.js';
import { areaOf, intersect, isEmpty, type Rect, unite } from '../../geometry/rect.js';
import { rectangle } from '../../geometry/shapes.js';
import type { Face } from '../../text/face.js';
import type { GlyphCompositeMode, GlyphPaint, GradientGlyphPaint, SolidGlyphPaint } from '../../text/glyph-paint.js';
import { NO_BOUNDS } from '../drawable.js';

/** A part of a colour glyph in canvas coordinates. */
export type PlacedPaint =
  | PlacedFill
  /** Drawn one over the other. */
  | { readonly kind: 'layers'; readonly bounds: Rect; readonly parts: readonly PlacedPaint[] }
  | { readonly kind: 'clip'; readonly bounds: Rect; readonly polygon: Polygon; readonly content: PlacedPaint }
  | {
      readonly kind: 'composite';
      readonly bounds: Rect;
      readonly mode: GlyphCompositeMode;
      readonly source: PlacedPaint;
      readonly backdrop: PlacedPaint;
    };

export interface PlacedFill {
  readonly kind: 'fill';
  readonly bounds: Rect;
  /** The area to fill; undefined fills everything. */
  readonly polygon: Polygon | undefined;
  readonly paint: SolidGlyphPaint | GradientGlyphPaint;
  /** Maps the paint's coordinates to the canvas. */
  readonly toCanvas: Affine;
}

/** A colour glyph on the canvas. */
export interface PlacedColorGlyph {
  readonly paint: PlacedPaint;
  /** Its cost as a number of points of flattened outlines. */
  readonly points: number;
  /** Whether it is painted in several steps, which may overlap. */
  readonly isLayered: boolean;
}

/** The points charged for each fill besides its own: each is painted separately. */
const POINTS_PER_FILL = 32;
/** Pixels of gradients and of groups that cost as much as one point: some 0.5 µs. */
const PIXELS_PER_POINT = 100;
/** More than the pixels of a canvas. */
const MAX_PIXELS = 2 ** 26;
/** Groups inside groups, each of which takes a pixmap of the glyph's size or two. */
const MAX_NESTED_GROUPS = 8;

const EVERYWHERE: Rect = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** Places the glyph; `toCanvas` maps font units, y up. Undefined if it has no ink or no bounds. */
export function placeColorGlyph(face: Face, paint: GlyphPaint, toCanvas: Affine): PlacedColorGlyph | undefined {
  const placer = new Placer(face);
  const root = placer.place(paint, toCanvas, 0);
  if (isEmpty(root.bounds) || root.bounds.left === -Infinity) return undefined;
  return { paint: root, points: placer.points, isLayered: root.kind !== 'fill' };
}

class Placer {
  points = 0;

  constructor(private readonly face: Face) {}

  place(paint: GlyphPaint, map: Affine, groups: number): PlacedPaint {
    if (!isReasonable(map)) return NOTHING;
    switch (paint.kind) {
      case 'solid':
      case 'gradient':
        return this.fill(undefined, EVERYWHERE, paint, map);
      case 'transform':
        return this.place(paint.paint, compose(paint.map, map), groups);
      case 'layers':
        return layered(paint.paints.map((each) => this.place(each, map, groups)));
      case 'glyph': {
        const polygon = new Polygon();
        flatten(this.face.outline(paint.glyph), map, polygon);
        return this.clip(polygon, paint.paint, map, groups);
      }
      case 'clip': {
        const { left, bottom, right, top } = paint.box;
        const polygon = new Polygon();
        flatten(rectangle({ left, top: bottom, right, bottom: top }), map, polygon);
        return this.clip(polygon, paint.paint, map, groups);
      }
      case 'composite':
        return this.composite(paint.mode, paint.source, paint.backdrop, map, groups);
    }
  }

  private fill(
    polygon: Polygon | undefined,
    bounds: Rect,
    paint: SolidGlyphPaint | GradientGlyphPaint,
    toCanvas: Affine,
  ): PlacedFill {
    this.points += POINTS_PER_FILL + (polygon ? polygon.length / 2 : 0);
    if (paint.kind === 'gradient') this.chargePixels(bounds);
    return { kind: 'fill', bounds, polygon, paint, toCanvas };
  }

  private clip(polygon: Polygon, content: GlyphPaint, map: Affine, groups: number): PlacedPaint {
    let paint = content;
    let toCanvas = map;
    for (; paint.kind === 'transform'; paint = paint.paint) toCanvas = compose(paint.map, toCanvas);
    const clipBounds = polygon.bounds();
    if (!isReasonable(toCanvas)) return NOTHING;
    if (paint.kind === 'solid' || paint.kind === 'gradient') return this.fill(polygon, clipBounds, paint, toCanvas);
    const child = this.place(paint, toCanvas, groups + 1);
    this.points += POINTS_PER_FILL + polygon.length / 2;
    const bounds = intersect(clipBounds, child.bounds);
    if (isEmpty(bounds)) return NOTHING;
    if (isRectangle(polygon) && isInside(child.bounds, clipBounds)) return child;
    this.chargeGroup(bounds, groups);
    return { kind: 'clip', bounds, polygon, content: child };
  }

  private composite(
    mode: GlyphCompositeMode,
    sourcePaint: GlyphPaint,
    backdropPaint: GlyphPaint,
    map: Affine,
    groups: number,
  ): PlacedPaint {
    if (mode === 'clear') return NOTHING;
    if (mode === 'source') return this.place(sourcePaint, map, groups);
    if (mode === 'destination') return this.place(backdropPaint, map, groups);
    const backdrop = this.place(backdropPaint, map, groups + 1);
    const source = this.place(sourcePaint, map, groups + 1);
    if (mode === 'source-over') return layered([backdrop, source]);
    if (mode === 'destination-over') return layered([source, backdrop]);
    const bounds = compositeBounds(mode, source.bounds, backdrop.bounds);
    if (isEmpty(bounds)) return NOTHING;
    this.chargeGroup(bounds, groups);
    return { kind: 'composite', bounds, mode, source, backdrop };
  }

  private chargeGroup(bounds: Rect, groups: number): void {
    if (groups >= MAX_NESTED_GROUPS) {
      const message = `a colour glyph of the font nests more than ${MAX_NESTED_GROUPS} composites or clips`;
      throw new RenderError('render_failed', message);
    }
    this.points += POINTS_PER_FILL;
    this.chargePixels(bounds);
  }

  private chargePixels(bounds: Rect): void {
    this.points += Math.min(areaOf(bounds), MAX_PIXELS) / PIXELS_PER_POINT;
  }
}

/** Nested transforms of hostile fonts multiply beyond what the rasterizer can do with. */
const MAX_COEFFICIENT = 1e7;

function isReasonable({ a, b, c, d, e, f }: Affine): boolean {
  return [a, b, c, d, e, f].every((coefficient) => Math.abs(coefficient) <= MAX_COEFFICIENT);
}

const NOTHING: PlacedPaint = { kind: 'layers', bounds: NO_BOUNDS, parts: [] };

function layered(children: readonly PlacedPaint[]): PlacedPaint {
  const parts = children.filter(({ bounds }) => !isEmpty(bounds));
  if (parts.length === 1) return parts[0];
  return { kind: 'layers', bounds: parts.reduce((all, { bounds }) => unite(all, bounds), NO_BOUNDS), parts };
}

/** Bounds the pixels in which the result may have ink. */
function compositeBounds(mode: GlyphCompositeMode, source: Rect, backdrop: Rect): Rect {
  if (mode === 'source-in' || mode === 'destination-in') return intersect(source, backdrop);
  if (mode === 'source-out' || mode === 'destination-atop') return source;
  if (mode === 'destination-out' || mode === 'source-atop') return backdrop;
  return unite(source, backdrop);
}

/** Whether the polygon is one rectangle with edges along the axes. */
function isRectangle({ points, length, starts }: Polygon): boolean {
  if (starts.length !== 1 || length < 8 || length > 10) return false;
  for (let i = 2; i < 8; i += 2) {
    if (points[i] !== points[i - 2] && points[i + 1] !== points[i - 1]) return false;
  }
  return points[0] === points[6] || points[1] === points[7];
}

function isInside(inner: Rect, outer: Rect): boolean {
  return (
    inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom
  );
}
