// Strokes a polygon's contours with round joins; the result is a polygon for the non-zero fill rule.
// All pieces wind the same way, so they add up and never cancel: one quad per segment and, at each corner, a pie slice on
// its outer side. Adjacent pieces share edges, which cancel exactly, so no seams show.
import { acos, atan2, cos, hypot, sin } from '../math.js';
import type { Polygon } from '../polygon.js';

/** The maximum distance of a round join's chord from its arc, in pixels. */
const TOLERANCE = 0.03;

/** Appends the stroke of every contour of `source` (closed implicitly) to `out`, `width` wide and centred on the contour. */
export function strokeClosed(source: Polygon, width: number, out: Polygon): void {
  for (let i = 0; i < source.starts.length; i++) {
    strokeContour(source.points, source.starts[i], source.endOf(i), width / 2, out);
  }
}

function strokeContour(points: Float64Array, start: number, end: number, radius: number, out: Polygon): void {
  // drop repeated corners: a segment of length 0 has no direction
  const corners: number[] = [];
  for (let i = start; i < end; i += 2) {
    const n = corners.length;
    if (n === 0 || hypot(points[i] - corners[n - 2], points[i + 1] - corners[n - 1]) > 1e-6) {
      corners.push(points[i], points[i + 1]);
    }
  }
  const closing = corners.length - 2;
  if (closing >= 2 && hypot(corners[0] - corners[closing], corners[1] - corners[closing + 1]) <= 1e-6) {
    corners.length = closing;
  }
  const count = corners.length / 2;
  if (count < 2) return;
  const cosine = Math.max(0, 1 - TOLERANCE / Math.max(radius, TOLERANCE));
  const pen = { radius, sweep: 2 * acos(cosine), cosineOfSweep: 2 * cosine * cosine - 1 };
  let [fromX, fromY] = normal(corners, count - 1);
  for (let i = 0; i < count; i++) {
    const x = corners[2 * i];
    const y = corners[2 * i + 1];
    const next = (i + 1) % count;
    const [toX, toY] = normal(corners, i);
    join(x, y, fromX, fromY, toX, toY, pen, out);
    const nextX = corners[2 * next];
    const nextY = corners[2 * next + 1];
    out.begin(x + toX * radius, y + toY * radius);
    out.add(x - toX * radius, y - toY * radius);
    out.add(nextX - toX * radius, nextY - toY * radius);
    out.add(nextX + toX * radius, nextY + toY * radius);
    fromX = toX;
    fromY = toY;
  }
}

/** The unit normal of the segment that starts at corner `i`: its direction rotated by 90°. */
function normal(corners: readonly number[], i: number): [number, number] {
  const n = corners.length / 2;
  const j = (i + 1) % n;
  const dx = corners[2 * j] - corners[2 * i];
  const dy = corners[2 * j + 1] - corners[2 * i + 1];
  const length = hypot(dx, dy);
  return [-dy / length, dx / length];
}

interface Pen {
  readonly radius: number;
  /** The largest angle of an arc that one chord replaces, and its cosine. */
  readonly sweep: number;
  readonly cosineOfSweep: number;
}

/** Appends the pie slice about (x, y) between two segments' outer normals, with the same winding as the quads. */
function join(
  x: number,
  y: number,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  { radius, sweep, cosineOfSweep }: Pen,
  out: Polygon,
): void {
  const cross = fromX * toY - fromY * toX;
  const dot = fromX * toX + fromY * toY;
  if (Math.abs(cross) < 1e-9 && dot > 0) return;
  // a right turn leaves a gap on the side of the normals, a left turn on the other side
  const isRight = cross < 0;
  const side = isRight ? radius : -radius;
  const startX = isRight ? toX : fromX;
  const startY = isRight ? toY : fromY;
  const endX = isRight ? fromX : toX;
  const endY = isRight ? fromY : toY;
  out.begin(x, y);
  out.add(x + startX * side, y + startY * side);
  if (dot < cosineOfSweep) {
    const turn = Math.abs(atan2(cross, dot));
    const steps = Math.ceil(turn / sweep);
    const end = atan2(endY, endX);
    for (let k = steps - 1; k > 0; k--) {
      const angle = end - (turn / steps) * k;
      out.add(x + cos(angle) * side, y + sin(angle) * side);
    }
  }
  out.add(x + endX * side, y + endY * side);
}
