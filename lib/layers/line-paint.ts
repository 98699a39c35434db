// A laid line of text → its ink on the canvas: glyphs as masks or polygons, the parts of colour glyphs, stroke, decoration.
import type { TextLayer } from '../contract/layers.js';
import { RenderError } from '../errors.js';
import { type Affine, compose } from '../geometry/affine.js';
import { flatten } from '../geometry/flatten.js';
import type { StepBudget } from '../geometry/intersections.js';
import { Polygon } from '../geometry/polygon.js';
import { type Rect, unite } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import { strokeClosed } from '../geometry/stroke.js';
import { unionBoundary } from '../geometry/union.js';
import { quantizeSize } from '../layout/measure.js';
import type { PositionedLine } from '../layout/text-box.js';
import type { Color } from '../raster/color.js';
import type { Face } from '../text/face.js';
import type { FontStack } from '../text/font-stack.js';
import type { Frame } from './frame.js';
import {
  type GlyphScale,
  glyphMask,
  masksAt,
  masksBounds,
  PHASES,
  type PlacedMask,
  type SizedMasks,
} from './glyph-masks.js';

/** How far an upright glyph leans to stand in for an italic one: x grows by this much of y. */
const SYNTHETIC_OBLIQUE = 0.25;

/** Up to this size, in pixels, browsers draw glyphs from masks: on a grid of quarter pixels, with their contrast raised. */
export const MAX_MASK = 256;

/** A part of a colour glyph, in its own colour or, where that is absent, the text's. */
export interface ColoredPart {
  readonly polygon: Polygon;
  readonly color: Color | undefined;
}

/**
 * Corners of a text's outlines: custom fonts may have 50,000 points in a glyph, 512 parts in a coloured one. Per glyph as
 * many as hardly any has by itself, and besides as many as a few large ones need.
 */
const CORNERS = { ever: 4_000_000, perGlyph: 1024 } as const;

/** Corners that a part of a colour glyph counts as beside its own: it is painted by itself. */
const PART = 32;

/** Steps for the unions of one text: 100 letters take 200,000 to 600,000, in 2 to 20 ms; all of the steps, some 2 s. */
const UNION_STEPS = 40_000_000;

/** What the lines of one text may still be drawn with. */
export class PointBudget {
  /** For the union of the outlines; without it, overlapping outlines are stroked one by one. */
  readonly union: StepBudget = { steps: UNION_STEPS };
  private left: number = CORNERS.ever;

  /** Throws RenderError `render_failed` once the glyphs so far have had more than all text needs. */
  consume(corners: number): void {
    this.left += CORNERS.perGlyph - corners;
    if (this.left < 0) throw new RenderError('render_failed', 'the font’s glyphs are too complex for this much text');
  }
}

/** One line, on the canvas. */
export interface PaintableLine {
  /** A polygon a face: outlines of different faces may be wound differently, and would cancel where they meet. */
  readonly fills: readonly Polygon[];
  /** The glyphs that are drawn from masks: upright ones of text without a stroke, up to MAX_MASK. */
  readonly masks: readonly PlacedMask[];
  /** Bottom first. */
  readonly colored: readonly ColoredPart[];
  readonly stroke: Polygon | undefined;
  readonly rule: Polygon | undefined;
}

