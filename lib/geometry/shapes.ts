// Paths of the closed shapes, inscribed in a rectangle; clockwise on a canvas whose y axis points down.
import { endpointArc } from './arc.js';
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
export function roundedRectangle(rect: Rect, corners: Corners, path?: Path): Path {
  return cornerRectangle(rect, reduceCorners(corners, rect), path);
}

/**
 * The same without reduction: the part of the rectangle inside all of its corners' ellipses. Inside a border a large radius
 * beside a small one may reach beyond the rectangle.
 */
export function cornerRectangle(rect: Rect, corners: Corners, path = new Path()): Path {
  if (areSquare(corners)) return rectangle(rect, path);
  const { left, top, right, bottom } = rect;
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const quarters = [
    quarter(rect, left + topLeft.x, top + topLeft.y, -topLeft.x, 0, 0, -topLeft.y),
    quarter(rect, right - topRight.x, top + topRight.y, 0, -topRight.y, topRight.x, 0),
    quarter(rect, right - bottomRight.x, bottom - bottomRight.y, bottomRight.x, 0, 0, bottomRight.y),
    quarter(rect, left + bottomLeft.x, bottom - bottomLeft.y, 0, bottomLeft.y, -bottomLeft.x, 0),
  ];
  if (quarters.some((each) => each.isEmpty)) return path;
  const [first, ...others] = quarters;
  path.moveTo(first.toX, first.toY);
  for (const each of others) corner(path, each);
  corner(path, first);
  path.close();
  return path;
}

/** A quarter ellipse about (x, y) from (x, y) + u to (x, y) + v, where u and v are conjugate radii along the axes. */
interface Quarter {
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
  readonly vx: number;
  readonly vy: number;
  /** The ends of its part inside the rectangle. */
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly isWhole: boolean;
  /** Whether no part of the rectangle is inside the ellipse. */
  readonly isEmpty: boolean;
}

function quarter(rect: Rect, x: number, y: number, ux: number, uy: number, vx: number, vy: number): Quarter {
  const rx = Math.abs(ux + vx);
  const ry = Math.abs(uy + vy);
  const cutX = Math.max(0, 1 - (rect.right - rect.left) / rx);
  const cutY = Math.max(0, 1 - (rect.bottom - rect.top) / ry);
  // along u the arc ends where it leaves the rectangle, along v it begins where it enters
  const cutU = ux === 0 ? cutY : cutX;
  const cutV = ux === 0 ? cutX : cutY;
  const alongU = Math.sqrt(1 - cutV * cutV);
  const alongV = Math.sqrt(1 - cutU * cutU);
  return {
    x,
    y,
    ux,
    uy,
    vx,
    vy,
    fromX: x + ux * alongU + vx * cutV,
    fromY: y + uy * alongU + vy * cutV,
    toX: x + ux * cutU + vx * alongV,
    toY: y + uy * cutU + vy * alongV,
    isWhole: cutU === 0 && cutV === 0,
    isEmpty: cutU * cutU + cutV * cutV >= 1,
  };
}

/** Appends a line to the corner's arc and the arc. */
function corner(path: Path, quarter: Quarter): void {
  const { x, y, ux, uy, vx, vy, fromX, fromY, toX, toY } = quarter;
  path.lineTo(fromX, fromY);
  if (ux + vx === 0) return;
  if (!quarter.isWhole) {
    const circle = { rotation: 0, isLarge: false, isClockwise: true };
    endpointArc(path, fromX, fromY, { rx: Math.abs(ux + vx), ry: Math.abs(uy + vy), ...circle }, toX, toY);
    return;
  }
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
