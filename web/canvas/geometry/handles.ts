// Finds the handle of the selection under the pointer. Points are pixels of the stage.
import { hypot } from '../../../lib/geometry/math.js';
import type { Point } from './frames.js';
import type { Handle } from './transform.js';

/** The corners of a box, clockwise from the box's upper left, which rotation and flip may put elsewhere. */
export type Quad = readonly [Point, Point, Point, Point];

export type Grip = { readonly type: 'resize'; readonly handle: Handle } | { readonly type: 'rotate' };

/** Distances in pixels within which the pointer hits a corner, a side, and the area outside a corner. */
const CORNER_REACH = 7;
const SIDE_REACH = 5;
const ROTATE_REACH = 24;
/** Boxes with a shorter side than this have no handles inside, so that they can be moved. */
const MIN_SIDE_FOR_INSIDE = 24;

const CORNERS: readonly Handle[] = [
  { x: -1, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 1 },
  { x: -1, y: 1 },
];
/** The sides, from each corner to the next. */
const SIDES: readonly Handle[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
];

const distance = (p: Point, q: Point): number => hypot(p.x - q.x, p.y - q.y);

/** Returns the point's distance from the line from p to q; the sign tells the side. */
function offset(p: Point, q: Point, { x, y }: Point): number {
  const length = distance(p, q);
  return length === 0 ? 0 : ((q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)) / length;
}

function distanceToSegment(p: Point, q: Point, point: Point): number {
  const length = distance(p, q);
  if (length === 0) return distance(p, point);
  const along = ((point.x - p.x) * (q.x - p.x) + (point.y - p.y) * (q.y - p.y)) / length;
  return along < 0 ? distance(p, point) : along > length ? distance(q, point) : Math.abs(offset(p, q, point));
}

export function isInQuad(quad: Quad, point: Point): boolean {
  const sides = quad.map((corner, i) => offset(corner, quad[(i + 1) % 4]!, point));
  return sides.every((each) => each >= 0) || sides.every((each) => each <= 0);
}

export function gripAt(quad: Quad, point: Point): Grip | undefined {
  const isInside = isInQuad(quad, point);
  const shortest = Math.min(distance(quad[0], quad[1]), distance(quad[1], quad[2]));
  if (isInside && shortest < MIN_SIDE_FOR_INSIDE) return undefined;
  const near = quad.map((corner) => distance(corner, point));
  const corner = near.indexOf(Math.min(...near));
  if (near[corner]! <= CORNER_REACH) return { type: 'resize', handle: CORNERS[corner]! };
  const side = quad.findIndex((each, i) => distanceToSegment(each, quad[(i + 1) % 4]!, point) <= SIDE_REACH);
  if (side >= 0) return { type: 'resize', handle: SIDES[side]! };
  return !isInside && near[corner]! <= ROTATE_REACH ? { type: 'rotate' } : undefined;
}

const CURSORS = ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'];

/** Returns the cursor that points in the direction in which the handle moves on the stage. */
export function cursorOf(quad: Quad, { x, y }: Handle): string {
  const right = { x: quad[1].x - quad[0].x, y: quad[1].y - quad[0].y };
  const down = { x: quad[3].x - quad[0].x, y: quad[3].y - quad[0].y };
  const unit = ({ x: dx, y: dy }: Point) => {
    const length = hypot(dx, dy) || 1;
    return { x: dx / length, y: dy / length };
  };
  const [r, d] = [unit(right), unit(down)];
  const angle = Math.atan2(x * r.y + y * d.y, x * r.x + y * d.x);
  return CURSORS[(Math.round(angle / (Math.PI / 4)) + 8) % 4]!;
}
