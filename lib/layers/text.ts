// text layer + its faces → content: every line as one shape, its stroke beneath, its decoration beneath that.
import type { TextLayer } from '../contract/layers.js';
import type { Affine } from '../geometry/affine.js';
import { compose } from '../geometry/affine.js';
import { flatten } from '../geometry/flatten.js';
import { Polygon } from '../geometry/polygon.js';
import { expand, isEmpty, type Rect, unite } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import { strokeClosed } from '../geometry/stroke.js';
import { withOpacity } from '../raster/color.js';
import { contrastTable } from '../raster/contrast.js';
import { SolidPaint } from '../raster/paint.js';
import type { Face } from '../text/face.js';
import { type LaidLine, layoutText, type TextLayout } from '../text/layout.js';
import { sizeOnGrid } from '../text/measure.js';
import type { FontStack } from '../text/stack.js';
import { transformText } from '../text/transform.js';
import { type Content, NOTHING } from './content.js';
import { type Frame, frameOf } from './frame.js';

/** How far an upright glyph leans to stand in for an italic one: x grows by this much of y. */
const SLANT = 0.25;

/** Up to this size, in pixels, browsers draw glyphs from masks: on a grid of quarter pixels, with their contrast raised. */
const LARGEST_MASK = 256;

/** One line, on the canvas. */
interface InkLine {
  /** A polygon a face: outlines of different faces may be wound differently, and would cancel where they meet. */
  readonly fills: readonly Polygon[];
  readonly stroke: Polygon | undefined;
  readonly rule: Polygon | undefined;
}

export function textContent(layer: TextLayer, stack: FontStack): { content: Content; layout: TextLayout } {
  const text = transformText(layer.text, layer.textTransform);
  const layout = layoutText(text, stack, layer, layer);
  if (layout.fontSize === 0 || text === '') return { content: NOTHING, layout };
  const frame = frameOf(layer);
  const lines = layout.lines.map((line) => inkLine(layer, frame, stack, layout.fontSize, line));
  const bounds = lines.reduce((all, line) => unite(all, inkBounds(line)), NOTHING.bounds);
  const { color, stroke } = layer;
  const parts = lines.reduce((sum, line) => sum + line.fills.length + (line.stroke ? 1 : 0) + (line.rule ? 1 : 0), 0);
  const content: Content = {
    bounds: isEmpty(bounds) ? bounds : expand(bounds, 1),
    flat: parts <= 1,
    draw(surface, opacity) {
      const masks = layout.fontSize <= LARGEST_MASK;
      const plain = new SolidPaint(withOpacity(color, opacity));
      const fill = masks ? new SolidPaint(withOpacity(color, opacity), contrastTable(color)) : plain;
      const outline =
        stroke && new SolidPaint(withOpacity(stroke.color, opacity), masks ? contrastTable(stroke.color) : undefined);
      for (const line of lines) {
        if (line.rule) surface.fillPolygon(line.rule, plain);
        if (line.stroke && outline) surface.fillPolygon(line.stroke, outline);
        for (const polygon of line.fills) surface.fillPolygon(polygon, fill);
      }
    },
  };
  return { content, layout };
}

function inkLine(layer: TextLayer, frame: Frame, stack: FontStack, size: number, line: LaidLine): InkLine {
  // upright baselines stand on whole canvas pixels; turned ones on whole pixels of the layer
  const baseline = frame.upright
    ? Math.floor(layer.y + line.baseline + 0.5)
    : layer.y + Math.floor(line.baseline + 0.5);
  const left = layer.x + line.x;
  const byFace = new Map<Face, Polygon>();
  for (const { face, id, x, y } of line.glyphs) {
    let polygon = byFace.get(face);
    if (!polygon) {
      polygon = new Polygon();
      byFace.set(face, polygon);
    }
    const scale = sizeOnGrid(size) / face.unitsPerEm;
    const lean = stack.slanted ? SLANT * scale : 0;
    const place: Affine = { a: scale, b: 0, c: lean, d: -scale, e: left + x, f: baseline - y };
    flatten(face.outline(id), size > LARGEST_MASK ? compose(place, frame.toCanvas) : onGrid(place, frame), polygon);
  }
  const fills = [...byFace.values()].filter((polygon) => polygon.length > 0);
  const { stroke } = layer;
  return {
    fills,
    stroke: stroke && stroke.width > 0 ? strokesOf(fills, stroke.width) : undefined,
    rule: layer.textDecoration === 'none' ? undefined : ruleOf(layer, frame, stack, size, line, left, baseline),
  };
}

/** A glyph's place on the canvas, its origin on the grid that browsers keep glyphs' masks for. */
function onGrid(place: Affine, frame: Frame): Affine {
  const placed = compose(place, frame.toCanvas);
  // along an axis only the text's own direction has fractions
  const { a, b } = frame.toCanvas;
  const stepsX = b !== 0 && a === 0 ? 1 : 4;
  const stepsY = b === 0 ? 1 : 4;
  const e = Math.floor(placed.e * stepsX + 0.5) / stepsX;
  const f = Math.floor(placed.f * stepsY + 0.5) / stepsY;
  return { ...placed, e, f };
}

/** One stroke around all of a line's outlines. */
function strokesOf(fills: readonly Polygon[], width: number): Polygon {
  const out = new Polygon();
  for (const polygon of fills) strokeClosed(polygon, width, out);
  return out;
}

/** The underline or line-through: as long as the line with its blanks, whole pixels thick, its top on a whole pixel. */
function ruleOf(
  { textDecoration }: TextLayer,
  frame: Frame,
  stack: FontStack,
  size: number,
  line: LaidLine,
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

function inkBounds(line: InkLine): Rect {
  const polygons = [...line.fills, ...(line.stroke ? [line.stroke] : []), ...(line.rule ? [line.rule] : [])];
  return polygons.reduce((all, polygon) => unite(all, polygon.bounds()), NOTHING.bounds);
}

/** What is doubtful about how the text came out, a sentence each. */
export function textWarnings(layer: TextLayer, layout: TextLayout): string[] {
  const warnings: string[] = [];
  const list = (clusters: readonly string[]) => {
    const distinct = [...new Set(clusters)];
    const shown = distinct.slice(0, 8).map((cluster) => JSON.stringify(cluster));
    return shown.join(', ') + (distinct.length > 8 ? ` and ${distinct.length - 8} more` : '');
  };
  if (layout.missing.length > 0) warnings.push(`no font has ${list(layout.missing)}: boxes are shown instead`);
  if (layout.truncated) warnings.push(`the text was cut after ${layer.maxLines} lines`);
  if (layout.fontSize < layer.fontSize) {
    warnings.push(`the text was shrunk from ${layer.fontSize} to ${layout.fontSize} px to fit its box`);
  }
  if (layout.overflows) warnings.push('the text overflows its box');
  return warnings;
}
