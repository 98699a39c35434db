// The glyph coverage kernel against the plain kernel, and that one against the rasterizer of paths.
import fc from 'fast-check';
import t from 'tap';
import { rasterizeMask } from '../../lib/raster/mask.js';
import { cover, polygonOf, tangledPolygon } from '../raster/polygons.js';
import { withPlainKernels } from './plain.js';

t.test('gives the same coverage as the plain kernel, for polygons of one and two contours', (t) => {
  const inside = { left: -3, top: -2, right: 45, bottom: 40 };
  const steps = fc.constantFrom(16, 64, 255);
  fc.assert(
    fc.property(tangledPolygon(-2, 38), tangledPolygon(0, 30), fc.boolean(), steps, (first, second, isTwo, steps) => {
      const polygon = polygonOf(first, ...(isTwo ? [second] : []));
      const { alpha } = rasterizeMask(polygon, inside, steps);
      const plain = withPlainKernels(() => rasterizeMask(polygon, inside, steps));
      return Buffer.compare(alpha, plain.alpha) === 0;
    }),
    { numRuns: 300, seed: 1710 },
  );
  t.end();
});

t.test('gives the same coverage as the rasterizer of paths', (t) => {
  const bounds = { left: 0, top: 0, right: 40, bottom: 40 };
  fc.assert(
    fc.property(tangledPolygon(1, 38), (corners) => {
      const plain = withPlainKernels(() => rasterizeMask(polygonOf(corners), bounds, 64));
      const { alpha } = cover(polygonOf(corners), 40, 40, 'nonzero');
      // the order of additions differs: a half may be rounded the other way
      return plain.alpha.every((value, i) => Math.abs(value - alpha[i]) <= 4);
    }),
    { numRuns: 100, seed: 1711 },
  );
  t.end();
});
