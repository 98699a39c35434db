// The ink of a span: its glyphs as masks or polygons, the layers of colour glyphs, and their stroke.
import { RenderError } from '../../errors.js';
import { type Affine, compose, translation } from '../../geometry/affine.js';
import { flatten } from '../../geometry/flatten.js';
import type { StepBudget } from '../../geometry/intersections.js';
import { Polygon } from '../../geometry/polygon.js';
import { type Rect, unite } from '../../geometry/rect.js';
import { strokeClosed } from '../../geometry/stroke/closed.js';
import { unionBoundary } from '../../geometry/union.js';
import { clusterText, type PlacedGlyph, type WrappedLine } from '../../layout/line.js';
import { quantizeSize, type TextFont } from '../../layout/measure.js';
import type { RunGlyph, RunText } from '../../paint/target.js';
import { type Fill, type FillArea, isOpaqueFill } from '../../raster/fill.js';
import type { CheckTime } from '../../stage-budget.js';
import type { Face } from '../../text/face.js';
import type { FontStack } from '../../text/font-stack.js';
import { type PlacedColorGlyph, placeColorGlyph } from '../color-glyph/place.js';
import { type Frame, scaleOf } from '../frame.js';
import {
  type GlyphScale,
  glyphMask,
  masksAt,
  masksBounds,
  PHASES,
  type PlacedMask,
  type SizedMasks,
} from './glyph-masks.js';
import type { SpanStyle } from './spans.js';

/** Skew of an upright glyph that stands in for an italic one: x grows by this fraction of y. */
export const SYNTHETIC_OBLIQUE = 0.25;

/** Up to this font size, in canvas pixels, browsers draw glyphs from masks: at quarter-pixel positions, with raised contrast. */
export const MAX_MASK_FONT_SIZE = 256;

/**
 * Limits on the points of a text's flattened outlines: custom fonts may have 50,000 points in a glyph and 512 layers in a
 * colour glyph. Each glyph adds more points than nearly any glyph has; the initial amount allows for a few large ones.
 */
const MAX_POINTS = 4_000_000;
const POINTS_PER_GLYPH = 1024;
/** The maximum of all points of a text, however many glyphs it has: 400,000 letters that are no masks. */
export const MAX_TEXT_POINTS = 10_000_000;

/** Steps for the outline unions of one text: 100 glyphs take 200,000 to 600,000, in 2 to 20 ms; all steps take about 2 s. */
const MAX_UNION_STEPS = 40_000_000;

/** Cost of a glyph's outline besides its points, in steps of `CheckTime`. */
const STEPS_PER_GLYPH = 2;

/** The remaining points and steps for all lines of a text. */
export class PointBudget {
  /** Steps for the union of the outlines; once they are used up, overlapping outlines are stroked separately. */
  readonly union: StepBudget = { steps: MAX_UNION_STEPS };
  private remaining: number = MAX_POINTS;
  private total = 0;

  constructor(private readonly check: CheckTime = () => {}) {}

  /** Charges one glyph's points. Throws RenderError `render_failed` when a budget is exhausted, and `render_timeout`. */
  consume(points: number): void {
    this.check(STEPS_PER_GLYPH + (points >> 4));
    this.remaining += POINTS_PER_GLYPH - points;
    if (this.remaining < 0)
      throw new RenderError('render_failed', 'the font’s glyphs are too complex for this much text');
    this.total += points;
    if (this.total > MAX_TEXT_POINTS) {
      const message = `the outlines of the text have over ${MAX_TEXT_POINTS} points, expected less text`;
      throw new RenderError('render_failed', message);
    }
  }
}

/** Properties that the shapes and colours of a span's ink depend on besides its font, its link, and what findings ask for. */
export type InkStyle = Pick<SpanStyle, 'color' | 'stroke' | 'link'> &
  Partial<Pick<SpanStyle, 'fontWeight' | 'baselineShift'>>;

/** The ink of a span in a line, in canvas coordinates. */
export interface PaintableSpan {
  readonly style: InkStyle;
  /** The area of its gradients, if it is not the layer's box. */
  readonly area?: FillArea | undefined;
  /** Pixels per em. */
  readonly size: number;
  /** Polygons, one per face: outlines of different faces may wind differently and would cancel where they overlap. */
  readonly fills: readonly Polygon[];
  /** The glyphs drawn from masks: upright text without a stroke, up to MAX_MASK_FONT_SIZE. */
  readonly masks: readonly PlacedMask[];
  /** Glyphs with built-in colours. */
  readonly colored: readonly PlacedColorGlyph[];
  readonly stroke: Polygon | undefined;
  /** The glyphs, for targets without pixels. */
  glyphs(): readonly RunGlyph[];
  readonly text: RunText;
}

/** Gathers the ink of one span. */
export class SpanInk {
  private readonly byFace = new Map<Face, Polygon>();
  private readonly masks: PlacedMask[] = [];
  private readonly colored: PlacedColorGlyph[] = [];
  private readonly canUseMasks: boolean;
  private readonly isLarge: boolean;
  private readonly canvasScale: number;
  private readonly quantizedSize: number;
  private sized: SizedMasks | undefined;
  private readonly added: AddedGlyph[] = [];

  constructor(
    private readonly font: TextFont,
    private readonly style: InkStyle,
    private readonly frame: Frame,
    private readonly budget: PointBudget,
  ) {
    const { a, d } = frame.toCanvas;
    this.canvasScale = scaleOf(frame);
    this.isLarge = font.size * this.canvasScale > MAX_MASK_FONT_SIZE;
    this.canUseMasks = frame.isUpright && a > 0 && a === d && !this.isLarge && !style.stroke;
    this.quantizedSize = quantizeSize(font.size);
  }

