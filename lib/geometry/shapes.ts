// Paths of the closed shapes, inscribed in a rectangle; clockwise on a canvas whose y axis points down.
import { areSquare, type Corners, reduceCorners, uniformCorners } from './corners.js';
import { tan } from './math.js';
import { Path } from './path.js';
import type { Rect } from './rect.js';

/** Length of the control arms of a cubic for an eighth of a circle, 4/3 · tan(π/16): the error is under 5e-6 of the radius. */
const EIGHTH = (4 / 3) * tan(Math.PI / 16);
const DIAGONAL = Math.SQRT1_2;

export function rectangle({ left, top, right, bottom }: Rect, path = new Path()): Path {
  path.moveTo(left, top);
  path.lineTo(right, top);
  path.lineTo(right, bottom);
  path.lineTo(left, bottom);
  path.close();
  return path;
}

/** A rectangle with rounded corners, reduced to fit. Begins where the top left corner ends. */
export function roundedRectangle(rect: Rect, corners: Corners, path = new Path()): Path {
  const reduced = reduceCorners(corners, rect);
  if (areSquare(reduced)) return rectangle(rect, path);
  const { left, top, right, bottom } = rect;
  const [topLeft, topRight, bottomRight, bottomLeft] = reduced;
  path.moveTo(left + topLeft.x, top);
  path.lineTo(right - topRight.x, top);
  corner(path, right - topRight.x, top + topRight.y, 0, -topRight.y, topRight.x, 0);
  path.lineTo(right, bottom - bottomRight.y);
  corner(path, right - bottomRight.x, bottom - bottomRight.y, bottomRight.x, 0, 0, bottomRight.y);
  path.lineTo(left + bottomLeft.x, bottom);
  corner(path, left + bottomLeft.x, bottom - bottomLeft.y, 0, bottomLeft.y, -bottomLeft.x, 0);
  path.lineTo(left, top + topLeft.y);
  corner(path, left + topLeft.x, top + topLeft.y, -topLeft.x, 0, 0, -topLeft.y);
  path.close();
  return path;
}

/** Appends a quarter ellipse about (x, y) as two cubics, from (x, y) + u to (x, y) + v, where u and v are conjugate radii. */
function corner(path: Path, x: number, y: number, ux: number, uy: number, vx: number, vy: number): void {
  if (ux === 0 && vx === 0) return;
  const middleX = x + (ux + vx) * DIAGONAL;
  const middleY = y + (uy + vy) * DIAGONAL;
  const alongX = (vx - ux) * DIAGONAL * EIGHTH;
  const alongY = (vy - uy) * DIAGONAL * EIGHTH;
  path.cubicTo(x + ux + vx * EIGHTH, y + uy + vy * EIGHTH, middleX - alongX, middleY - alongY, middleX, middleY);
  path.cubicTo(middleX + alongX, middleY + alongY, x + vx + ux * EIGHTH, y + vy + uy * EIGHTH, x + vx, y + vy);
}

export function ellipse(rect: Rect, path = new Path()): Path {
  return roundedRectangle(rect, uniformCorners((rect.right - rect.left) / 2, (rect.bottom - rect.top) / 2), path);
}

/** The superellipse |x/a|⁴ + |y/b|⁴ = 1 in `rect`, as chords with an error under a 30th of a pixel. */
export function squircle(rect: Rect, path = new Path()): Path {
  const a = (rect.right - rect.left) / 2;
  const b = (rect.bottom - rect.top) / 2;
  const x = rect.left + a;
  const y = rect.top + b;
  // an octant is y = (1 − u⁴)^¼ for u up to 2^−¼; its second derivative is at most 7.2
  const maxU = Math.sqrt(Math.SQRT1_2);
  const n = Math.min(1000, Math.max(4, Math.ceil(Math.sqrt(22 * Math.max(a, b)))));
  const quadrant: [number, number][] = [];
  for (let i = 0; i <= n; i++) {
    const u = (maxU * i) / n;
    quadrant.push([u, Math.sqrt(Math.sqrt(1 - u * u * u * u))]);
  }
  for (let i = n - 1; i >= 0; i--) quadrant.push([quadrant[i][1], quadrant[i][0]]);
  const last = quadrant.length - 1;
  path.moveTo(x, y - b);
  for (let i = 1; i <= last; i++) path.lineTo(x + a * quadrant[i][0], y - b * quadrant[i][1]);
  for (let i = last - 1; i >= 0; i--) path.lineTo(x + a * quadrant[i][0], y + b * quadrant[i][1]);
  for (let i = 1; i <= last; i++) path.lineTo(x - a * quadrant[i][0], y + b * quadrant[i][1]);
  for (let i = last - 1; i > 0; i--) path.lineTo(x - a * quadrant[i][0], y - b * quadrant[i][1]);
  path.close();
  return path;
}
