// The line that a stroke follows: a path as chords, with its corners marked. Chords must be so short that not only they
// but also their offsets at the stroke's edges stay within TOLERANCE of the curve, so they turn by a limited angle.
import type { Affine } from '../affine.js';
import { MAX_PATH_CHORDS } from '../flatten.js';
import { acos, cos, hypot } from '../math.js';
import { COORDINATES, CUBIC, LINE, MOVE, type PathData, QUAD } from '../path.js';

/** The maximum distance of chords from curves, round joins and caps, in pixels. */
export const TOLERANCE = 0.03;
/** Halvings of a curve at most: 512 chords. Only cusps, and curves far larger than a canvas, need more. */
const MAX_DEPTH = 9;
/** Fewer of them when a path has so many curves that they would have more than `maxChords`. */
function maxDepth(curves: number, maxChords: number): number {
  let depth = MAX_DEPTH;
  while (depth > 0 && curves * 2 ** depth > maxChords) depth--;
  return depth;
}
/**
 * Largest distance in pixels of a chord from its curve for measuring. Dashes are measured along these coarse chords, as
 * browsers do (Skia's contour measure), so that they begin where a browser's do.
 */
const MEASURING_TOLERANCE = 0.5;
/** The smallest turn of a chord, in radians: some 600 make a circle, however wide the stroke. */
const MIN_TURN = 0.01;

/** The largest turn between chords, in radians, of an arc of that radius, when there are `arcs` of them. */
export function maxTurn(radius: number, arcs = 1): number {
  const minTurn = Math.max(MIN_TURN, Math.min(Math.PI / 4, (arcs * 2 * Math.PI) / MAX_PATH_CHORDS));
  return Math.max(minTurn, 2 * acos(Math.max(0, 1 - TOLERANCE / Math.max(radius, TOLERANCE))));
}

/** A contour. Consecutive points differ; a single point gets only caps. */
export class CentreLine {
  /** x, y pairs. */
  readonly points: number[] = [];
  /** Whether segments of the path meet at each point; the other points are inside a curve. */
  readonly isCorner: boolean[] = [];
  /** The length of the segment before each point, as dashes measure it; that before the first point closes the line. */
  readonly lengths: number[] = [];
  isClosed = false;

  get count(): number {
    return this.isCorner.length;
  }

  /** Adds a point. `length` is that of the segment to the point, as dashes measure it. */
  add(x: number, y: number, isCorner: boolean, length?: number): void {
    const { points } = this;
    const last = points.length - 2;
    if (last >= 0 && isSame(points[last], points[last + 1], x, y)) {
      // a curve may end where its last chord does
      if (isCorner) this.isCorner[this.isCorner.length - 1] = true;
      return;
    }
    this.lengths.push(length ?? (last < 0 ? 0 : hypot(x - points[last], y - points[last + 1])));
    points.push(x, y);
    this.isCorner.push(isCorner);
  }

  close(): void {
    const { points } = this;
    const last = points.length - 2;
    if (last > 0 && isSame(points[last], points[last + 1], points[0], points[1])) {
      points.length = last;
      this.isCorner.length--;
      this.lengths[0] = this.lengths.pop() ?? 0;
    } else this.lengths[0] = hypot(points[0] - points[last], points[1] - points[last + 1]);
    this.isClosed = this.count > 1;
  }
}

function isSame(x0: number, y0: number, x1: number, y1: number): boolean {
  return Math.abs(x0 - x1) < 1e-6 && Math.abs(y0 - y1) < 1e-6;
}

/**
 * The contours of `path`, mapped by `map`, for a stroke of that radius. A moveto without a segment has none. `hasConics`:
 * whether dashes measure curves as those of a browser's ellipses and rounded rectangles, which are conics.
 */
export function centreLines(
  path: PathData,
  map: Affine,
  radius: number,
  hasConics: boolean,
  maxChords = MAX_PATH_CHORDS,
): CentreLine[] {
  const { verbs, coords } = path;
  const { a, b, c, d, e, f } = map;
  const lines: CentreLine[] = [];
  const flattener = new Flattener(maxTurn(radius), maxDepth(verbs.length, maxChords), hasConics);
  let line: CentreLine | undefined;
  let startX = 0;
  let startY = 0;
  let x = 0;
  let y = 0;
  let at = 0;
  const begin = () => {
    const begun = new CentreLine();
    begun.add(x, y, true);
    lines.push(begun);
    return begun;
  };
  for (let i = 0; i < verbs.length; i++) {
    const verb = verbs[i];
    const mappedX = (k: number) => a * coords[k] + c * coords[k + 1] + e;
    const mappedY = (k: number) => b * coords[k] + d * coords[k + 1] + f;
    const last = at + COORDINATES[verb] - 2;
    if (verb === MOVE) {
      startX = mappedX(at);
      startY = mappedY(at);
      line = undefined;
    } else {
      line ??= begin();
      if (verb === LINE) line.add(mappedX(at), mappedY(at), true);
      else if (verb === QUAD) {
        const cx = mappedX(at);
        const cy = mappedY(at);
        const endX = mappedX(last);
        const endY = mappedY(last);
        // the cubic of the same shape
        flattener.cubic(
          line,
          x,
          y,
          x + (2 / 3) * (cx - x),
          y + (2 / 3) * (cy - y),
          endX + (2 / 3) * (cx - endX),
          endY + (2 / 3) * (cy - endY),
          endX,
          endY,
        );
      } else if (verb === CUBIC) {
        flattener.cubic(
          line,
          x,
          y,
          mappedX(at),
          mappedY(at),
          mappedX(at + 2),
          mappedY(at + 2),
          mappedX(last),
          mappedY(last),
        );
      } else line.close();
    }
    if (last < at) {
      // closed: what follows without a moveto starts where this contour did
      x = startX;
      y = startY;
      line = undefined;
      continue;
    }
    x = mappedX(last);
    y = mappedY(last);
    at = last + 2;
  }
  return lines;
}

