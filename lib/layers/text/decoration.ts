// The lines of text decorations: where they are, and how browsers draw each style.
import type { TextLayer } from '../../contract/layers/index.js';
import type { StyledDecoration, TextDecoration } from '../../contract/layers/text.js';
import { type Affine, invert } from '../../geometry/affine.js';
import { clipBetween } from '../../geometry/clip-between.js';
import { flatten } from '../../geometry/flatten.js';
import { Path } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import { expand, intersect, isEmpty, mapRect, type Rect, unite } from '../../geometry/rect.js';
import { rectangle } from '../../geometry/shapes.js';
import { strokePath } from '../../geometry/stroke/stroke.js';
import type { Fragment } from '../../layout/line.js';
import type { TextFont } from '../../layout/measure.js';
import type { PositionedLine } from '../../layout/text-box.js';
import type { Fill, FillArea } from '../../raster/fill.js';
import { NO_BOUNDS } from '../drawable.js';
import type { Frame } from '../frame.js';
import type { TextTarget } from './draw.js';
import { inkCrossings, type Stretch } from './ink-crossings.js';
import { type AreaOf, bySpan, type LinePlace, snapBaseline } from './line-paint.js';
import type { SpanStyle } from './spans.js';

/** A line of a decoration, in pixels of the layer. */
interface DecorationLine extends Stretch {
  readonly top: number;
  /** Thickness of at least 1. */
  readonly thickness: number;
}

/** Lines in one style that are painted as one shape. */
export interface DecorationLines {
  readonly style: StyledDecoration['style'];
  readonly fill: Fill;
  /** The area of a gradient that does not fill the layer's box. */
  readonly area?: FillArea | undefined;
  /** Whether they lie on the glyphs. */
  readonly isOver: boolean;
  readonly lines: readonly DecorationLine[];
}

/** The text under a decoration. */
export interface Decorated {
  readonly textDecoration: TextDecoration;
  /** Font of the element with the decoration, which has the thickness and the position. */
  readonly font: TextFont;
  /** A whole pixel. */
  readonly baseline: number;
  /** Stretches from left to right. Each has its own dashes or waves. */
  readonly stretches: readonly Stretch[];
  readonly fill: Fill;
  readonly area?: FillArea | undefined;
  /** Whether all lines lie under the glyphs and their strokes. */
  readonly isUnder: boolean;
  /** Finds the parts of the text that have ink between two heights, in pixels below the baseline. */
  readonly crossings?: (top: number, bottom: number) => readonly Stretch[];
}

/** Maximum waves, dots and dashes of a text, most of which takes a second; further lines are solid. */
export const MAX_PERIODS = 100_000;

/** The remaining number of waves, dots and dashes for all lines of a text. */
export class PeriodBudget {
  private remaining = MAX_PERIODS;

  /** Whether a line was refused. */
  get isExceeded(): boolean {
    return this.remaining < 0;
  }

  /** Charges the periods of lines; returns whether they may be drawn. */
  consume(periods: number): boolean {
    this.remaining -= periods;
    return !this.isExceeded;
  }
}

/** The lines of one decoration on one line of text: those under the glyphs, and those over them. */
export function decorationLines(decorated: Decorated, budget: PeriodBudget): DecorationLines[] {
  const { textDecoration, font, baseline, fill, area, isUnder } = decorated;
  const decorationStyle: StyledDecoration =
    typeof textDecoration === 'string' ? { line: textDecoration, style: 'solid' } : textDecoration;
  if (decorationStyle.line === 'none') return [];
  const metrics = decorationStyle.line.split(' ').map((name) => lineMetrics(name, decorationStyle, font));
  const isAffordable = budget.consume(
    metrics.reduce((sum, { thickness }) => sum + periodsOf(decorationStyle.style, thickness, decorated.stretches), 0),
  );
  const style = isAffordable ? decorationStyle.style : 'solid';
  const stretches = style === 'solid' || style === 'double' ? joined(decorated.stretches) : decorated.stretches;
  const under: DecorationLine[] = [];
  const over: DecorationLine[] = [];
  for (const { name, position, thickness } of metrics) {
    // as in Chromium, the waves of underlines begin lower
    const shift = style === 'wavy' && name === 'underline' ? thickness + 1 : 0;
    const top = Math.floor(baseline - position * font.size + 0.5) + shift;
    const lines = name === 'underline' || isUnder ? under : over;
    const skipped = name === 'underline' && decorationStyle.skipInk === 'auto' ? decorated.crossings : undefined;
    const gaps = skipped?.(top - baseline, top - baseline + Math.floor(thickness)) ?? [];
    for (const { left, right } of stretches.flatMap((stretch) => without(stretch, gaps, thickness))) {
      lines.push({ left, right, top, thickness });
    }
  }
  const paintable = (lines: readonly DecorationLine[], isOver: boolean): DecorationLines[] =>
    lines.length > 0 ? [{ style, fill: decorationStyle.color ?? fill, area, isOver, lines }] : [];
  return [...paintable(under, false), ...paintable(over, true)];
}

