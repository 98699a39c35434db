// Places of the caret in the text of a picture: where it goes by pointer and keys, and what a selection covers. Lengths are in
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

/** Pixels between places that are one: the rounding of sums. */
const SAME_PLACE = 1e-3;
/** The width of a line end that is selected, as a part of the line's height. */
const LINE_END_WIDTH = 0.2;

/** A stop among several of one offset: as `before` if it is there, else the last line's that follows the character before. */
export function stopAt({ stops }: Carets, offset: number, before?: CaretStop): CaretStop | undefined {
  let known = -1;
  for (const stop of stops) if (stop.offset <= offset && stop.offset > known) known = stop.offset;
  // a text that is cut has no stops at its end, a line that is cut none at its start
  const found = known < 0 ? stops.slice(0, 1) : stops.filter((stop) => stop.offset === known);
  const isSame = (stop: CaretStop) => stop.line === before?.line && stop.direction === before.direction;
  return found.find(isSame) ?? found.find(({ line }) => line === found.at(-1)!.line);
}

const stopsOf = ({ stops }: Carets, line: number): CaretStop[] => stops.filter((stop) => stop.line === line);

/** The stop of a line that is nearest to an x. */
function nearest(stops: readonly CaretStop[], x: number): CaretStop | undefined {
  let best: CaretStop | undefined;
  for (const stop of stops) if (!best || Math.abs(stop.x - x) < Math.abs(best.x - x)) best = stop;
  return best;
}

/** The stop that a point means: on the line at its height, else the first or the last. */
export function stopNear(carets: Carets, { x, y }: Point): CaretStop | undefined {
  const below = carets.lines.findIndex((line) => y < line.y + line.height);
  return nearest(stopsOf(carets, below < 0 ? carets.lines.length - 1 : below), x);
}

/** The next place to the left or right, as it is seen; over the end of a line to the line that is read before or after it. */
export function stopBeside(carets: Carets, from: CaretStop, direction: -1 | 1): CaretStop {
  const beyond = stopsOf(carets, from.line).filter(({ x }) => direction * (x - from.x) > SAME_PLACE);
  const next = nearest(beyond, from.x);
  if (next) {
    const here = beyond.filter(({ x }) => Math.abs(x - next.x) <= SAME_PLACE);
    const found = here.find((stop) => stop.direction === from.direction) ?? next;
    // where a line wraps, the caret is before what follows
    return carets.stops.find(({ offset, line }) => offset === found.offset && line === found.line + 1) ?? found;
  }
  const isForward = direction > 0 === (carets.lines[from.line]?.direction !== 'rtl');
  const line = from.line + (isForward ? 1 : -1);
  const inward = isForward === (carets.lines[line]?.direction !== 'rtl') ? 1 : -1;
  const edge = nearest(stopsOf(carets, line), -inward * FAR);
  if (!edge) return from;
  return edge.offset === from.offset ? stopBeside(carets, edge, inward) : edge;
}

/** Beyond every text. */
const FAR = Number.MAX_SAFE_INTEGER;

/** The place on the line above or below that is nearest to `x`; the text's start or end beyond the first and last. */
export function stopInLine(carets: Carets, from: CaretStop, direction: -1 | 1, x: number): CaretStop {
  const edge = direction < 0 ? carets.stops[0] : carets.stops.at(-1);
  return nearest(stopsOf(carets, from.line + direction), x) ?? edge ?? from;
}

/** The start or end of the line. */
export function lineEdge(carets: Carets, from: CaretStop, direction: -1 | 1): CaretStop {
  const stops = stopsOf(carets, from.line);
  return (direction < 0 ? stops[0] : stops.at(-1)) ?? from;
}

/** The end of a selection that is further to the left or right. */
export function sideOf(carets: Carets, start: CaretStop, end: CaretStop, direction: -1 | 1): CaretStop {
  const isReversed = start.line === end.line ? start.x > end.x : carets.lines[start.line]?.direction === 'rtl';
  return direction < 0 === isReversed ? end : start;
}

/** What the text from one offset to another covers: several areas of a line where directions mix. */
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
      // a line end that is selected too
      const { height, direction } = lines[stop.line]!;
      const width = height * LINE_END_WIDTH * (direction === 'rtl' ? -1 : 1);
      add(stop.line, Math.min(stop.x, stop.x + width), Math.max(stop.x, stop.x + width));
    }
  }
  return areas;
}
