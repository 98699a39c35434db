// Rectangles: snapping as browsers do, and the bounds of transformed boxes.
import fc from 'fast-check';
import t from 'tap';
import { rotationAbout } from '../../lib/geometry/affine.js';
import {
  expand,
  intersect,
  isEmpty,
  mapRect,
  offset,
  type Rect,
  rectOf,
  roundOut,
  snap,
  unite,
} from '../../lib/geometry/rect.js';

fc.configureGlobal({ seed: 4712 });

const coordinate = fc.double({ min: -500, max: 500, noNaN: true });
const size = fc.double({ min: 0, max: 300, noNaN: true });
const box = fc.tuple(coordinate, coordinate, size, size).map(([x, y, w, h]) => rectOf(x, y, w, h));

function contains(outer: Rect, inner: Rect): boolean {
  const out = 1e-9;
  return (
    outer.left <= inner.left + out &&
    outer.top <= inner.top + out &&
    outer.right >= inner.right - out &&
    outer.bottom >= inner.bottom - out
  );
}

t.test('snap rounds each edge separately, halves up', (t) => {
  t.same(snap(rectOf(0.5, 1.49, 2, 2)), { left: 1, top: 1, right: 3, bottom: 3 });
  t.same(snap(rectOf(-0.5, -1.5, 1, 1)), { left: 0, top: -1, right: 1, bottom: 0 });
  t.ok(isEmpty(snap(rectOf(0.1, 0.1, 0.3, 5))), 'a sliver between two pixel edges goes');
  t.same(snap(rectOf(0.4, 0, 0.2, 1)), rectOf(0, 0, 1, 1), 'one across the middle of a pixel fills it');
  fc.assert(
    fc.property(box, fc.integer({ min: -50, max: 50 }), (rect, by) => {
      const snapped = snap(rect);
      for (const edge of ['left', 'top', 'right', 'bottom'] as const) {
        if (!Number.isInteger(snapped[edge]) || Math.abs(snapped[edge] - rect[edge]) > 0.5) return false;
      }
      // neighbours that share an edge still share it
      const next = snap({ ...rect, left: rect.right, right: rect.right + 10 });
      return next.left === snapped.right && snap(offset(snapped, by, by)).left === snapped.left + by;
    }),
  );
  t.end();
});

t.test('roundOut, intersect, unite, expand', (t) => {
  fc.assert(
    fc.property(box, box, (p, q) => {
      const common = intersect(p, q);
      const both = unite(p, q);
      return (
        contains(roundOut(p), p) &&
        (isEmpty(common) || (contains(p, common) && contains(q, common))) &&
        (isEmpty(p) || contains(both, p)) &&
        (isEmpty(q) || contains(both, q))
      );
    }),
  );
  t.same(roundOut(rectOf(0.1, -0.1, 1, 1)), { left: 0, top: -1, right: 2, bottom: 1 });
  t.ok(isEmpty(intersect(rectOf(0, 0, 5, 5), rectOf(5, 0, 5, 5))), 'boxes that only touch share nothing');
  t.same(unite(rectOf(9, 9, 0, 0), rectOf(1, 1, 2, 2)), rectOf(1, 1, 2, 2));
  t.same(expand(rectOf(1, 1, 2, 2), 1), rectOf(0, 0, 4, 4));
  t.ok(isEmpty(expand(rectOf(0, 0, 4, 4), -2)));
  t.ok(isEmpty({ left: Number.NaN, top: 0, right: 1, bottom: 1 }));
  t.end();
});

t.test('the bounds of a rotated box are tight', (t) => {
  fc.assert(
    fc.property(box, coordinate, (rect, degrees) => {
      const turn = rotationAbout(degrees, 3, 7);
      const bounds = mapRect(rect, turn);
      const corners = [rect.left, rect.right].flatMap((x) =>
        [rect.top, rect.bottom].map((y) => [turn.a * x + turn.c * y + turn.e, turn.b * x + turn.d * y + turn.f]),
      );
      const xs = corners.map(([x]) => x);
      const ys = corners.map(([, y]) => y);
      return (
        Math.abs(bounds.left - Math.min(...xs)) < 1e-6 &&
        Math.abs(bounds.right - Math.max(...xs)) < 1e-6 &&
        Math.abs(bounds.top - Math.min(...ys)) < 1e-6 &&
        Math.abs(bounds.bottom - Math.max(...ys)) < 1e-6
      );
    }),
  );
  t.end();
});
