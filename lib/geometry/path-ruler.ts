// Measures distances along a path, contour after contour, as browsers do to place text on it.
import { IDENTITY } from './affine.js';
import { hypot } from './math.js';
import type { PathData } from './path.js';
import { centreLines } from './stroke/centre-line.js';

/** A point of a path, and the unit vector of the path's direction there. */
export interface PathPoint {
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
}

/** The radius, in pixels, of a stroke whose chords turn so little that their directions are those of the curve. */
const FINE_RADIUS = 1000;

/** The maximum number of chords, unless the path has as many curves: each takes 200 bytes. */
export const MAX_RULER_CHORDS = 100_000;

interface Chord extends PathPoint {
  /** The distances along the path at its ends. */
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** Whether the path is smooth at its end: the direction changes gradually to that of the next chord. */
  readonly isSmooth: boolean;
}

export class PathRuler {
  readonly length: number;
  private readonly chords: readonly Chord[];

  constructor(path: PathData) {
    const chords: Chord[] = [];
    let at = 0;
    for (const { points, lengths, isCorner, isClosed, count } of centreLines(
      path,
      IDENTITY,
      FINE_RADIUS,
      false,
      MAX_RULER_CHORDS,
    )) {
      for (let i = 0; i < (isClosed ? count : count - 1); i++) {
        const next = (i + 1) % count;
        const dx = points[2 * next] - points[2 * i];
        const dy = points[2 * next + 1] - points[2 * i + 1];
        const length = hypot(dx, dy);
        const to = at + lengths[next];
        const [x, y] = [points[2 * i], points[2 * i + 1]];
        chords.push({ x, y, ux: dx / length, uy: dy / length, from: at, to, length, isSmooth: !isCorner[next] });
        at = to;
      }
    }
    this.chords = chords;
    this.length = at;
  }

  /** The point at a distance from the path's start; undefined beyond its ends. */
  at(distance: number): PathPoint | undefined {
    const { chords } = this;
    if (!(distance >= 0 && distance <= this.length) || chords.length === 0) return undefined;
    let low = 0;
    let high = chords.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chords[middle].to < distance) low = middle + 1;
      else high = middle;
    }
    const { x, y, ux, uy, from, to, length, isSmooth } = chords[low];
    const part = to > from ? (distance - from) / (to - from) : 0;
    const point = { x: x + ux * length * part, y: y + uy * length * part };
    // the curve has the chord's direction in its middle
    const neighbour = part > 0.5 ? isSmooth && chords[low + 1] : low > 0 && chords[low - 1].isSmooth && chords[low - 1];
    if (!neighbour) return { ...point, ux, uy };
    const weight = Math.abs(part - 0.5);
    const vx = ux + (neighbour.ux - ux) * weight;
    const vy = uy + (neighbour.uy - uy) * weight;
    const size = hypot(vx, vy);
    return { ...point, ux: vx / size, uy: vy / size };
  }
}
