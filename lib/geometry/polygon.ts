// Polygons of one or more contours, in one growing array: flattening produces them; stroking and rasterizing read them.
import { isEmpty, type Rect } from './rect.js';

export class Polygon {
  /** x, y pairs of all contours in order; valid up to `length`. */
  points = new Float64Array(256);
  length = 0;
  /** Start of each contour in `points`. */
  readonly starts: number[] = [];

  /** Begins a contour at (x, y). */
  begin(x: number, y: number): void {
    this.starts.push(this.length);
    this.add(x, y);
  }

  /** Appends a corner to the current contour. */
  add(x: number, y: number): void {
    if (this.length + 2 > this.points.length) {
      const larger = new Float64Array(this.points.length * 2);
      larger.set(this.points);
      this.points = larger;
    }
    this.points[this.length++] = x;
    this.points[this.length++] = y;
  }

  /** Returns the end of contour `index` in `points` (exclusive). */
  endOf(index: number): number {
    return index + 1 < this.starts.length ? this.starts[index + 1] : this.length;
  }

  /** Reverses the winding of contour `index`. */
  reverse(index: number): void {
    const { points } = this;
    for (let i = this.starts[index], j = this.endOf(index) - 2; i < j; i += 2, j -= 2) {
      const x = points[i];
      const y = points[i + 1];
      points[i] = points[j];
      points[i + 1] = points[j + 1];
      points[j] = x;
      points[j + 1] = y;
    }
  }

  /** The bounds of all corners; empty when there are none. */
  bounds(): Rect {
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    const { points, length } = this;
    for (let i = 0; i < length; i += 2) {
      const x = points[i];
      const y = points[i + 1];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    const rect = { left, top, right, bottom };
    return isEmpty(rect) ? { left: 0, top: 0, right: 0, bottom: 0 } : rect;
  }
}
