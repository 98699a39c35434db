// Caret positions in the text of a picture: moving the caret by pointer and keys, and the areas of a selection. Lengths are in
// the coordinates of the layer's box.

import type { TextCarets } from '../../engine/messages.js';
import type { Point } from '../geometry/frames.js';

export type Carets = Pick<TextCarets, 'text' | 'lines' | 'stops'>;
export type CaretStop = TextCarets['stops'][number];

/** A rectangle of the selection. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Places within this many pixels are equal: sums are rounded. */
const SAME_PLACE = 1e-3;
/** Width of a selected line end as a share of the line's height. */
const LINE_END_WIDTH = 0.2;

/**
 * Finds the caret stop of an offset. If there are several, returns the one like `before`, else the last line's stop that
 * follows the character before.
 */
export function stopAt({ stops }: Carets, offset: number, before?: CaretStop): CaretStop | undefined {
  let known = -1;
  for (const stop of stops) if (stop.offset <= offset && stop.offset > known) known = stop.offset;
  // a truncated text has no stops at its end, a truncated line none at its start
  const found = known < 0 ? stops.slice(0, 1) : stops.filter((stop) => stop.offset === known);
  const isSame = (stop: CaretStop) => stop.line === before?.line && stop.direction === before.direction;
  return found.find(isSame) ?? found.find(({ line }) => line === found.at(-1)!.line);
}

const stopsOf = ({ stops }: Carets, line: number): CaretStop[] => stops.filter((stop) => stop.line === line);

/** Finds the stop of a line that is nearest to `x`. */
function nearest(stops: readonly CaretStop[], x: number): CaretStop | undefined {
  let best: CaretStop | undefined;
  for (const stop of stops) if (!best || Math.abs(stop.x - x) < Math.abs(best.x - x)) best = stop;
  return best;
}

/** Finds the stop for a point: on the line at its height, else on the first or last line. */
export function stopNear(carets: Carets, { x, y }: Point): CaretStop | undefined {
  const below = carets.lines.findIndex((line) => y < line.y + line.height);
  return nearest(stopsOf(carets, below < 0 ? carets.lines.length - 1 : below), x);
}

/** Finds the next stop to the left or right on screen; beyond a line's end, on the line that is read before or after it. */
export function stopBeside(carets: Carets, from: CaretStop, direction: -1 | 1): CaretStop {
  const beyond = stopsOf(carets, from.line).filter(({ x }) => direction * (x - from.x) > SAME_PLACE);
  const next = nearest(beyond, from.x);
  if (next) {
    const here = beyond.filter(({ x }) => Math.abs(x - next.x) <= SAME_PLACE);
    const found = here.find((stop) => stop.direction === from.direction) ?? next;
    // at a line wrap, the caret is before the text that follows
    return carets.stops.find(({ offset, line }) => offset === found.offset && line === found.line + 1) ?? found;
  }
  const isForward = direction > 0 === (carets.lines[from.line]?.direction !== 'rtl');
  const line = from.line + (isForward ? 1 : -1);
  const inward = isForward === (carets.lines[line]?.direction !== 'rtl') ? 1 : -1;
  const edge = nearest(stopsOf(carets, line), -inward * FAR);
  if (!edge) return from;
  return edge.offset === from.offset ? stopBeside(carets, edge, inward) : edge;
}

/** Farther than any text reaches. */
const FAR = Number.MAX_SAFE_INTEGER;

/**
 * Finds the stop on the line above or below that is nearest to `x`; beyond the first and last line, the text's start or end.
 */
export function stopInLine(carets: Carets, from: CaretStop, direction: -1 | 1, x: number): CaretStop {
  const edge = direction < 0 ? carets.stops[0] : carets.stops.at(-1);
  return nearest(stopsOf(carets, from.line + direction), x) ?? edge ?? from;
}

/** Finds the start or end of the line. */
export function lineEdge(carets: Carets, from: CaretStop, direction: -1 | 1): CaretStop {
  const stops = stopsOf(carets, from.line);
  return (direction < 0 ? stops[0] : stops.at(-1)) ?? from;
}

/** Returns the end of a selection that is further to the left or right. */
export function sideOf(carets: Carets, start: CaretStop, end: CaretStop, direction: -1 | 1): CaretStop {
  const isReversed = start.line === end.line ? start.x > end.x : carets.lines[start.line]?.direction === 'rtl';
  return direction < 0 === isReversed ? end : start;
}

/** Returns the areas of the text between two offsets; a line with mixed directions may have several. */
export function selectedAreas({ lines, stops, text }: Carets, from: number, to: number): Area[] {
  const areas: Area[] = [];
  const add = (line: number, left: number, right: number) => {
    const { y, height } = lines[line]!;
    const last = areas.at(-1);
    if (last?.y === y && Math.abs(last.x + last.width - left) <= SAME_PLACE) {
      areas[areas.length - 1] = { ...last, width: right - last.x };
    } else if (last?.y === y && Math.abs(last.x - right) <= SAME_PLACE) {
      areas[areas.length - 1] = { ...last, x: left, width: last.x + last.width - left };
    } else areas.push({ x: left, y, width: right - left, height });
  };
  for (const [i, stop] of stops.entries()) {
    const next = stops[i + 1];
    if (next?.line === stop.line) {
      const isCovered = next.offset > stop.offset && stop.offset >= from && next.offset <= to;
      if (isCovered) add(stop.line, Math.min(stop.x, next.x), Math.max(stop.x, next.x));
    } else if (next && stop.offset >= from && next.offset <= to && stop.offset < next.offset && text !== '') {
      // a selected line end has an area too
      const { height, direction } = lines[stop.line]!;
      const width = height * LINE_END_WIDTH * (direction === 'rtl' ? -1 : 1);
      add(stop.line, Math.min(stop.x, stop.x + width), Math.max(stop.x, stop.x + width));
    }
  }
  return areas;
}
