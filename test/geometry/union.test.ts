// The boundary of a union: the winding number is ±1 inside and 0 outside; outlines that meet no other are unchanged.
import fc from 'fast-check';
import t from 'tap';
import { Polygon } from '../../lib/geometry/polygon.js';
import { rectOf } from '../../lib/geometry/rect.js';
import { ellipse, rectangle } from '../../lib/geometry/shapes.js';
import { unionBoundary } from '../../lib/geometry/union.js';
import { contour, polygonOf, signedArea } from './areas.js';

fc.configureGlobal({ seed: 2611 });

type Point = readonly [x: number, y: number];

function polygonFrom(contours: readonly (readonly Point[])[]): Polygon {
  const polygon = new Polygon();
  for (const [[x, y], ...rest] of contours) {
    polygon.begin(x, y);
    for (const corner of rest) polygon.add(...corner);
  }
  return polygon;
}

function unionOf(...polygons: Polygon[]): Polygon {
  const out = unionBoundary(polygons, { steps: 1e9 });
  if (!out) throw new Error('the budget does not suffice');
  return out;
}

const contoursOf = (polygon: Polygon) => polygon.starts.map((_, i) => contour(polygon, i));

function windingAt(polygon: Polygon, x: number, y: number): number {
  let winding = 0;
  for (const corners of contoursOf(polygon)) {
    corners.forEach(([toX, toY], i) => {
      const [fromX, fromY] = corners.at(i - 1)!;
      if (fromY <= y === toY <= y) return;
      if (fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) > x) winding += toY > fromY ? 1 : -1;
    });
  }
  return winding;
}

function distanceToEdges(polygon: Polygon, x: number, y: number): number {
  let least = Infinity;
  for (const corners of contoursOf(polygon)) {
    corners.forEach(([toX, toY], i) => {
      const [fromX, fromY] = corners.at(i - 1)!;
      const ux = toX - fromX;
      const uy = toY - fromY;
      const along = ((x - fromX) * ux + (y - fromY) * uy) / (ux * ux + uy * uy || 1);
      const part = Math.min(1, Math.max(0, along));
      least = Math.min(least, Math.hypot(fromX + part * ux - x, fromY + part * uy - y));
    });
  }
  return least;
}

t.test('two overlapping squares have one outline', (t) => {
  const one = polygonOf(rectangle(rectOf(0, 0, 10, 10)));
  const both = unionOf(one, polygonOf(rectangle(rectOf(5, 5, 10, 10))));
  t.equal(both.starts.length, 1);
  t.same(contour(both, 0).length, 8);
  t.equal(Math.abs(signedArea(both)), 175);
  t.end();
});

t.test('coinciding edges: a bar flush with a stem, the same square twice, squares side by side', (t) => {
  const stem = polygonOf(rectangle(rectOf(0, 0, 4, 20)));
  const flush = unionOf(stem, polygonOf(rectangle(rectOf(0, 0, 12, 4))));
  t.same(flush.starts.length, 1);
  t.equal(Math.abs(signedArea(flush)), 80 + 32);
  const twice = unionOf(stem, stem);
  t.equal(twice.starts.length, 1);
  t.equal(Math.abs(signedArea(twice)), 80);
  const beside = unionOf(stem, polygonOf(rectangle(rectOf(4, 0, 4, 20))));
  t.equal(beside.starts.length, 1);
  t.equal(Math.abs(signedArea(beside)), 160);
  t.end();
});

t.test('outlines that meet no other are bit-identical', (t) => {
  const ring = polygonOf(ellipse(rectOf(1.1, 2.3, 30.7, 20.9)));
  const hole = polygonOf(ellipse(rectOf(8.2, 7.7, 12.3, 8.1)));
  hole.reverse(0);
  const letter = polygonFrom([...contoursOf(ring), ...contoursOf(hole)]);
  t.same(contoursOf(unionOf(letter)), contoursOf(letter), 'a letter with a counter');
  const far = polygonOf(ellipse(rectOf(100.4, 3.3, 9, 9)));
  t.same(contoursOf(unionOf(letter, far)), [...contoursOf(letter), ...contoursOf(far)]);
  t.same(unionOf(new Polygon()).length, 0);
  t.end();
});

t.test('an outline inside another is removed', (t) => {
  const outer = polygonOf(ellipse(rectOf(0, 0, 30, 30)));
  const inner = polygonOf(ellipse(rectOf(10, 10, 10, 10)));
  t.same(contoursOf(unionOf(outer, inner)), contoursOf(outer));
  inner.reverse(0);
  t.same(contoursOf(unionOf(outer, inner)), contoursOf(outer), 'of another font, wound the other way');
  t.end();
});

t.test('a self-intersecting outline loses its inner edges', (t) => {
  const star = polygonFrom([
    Array.from({ length: 5 }, (_, i): Point => {
      const angle = (i * 4 * Math.PI) / 5;
      return [50 + 40 * Math.sin(angle), 50 - 40 * Math.cos(angle)];
    }),
  ]);
  t.equal(windingAt(star, 50, 50) ** 2, 4);
  const outline = unionOf(star);
  t.equal(contour(outline, 0).length, 10);
  t.equal(windingAt(outline, 50, 50) ** 2, 1);
  t.end();
});

t.test('the winding number is ±1 wherever a polygon has a non-zero one', (t) => {
  const onGrid = fc.integer({ min: 0, max: 12 }).map((n) => n * 8);
  const anywhere = fc.double({ min: 0, max: 96, noNaN: true });
  for (const coordinate of [onGrid, anywhere]) {
    const corner = fc.tuple(coordinate, coordinate);
    const polygon = fc
      .array(fc.array(corner, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
      .map(polygonFrom);
    fc.assert(
      fc.property(fc.array(polygon, { minLength: 1, maxLength: 2 }), (polygons) => {
        const outline = unionOf(...polygons);
        for (let y = 1.37; y < 96; y += 3.1) {
          for (let x = 0.71; x < 96; x += 3.3) {
            if (polygons.some((one) => distanceToEdges(one, x, y) < 0.02)) continue;
            const inside = polygons.some((one) => windingAt(one, x, y) !== 0);
            const winding = windingAt(outline, x, y);
            if (winding ** 2 !== (inside ? 1 : 0)) throw new Error(`winding ${winding} at ${x}, ${y}`);
          }
        }
      }),
      { numRuns: 150 },
    );
  }
  t.end();
});

t.test('returns undefined when the step budget is exhausted', (t) => {
  const needles = polygonFrom(
    Array.from({ length: 2000 }, (_, i): Point[] => [
      [i / 10, 0],
      [199 - i / 10, 50],
      [i / 10 + 0.05, 0],
    ]),
  );
  const budget = { steps: 1_000_000 };
  t.equal(unionBoundary([needles], budget), undefined);
  t.ok(budget.steps < 0 && budget.steps > -10_000, 'it stops soon');
  t.equal(
    unionBoundary([polygonOf(rectangle(rectOf(0, 0, 1e6, 1)))], { steps: 1e9 }),
    undefined,
    'nor what is too large',
  );
  t.equal(
    unionBoundary(
      [
        polygonFrom([
          [
            [0, 0],
            [NaN, 1],
            [5, 5],
          ],
        ]),
      ],
      { steps: 1e9 },
    ),
    undefined,
    'nor what is nowhere',
  );
  t.end();
});
