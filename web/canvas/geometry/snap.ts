// Snapping: a layer that is moved or resized stops at edges and centres of the canvas and of layers, at guides, and where the
// gaps to its neighbours become equal. All lengths are pixels of the canvas.
import type { Rect } from '../../../lib/geometry/rect.js';
import type { Axis } from './align.js';
import type { Point } from './frames.js';

export interface SnapTargets {
  /** The canvas and the layers that don't move. */
  readonly rects: readonly Rect[];
  /** Guides across the whole canvas. */
  readonly guides: { readonly x: readonly number[]; readonly y: readonly number[] };
}

/** A line across `axis` at `at`. */
export interface SnapLine {
  readonly axis: Axis;
  readonly at: number;
  /** Ends of the line along the other axis. */
  readonly from: number;
  readonly to: number;
}

/** A distance along `axis`, to be shown at `at` on the other axis. */
export interface Gap {
  readonly axis: Axis;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

export interface Snapped {
  /** Correction to add to the distance of the move. */
  readonly by: Point;
  readonly isSnapped: { readonly x: boolean; readonly y: boolean };
  readonly lines: readonly SnapLine[];
  readonly gaps: readonly Gap[];
}

/** The extent of a rectangle along one axis, and on the other. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

const spanOf = ({ left, top, right, bottom }: Rect, axis: Axis): Span =>
  axis === 'x'
    ? { start: left, end: right, from: top, to: bottom }
    : { start: top, end: bottom, from: left, to: right };

const placesOf = ({ start, end }: Span): readonly number[] => [start, (start + end) / 2, end];

/** Places that differ by less count as equal. */
const SAME = 0.01;

/** Snaps a moved rectangle to targets within `within` pixels. */
export function snapMove(moved: Rect, targets: SnapTargets, within: number): Snapped {
  const [x, y] = (['x', 'y'] as const).map((axis) => snapSpan(moved, targets, axis, within, placesOf));
  return shownAt(moved, targets, { x: x!.by, y: y!.by }, { x: x!.isSnapped, y: y!.isSnapped }, [
    ...x!.gapsOf,
    ...y!.gapsOf,
  ]);
}

/**
 * Snaps the sides of a rectangle that a handle moves: −1 stands for the left or upper side, 1 for the right or lower, 0 for
 * neither.
 */
export function snapSides(resized: Rect, handle: Point, targets: SnapTargets, within: number): Snapped {
  const [x, y] = (['x', 'y'] as const).map((axis) => {
    if (handle[axis] === 0) return { by: 0, isSnapped: false };
    return snapSpan(resized, { ...targets }, axis, within, ({ start, end }) => [handle[axis] < 0 ? start : end], false);
  });
  const by = { x: x!.by, y: y!.by };
  const after = {
    left: resized.left + (handle.x < 0 ? by.x : 0),
    right: resized.right + (handle.x > 0 ? by.x : 0),
    top: resized.top + (handle.y < 0 ? by.y : 0),
    bottom: resized.bottom + (handle.y > 0 ? by.y : 0),
  };
  const isSnapped = { x: x!.isSnapped, y: y!.isSnapped };
  const lines = linesAt(after, targets, isSnapped, (span, axis) => [handle[axis] < 0 ? span.start : span.end]);
  return { by, isSnapped, lines, gaps: [] };
}

function snapSpan(
  rect: Rect,
  { rects, guides }: SnapTargets,
  axis: Axis,
  within: number,
  places: (span: Span) => readonly number[],
  canEqualGaps = true,
) {
  const span = spanOf(rect, axis);
  let best = Number.POSITIVE_INFINITY;
  const offer = (by: number) => {
    if (Math.abs(by) <= within && Math.abs(by) < Math.abs(best)) best = by;
  };
  for (const place of places(span)) {
    for (const guide of guides[axis]) offer(guide - place);
    for (const each of rects) for (const target of placesOf(spanOf(each, axis))) offer(target - place);
  }
  let gapsOf: readonly ((moved: Rect) => Gap)[] = [];
  if (canEqualGaps) {
    for (const { by, gaps } of equalGaps(span, rects, axis)) {
      // an equally near edge comes first, but its equal gaps are shown too
      if (Math.abs(by) > within || Math.abs(by) > Math.abs(best) + SAME) continue;
      if (Math.abs(by - best) > SAME && Math.abs(by) >= Math.abs(best)) continue;
      best = by;
      gapsOf = gaps;
    }
  }
  const isSnapped = Number.isFinite(best);
  return { by: isSnapped ? best : 0, isSnapped, gapsOf };
}

/** Finds places with equal gaps: in the middle between two neighbours, or as far from one as it is from the next. */
function equalGaps(span: Span, rects: readonly Rect[], axis: Axis) {
  const beside = rects
    .map((rect) => spanOf(rect, axis))
    // a rectangle around the span is no neighbour
    .filter(({ from, to, start, end }) => from < span.to && to > span.from && !(start <= span.start && end >= span.end))
    .sort((p, q) => p.start - q.start);
  const length = span.end - span.start;
  const offers: { by: number; gaps: readonly ((moved: Rect) => Gap)[] }[] = [];
  const between = (first: Span, second: Span): Gap => ({
    axis,
    from: first.end,
    to: second.start,
    at: (Math.max(first.from, second.from) + Math.min(first.to, second.to)) / 2,
  });
  const middle = (span.start + span.end) / 2;
  const before = beside.findLast(({ end, start }) => end <= middle && start < span.start);
  const after = beside.find(({ start, end }) => start >= middle && end > span.end);
  if (before && after && after.start - before.end >= length) {
    const start = (before.end + after.start - length) / 2;
    offers.push({
      by: start - span.start,
      gaps: [(moved) => between(before, spanOf(moved, axis)), (moved) => between(spanOf(moved, axis), after)],
    });
  }
  beside.forEach((first, i) => {
    const second = beside.slice(i + 1).find(({ start }) => start >= first.end);
    if (!second || Math.min(first.to, second.to) <= Math.max(first.from, second.from)) return;
    const gap = second.start - first.end;
    if (gap <= 0) return;
    const known = () => between(first, second);
    offers.push(
      { by: second.end + gap - span.start, gaps: [known, (moved) => between(second, spanOf(moved, axis))] },
      { by: first.start - gap - span.end, gaps: [(moved) => between(spanOf(moved, axis), first), known] },
    );
  });
  return offers;
}

function shownAt(
  rect: Rect,
  targets: SnapTargets,
  by: Point,
  isSnapped: Snapped['isSnapped'],
  gapsOf: readonly ((moved: Rect) => Gap)[],
): Snapped {
  const moved = { left: rect.left + by.x, right: rect.right + by.x, top: rect.top + by.y, bottom: rect.bottom + by.y };
  const lines = linesAt(moved, targets, isSnapped, placesOf);
  return { by, isSnapped, lines, gaps: [...gapsOf.map((gap) => gap(moved)), ...distancesAt(moved, targets, lines)] };
}

/** Finds the lines through the edges and centres that the rectangle meets. */
function linesAt(
  rect: Rect,
  { rects, guides }: SnapTargets,
  isSnapped: Snapped['isSnapped'],
  places: (span: Span, axis: Axis) => readonly number[],
): SnapLine[] {
  const lines: SnapLine[] = [];
  for (const axis of ['x', 'y'] as const) {
    if (!isSnapped[axis]) continue;
    const span = spanOf(rect, axis);
    for (const at of places(span, axis)) {
      const met = rects
        .map((each) => spanOf(each, axis))
        .filter((each) => placesOf(each).some((place) => Math.abs(place - at) < SAME));
      const isAtGuide = guides[axis].some((guide) => Math.abs(guide - at) < SAME);
      if (met.length === 0 && !isAtGuide) continue;
      const from = Math.min(span.from, ...met.map((each) => each.from));
      const to = Math.max(span.to, ...met.map((each) => each.to));
      lines.push({ axis, at, from, to });
    }
  }
  return lines;
}

/** Finds the gaps to the nearest rectangles that a line leads to. */
function distancesAt(rect: Rect, { rects }: SnapTargets, lines: readonly SnapLine[]): Gap[] {
  const gaps: Gap[] = [];
  for (const axis of ['x', 'y'] as const) {
    const across = axis === 'x' ? 'y' : 'x';
    const line = lines.find((each) => each.axis === across);
    if (!line) continue;
    const span = spanOf(rect, axis);
    const met = rects
      .map((each) => spanOf(each, axis))
      .filter(({ from, to }) => [from, (from + to) / 2, to].some((place) => Math.abs(place - line.at) < SAME));
    const before = met.filter(({ end }) => end < span.start - SAME).sort((p, q) => q.end - p.end)[0];
    const after = met.filter(({ start }) => start > span.end + SAME).sort((p, q) => p.start - q.start)[0];
    if (before) gaps.push({ axis, from: before.end, to: span.start, at: line.at });
    if (after) gaps.push({ axis, from: span.end, to: after.start, at: line.at });
  }
  return gaps;
}
