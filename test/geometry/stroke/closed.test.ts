// Strokes: centred on the contour, round joins, all pieces with the same winding.
import fc from 'fast-check';
import t from 'tap';
import { Polygon } from '../../../lib/geometry/polygon.js';
import { rectOf } from '../../../lib/geometry/rect.js';
import { ellipse, rectangle } from '../../../lib/geometry/shapes.js';
import { strokeClosed } from '../../../lib/geometry/stroke/closed.js';
import { contour, polygonOf } from '../areas.js';
import { area, paint } from '../coverage.js';

fc.configureGlobal({ seed: 4715 });

function strokeOf(source: Polygon, width: number): Polygon {
  const out = new Polygon();
  strokeClosed(source, width, out);
  return out;
}

function distanceToContour(x: number, y: number, corners: readonly (readonly [number, number])[]): number {
  let nearest = Infinity;
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    const dx = bx - ax;
    const dy = by - ay;
    const u = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, Math.hypot(x - ax - u * dx, y - ay - u * dy));
  });
  return nearest;
}

t.test('the stroke of a square is a ring with round outer corners', (t) => {
  const square = polygonOf(rectangle(rectOf(30, 30, 60, 60)));
  for (const width of [1, 2, 5, 8.5, 20]) {
    // whole ring with square corners, less what the four round corners leave out
    const expected = (60 + width) ** 2 - (60 - width) ** 2 - (4 - Math.PI) * (width / 2) ** 2;
    const measured = area(strokeOf(square, width), 128);
    t.ok(Math.abs(measured - expected) < 0.01 * expected, `${width} px: ${measured} for ${expected}`);
  }
  t.end();
});

t.test('the stroke of a circle is a ring', (t) => {
  const circle = polygonOf(ellipse(rectOf(24, 24, 80, 80)));
  for (const width of [1, 3, 8, 16]) {
    const expected = Math.PI * 80 * width;
    const measured = area(strokeOf(circle, width), 128);
    // pieces overlap on the inner side, where a pixel may count them twice: up to 2 % too much, measured
    t.ok(Math.abs(measured - expected) < 0.02 * expected, `${width} px: ${measured} for ${expected}`);
  }
  t.end();
});

t.test('no piece cancels another: the inside of a stroke is solid, the outside empty', (t) => {
  const coordinate = fc.double({ min: 20, max: 108, noNaN: true });
  const corners = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 7 });
  fc.assert(
    fc.property(corners, fc.double({ min: 2, max: 24, noNaN: true }), (points, width) => {
      const source = new Polygon();
      source.begin(...points[0]);
      for (const point of points.slice(1)) source.add(...point);
      const painted = paint(strokeOf(source, width), 128);
      for (let y = 0; y < 128; y += 3) {
        for (let x = 0; x < 128; x += 3) {
          const away = distanceToContour(x + 0.5, y + 0.5, points);
          const alpha = painted[y * 128 + x];
          if (away < width / 2 - 0.8 && alpha !== 255) return false;
          if (away > width / 2 + 0.8 && alpha !== 0) return false;
        }
      }
      return true;
    }),
    { numRuns: 60 },
  );
  t.end();
});

t.test('all pieces have the same winding, in either direction of the contour', (t) => {
  const right = polygonOf(rectangle(rectOf(10, 10, 30, 20)));
  const left = new Polygon();
  const corners = contour(right, 0).reverse();
  left.begin(...corners[0]);
  for (const corner of corners.slice(1)) left.add(...corner);
  for (const source of [right, left]) {
    const stroke = strokeOf(source, 6);
    for (let i = 0; i < stroke.starts.length; i++) {
      const piece = contour(stroke, i);
      const twice = piece.reduce((sum, [x, y], k) => {
        const [u, v] = piece[(k + 1) % piece.length];
        return sum + x * v - u * y;
      }, 0);
      t.ok(twice > 0, 'clockwise');
    }
  }
  t.same(paint(strokeOf(left, 6), 64), paint(strokeOf(right, 6), 64));
  t.end();
});

t.test('repeated corners, lines that return on themselves, and single points', (t) => {
  const repeated = new Polygon();
  for (const [x, y] of contour(polygonOf(rectangle(rectOf(10, 10, 30, 20))), 0)) {
    if (repeated.starts.length === 0) repeated.begin(x, y);
    else repeated.add(x, y);
    repeated.add(x, y);
  }
  repeated.add(10, 10);
  const plain = polygonOf(rectangle(rectOf(10, 10, 30, 20)));
  t.same(paint(strokeOf(repeated, 4), 64), paint(strokeOf(plain, 4), 64));

  const line = new Polygon();
  line.begin(20, 32);
  line.add(44, 32);
  const capsule = area(strokeOf(line, 10), 64);
  const expected = 24 * 10 + Math.PI * 25;
  t.ok(Math.abs(capsule - expected) < 0.02 * expected, `round ends: ${capsule} for ${expected}`);

  const dot = new Polygon();
  dot.begin(5, 5);
  dot.add(5, 5);
  t.equal(strokeOf(dot, 10).length, 0, 'a point has no outline');
  t.end();
});