/** `origin` is the box as laid out, before the turn. */
export function paintableLine(
  layer: Pick<TextLayer, 'stroke' | 'textDecoration' | 'color'>,
  frame: Frame,
  origin: Rect,
  stack: FontStack,
  size: number,
  line: PositionedLine,
  corners = new PointBudget(),
): PaintableLine {
  // upright baselines stand on whole canvas pixels; turned ones on whole pixels of the layer
  const baseline = frame.upright
    ? Math.floor(origin.top + line.baseline + 0.5)
    : origin.top + Math.floor(line.baseline + 0.5);
  const left = origin.left + line.x;
  const byFace = new Map<Face, Polygon>();
  const masks: PlacedMask[] = [];
  const colored: ColoredPart[] = [];
  const { stroke } = layer;
  const masked = frame.upright && size <= MAX_MASK && !stroke;
  const onPixels = quantizeSize(size);
  let sized: SizedMasks | undefined;
  for (const { face, id, x, y } of line.glyphs) {
    const layers = face.colorLayers(id);
    if (masked && layers.length === 0) {
      if (sized?.face !== face) sized = masksAt(face, scaleOf(stack, face, onPixels));
      // what `onGrid` comes to without a turn
      const phases = Math.floor((left + x) * PHASES + 0.5);
      const pixel = Math.floor(phases / PHASES);
      const mask = glyphMask(sized, id, phases - pixel * PHASES);
      if (mask === undefined) continue;
      if (mask !== 'large') {
        masks.push({ mask, x: pixel, y: Math.floor(baseline - y + 0.5) });
        continue;
      }
    }
    const { scale, skew } = scaleOf(stack, face, onPixels);
    const place: Affine = {
      a: scale,
      b: 0,
      c: layers.length === 0 ? skew : 0,
      d: -scale,
      e: left + x,
      f: baseline - y,
    };
    const map = size > MAX_MASK ? compose(place, frame.toCanvas) : onGrid(place, frame);
    let taken = 0;
    for (const { glyph, color } of layers) {
      const polygon = new Polygon();
      flatten(face.outline(glyph), map, polygon);
      colored.push({ polygon, color });
      taken += PART + polygon.length / 2;
    }
    if (layers.length === 0) {
      const polygon = byFace.get(face) ?? new Polygon();
      byFace.set(face, polygon);
      taken -= polygon.length / 2;
      flatten(face.outline(id), map, polygon);
      taken += polygon.length / 2;
    }
    corners.consume(taken);
  }
  const fills = [...byFace.values()].filter((polygon) => polygon.length > 0);
  return {
    fills,
    masks,
    colored,
    stroke: stroke && stroke.width > 0 ? strokesOf(fills, stroke.width, layer.color, corners.union) : undefined,
    rule: layer.textDecoration === 'none' ? undefined : ruleOf(layer, frame, stack, size, line, left, baseline),
  };
}

/** Font units → pixels. Faces that are upright by design are set aslant where italics are asked for. */
function scaleOf(stack: FontStack, face: Face, onPixels: number): GlyphScale {
  const scale = onPixels / face.unitsPerEm;
  return { scale, skew: stack.italic && !face.isItalic ? SYNTHETIC_OBLIQUE * scale : 0 };
}

/** A glyph's place on the canvas, its origin on the grid that browsers keep glyphs' masks for. */
function onGrid(place: Affine, frame: Frame): Affine {
  const placed = compose(place, frame.toCanvas);
  // along an axis only the text's own direction has fractions
  const { a, b } = frame.toCanvas;
  const stepsX = b !== 0 && a === 0 ? 1 : PHASES;
  const stepsY = b === 0 ? 1 : PHASES;
  const e = Math.floor(placed.e * stepsX + 0.5) / stepsX;
  const f = Math.floor(placed.f * stepsY + 0.5) / stepsY;
  return { ...placed, e, f };
}

/**
 * One stroke around all of a line's outlines. An opaque fill hides what the strokes of overlapping outlines paint inside
 * of one another; under any other, only the boundary of them all is stroked.
 */
function strokesOf(fills: readonly Polygon[], width: number, fill: Color, budget: StepBudget): Polygon {
  const out = new Polygon();
  const boundary = fill.a < 1 ? unionBoundary(fills, budget) : undefined;
  for (const polygon of boundary ? [boundary] : fills) strokeClosed(polygon, width, out);
  return out;
}

/** The underline or line-through: as long as the line with its blanks, whole pixels thick, its top on a whole pixel. */
function ruleOf(
  { textDecoration }: Pick<TextLayer, 'textDecoration'>,
  frame: Frame,
  stack: FontStack,
  size: number,
  line: PositionedLine,
  left: number,
  baseline: number,
): Polygon {
  const { position, thickness } = textDecoration === 'underline' ? stack.primary.underline : stack.primary.lineThrough;
  const top = Math.floor(baseline - position * size + 0.5);
  const bottom = top + Math.max(1, Math.floor(thickness * size));
  const polygon = new Polygon();
  flatten(rectangle({ left, top, right: left + line.width, bottom }), frame.toCanvas, polygon);
  return polygon;
}

/** Bounds of all ink; empty when there is none. */
export function inkBounds(line: PaintableLine): Rect {
  return polygonsOf(line).reduce((all, polygon) => unite(all, polygon.bounds()), masksBounds(line.masks));
}

export function polygonsOf({ fills, colored, stroke, rule }: PaintableLine): Polygon[] {
  return [...fills, ...colored.map(({ polygon }) => polygon), ...(stroke ? [stroke] : []), ...(rule ? [rule] : [])];
}
