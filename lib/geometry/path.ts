// Paths of lines and Bézier curves. Filling closes every contour implicitly.

export const MOVE = 0;
export const LINE = 1;
export const QUAD = 2;
export const CUBIC = 3;
export const CLOSE = 4;

/** The number of coordinates of each verb. */
export const COORDINATES = [2, 2, 4, 6, 0] as const;

/** The plain data of a path, which can be cloned to another process. */
export interface PathData {
  readonly verbs: ArrayLike<number>;
  /** x, y pairs of all verbs in order: control points first, end point last. */
  readonly coords: ArrayLike<number>;
}

export class Path implements PathData {
  readonly verbs: number[] = [];
  readonly coords: number[] = [];

  moveTo(x: number, y: number): void {
    this.verbs.push(MOVE);
    this.coords.push(x, y);
  }

  lineTo(x: number, y: number): void {
    this.verbs.push(LINE);
    this.coords.push(x, y);
  }

  quadTo(cx: number, cy: number, x: number, y: number): void {
    this.verbs.push(QUAD);
    this.coords.push(cx, cy, x, y);
  }

  cubicTo(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): void {
    this.verbs.push(CUBIC);
    this.coords.push(c1x, c1y, c2x, c2y, x, y);
  }

  close(): void {
    this.verbs.push(CLOSE);
  }

  get isEmpty(): boolean {
    return this.verbs.length === 0;
  }
}
