// Arcs of ellipses as cubics. Angles are in radians, clockwise from the x axis on a canvas whose y axis points down.
import type { Affine } from './affine.js';
import { atan2, cos, hypot, sin, tan } from './math.js';
import type { Path } from './path.js';

/** The largest angle of one cubic: the error is under 5e-6 of the radius. */
const MAX_ANGLE = Math.PI / 4;

/**
 * Appends the arc of the unit circle from `start` through `sweep` (negative: counterclockwise), mapped by `toPath`. The
 * path must already be at the arc's start.
 */
export function unitArc(path: Path, toPath: Affine, start: number, sweep: number): void {
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / MAX_ANGLE - 1e-9));
  const step = sweep / count;
  const arm = (4 / 3) * tan(step / 4);
  const x = (u: number, v: number) => toPath.a * u + toPath.c * v + toPath.e;
  const y = (u: number, v: number) => toPath.b * u + toPath.d * v + toPath.f;
  let u0 = cos(start);
  let v0 = sin(start);
  for (let i = 1; i <= count; i++) {
    const angle = start + step * i;
    const u1 = cos(angle);
    const v1 = sin(angle);
    const c1u = u0 - arm * v0;
    const c1v = v0 + arm * u0;
    const c2u = u1 + arm * v1;
    const c2v = v1 - arm * u1;
    path.cubicTo(x(c1u, c1v), y(c1u, c1v), x(c2u, c2v), y(c2u, c2v), x(u1, v1), y(u1, v1));
    u0 = u1;
    v0 = v1;
  }
}

/** The radii of an SVG arc, its x axis's rotation in degrees, and which of the four arcs through both ends it is. */
export interface EndpointArc {
  readonly rx: number;
  readonly ry: number;
  readonly rotation: number;
  readonly isLarge: boolean;
  readonly isClockwise: boolean;
}

/** Appends the arc from (fromX, fromY), where the path is, to (toX, toY): SVG 2 section 9.5.1 and appendix B.2. */
export function endpointArc(
  path: Path,
  fromX: number,
  fromY: number,
  arc: EndpointArc,
  toX: number,
  toY: number,
): void {
  if (fromX === toX && fromY === toY) return;
  let rx = Math.abs(arc.rx);
  let ry = Math.abs(arc.ry);
  if (!(rx > 0 && ry > 0)) {
    path.lineTo(toX, toY);
    return;
  }
  const angle = ((arc.rotation % 360) * Math.PI) / 180;
  const c = cos(angle);
  const s = sin(angle);
  // half the chord, along the ellipse's axes
  const halfX = (c * (fromX - toX) + s * (fromY - toY)) / 2;
  const halfY = (c * (fromY - toY) - s * (fromX - toX)) / 2;
  // radii too small to reach both ends grow until they do
  const reach = hypot(halfX / rx, halfY / ry);
  if (reach > 1) {
    rx *= reach;
    ry *= reach;
  }
  // on the unit circle: the ends are at ±(u, v) from the chord's middle, the centre is at right angles to it
  const u = halfX / rx;
  const v = halfY / ry;
  const square = u * u + v * v;
  if (!(square > 0)) {
    path.lineTo(toX, toY);
    return;
  }
  const distance = Math.sqrt(Math.max(0, 1 / square - 1)) * (arc.isLarge === arc.isClockwise ? -1 : 1);
  const centreU = distance * v;
  const centreV = -distance * u;
  const startU = u - centreU;
  const startV = v - centreV;
  const endU = -u - centreU;
  const endV = -v - centreV;
  const start = atan2(startV, startU);
  let sweep = atan2(endV, endU) - start;
  if (arc.isClockwise && sweep < 0) sweep += 2 * Math.PI;
  else if (!arc.isClockwise && sweep > 0) sweep -= 2 * Math.PI;
  // if the ends are so close that rounding decides their order, the small arc is not the whole ellipse
  if (!arc.isLarge && Math.abs(sweep) > 1.5 * Math.PI) sweep = 0;
  const middleX = (fromX + toX) / 2;
  const middleY = (fromY + toY) / 2;
  const toPath: Affine = {
    a: rx * c,
    b: rx * s,
    c: -ry * s,
    d: ry * c,
    e: middleX + c * rx * centreU - s * ry * centreV,
    f: middleY + s * rx * centreU + c * ry * centreV,
  };
  unitArc(path, toPath, start, sweep);
  // the end as written, without rounding errors: what follows starts there
  path.coords[path.coords.length - 2] = toX;
  path.coords[path.coords.length - 1] = toY;
}
