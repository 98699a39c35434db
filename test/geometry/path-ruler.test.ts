import t from 'tap';
import { isPathError, parsePathData } from '../../lib/geometry/path-data.js';
import { PathRuler } from '../../lib/geometry/path-ruler.js';

function ruler(data: string): PathRuler {
  const path = parsePathData(data);
  if (isPathError(path)) throw new Error(path.expected);
  return new PathRuler(path);
}

t.test('measures lines through all contours', (t) => {
  const path = ruler('M0 0 H10 V5 M100 100 h-4 v3 z');
  t.equal(path.length, 15 + 4 + 3 + 5);
  t.same(path.at(4), { x: 4, y: 0, ux: 1, uy: 0 });
  t.same(path.at(12), { x: 10, y: 2, ux: 0, uy: 1 });
  t.same(path.at(17), { x: 98, y: 100, ux: -1, uy: 0 });
  t.match(path.at(27), { x: 100, y: 100 }, 'a closed contour ends where it begins');
  t.equal(path.at(-0.1), undefined);
  t.equal(path.at(27.1), undefined);
  t.end();
});

t.test('a path without a length has no points', (t) => {
  for (const data of ['M3 4', 'M3 4 L3 4', 'M3 4 z', '']) {
    t.equal(ruler(data).length, 0, data);
    t.equal(ruler(data).at(0), undefined, data);
  }
  t.end();
});

t.test('directions along a curve are those of the curve', (t) => {
  // a circle of radius 100
  const circle = ruler('M100 0 A100 100 0 0 1 -100 0 A100 100 0 0 1 100 0');
  t.ok(Math.abs(circle.length - 200 * Math.PI) < 3, 'measured along chords up to half a pixel from the curve');
  for (let i = 1; i < 100; i++) {
    const { x, y, ux, uy } = circle.at((circle.length * i) / 100)!;
    t.ok(Math.abs(Math.hypot(x, y) - 100) < 0.1);
    t.ok(Math.abs(ux + y / 100) < 0.01 && Math.abs(uy - x / 100) < 0.01);
  }
  t.end();
});
