// The rasterizer's coverage is the exact area: against area sums, supersampling and clipping.
import fc from 'fast-check';
import t from 'tap';
import { Rasterizer } from '../../lib/raster/coverage.js';
import { areaOf, cover, polygonOf, sample, simplePolygon, star, sum, tangledPolygon } from './polygons.js';

fc.configureGlobal({ seed: 1701 });

/** Each pixel on an edge is rounded to a 255th. */
function roundingOf(perimeterPixels: number): number {
  return 0.01 + perimeterPixels * 0.002;
}

t.test('the coverage of a polygon inside the target sums to its area', (t) => {
  fc.assert(
    fc.property(simplePolygon(40, 35, 33), (corners) => {
      const { width, height } = { width: 80, height: 70 };
      for (const contour of [corners, [...corners].reverse()]) {
        const painted = cover(polygonOf(contour), width, height, 'nonzero');
        // distant corners make slivers in which two edges share a pixel; their sums are still exact
        if (Math.abs(sum(painted) - areaOf(contour)) > roundingOf(contour.length * 140)) return false;
      }
      return true;
    }),
    { numRuns: 150 },
  );
  t.end();
});

t.test('even-odd leaves the middle of a star empty, non-zero fills it', (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: 5, max: 30, noNaN: true }),
      fc.double({ min: 0, max: 7, noNaN: true }),
      (radius, turn) => {
        const polygon = polygonOf(star(32, 32, radius, turn));
        // a pentagram of circumradius 1: ten times the triangle of centre, point and inner corner; the pentagon in it
        const inner = 1 / ((3 + Math.sqrt(5)) / 2);
        const whole = 10 * 0.5 * inner * Math.sin(Math.PI / 5) * radius ** 2;
        const middle = 5 * 0.5 * inner ** 2 * Math.sin((2 * Math.PI) / 5) * radius ** 2;
        const nonzero = sum(cover(polygon, 64, 64, 'nonzero'));
        const evenodd = sum(cover(polygon, 64, 64, 'evenodd'));
        // a pixel in which edges cross has only the sum of areas: an error of about one pixel in total
        return Math.abs(nonzero - whole) < 2.5 && Math.abs(evenodd - (whole - middle)) < 2.5;
      },
    ),
  );
  t.end();
});

t.test('both rules agree with 16 × 16 supersampling', (t) => {
  let compared = 0;
  fc.assert(
    fc.property(tangledPolygon(-6, 38), tangledPolygon(4, 28), (first, second) => {
      const contours = [first, second];
      const polygon = polygonOf(...contours);
      const nonzero = cover(polygon, 32, 32, 'nonzero');
      const evenodd = cover(polygon, 32, 32, 'evenodd');
      for (let y = 0; y < 32; y++) {
        for (let x = 0; x < 32; x++) {
          const twin = sample(contours, x, y, 16);
          if (!twin.plain) continue;
          compared++;
          // a grid of 256 points misjudges an edge by up to a 16th, two edges by twice that
          const i = y * 32 + x;
          if (Math.abs(nonzero.alpha[i] / 255 - twin.nonzero) > 0.13) return false;
          if (Math.abs(evenodd.alpha[i] / 255 - twin.evenodd) > 0.13) return false;
        }
      }
      return true;
    }),
    { numRuns: 25 },
  );
  t.ok(compared > 10_000, `${compared} pixels were compared`);
  t.end();
});

t.test('clipping to the target does not change the visible coverage', (t) => {
  const window = fc.record({
    left: fc.integer({ min: -20, max: 90 }),
    top: fc.integer({ min: -20, max: 90 }),
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 70 }),
  });
  fc.assert(
    fc.property(tangledPolygon(0, 100), window, (corners, { left, top, width, height }) => {
      const polygon = polygonOf(corners);
      for (const rule of ['nonzero', 'evenodd'] as const) {
        const whole = cover(polygon, 100, 100, rule);
        const part = cover(polygon, width, height, rule, { left, top });
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const [u, v] = [x + left, y + top];
            const expected = u < 0 || v < 0 || u >= 100 || v >= 100 ? 0 : whole.alpha[v * 100 + u];
            // sums are single precision: a half may be rounded the other way
            if (Math.abs(part.alpha[y * width + x] - expected) > 1) return false;
          }
        }
      }
      return true;
    }),
    { numRuns: 150 },
  );
  t.end();
});