  /** Adds a glyph with its origin at (x, y) in the layer. */
  add(glyph: PlacedGlyph, x: number, y: number): void {
    const { face, id } = glyph;
    if (this.canUseMasks && !face.colorPaint(id)) {
      const { a, d, e, f } = this.frame.toCanvas;
      if (this.sized?.face !== face) {
        this.sized = masksAt(face, glyphScale(this.font.stack, face, this.quantizedSize * this.canvasScale));
      }
      // the same position as `snapToGrid` gives
      const phases = Math.floor((a * x + e) * PHASES + 0.5);
      const pixel = Math.floor(phases / PHASES);
      const mask = glyphMask(this.sized, id, phases - pixel * PHASES);
      if (mask !== 'large') {
        this.added.push({ glyph, x, y });
        if (mask) this.masks.push({ mask, x: pixel, y: Math.floor(d * y + f + 0.5) });
        return;
      }
    }
    this.addOutline(glyph, translation(x, y));
  }

  /** Adds a glyph's outline; `place` maps pixels from its origin to the layer. */
  addOutline(glyph: PlacedGlyph, place: Affine): void {
    const { face, id } = glyph;
    this.added.push({ glyph, x: 0, y: 0, place });
    const colorPaint = face.colorPaint(id);
    const { scale, skew } = glyphScale(this.font.stack, face, this.quantizedSize);
    const toPixels: Affine = { a: scale, b: 0, c: colorPaint ? 0 : skew, d: -scale, e: 0, f: 0 };
    const exact = compose(compose(toPixels, place), this.frame.toCanvas);
    const toCanvas = this.isLarge ? exact : snapToGrid(exact);
    if (colorPaint) {
      const colorGlyph = placeColorGlyph(face, colorPaint, toCanvas);
      if (colorGlyph) this.colored.push(colorGlyph);
      this.budget.consume(colorGlyph?.points ?? 0);
      return;
    }
    const polygon = this.byFace.get(face) ?? new Polygon();
    this.byFace.set(face, polygon);
    const before = polygon.length;
    flatten(face.outline(id), toCanvas, polygon);
    this.budget.consume((polygon.length - before) / 2);
  }

  private runGlyph({ glyph: { face, id, cluster }, x, y, place = translation(x, y) }: AddedGlyph): RunGlyph {
    const { scale, skew } = glyphScale(this.font.stack, face, this.quantizedSize);
    const toPixels: Affine = { a: scale, b: 0, c: face.colorPaint(id) ? 0 : skew, d: -scale, e: 0, f: 0 };
    return { face, id, cluster, toCanvas: compose(compose(toPixels, place), this.frame.toCanvas) };
  }

  finish(line: WrappedLine): PaintableSpan {
    const { style, font, masks, colored, canvasScale, budget } = this;
    const fills = [...this.byFace.values()].filter((polygon) => polygon.length > 0);
    const { stroke, color } = style;
    return {
      style,
      size: font.size,
      fills,
      masks,
      colored,
      glyphs: () => this.added.map((each) => this.runGlyph(each)),
      text: {
        paragraph: line.measurer.paragraph,
        textOf: (cluster) => clusterText(line, cluster),
        features: font.stack.features,
        letterSpacing: font.letterSpacing / font.size,
      },
      stroke:
        stroke && stroke.width > 0 ? strokeFills(fills, stroke.width * canvasScale, color, budget.union) : undefined,
    };
  }
}

/** A glyph and its place in the layer: its origin, or the map from pixels around it. */
interface AddedGlyph {
  readonly glyph: PlacedGlyph;
  readonly x: number;
  readonly y: number;
  readonly place?: Affine;
}

/** Maps font units to pixels. Upright faces are skewed when the text asks for italics. */
function glyphScale(stack: FontStack, face: Face, quantizedSize: number): GlyphScale {
  const scale = quantizedSize / face.unitsPerEm;
  return { scale, skew: stack.italic && !face.isItalic ? SYNTHETIC_OBLIQUE * scale : 0 };
}

/** The map of a glyph, with its origin snapped to the subpixel grid of browsers' glyph masks. */
function snapToGrid(map: Affine): Affine {
  // text along an axis has subpixel positions only in its own direction
  const stepsX = map.b !== 0 && map.a === 0 ? 1 : PHASES;
  const stepsY = map.b === 0 ? 1 : PHASES;
  const e = Math.floor(map.e * stepsX + 0.5) / stepsX;
  const f = Math.floor(map.f * stepsY + 0.5) / stepsY;
  return { ...map, e, f };
}

/**
 * Strokes all outlines of a line as one polygon. An opaque fill hides the strokes inside overlapping outlines; under a
 * translucent fill, only the boundary of their union is stroked.
 */
function strokeFills(fills: readonly Polygon[], width: number, fill: Fill, budget: StepBudget): Polygon {
  const out = new Polygon();
  const boundary = isOpaqueFill(fill) ? undefined : unionBoundary(fills, budget);
  for (const polygon of boundary ? [boundary] : fills) strokeClosed(polygon, width, out);
  return out;
}

export function spanBounds(span: PaintableSpan): Rect {
  const bounds = polygonsOf(span).reduce((all, polygon) => unite(all, polygon.bounds()), masksBounds(span.masks));
  return span.colored.reduce((all, { paint }) => unite(all, paint.bounds), bounds);
}

/** All polygons that are painted for the span. */
export function polygonsOf({ fills, stroke }: PaintableSpan): Polygon[] {
  return [...fills, ...(stroke ? [stroke] : [])];
}
