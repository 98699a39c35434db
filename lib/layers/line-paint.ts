// Converts a positioned line of text to its ink on the canvas: glyph masks or polygons, colour glyph layers, stroke and
// decoration.
import type { TextLayer } from '../contract/layers/index.js';
import { RenderError } from '../errors.js';
import { type Affine, compose } from '../geometry/affine.js';
import { flatten } from '../geometry/flatten.js';
import type { StepBudget } from '../geometry/intersections.js';
import { Polygon } from '../geometry/polygon.js';
import { type Rect, unite } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import { strokeClosed } from '../geometry/stroke/closed.js';
import { unionBoundary } from '../geometry/union.js';
import { quantizeSize } from '../layout/measure.js';
import type { PositionedLine } from '../layout/text-box.js';
import type { Color } from '../raster/color.js';
import { type Fill, isOpaqueFill } from '../raster/fill.js';
import type { Face } from '../text/face.js';
import type { FontStack } from '../text/font-stack.js';
import { type Frame, scaleOf } from './frame.js';
import {
  type GlyphScale,
  glyphMask,
  masksAt,
  masksBounds,
  PHASES,
  type PlacedMask,
  type SizedMasks,
} from './glyph-masks.js';

/** Skew of an upright glyph that stands in for an italic one: x grows by this fraction of y. */
const SYNTHETIC_OBLIQUE = 0.25;

/** Up to this font size, in canvas pixels, browsers draw glyphs from masks: at quarter-pixel positions, with raised contrast. */
export const MAX_MASK_FONT_SIZE = 256;

/** A layer of a colour glyph, in its own colour or, where that is undefined, the text's. */
export interface ColoredPart {
  readonly polygon: Polygon;
  readonly color: Color | undefined;
}

/**
 * Limits on the points of a text's flattened outlines: custom fonts may have 50,000 points in a glyph and 512 layers in a
 * colour glyph. Each glyph adds more points than nearly any glyph has; the initial amount allows for a few large ones.
 */
const MAX_POINTS = 4_000_000;
const POINTS_PER_GLYPH = 1024;

/** The points charged for each layer of a colour glyph besides its own: each layer is painted separately. */
const POINTS_PER_LAYER = 32;

/** Steps for the outline unions of one text: 100 glyphs take 200,000 to 600,000, in 2 to 20 ms; all steps take about 2 s. */
const MAX_UNION_STEPS = 40_000_000;

/** What is left of the limits that all lines of one text share. */
export class PointBudget {
  /** For the union of the outlines; once it is used up, overlapping outlines are stroked separately. */
  readonly union: StepBudget = { steps: MAX_UNION_STEPS };
  private remaining: number = MAX_POINTS;

  /** Charges one glyph's points. Throws RenderError `render_failed` when the budget is exhausted. */
  consume(points: number): void {
    this.remaining += POINTS_PER_GLYPH - points;
    if (this.remaining < 0)
      throw new RenderError('render_failed', 'the font’s glyphs are too complex for this much text');
  }
}

/** A line's ink in canvas coordinates. */
export interface PaintableLine {
  /** One polygon per face: outlines of different faces may wind differently and would cancel where they overlap. */
  readonly fills: readonly Polygon[];
  /** The glyphs drawn from masks: upright text without a stroke, up to MAX_MASK_FONT_SIZE. */
  readonly masks: readonly PlacedMask[];
  /** Bottom first. */
  readonly colored: readonly ColoredPart[];
  readonly stroke: Polygon | undefined;
  readonly decoration: Polygon | undefined;
}

