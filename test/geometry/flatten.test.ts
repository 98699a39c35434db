// Flattening: chords stay within the tolerance of their curve under any transform.
import fc from 'fast-check';
import t from 'tap';
import { type Affine, IDENTITY } from '../../lib/geometry/affine.js';
import { Path } from '../../lib/geometry/path.js';
import { Polygon } from '../../lib/geometry/polygon.js';
import { contour, polygonOf } from './areas.js';

fc.configureGlobal({ seed: 4714 });

const coordinate = fc.double({ min: -300, max: 300, noNaN: true });
const point = fc.tuple(coordinate, coordinate);
type Point = [number, number];

function distance([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const dx = bx - ax;
  const dy = by - ay;
  const along = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1);
  const u = Math.min(1, Math.max(0, along));
  return Math.hypot(px - ax - u * dx, py - ay - u * dy);
}

function farthest(curve: (u: number) => Point, corners: readonly Point[]): number {
  let most = 0;
  for (let k = 0; k <= 200; k++) {
    const at = curve(k / 200);
    let nearest = Infinity;
    for (let i = 1; i < corners.length; i++) nearest = Math.min(nearest, distance(at, corners[i - 1], corners[i]));
    most = Math.max(most, nearest);
  }
  return most;
}

t.test('no point of a curve is over 0.03 px from its chords', (t) => {
  fc.assert(
    fc.property(point, point, point, point, (p, q, r, s) => {
      const quad = new Path();
      quad.moveTo(...p);
      quad.quadTo(...q, ...r);
      const along = (u: number): Point => {
        const v = 1 - u;
        return [v * v * p[0] + 2 * u * v * q[0] + u * u * r[0], v * v * p[1] + 2 * u * v * q[1] + u * u * r[1]];
      };
      if (farthest(along, contour(polygonOf(quad), 0)) > 0.0301) return false;
      const cubic = new Path();
      cubic.moveTo(...p);
      cubic.cubicTo(...q, ...r, ...s);
      const evaluate = (u: number, i: 0 | 1) => {
        const v = 1 - u;
        return v ** 3 * p[i] + 3 * v * v * u * q[i] + 3 * v * u * u * r[i] + u ** 3 * s[i];
      };
      return farthest((u) => [evaluate(u, 0), evaluate(u, 1)], contour(polygonOf(cubic), 0)) <= 0.0301;
    }),
    { numRuns: 60 },
  );
  t.end();
});

t.test('the tolerance applies after the transform: an enlarged path gets more chords', (t) => {
  const path = new Path();
  path.moveTo(0, 0);
  path.quadTo(5, 10, 10, 0);
  const large: Affine = { a: 100, b: 0, c: 0, d: 100, e: 7, f: -3 };
  const small = contour(polygonOf(path, IDENTITY), 0);
  const mapped = contour(polygonOf(path, large), 0);
  t.ok(mapped.length > 5 * small.length);
  t.same(mapped[0], [7, -3]);
  t.same(mapped.at(-1), [1007, -3]);
  t.end();
});

t.test('each move starts a contour; close adds no corner', (t) => {
  const path = new Path();
  path.moveTo(0, 0);
  path.lineTo(4, 0);
  path.close();
  path.moveTo(10, 10);
  path.lineTo(12, 10);
  path.lineTo(12, 14);
  const polygon = polygonOf(path);
  t.same(polygon.starts, [0, 4]);
  t.same(contour(polygon, 1), [
    [10, 10],
    [12, 10],
    [12, 14],
  ]);
  t.same(polygon.bounds(), { left: 0, top: 0, right: 12, bottom: 14 });
  t.same(new Polygon().bounds(), { left: 0, top: 0, right: 0, bottom: 0 });
  t.ok(new Path().isEmpty);
  t.end();
});

t.test('a reversed contour keeps its corners and its position', (t) => {
  const corners = [1, 2, 3, 4, 5].map((k): Point => [k, k * k]);
  const polygon = new Polygon();
  for (const shift of [0, 10, 20]) {
    polygon.begin(shift, shift);
    for (const [x, y] of corners) polygon.add(x + shift, y);
  }
  polygon.reverse(1);
  t.same(contour(polygon, 1), [...corners.map(([x, y]) => [x + 10, y]).reverse(), [10, 10]]);
  t.same(contour(polygon, 0)[0], [0, 0]);
  t.same(contour(polygon, 2)[0], [20, 20]);
  t.end();
});

t.test('a polygon grows as needed', (t) => {
  const polygon = new Polygon();
  polygon.begin(0, 0);
  for (let i = 1; i < 5000; i++) polygon.add(i, -i);
  t.equal(polygon.length, 10_000);
  t.same(contour(polygon, 0)[4999], [4999, -4999]);
  t.end();
});
