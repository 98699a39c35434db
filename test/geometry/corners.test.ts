// Corners of boxes by CSS's rules: shorthand, reduction, inside of a border, around a spread shadow.
import fc from 'fast-check';
import t from 'tap';
import {
  type Corners,
  cornersOf,
  insetCorners,
  outsetCorners,
  reduceCorners,
  SQUARE_CORNERS,
  uniformCorners,
} from '../../lib/geometry/corners.js';
import { isEmpty, rectOf } from '../../lib/geometry/rect.js';
import { rectangle, roundedRectangle } from '../../lib/geometry/shapes.js';
import { polygonOf, signedArea } from './areas.js';

fc.configureGlobal({ seed: 4713 });

const radii = (corners: Corners) => corners.map(({ x, y }) => (x === y ? x : [x, y]));

/** Corners of one to four radii. */
const circular = (lengths: readonly number[]) => cornersOf(lengths, rectOf(0, 0, 1, 1));

t.test('one to four radii, as in CSS', (t) => {
  t.same(radii(circular([5])), [5, 5, 5, 5]);
  t.same(radii(circular([5, 6])), [5, 6, 5, 6]);
  t.same(radii(circular([5, 6, 7])), [5, 6, 7, 6]);
  t.same(radii(circular([5, 6, 7, 8])), [5, 6, 7, 8]);
  t.end();
});

t.test('radii that overlap are all reduced by the same factor', (t) => {
  t.same(radii(reduceCorners(circular([90, 90, 0, 0]), rectOf(0, 0, 170, 110))), [85, 85, 0, 0]);
  t.same(radii(reduceCorners(circular([200, 20, 100, 0]), rectOf(7, 9, 300, 220))), [200, 20, 100, 0]);
  t.same(radii(reduceCorners(circular([200, 20, 100, 0]), rectOf(0, 0, 110, 300))), [100, 10, 50, 0]);
  t.same(radii(reduceCorners(circular([0, 0, 60, 60]), rectOf(0, 0, 200, 30))), [0, 0, 30, 30], 'no opposite');
  t.same(radii(reduceCorners(uniformCorners(80, 20), rectOf(0, 0, 100, 40))), Array(4).fill([50, 12.5]));
  t.same(reduceCorners(uniformCorners(0, 9), rectOf(0, 0, 10, 10)), SQUARE_CORNERS, 'one radius of 0: square');
  t.same(reduceCorners(uniformCorners(5), rectOf(0, 0, 0, 10)), SQUARE_CORNERS, 'nothing to round');
  t.same(reduceCorners(SQUARE_CORNERS, rectOf(0, 0, 0, 0)), SQUARE_CORNERS);
  t.end();
});

t.test('reduced corners fit their edges', (t) => {
  const radius = fc.double({ min: 0, max: 1e6, noNaN: true });
  const side = fc.double({ min: 0.5, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(fc.array(radius, { minLength: 1, maxLength: 4 }), side, side, (given, width, height) => {
      const [tl, tr, br, bl] = reduceCorners(circular(given), rectOf(3, 4, width, height));
      const fits = (first: number, second: number, edge: number) => first + second <= edge * (1 + 1e-9);
      return fits(tl.x, tr.x, width) && fits(bl.x, br.x, width) && fits(tl.y, bl.y, height) && fits(tr.y, br.y, height);
    }),
  );
  t.end();
});

t.test('a path with four different corners has their area, and begins where the top left corner ends', (t) => {
  const rect = rectOf(10, 20, 300, 200);
  const path = roundedRectangle(rect, circular([90, 0, 40, 10]));
  t.same(path.coords.slice(0, 4), [100, 20, 310, 20]);
  const missing = (1 - Math.PI / 4) * (90 ** 2 + 40 ** 2 + 10 ** 2);
  t.ok(Math.abs(signedArea(polygonOf(path)) - (300 * 200 - missing)) < 8);
  t.same(roundedRectangle(rect, uniformCorners(0)), rectangle(rect));
  t.notOk(isEmpty(polygonOf(path).bounds()));
  t.end();
});

t.test('inside a border radii are less by its width', (t) => {
  t.same(radii(insetCorners(circular([4, 30, 60, 12]), 8)), [0, 22, 52, 4]);
  t.same(radii(insetCorners(uniformCorners(80, 40), 10)), Array(4).fill([70, 30]));
  t.end();
});

t.test('around a spread shadow small radii grow by less: measured in Chromium 156', (t) => {
  const outer = (width: number, height: number, radius: number, by: number) =>
    outsetCorners(uniformCorners(radius), rectOf(0, 0, width, height), by)[0].x;
  for (const [width, height, radius, by, measured] of [
    [120, 120, 40, 100, 124.8],
    [200, 120, 50, 200, 176.2],
    [120, 120, 30, 100, 99.5],
    [200, 120, 30, 90, 94.1],
    [80, 80, 30, 200, 159],
    [300, 100, 45, 150, 144.9],
    [200, 120, 20, 10, 30],
    [120, 120, 60, 40, 99.5],
  ]) {
    t.ok(Math.abs(outer(width, height, radius, by) - measured) < 1, `${width} × ${height}, ${radius} + ${by}`);
  }
  t.equal(outer(100, 100, 0, 30), 0, 'square corners stay square');
  t.equal(outer(100, 100, 50, 200), 250, 'a circle stays a circle');
  t.end();
});