t.test('widths around multiples of the 8-pixel block, edges on and beyond the borders', (t) => {
  for (const width of [1, 2, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 96]) {
    const rasterizer = new Rasterizer(width, 3);
    for (const right of [width - 0.5, width, width + 0.5, width + 40, 1e6]) {
      for (const left of [-1e6, -40, -0.5, 0, 0.25, width - 0.75]) {
        const polygon = polygonOf([
          [left, -1],
          [right, -1],
          [right, 1.5],
          [left, 1.5],
        ]);
        const painted = cover(polygon, width, 3, 'nonzero', { rasterizer });
        for (let x = 0; x < width; x++) {
          const covered = Math.max(0, Math.min(right, x + 1) - Math.max(left, x));
          const expected = Math.round(covered * 255);
          if (Math.abs(painted.alpha[x] - expected) > 1) t.fail(`${width} wide, ${left} to ${right}: ${x}`);
          if (Math.abs(painted.alpha[width + x] - expected / 2) > 1) t.fail(`${width} wide, ${left} to ${right}: ${x}`);
          if (painted.alpha[2 * width + x] !== 0) t.fail(`${width} wide, ${left} to ${right}: below`);
        }
      }
    }
  }
  t.pass('every column has the right coverage');
  t.end();
});

t.test('boxes on whole and half pixels, stacked and side by side', (t) => {
  const edge = fc.integer({ min: -4, max: 44 }).map((k) => k / 2);
  const box = fc.tuple(edge, edge, edge, edge).map(([p, q, u, v]) => ({
    left: Math.min(p, q),
    right: Math.max(p, q),
    top: Math.min(u, v),
    bottom: Math.max(u, v),
  }));
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 4 }), (boxes) => {
      const contours = boxes.map(({ left, top, right, bottom }): [number, number][] => [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ]);
      const painted = cover(polygonOf(...contours), 20, 20, 'nonzero');
      for (let y = 0; y < 20; y++) {
        for (let x = 0; x < 20; x++) {
          const shares = boxes.map(({ left, top, right, bottom }) => {
            const width = Math.min(right, x + 1) - Math.max(left, x);
            const height = Math.min(bottom, y + 1) - Math.max(top, y);
            return Math.max(0, width) * Math.max(0, height);
          });
          const expected = Math.min(
            1,
            shares.reduce((sum, share) => sum + share, 0),
          );
          if (Math.abs(painted.alpha[y * 20 + x] - expected * 255) > 0.51) return false;
        }
      }
      return true;
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('a reused rasterizer gives the same coverage as a new one', (t) => {
  const rasterizer = new Rasterizer(70, 50);
  fc.assert(
    fc.property(fc.array(tangledPolygon(-30, 100), { minLength: 2, maxLength: 5 }), (polygons) =>
      polygons.every((corners, i) => {
        const rule = i % 2 === 0 ? 'nonzero' : 'evenodd';
        const reused = cover(polygonOf(corners), 70, 50, rule, { rasterizer });
        const fresh = cover(polygonOf(corners), 70, 50, rule);
        return reused.alpha.every((value, k) => value === fresh.alpha[k]);
      }),
    ),
    { numRuns: 60 },
  );
  t.end();
});

t.test('thin, degenerate and distant polygons', (t) => {
  const hair = polygonOf([
    [0, 10],
    [100, 10.02],
    [100, 10.03],
    [0, 10.01],
  ]);
  t.ok(cover(hair, 100, 20, 'nonzero').alpha.every((value, i) => value <= (i >= 1000 && i < 1100 ? 4 : 0)));
  const flat = polygonOf([
    [0, 5],
    [50, 5],
    [20, 5],
  ]);
  t.equal(sum(cover(flat, 60, 10, 'nonzero')), 0);
  const far = polygonOf([
    [-1e6, -1e6],
    [1e6, -1e6],
    [1e6, 1e6],
    [-1e6, 1e6],
  ]);
  t.equal(sum(cover(far, 40, 30, 'nonzero')), 1200, 'a polygon around the target fills it');
  const above = polygonOf([
    [0, -20],
    [50, -20],
    [50, 0],
    [0, 0],
  ]);
  t.equal(sum(cover(above, 40, 30, 'nonzero')), 0, 'one that ends at the border leaves it empty');
  t.equal(sum(cover(polygonOf(), 40, 30, 'nonzero')), 0);
  t.end();
});

t.test('what lies wholly beside the target costs no row anything', (t) => {
  const rasterizer = new Rasterizer(20, 10);
  const box = (x: number): [number, number][] => [
    [x, 2],
    [x + 4, 2],
    [x + 4, 8],
    [x, 8],
  ];
  const edgesOf = (...contours: [number, number][][]) => {
    rasterizer.fill(polygonOf(...contours), 100, 0, 'nonzero', () => {});
    return (rasterizer as unknown as { edges: { count: number } }).edges.count;
  };
  t.equal(edgesOf(box(110)), 2);
  t.equal(edgesOf(box(90), box(110), box(120), box(500)), 2);
  t.equal(edgesOf(box(98)), 2, 'part of it is inside');
  t.equal(edgesOf(box(118)), 1, 'the edge beyond the right side adds nothing');
  t.end();
});