/** Flattens cubics by halving them. */
class Flattener {
  private readonly cosine: number;

  constructor(
    turn: number,
    private readonly maxDepth: number,
    private readonly hasConics: boolean,
  ) {
    this.cosine = cos(turn / 2);
  }

  cubic(
    out: CentreLine,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    x3: number,
    y3: number,
  ): void {
    const length = this.halve(out, x0, y0, x1, y1, x2, y2, x3, y3, 0, -1);
    out.add(x3, y3, true, length);
  }

  /**
   * Adds the chords' ends, except that of the last chord; returns the measured length of that one. `measured`: the length
   * of this part, when it is inside one chord for measuring; else below 0.
   */
  private halve(
    out: CentreLine,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    x3: number,
    y3: number,
    depth: number,
    measured: number,
  ): number {
    const isMeasured =
      measured >= 0 || depth === this.maxDepth || isMeasurable(this.hasConics, x0, y0, x1, y1, x2, y2, x3, y3);
    const length = measured >= 0 ? measured : hypot(x3 - x0, y3 - y0);
    if (depth === this.maxDepth || this.isStraight(x0, y0, x1, y1, x2, y2, x3, y3)) return length;
    const half = isMeasured ? length / 2 : -1;
    const ax = (x0 + x1) / 2;
    const ay = (y0 + y1) / 2;
    const bx = (x1 + x2) / 2;
    const by = (y1 + y2) / 2;
    const cx = (x2 + x3) / 2;
    const cy = (y2 + y3) / 2;
    const abx = (ax + bx) / 2;
    const aby = (ay + by) / 2;
    const bcx = (bx + cx) / 2;
    const bcy = (by + cy) / 2;
    const middleX = (abx + bcx) / 2;
    const middleY = (aby + bcy) / 2;
    const first = this.halve(out, x0, y0, ax, ay, abx, aby, middleX, middleY, depth + 1, half);
    out.add(middleX, middleY, false, first);
    return this.halve(out, middleX, middleY, bcx, bcy, cx, cy, x3, y3, depth + 1, half);
  }

  /** Whether the chord is within TOLERANCE of the curve, and the curve's ends are within half the turn of its direction. */
  private isStraight(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    x3: number,
    y3: number,
  ): boolean {
    // how far the control points are from the chord's thirds bounds how far the curve is from the chord
    const u = Math.max(Math.abs(3 * x1 - 2 * x0 - x3), Math.abs(3 * x2 - x0 - 2 * x3));
    const v = Math.max(Math.abs(3 * y1 - 2 * y0 - y3), Math.abs(3 * y2 - y0 - 2 * y3));
    if (u * u + v * v > 16 * TOLERANCE * TOLERANCE) return false;
    const dx = x3 - x0;
    const dy = y3 - y0;
    return this.isAlong(x1 - x0, y1 - y0, dx, dy) && this.isAlong(x3 - x2, y3 - y2, dx, dy);
  }

  private isAlong(ux: number, uy: number, vx: number, vy: number): boolean {
    const square = (ux * ux + uy * uy) * (vx * vx + vy * vy);
    // a length of 0 has no direction
    if (square < 1e-18) return true;
    const dot = ux * vx + uy * vy;
    return dot > 0 && dot * dot >= this.cosine * this.cosine * square;
  }
}

/** Whether the chord measures the curve, as Skia decides it for cubics and for conics. */
function isMeasurable(
  hasConics: boolean,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
): boolean {
  const isNear = (x: number, y: number) => Math.max(Math.abs(x), Math.abs(y)) <= MEASURING_TOLERANCE;
  // the middle of the curve from that of the chord
  if (hasConics) return isNear((3 * (x1 + x2 - x0 - x3)) / 8, (3 * (y1 + y2 - y0 - y3)) / 8);
  // the control points from the thirds of the chord
  return (
    isNear(x1 - (2 * x0 + x3) / 3, y1 - (2 * y0 + y3) / 3) && isNear(x2 - (x0 + 2 * x3) / 3, y2 - (y0 + 2 * y3) / 3)
  );
}
