// The layers' outlines: bounds, areas and curves against their formulas; radii that don't fit are reduced as in CSS.
import fc from 'fast-check';
import t from 'tap';
import { uniformCorners } from '../../lib/geometry/corners.js';
import { Path } from '../../lib/geometry/path.js';
import { rectOf } from '../../lib/geometry/rect.js';
import { ellipse, rectangle, roundedRectangle, squircle } from '../../lib/geometry/shapes.js';
import { contour, polygonOf, signedArea } from './areas.js';

fc.configureGlobal({ seed: 4713 });

const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
const size = fc.double({ min: 1, max: 400, noNaN: true });
const box = fc.tuple(coordinate, coordinate, size, size).map(([x, y, w, h]) => rectOf(x, y, w, h));

t.test('every outline touches all edges of its rectangle and runs clockwise', (t) => {
  fc.assert(
    fc.property(box, fc.double({ min: 0, max: 300, noNaN: true }), (rect, radius) => {
      for (const path of [
        rectangle(rect),
        roundedRectangle(rect, uniformCorners(radius)),
        ellipse(rect),
        squircle(rect),
      ]) {
        const polygon = polygonOf(path);
        const bounds = polygon.bounds();
        if (signedArea(polygon) <= 0) return false;
        for (const edge of ['left', 'top', 'right', 'bottom'] as const) {
          if (Math.abs(bounds[edge] - rect[edge]) > 1e-6) return false;
        }
      }
      return true;
    }),
  );
  t.end();
});

t.test('areas: rectangle, ellipse, rounded rectangle with reduced radii, superellipse', (t) => {
  fc.assert(
    fc.property(box, fc.double({ min: 0, max: 600, noNaN: true }), (rect, wanted) => {
      const width = rect.right - rect.left;
      const height = rect.bottom - rect.top;
      const radius = Math.min(wanted, width / 2, height / 2);
      // chords are up to 0.03 px inside the curve
      const lost = 0.03 * 2 * (width + height) + 1e-6;
      const areas: [Path, number][] = [
        [rectangle(rect), width * height],
        [ellipse(rect), (Math.PI * width * height) / 4],
        [roundedRectangle(rect, uniformCorners(wanted)), width * height - (4 - Math.PI) * radius * radius],
        // Γ(5/4)² / Γ(3/2) · a · b · 4
        [squircle(rect), (3.7081493546 * width * height) / 4],
      ];
      return areas.every(([path, area]) => {
        const measured = signedArea(polygonOf(path));
        return measured <= area + 1e-3 && measured >= area - lost;
      });
    }),
  );
  t.end();
});

t.test('elliptical corner radii are scaled down together and keep their ratio', (t) => {
  const path = roundedRectangle(rectOf(0, 0, 100, 40), uniformCorners(40, 40));
  t.equal(path.coords[0], 20, 'half of the shorter side is the most');
  const oblong = roundedRectangle(rectOf(0, 0, 100, 40), uniformCorners(80, 20));
  t.equal(oblong.coords[0], 50, '80 × 20 becomes 50 × 12.5');
  t.ok(
    contour(polygonOf(oblong), 0).some(([x, y]) => Math.abs(x) < 1e-9 && Math.abs(y - 12.5) < 1e-9),
    'its left side begins at 12.5',
  );
  t.same(
    roundedRectangle(rectOf(0, 0, 10, 10), uniformCorners(0)),
    rectangle(rectOf(0, 0, 10, 10)),
    'no radius: a plain rectangle',
  );
  t.same(
    roundedRectangle(rectOf(0, 0, 0, 10), uniformCorners(5)),
    rectangle(rectOf(0, 0, 0, 10)),
    'no width: nothing to round',
  );
  t.end();
});

t.test('points of the flattened curves are on the curves', (t) => {
  const rect = rectOf(10, 20, 300, 200);
  for (const [x, y] of contour(polygonOf(ellipse(rect)), 0)) {
    const radius = Math.hypot((x - 160) / 150, (y - 120) / 100);
    t.ok(Math.abs(radius - 1) < 5e-6, `(${x}, ${y}) is on the ellipse`);
  }
  for (const [x, y] of contour(polygonOf(squircle(rect)), 0)) {
    const radius = Math.abs((x - 160) / 150) ** 4 + Math.abs((y - 120) / 100) ** 4;
    t.ok(Math.abs(radius - 1) < 1e-9, `(${x}, ${y}) is on the superellipse`);
  }
  t.end();
});

t.test('shapes are appended to an existing path', (t) => {
  const path = new Path();
  rectangle(rectOf(0, 0, 1, 1), path);
  ellipse(rectOf(5, 5, 2, 2), path);
  t.equal(polygonOf(path).starts.length, 2);
  t.end();
});
