// Masks of coverage, applied to pixels.
import fc from 'fast-check';
import t from 'tap';
import { IDENTITY } from '../../lib/geometry/affine.js';
import { flatten } from '../../lib/geometry/flatten.js';
import { Polygon } from '../../lib/geometry/polygon.js';
import { rectangle } from '../../lib/geometry/shapes.js';
import { div255 } from '../../lib/raster/blend.js';
import { coverageMask, Mask, maskPixels } from '../../lib/raster/mask.js';
import { anyPixmap, copy } from './pixels.js';

fc.configureGlobal({ seed: 1712 });

t.test('every channel is multiplied by the coverage, rounded', (t) => {
  const coverage = fc.array(fc.oneof(fc.constantFrom(0, 255), fc.integer({ min: 0, max: 255 })), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyPixmap(4, 3), coverage, (pixmap, cover) => {
      const masked = copy(pixmap);
      maskPixels(masked, new Mask({ left: 0, top: 0, right: 4, bottom: 3 }, Uint8Array.from(cover)));
      return masked.data.every((value, i) => value === div255(pixmap.data[i] * cover[i >> 2]));
    }),
  );
  t.end();
});

t.test('a mask has the coverage of a polygon, by either fill rule', (t) => {
  const polygon = new Polygon();
  flatten(rectangle({ left: 1, top: 1, right: 5, bottom: 3.5 }), IDENTITY, polygon);
  flatten(rectangle({ left: 2, top: 1, right: 3, bottom: 9 }), IDENTITY, polygon);
  const bounds = { left: 0, top: 1, right: 6, bottom: 4 };
  const rows = (mask: Mask) => [0, 1, 2].map((y) => [...mask.alpha.subarray(6 * y, 6 * y + 6)]);
  const half = [0, 128, 255, 128, 128, 0].map((value) => (value === 128 ? Math.round((32 * 255) / 64) : value));
  t.same(rows(coverageMask(polygon, bounds)), [[0, 255, 255, 255, 255, 0], [0, 255, 255, 255, 255, 0], half]);
  t.same(rows(coverageMask(polygon, bounds, 1, 'evenodd'))[0], [0, 255, 0, 255, 255, 0]);
  t.end();
});