interface LineMetrics {
  readonly name: string;
  /** Height of its top above the baseline, in ems. */
  readonly position: number;
  readonly thickness: number;
}

/** The part of a font's size that lines are thick in browsers. */
const AUTO_THICKNESS = 0.1;

function lineMetrics(name: string, style: StyledDecoration, font: TextFont): LineMetrics {
  const { primary } = font.stack;
  const own = name === 'underline' ? primary.underline : primary.lineThrough;
  const isAuto = style.position === 'auto';
  const usual = isAuto ? AUTO_THICKNESS : own.thickness;
  const wanted = style.thickness === undefined ? usual * font.size : Math.round(style.thickness);
  const thickness = Math.max(1, wanted);
  if (!isAuto) return { name, position: own.position, thickness };
  // as in Blink: half of the line's thickness below the baseline, or through the middle of small letters
  const down = name === 'underline' ? (style.offset ?? Math.ceil(thickness / 2)) : undefined;
  const top = down ?? -(Math.round(primary.ascent * font.size) / 3 + thickness / 2);
  return { name, position: -top / font.size, thickness };
}

/** The most pixels that a line keeps away from the letters that cross it. */
const MAX_GAP = 13;

/** The parts of a stretch that letters leave. */
function without({ left, right }: Stretch, crossings: readonly Stretch[], thickness: number): Stretch[] {
  const gap = Math.min(thickness, MAX_GAP);
  let parts: Stretch[] = [{ left, right }];
  for (const crossing of crossings) {
    const from = crossing.left - gap;
    const to = crossing.right + gap;
    parts = parts.flatMap((part) =>
      to <= part.left || from >= part.right
        ? [part]
        : [
            { left: part.left, right: from },
            { left: to, right: part.right },
          ].filter((each) => each.right > each.left),
    );
  }
  return parts;
}

/** The waves, dots or dashes along the stretches, at most. */
function periodsOf(style: StyledDecoration['style'], thickness: number, stretches: readonly Stretch[]): number {
  if (style === 'solid' || style === 'double') return 0;
  const period = style === 'wavy' ? waveOf(thickness).length : 2 * Math.round(thickness);
  return stretches.reduce((sum, { left, right }) => sum + 1 + Math.ceil((right - left) / period), 0);
}

/** Largest distance in pixels between stretches that count as adjoining. */
const NEXT_TO = 1e-3;

/** Neighbouring stretches as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const { left, right } of stretches) {
    const last = out.at(-1);
    if (last && left - last.right < NEXT_TO) out[out.length - 1] = { left: last.left, right };
    else out.push({ left, right });
  }
  return out;
}

/** Returns the decorations of a line: the layer's, and on it those of its spans. `font` is the layer's font. */
export function lineDecorations(
  line: PositionedLine,
  layer: TextLayer,
  styles: readonly Pick<SpanStyle, 'decorations'>[],
  font: TextFont,
  place: LinePlace,
  budget: PeriodBudget,
  areaOf: AreaOf = () => undefined,
): DecorationLines[] {
  const left = place.origin.left + line.x;
  const stretchOf = ({ x, width }: Fragment): Stretch => ({ left: left + x, right: left + x + width });
  const isPlain = !layer.spans && !layer.markup && typeof layer.textDecoration === 'string';
  const own: Decorated = {
    textDecoration: layer.textDecoration,
    font,
    baseline: snapBaseline(place, line.baseline),
    stretches: line.fragments.map(stretchOf),
    fill: layer.color,
    isUnder: isPlain,
    crossings: (top, bottom) => inkCrossings(line, line.fragments, left, top, bottom),
  };
  const all = decorationLines(own, budget);
  const decorated = line.fragments.filter(({ span }) => styles[span].decorations.length > 0);
  // in the order of the spans, which is another one from left to right
  const ofSpans = Array.from(bySpan(decorated)).sort(([one], [other]) => one.span - other.span);
  for (const decoration of ofSpans) {
    const [{ span, font, raise }] = decoration;
    const baseline = snapBaseline(place, line.baseline - raise);
    const stretches = decoration.map(stretchOf);
    const area = areaOf(line, decoration[0]);
    for (const { textDecoration, color: fill } of styles[span].decorations) {
      const crossings = (top: number, bottom: number) => inkCrossings(line, decoration, left, top, bottom);
      const decorated = { textDecoration, font, baseline, stretches, fill, area, isUnder: false, crossings };
      all.push(...decorationLines(decorated, budget));
    }
  }
  return all;
}

/** Bounds the pixels that the lines reach on the canvas. */
export function decorationBounds({ style, lines }: DecorationLines, { toCanvas }: Frame): Rect {
  return lines.reduce((all, line) => {
    const { left, right, top, thickness } = line;
    const reach = style === 'wavy' ? waveOf(thickness).reach : thickness;
    const reached = { left, right, top: top - reach, bottom: top + 1 + reach };
    return unite(all, mapRect(style === 'double' ? { ...reached, bottom: secondOf(line).bottom } : reached, toCanvas));
  }, NO_BOUNDS);
}