/** `origin` is the box as laid out, before rotation. */
export function paintableLine(
  layer: Pick<TextLayer, 'stroke' | 'textDecoration' | 'color'>,
  frame: Frame,
  origin: Rect,
  stack: FontStack,
  size: number,
  line: PositionedLine,
  budget = new PointBudget(),
): PaintableLine {
  // upright baselines snap to whole canvas pixels, rotated ones to whole pixels of the layer
  const baseline = frame.isUpright
    ? Math.floor(origin.top + line.baseline + 0.5)
    : origin.top + Math.floor(line.baseline + 0.5);
  const left = origin.left + line.x;
  const byFace = new Map<Face, Polygon>();
  const masks: PlacedMask[] = [];
  const colored: ColoredPart[] = [];
  const { stroke } = layer;
  const { a, d, e, f } = frame.toCanvas;
  const canvasScale = scaleOf(frame);
  const isLarge = size * canvasScale > MAX_MASK_FONT_SIZE;
  const canUseMasks = frame.isUpright && a > 0 && d > 0 && !isLarge && !stroke;
  const quantizedSize = quantizeSize(size);
  let sized: SizedMasks | undefined;
  for (const { face, id, x, y } of line.glyphs) {
    const layers = face.colorLayers(id);
    if (canUseMasks && layers.length === 0) {
      if (sized?.face !== face) sized = masksAt(face, glyphScale(stack, face, quantizedSize * canvasScale));
      // the same position as `snapToGrid` gives
      const phases = Math.floor((a * (left + x) + e) * PHASES + 0.5);
      const pixel = Math.floor(phases / PHASES);
      const mask = glyphMask(sized, id, phases - pixel * PHASES);
      if (mask === undefined) continue;
      if (mask !== 'large') {
        masks.push({ mask, x: pixel, y: Math.floor(d * (baseline - y) + f + 0.5) });
        continue;
      }
    }
    const { scale, skew } = glyphScale(stack, face, quantizedSize);
    const toLayer: Affine = {
      a: scale,
      b: 0,
      c: layers.length === 0 ? skew : 0,
      d: -scale,
      e: left + x,
      f: baseline - y,
    };
    const toCanvas = isLarge ? compose(toLayer, frame.toCanvas) : snapToGrid(toLayer, frame);
    let points = 0;
    for (const { glyph, color } of layers) {
      const polygon = new Polygon();
      flatten(face.outline(glyph), toCanvas, polygon);
      colored.push({ polygon, color });
      points += POINTS_PER_LAYER + polygon.length / 2;
    }
    if (layers.length === 0) {
      const polygon = byFace.get(face) ?? new Polygon();
      byFace.set(face, polygon);
      points -= polygon.length / 2;
      flatten(face.outline(id), toCanvas, polygon);
      points += polygon.length / 2;
    }
    budget.consume(points);
  }
  const fills = [...byFace.values()].filter((polygon) => polygon.length > 0);
  return {
    fills,
    masks,
    colored,
    stroke:
      stroke && stroke.width > 0
        ? strokeFills(fills, stroke.width * canvasScale, layer.color, budget.union)
        : undefined,
    decoration:
      layer.textDecoration === 'none' ? undefined : decorationPolygon(layer, frame, stack, size, line, left, baseline),
  };
}

/** Maps font units to pixels. Upright faces are skewed when the text asks for italics. */
function glyphScale(stack: FontStack, face: Face, quantizedSize: number): GlyphScale {
  const scale = quantizedSize / face.unitsPerEm;
  return { scale, skew: stack.italic && !face.isItalic ? SYNTHETIC_OBLIQUE * scale : 0 };
}

/** Maps the glyph to the canvas, with its origin snapped to the subpixel grid of browsers' glyph masks. */
function snapToGrid(toLayer: Affine, frame: Frame): Affine {
  const map = compose(toLayer, frame.toCanvas);
  // text along an axis has subpixel positions only in its own direction
  const { a, b } = frame.toCanvas;
  const stepsX = b !== 0 && a === 0 ? 1 : PHASES;
  const stepsY = b === 0 ? 1 : PHASES;
  const e = Math.floor(map.e * stepsX + 0.5) / stepsX;
  const f = Math.floor(map.f * stepsY + 0.5) / stepsY;
  return { ...map, e, f };
}

/**
 * One stroke polygon for all outlines of a line. An opaque fill hides the strokes inside overlapping outlines; under a
 * translucent fill, only the boundary of their union is stroked.
 */
function strokeFills(fills: readonly Polygon[], width: number, fill: Fill, budget: StepBudget): Polygon {
  const out = new Polygon();
  const boundary = isOpaqueFill(fill) ? undefined : unionBoundary(fills, budget);
  for (const polygon of boundary ? [boundary] : fills) strokeClosed(polygon, width, out);
  return out;
}

/** The underline, the line-through or both: as long as the line with its spaces, its thickness and top in whole pixels. */
function decorationPolygon(
  { textDecoration }: Pick<TextLayer, 'textDecoration'>,
  frame: Frame,
  stack: FontStack,
  size: number,
  line: PositionedLine,
  left: number,
  baseline: number,
): Polygon {
  const { underline, lineThrough } = stack.primary;
  const polygon = new Polygon();
  for (const name of textDecoration.split(' ')) {
    const { position, thickness } = name === 'underline' ? underline : lineThrough;
    const top = Math.floor(baseline - position * size + 0.5);
    const bottom = top + Math.max(1, Math.floor(thickness * size));
    flatten(rectangle({ left, top, right: left + line.width, bottom }), frame.toCanvas, polygon);
  }
  return polygon;
}

/** The line's ink bounds; empty when it has no ink. */
export function inkBounds(line: PaintableLine): Rect {
  return polygonsOf(line).reduce((all, polygon) => unite(all, polygon.bounds()), masksBounds(line.masks));
}

export function polygonsOf({ fills, colored, stroke, decoration }: PaintableLine): Polygon[] {
  const layers = colored.map(({ polygon }) => polygon);
  return [...fills, ...layers, ...(stroke ? [stroke] : []), ...(decoration ? [decoration] : [])];
}
