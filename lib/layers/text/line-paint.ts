// Converts a positioned line of text to what is painted of it on the canvas.
import type { Rect } from '../../geometry/rect.js';
import { unite } from '../../geometry/rect.js';
import type { Fragment } from '../../layout/line.js';
import type { PositionedLine } from '../../layout/text-box.js';
import type { FillArea } from '../../raster/fill.js';
import { NO_BOUNDS } from '../drawable.js';
import type { Frame } from '../frame.js';
import { type InkStyle, type PaintableSpan, type PointBudget, polygonsOf, SpanInk, spanBounds } from './span-ink.js';

/** The place of a text's lines. */
export interface LinePlace {
  readonly frame: Frame;
  /** The box as laid out, before rotation. */
  readonly origin: Rect;
  readonly budget: PointBudget;
}

/** The area of a fragment's gradients on a line; undefined if that is the layer's box. */
export type AreaOf = (line: PositionedLine, fragment: Fragment) => FillArea | undefined;

/** Collects the ink of each span in the line. `styles` are the spans' styles. */
export function paintableSpans(
  line: PositionedLine,
  styles: readonly InkStyle[],
  place: LinePlace,
  areaOf: AreaOf = () => undefined,
): PaintableSpan[] {
  return Array.from(bySpan(line.fragments), (own) => {
    return { ...paintableSpan(line, own, styles[own[0].span], place), area: areaOf(line, own[0]) };
  });
}

/** The fragments of each span. Most lines show one span. */
export function bySpan(fragments: readonly Fragment[]): Iterable<readonly Fragment[]> {
  if (fragments.every(({ span }) => span === fragments[0].span)) return fragments.length === 0 ? [] : [fragments];
  const lists = new Map<number, Fragment[]>();
  for (const fragment of fragments) {
    const own = lists.get(fragment.span);
    if (own) own.push(fragment);
    else lists.set(fragment.span, [fragment]);
  }
  return lists.values();
}

/** Baselines of frames that snap are whole pixels of their space, rotated ones to whole pixels of the layer. `y`: from the origin down. */
export function snapBaseline({ frame, origin }: Pick<LinePlace, 'frame' | 'origin'>, y: number): number {
  return frame.snaps ? Math.floor(origin.top + y + 0.5) : origin.top + Math.floor(y + 0.5);
}

/** Collects the ink of one span in the line from its `fragments`, at least one. */
function paintableSpan(
  line: PositionedLine,
  fragments: readonly Fragment[],
  style: InkStyle,
  place: LinePlace,
): PaintableSpan {
  const [{ font, raise }] = fragments;
  const baseline = snapBaseline(place, line.baseline - raise);
  const left = place.origin.left + line.x;
  const ink = new SpanInk(font, style, place.frame, place.budget);
  for (const { glyphs } of fragments) {
    for (const glyph of glyphs) ink.add(glyph, left + glyph.x, baseline - glyph.y);
  }
  return ink.finish(line.wrapped);
}

/** The bounds of the spans' ink; empty when they have none. */
export function inkBounds(spans: readonly PaintableSpan[]): Rect {
  return spans.reduce((all, span) => unite(all, spanBounds(span)), NO_BOUNDS);
}

/** Counts the painted parts that may overlap one another. */
export function partsOf(spans: readonly PaintableSpan[]): number {
  let sum = 0;
  for (const span of spans) {
    sum += polygonsOf(span).length + (span.masks.length > 0 ? 1 : 0);
    for (const { isLayered } of span.colored) sum += isLayered ? 2 : 1;
  }
  return sum;
}
