// The outline of a stroke, for the non-zero rule: the centre line's two offsets, with joins and caps. It winds the same way
// everywhere, so strokes of several lines in one polygon add up and never cancel.
import { atan2, cos, hypot, sin } from '../math.js';
import type { Polygon } from '../polygon.js';
import type { CentreLine } from './centre-line.js';

export type LineJoin = 'miter' | 'round' | 'bevel';
export type LineCap = 'butt' | 'round' | 'square';

/** The shape of a stroke; the radius is half its width. */
export interface Pen {
  readonly radius: number;
  readonly join: LineJoin;
  readonly miterLimit: number;
  readonly cap: LineCap;
  /** The largest turn between chords of joins and caps, in radians. */
  readonly turn: number;
  /** The unit direction of square dots. Chromium does not turn them with the line. */
  readonly ux: number;
  readonly uy: number;
}

/** Appends the outline of the stroke along `line`. */
export function outlineStroke(line: CentreLine, pen: Pen, out: Polygon): void {
  new Outliner(line, pen, out).run();
}

class Outliner {
  private readonly count: number;
  /** Whether the current contour has a point. */
  private isBegun = false;
  /** The unit direction and the length of the segment after each point. */
  private readonly ux: Float64Array;
  private readonly uy: Float64Array;
  private readonly length: Float64Array;

  constructor(
    private readonly line: CentreLine,
    private readonly pen: Pen,
    private readonly out: Polygon,
  ) {
    const { points, count, isClosed } = line;
    this.count = count;
    const segments = isClosed ? count : count - 1;
    this.ux = new Float64Array(segments);
    this.uy = new Float64Array(segments);
    this.length = new Float64Array(segments);
    for (let i = 0; i < segments; i++) {
      const next = (i + 1) % count;
      const dx = points[2 * next] - points[2 * i];
      const dy = points[2 * next + 1] - points[2 * i + 1];
      const length = hypot(dx, dy);
      this.ux[i] = dx / length;
      this.uy[i] = dy / length;
      this.length[i] = length;
    }
  }

  run(): void {
    const { line, count, ux, uy } = this;
    if (count === 1) {
      this.dot();
      return;
    }
    const last = count - 1;
    if (line.isClosed) {
      for (let i = 0; i < count; i++) this.corner(i, i === 0 ? last : i - 1, i, 1);
      this.isBegun = false;
      for (let i = last; i >= 0; i--) this.corner(i, i, i === 0 ? last : i - 1, -1);
    } else {
      this.cap(0, -ux[0], -uy[0]);
      for (let i = 1; i < last; i++) this.corner(i, i - 1, i, 1);
      this.cap(last, ux[last - 1], uy[last - 1]);
      for (let i = last - 1; i > 0; i--) this.corner(i, i, i - 1, -1);
    }
  }

  private add(x: number, y: number): void {
    if (this.isBegun) this.out.add(x, y);
    else this.out.begin(x, y);
    this.isBegun = true;
  }

  /**
   * The left offset's corner at point `i`, where it comes along segment `from` and leaves along segment `to`. `way` is -1
   * when both are followed backwards, for the line's right offset. The left normal of a direction (u, v) is (v, -u).
   */
  private corner(i: number, from: number, to: number, way: 1 | -1): void {
    const { radius, join, miterLimit } = this.pen;
    const x = this.line.points[2 * i];
    const y = this.line.points[2 * i + 1];
    const ax = this.ux[from] * way;
    const ay = this.uy[from] * way;
    const bx = this.ux[to] * way;
    const by = this.uy[to] * way;
    const cross = ax * by - ay * bx;
    const dot = ax * bx + ay * by;
    // a turn to the right leaves a gap on the left; a turn back leaves one, on one side
    const isOuter = cross > 0 || (cross === 0 && dot < 0 && way === 1);
    const isCorner = this.line.isCorner[i];
    let isPoint: boolean;
    if (!isOuter) {
      // inside, the offsets meet at a point of both, unless a segment is too short for that
      isPoint = dot > -1 + 1e-9 && radius * Math.abs(cross) <= (1 + dot) * Math.min(this.length[from], this.length[to]);
    } else if (isCorner) isPoint = join === 'miter' && 2 <= miterLimit * miterLimit * (1 + dot);
    else isPoint = dot > 0 && cross <= 1.1 * this.pen.turn;
    if (isPoint) {
      const distance = radius / (1 + dot);
      this.add(x + (ay + by) * distance, y - (ax + bx) * distance);
      return;
    }
    this.add(x + ay * radius, y - ax * radius);
    // inside, the way leads over the point itself: the outline is then the sum of the segments' rectangles
    if (!isOuter) this.add(x, y);
    else if (join === 'round' || !isCorner) this.arc(x, y, ay, -ax, atan2(cross, dot));
    this.add(x + by * radius, y - bx * radius);
  }

  /** The end at point `i`, which the line leaves in direction (ux, uy): from the left to the right. */
  private cap(i: number, ux: number, uy: number): void {
    const { radius, cap } = this.pen;
    const beyond = cap === 'square' ? radius : 0;
    const x = this.line.points[2 * i] + ux * beyond;
    const y = this.line.points[2 * i + 1] + uy * beyond;
    this.add(x + uy * radius, y - ux * radius);
    if (cap === 'round') this.arc(x, y, uy, -ux, Math.PI);
    this.add(x - uy * radius, y + ux * radius);
  }

  /** A line of a single point: its two caps, along the pen's x axis. */
  private dot(): void {
    const { ux, uy } = this.pen;
    if (this.pen.cap === 'butt') return;
    this.cap(0, -ux, -uy);
    this.cap(0, ux, uy);
  }

  /** The points inside the arc about (x, y) from the unit normal (nx, ny) through `sweep`, clockwise. */
  private arc(x: number, y: number, nx: number, ny: number, sweep: number): void {
    const { radius } = this.pen;
    const steps = Math.ceil(sweep / this.pen.turn);
    for (let k = 1; k < steps; k++) {
      const angle = (sweep * k) / steps;
      const c = cos(angle) * radius;
      const s = sin(angle) * radius;
      this.add(x + nx * c - ny * s, y + nx * s + ny * c);
    }
  }
}
