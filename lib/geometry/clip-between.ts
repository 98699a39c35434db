// Clips polygons between two parallel lines (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).
import type { Affine } from './affine.js';
import type { Polygon } from './polygon.js';

/**
 * Appends the part of `source` that lies between x = `left` and x = `right` to `out`; `map` maps these lines to the
 * polygon's coordinates. It must keep shapes: it may move, turn, mirror and scale evenly. Windings stay.
 */
export function clipBetween(source: Polygon, map: Affine, left: number, right: number, out: Polygon): void {
  const { a, b, e, f } = map;
  const square = a * a + b * b;
  /** The x before mapping. */
  const xOf = (x: number, y: number) => (a * (x - e) + b * (y - f)) / square;
  for (let i = 0; i < source.starts.length; i++) {
    const contour = Array.from(source.points.subarray(source.starts[i], source.endOf(i)));
    const after = keep(contour, (x, y) => xOf(x, y) - left);
    const between = keep(after, (x, y) => right - xOf(x, y));
    if (between.length < 6) continue;
    out.begin(between[0], between[1]);
    for (let k = 2; k < between.length; k += 2) out.add(between[k], between[k + 1]);
  }
}

/** The part of a contour where `distance`, which is linear, is not negative. */
function keep(points: readonly number[], distance: (x: number, y: number) => number): number[] {
  const clipped: number[] = [];
  const n = points.length;
  for (let i = 0; i < n; i += 2) {
    const x = points[i];
    const y = points[i + 1];
    const nextX = points[(i + 2) % n];
    const nextY = points[(i + 3) % n];
    const here = distance(x, y);
    const there = distance(nextX, nextY);
    if (here >= 0) clipped.push(x, y);
    if (here >= 0 === there >= 0) continue;
    const t = here / (here - there);
    clipped.push(x + (nextX - x) * t, y + (nextY - y) * t);
  }
  return clipped;
}
