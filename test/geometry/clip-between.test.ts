import t from 'tap';
import { IDENTITY, rotationAbout } from '../../lib/geometry/affine.js';
import { clipBetween } from '../../lib/geometry/clip-between.js';
import { flatten } from '../../lib/geometry/flatten.js';
import { Polygon } from '../../lib/geometry/polygon.js';
import { mapRect } from '../../lib/geometry/rect.js';
import { rectangle } from '../../lib/geometry/shapes.js';

const wide = { left: -10, top: 0, right: 30, bottom: 4 };

t.test('keeps what lies between the lines', (t) => {
  for (const map of [IDENTITY, rotationAbout(90, 3, 5), { ...IDENTITY, a: -2, d: 2, e: 7 }]) {
    const source = new Polygon();
    flatten(rectangle(wide), map, source);
    flatten(rectangle({ ...wide, left: 25 }), map, source);
    const out = new Polygon();
    clipBetween(source, map, 0, 20, out);
    t.same(out.bounds(), mapRect({ ...wide, left: 0, right: 20 }, map));
    t.equal(out.starts.length, 1, 'a contour outside of them is dropped');
  }
  t.end();
});
