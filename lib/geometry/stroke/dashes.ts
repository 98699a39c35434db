// Cuts a centre line into dashes, as SVG's stroke-dasharray does.
import type { Rect } from '../rect.js';
import { CentreLine } from './centre-line.js';

export interface DashPattern {
  /** Lengths of dashes and gaps in turn, an even number of them; their sum is above 0. */
  readonly lengths: readonly number[];
  readonly sum: number;
  readonly offset: number;
}

/** The pattern of a dash array; undefined for one without dashes or gaps, which is a solid line. */
export function dashPattern(dash: readonly number[], offset: number): DashPattern | undefined {
  const lengths = dash.length % 2 === 0 ? dash : [...dash, ...dash];
  const sum = lengths.reduce((total, length) => total + length, 0);
  return sum > 0 ? { lengths, sum, offset } : undefined;
}

/** A dash that would begin this close to the line's end, in pixels, is not drawn. */
const END_DISTANCE = 1e-6;

/**
 * The dashes of `line`; undefined when there would be more than `max`. On a closed line, a dash at the end joins the
 * first one. Dashes outside of `visible` may be left out.
 */
export function dashes(
  line: CentreLine,
  pattern: DashPattern,
  max: number,
  visible: Rect | undefined,
): CentreLine[] | undefined {
  const { points, isCorner, lengths: measured, count } = line;
  const { lengths, sum } = pattern;
  const out: CentreLine[] = [];
  // the pattern starts in its piece `index`, of which `left` is still to come; even pieces are dashes
  let left = ((pattern.offset % sum) + sum) % sum;
  let index = 0;
  while (left > 0 && left >= lengths[index]) {
    left -= lengths[index];
    index = (index + 1) % lengths.length;
  }
  left = lengths[index] - left;
  const startsWithDash = index % 2 === 0;
  let current: CentreLine | undefined;
  /** The dash that reaches the line's end. */
  let final: CentreLine | undefined;
  const segments = line.isClosed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const next = (i + 1) % count;
    const x = points[2 * i];
    const y = points[2 * i + 1];
    const toX = points[2 * next];
    const toY = points[2 * next + 1];
    const length = Math.max(1e-9, measured[next]);
    const ux = (toX - x) / length;
    const uy = (toY - y) / length;
    const begin = (at: number) => {
      current = new CentreLine();
      current.add(x + ux * at, y + uy * at, true);
      out.push(current);
    };
    const seen = visible && length > 2 * sum ? visibleRange(x, y, ux, uy, length, visible) : undefined;
    const isLast = i === segments - 1;
    let at = 0;
    if (i === 0 && startsWithDash) begin(0);
    while (left <= length - at) {
      at += left;
      if (index % 2 === 0) current?.add(x + ux * at, y + uy * at, true);
      if (isLast && at > length - END_DISTANCE) final = current;
      current = undefined;
      index = (index + 1) % lengths.length;
      left = lengths[index];
      if (index === 0 && seen) {
        const hiddenUntil = at < seen.from ? seen.from : at > seen.to ? length : at;
        at += Math.max(0, Math.floor((hiddenUntil - at) / sum) - 1) * sum;
      }
      if (isLast && at > length - END_DISTANCE) break;
      if (out.length === max) return undefined;
      if (index % 2 === 0) begin(at);
    }
    left -= length - at;
    current?.add(toX, toY, isCorner[next]);
  }
  final ??= current;
  if (!line.isClosed || !startsWithDash || !final) return out;
  if (final === out[0]) return [line];
  continueAs(final, out.shift()!);
  return out;
}

/** Appends `first`, which begins where `last` ends. */
function continueAs(last: CentreLine, first: CentreLine): void {
  for (let i = 0; i < first.count; i++) last.add(first.points[2 * i], first.points[2 * i + 1], first.isCorner[i]);
}

/** The part of a segment, by the distances from its start, that may be inside `rect`. */
function visibleRange(
  x: number,
  y: number,
  ux: number,
  uy: number,
  length: number,
  rect: Rect,
): { from: number; to: number } {
  let from = 0;
  let to = length;
  const clip = (start: number, direction: number, low: number, high: number) => {
    if (Math.abs(direction) < 1e-9) {
      if (start < low || start > high) from = length;
      return;
    }
    const p = (low - start) / direction;
    const q = (high - start) / direction;
    from = Math.max(from, Math.min(p, q));
    to = Math.min(to, Math.max(p, q));
  };
  clip(x, ux, rect.left, rect.right);
  clip(y, uy, rect.top, rect.bottom);
  return from > to ? { from: length, to: length } : { from, to };
}