export function drawDecoration({ target, frame, opacity }: TextTarget, decoration: DecorationLines): void {
  const { style, fill, area = frame, lines } = decoration;
  const { toCanvas } = frame;
  if (isEmpty(intersect(decorationBounds(decoration, frame), target.bounds))) return;
  const polygon = new Polygon();
  for (const line of lines) {
    if (style === 'wavy') addWave(line, toCanvas, target.bounds, polygon);
    else if (style === 'dotted' || style === 'dashed') addDashes(style, line, toCanvas, target.bounds, polygon);
    else flatten(rectangle(solidOf(line)), toCanvas, polygon);
    if (style === 'double') flatten(rectangle(secondOf(line)), toCanvas, polygon);
  }
  target.fillPolygon(polygon, { fill, area, opacity });
}

function solidOf({ left, right, top, thickness }: DecorationLine): Rect {
  return { left, top, right, bottom: top + Math.floor(thickness) };
}

/** The second line of two: its top is a thickness and a pixel below that of the first. */
function secondOf(line: DecorationLine): Rect {
  return solidOf({ ...line, top: Math.floor(line.top + line.thickness + 1.5) });
}

/** Dotted lines have round dots above this thickness. */
const MAX_SQUARE_DOT = 3;
/** Added to the distance of round dots, so that rounding does not drop the last one. */
const DOT_SLACK = 0.01;

/** Dots and dashes as of browsers' borders: between whole pixels, with gaps that let the line end in a dash. */
function addDashes(
  style: 'dotted' | 'dashed',
  line: DecorationLine,
  toCanvas: Affine,
  visible: Rect,
  out: Polygon,
): void {
  const width = Math.round(line.thickness);
  const y = Math.floor(line.top + line.thickness / 2) + (width % 2) / 2;
  const left = Math.trunc(line.left);
  const right = Math.trunc(line.right);
  const isRound = style === 'dotted' && width > MAX_SQUARE_DOT;
  const inset = isRound ? width / 2 : 0;
  const path = new Path();
  path.moveTo(left + inset, y);
  path.lineTo(right - inset, y);
  const dash = isRound ? roundDots(right - left, width) : dashesOf(style, right - left, width);
  strokePath(path, toCanvas, { width, dash, cap: isRound ? 'round' : 'butt' }, out, visible);
}

function roundDots(length: number, width: number): number[] {
  if (length < 2 * width) return [0, 2 * width];
  return [0, fittingGap(length, width, width) + width - DOT_SLACK];
}

function dashesOf(style: 'dotted' | 'dashed', length: number, width: number): number[] {
  const isThick = width >= 3;
  const dash = style === 'dotted' ? width : width * (isThick ? 2 : 3);
  const gap = style === 'dotted' ? width : width * (isThick ? 1 : 2);
  if (length <= 2 * dash) return [];
  if (length <= 2 * dash + gap) {
    const scale = length / (2 * dash + gap);
    return [dash * scale, gap * scale];
  }
  return [dash, style === 'dotted' ? gap : fittingGap(length, dash, gap)];
}

/** The gap nearest to `gap` at which a whole number of dashes fills the length. */
function fittingGap(length: number, dash: number, gap: number): number {
  const fewer = Math.floor((length + gap) / (dash + gap));
  const gapOfFewer = (length - fewer * dash) / (fewer - 1);
  const gapOfMore = (length - (fewer + 1) * dash) / fewer;
  const isFewer = gapOfMore <= 0 || Math.abs(gapOfFewer - gap) < Math.abs(gapOfMore - gap);
  return isFewer ? gapOfFewer : gapOfMore;
}

/** Returns a wave whose period is a cubic curve with two control points, one above and one below its middle. */
function waveOf(thickness: number): { length: number; control: number; reach: number } {
  const control = 0.5 + Math.round(3 * thickness + 0.5);
  // the curve reaches less than a third of its control points' distance
  return { length: 1 + 2 * Math.round(2 * thickness + 0.5), control, reach: control / 3 + thickness };
}

/** A wave about the middle of the line's first pixels, cut off at its ends. Its period begins between two pixels. */
function addWave({ left, right, top, thickness }: DecorationLine, toCanvas: Affine, visible: Rect, out: Polygon): void {
  const start = Math.floor(left + 0.5);
  const y = Math.floor(top + 0.5) + 0.5;
  const { length, control, reach } = waveOf(thickness);
  const back = invert(toCanvas);
  if (!back) return;
  const seen = expand(mapRect(visible, back), reach);
  const from = Math.floor((Math.max(left, seen.left) - start) / length) - 1;
  const to = Math.ceil((Math.min(right, seen.right) - start) / length) + 1;
  const path = new Path();
  path.moveTo(start + from * length, y);
  for (let i = from; i < to; i++) {
    const x = start + i * length;
    path.cubicTo(x + length / 2, y + control, x + length / 2, y - control, x + length, y);
  }
  const wave = new Polygon();
  strokePath(path, toCanvas, { width: thickness }, wave, visible);
  clipBetween(wave, toCanvas, left, right, out);
}
