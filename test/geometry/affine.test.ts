// Affine transforms: composition, inversion, and clockwise rotation.
import fc from 'fast-check';
import t from 'tap';
import { type Affine, compose, IDENTITY, invert, rotationAbout, translation } from '../../lib/geometry/affine.js';

fc.configureGlobal({ seed: 4711 });

const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true });
const entry = fc.double({ min: -8, max: 8, noNaN: true });
const anyMap: fc.Arbitrary<Affine> = fc.record({
  a: entry,
  b: entry,
  c: entry,
  d: entry,
  e: coordinate,
  f: coordinate,
});
const regularMap = anyMap.filter(({ a, b, c, d }) => Math.abs(a * d - b * c) > 0.05);

function apply({ a, b, c, d, e, f }: Affine, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

function near(p: readonly number[], q: readonly number[], tolerance = 1e-6): boolean {
  return p.every((value, i) => Math.abs(value - q[i]) <= tolerance * Math.max(1, Math.abs(value), Math.abs(q[i])));
}

t.test('compose applies the first transform, then the second', (t) => {
  fc.assert(
    fc.property(anyMap, anyMap, coordinate, coordinate, (first, then, x, y) =>
      near(apply(compose(first, then), x, y), apply(then, ...apply(first, x, y))),
    ),
  );
  t.same(compose(translation(3, 4), IDENTITY), translation(3, 4));
  t.end();
});

t.test('invert returns the inverse, and undefined for singular transforms', (t) => {
  fc.assert(
    fc.property(regularMap, coordinate, coordinate, (map, x, y) => {
      const back = invert(map);
      return back !== undefined && near(apply(back, ...apply(map, x, y)), [x, y], 1e-5);
    }),
  );
  t.equal(invert({ a: 2, b: 4, c: 1, d: 2, e: 0, f: 0 }), undefined);
  t.equal(invert({ a: 0, b: 0, c: 0, d: 0, e: 5, f: 5 }), undefined);
  t.end();
});

t.test('rotations are clockwise with y down, preserve lengths and the centre, and add up', (t) => {
  const quarter = rotationAbout(90, 10, 20);
  t.same(apply(quarter, 15, 20), [10, 25], 'what was right is below, exactly');
  t.same(apply(quarter, 10, 15), [15, 20], 'what was above is right, exactly');
  t.same(apply(rotationAbout(-90, 0, 0), 1, 0), [0, -1]);
  t.same(apply(rotationAbout(180, 5, 5), 0, 0), [10, 10]);
  t.same(apply(rotationAbout(720, 5, 5), 1, 2), [1, 2]);
  fc.assert(
    fc.property(coordinate, coordinate, coordinate, coordinate, coordinate, (degrees, cx, cy, x, y) => {
      const turn = rotationAbout(degrees, cx, cy);
      const [u, v] = apply(turn, x, y);
      return (
        near(apply(turn, cx, cy), [cx, cy]) &&
        near([Math.hypot(u - cx, v - cy)], [Math.hypot(x - cx, y - cy)]) &&
        near(apply(compose(turn, rotationAbout(30, cx, cy)), x, y), apply(rotationAbout(degrees + 30, cx, cy), x, y))
      );
    }),
  );
  t.end();
});
