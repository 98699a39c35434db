// Strokes of paths: joins, caps, dashes, curves; one shape for the non-zero rule.
import fc from 'fast-check';
import t from 'tap';
import { type Affine, compose, IDENTITY, rotationAbout, translation } from '../../../lib/geometry/affine.js';
import { isPathError, parsePathData } from '../../../lib/geometry/path-data.js';
import { Polygon } from '../../../lib/geometry/polygon.js';
import type { Rect } from '../../../lib/geometry/rect.js';
import { inkReach, MAX_DASHES, type Stroke, strokePath } from '../../../lib/geometry/stroke/stroke.js';
import { signedArea } from '../areas.js';
import { area, paint } from '../coverage.js';

fc.configureGlobal({ seed: 2203 });

function strokeOf(d: string, stroke: Stroke, map: Affine = IDENTITY, visible?: Rect): Polygon {
  const path = parsePathData(d);
  if (isPathError(path)) throw new Error(path.expected);
  const out = new Polygon();
  strokePath(path, map, stroke, out, visible);
  return out;
}

const SQUARE = 'M30 30h60v60h-60z';

t.test('joins of a square: miter fills its corners, bevel cuts them, round rounds them', (t) => {
  const inner = 60 * 60 - 48 * 48;
  const sides = 4 * 60 * 6;
  const areas = { miter: sides + 4 * 36, bevel: sides + 4 * 18, round: sides + Math.PI * 36 };
  for (const join of ['miter', 'bevel', 'round'] as const) {
    const measured = area(strokeOf(SQUARE, { width: 12, join }), 128);
    t.ok(Math.abs(measured - inner - areas[join]) < 3, `${join}: ${measured} for ${inner + areas[join]}`);
  }
  t.equal(area(strokeOf(SQUARE, { width: 12 }), 128), inner + areas.miter, 'miter by default');
  t.end();
});

t.test('a miter beyond the limit of 4 is a bevel', (t) => {
  // a turn by 2·acos(1/4) has a miter of 4 times the width
  const spike = (degrees: number) => {
    const angle = ((180 - degrees) * Math.PI) / 180;
    const stroke = strokeOf(`M0 0H50L${50 + 50 * Math.cos(angle)} ${50 * Math.sin(angle)}`, { width: 8 });
    return stroke.bounds().right;
  };
  const limit = (2 * Math.asin(1 / 4) * 180) / Math.PI;
  t.ok(spike(limit + 0.5) > 50 + 14, 'within');
  t.ok(spike(limit - 0.5) < 50 + 5, 'beyond');
  t.end();
});

t.test('caps: butt ends at the line, square and round reach half the width beyond it', (t) => {
  const line = 'M20 64H100';
  t.equal(area(strokeOf(line, { width: 20 }), 128), 1600);
  t.equal(area(strokeOf(line, { width: 20, cap: 'square' }), 128), 2000);
  const round = area(strokeOf(line, { width: 20, cap: 'round' }), 128);
  t.ok(Math.abs(round - 1600 - Math.PI * 100) < 2, String(round));
  t.end();
});

t.test('a point with a segment of length 0 has caps, a lone moveto has none', (t) => {
  for (const d of ['M64 64h0', 'M64 64z']) {
    t.equal(area(strokeOf(d, { width: 20, cap: 'square' }), 128), 400, d);
    t.ok(Math.abs(area(strokeOf(d, { width: 20, cap: 'round' }), 128) - Math.PI * 100) < 1.5, d);
    t.equal(strokeOf(d, { width: 20 }).length, 0, d);
  }
  t.equal(strokeOf('M64 64', { width: 20, cap: 'round' }).length, 0);
  t.equal(strokeOf('M64 64H9', { width: 0, cap: 'round' }).length, 0);
  t.end();
});

t.test('a circle of any width has a ring, also where the stroke reaches its centre', (t) => {
  const circle = 'M60 100a40 40 0 1 1 80 0a40 40 0 1 1-80 0z';
  for (const width of [0.5, 1, 4, 20, 80]) {
    const expected = Math.PI * 80 * width;
    const measured = area(strokeOf(circle, { width }), 200);
    t.ok(Math.abs(measured - expected) < 0.004 * expected + 1, `${width}: ${measured} for ${expected}`);
  }
  t.end();
});

/** The runs of opaque pixels in row `y`. */
function runs(polygon: Polygon, y: number, size = 128): [number, number][] {
  const alpha = paint(polygon, size).subarray(y * size, (y + 1) * size);
  const found: [number, number][] = [];
  for (let x = 0; x < size; x++) {
    if (alpha[x] !== 255) continue;
    const start = x;
    while (x < size && alpha[x] === 255) x++;
    found.push([start, x]);
  }
  return found;
}

t.test('dashes follow the pattern from the offset on; an odd count is repeated', (t) => {
  const line = 'M10 20H60';
  const of = (dash: number[], dashOffset = 0) => runs(strokeOf(line, { width: 4, dash, dashOffset }), 20);
  t.same(of([12, 8]), [
    [10, 22],
    [30, 42],
    [50, 60],
  ]);
  t.same(of([12, 8], 5), [
    [10, 17],
    [25, 37],
    [45, 57],
  ]);
  t.same(of([12, 8], -4), [
    [14, 26],
    [34, 46],
    [54, 60],
  ]);
  t.same(of([12, 8], 12 + 20 * 1000), [
    [18, 30],
    [38, 50],
    [58, 60],
  ]);
  t.same(of([10, 5, 3]), [
    [10, 20],
    [25, 28],
    [38, 43],
    [46, 56],
  ]);
  t.same(of([]), [[10, 60]]);
  t.same(of([0, 0]), [[10, 60]], 'a pattern of length 0 is a solid line');
  t.end();
});

t.test('dots: dashes of length 0 have caps, except one that would begin at the end', (t) => {
  const dots = strokeOf('M10 20H58', { width: 4, dash: [0, 12], cap: 'square' });
  t.same(runs(dots, 20), [
    [8, 12],
    [20, 24],
    [32, 36],
    [44, 48],
  ]);
  t.equal(strokeOf('M10 20H58', { width: 4, dash: [0, 12] }).length, 0, 'butt caps of a point are nothing');
  t.end();
});

t.test('on a closed path the last dash joins the first', (t) => {
  const corner = (dash: number[]) => paint(strokeOf('M20 20h40v40h-40z', { width: 8, dash }), 128)[17 * 128 + 17];
  t.equal(corner([30, 10]), 0, 'a gap at the end');
  t.equal(corner([30, 10, 30, 10, 30, 10, 35, 5]), 0);
  t.equal(corner([50, 60]), 255, 'a dash at the end');
  t.equal(corner([20, 120, 20]), 255, 'a dash up to the end');
  t.equal(corner([1000, 10]), 255, 'one dash all around');
  t.end();
});

t.test('dashes measure curves along the coarse chords of browsers', (t) => {
  // 16 chords for a circle of radius 10; the circumference would put the second dot 0.2 px to the right of the bottom
  const half = 16 * 10 * Math.sin(Math.PI / 16);
  const circle = 'M50 40A10 10 0 0 1 50 60A10 10 0 0 1 50 40z';
  for (const isBox of [true, false]) {
    const stroke: Stroke = { width: 4, cap: 'round', dash: [0, half, 0, 1000], isBox };
    const { left, top, right, bottom } = strokeOf(circle, stroke).bounds();
    const found = [left, top, right, bottom].map((edge) => Math.round(edge * 20) / 20);
    t.same(found, [48, 38, 52, 62], isBox ? 'conics' : 'cubics');
  }
  t.end();
});

t.test('a map that turns, mirrors and scales also maps width and dashes', (t) => {
  const stroke: Stroke = { width: 3, dash: [7, 3], cap: 'round', join: 'round' };
  const plain = area(strokeOf('M10 10h30l-10 20z', { ...stroke, width: 6, dash: [14, 6] }, { ...IDENTITY }), 128);
  const double = { a: 2, b: 0, c: 0, d: 2, e: 0, f: 0 };
  const scaled = area(strokeOf('M5 5h15l-5 10z', stroke, double), 128);
  t.ok(Math.abs(plain - scaled) < 0.01);
  const turned = area(strokeOf('M5 5h15l-5 10z', stroke, compose(double, rotationAbout(30, 25, 25))), 128);
  t.ok(Math.abs(turned - scaled) < 0.02 * scaled, `${turned} for ${scaled}`);
  const mirror = { ...double, a: -2, e: 60 };
  t.ok(Math.abs(area(strokeOf('M5 5h15l-5 10z', stroke, mirror), 128) - scaled) < 0.02 * scaled);
  t.end();
});

t.test('dashes that nobody sees cost nothing; too many that are visible are a solid line', (t) => {
  const visible = { left: 0, top: 0, right: 128, bottom: 128 };
  const long = strokeOf('M-900003 20H900000', { width: 4, dash: [6, 4] }, IDENTITY, visible);
  t.ok(long.length < 1000, `${long.length / 2} corners`);
  t.same(runs(long, 20).slice(0, 2), [
    [0, 3],
    [7, 13],
  ]);
  const dense = strokeOf('M10 20H100', { width: 4, dash: [0.001, 0.0005] }, IDENTITY, visible);
  t.ok(90 / 0.0015 > MAX_DASHES);
  t.same(runs(dense, 20), [[10, 100]]);
  t.end();
});

t.test('any stroke is near its path, winds one way, and covers what it should', (t) => {
  const point = fc.tuple(fc.double({ min: 30, max: 98, noNaN: true }), fc.double({ min: 30, max: 98, noNaN: true }));
  const style = fc.record({
    width: fc.double({ min: 2, max: 24, noNaN: true }),
    join: fc.constantFrom('miter' as const, 'round' as const, 'bevel' as const),
    cap: fc.constantFrom('butt' as const, 'round' as const, 'square' as const),
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 6 }), fc.boolean(), style, (points, isClosed, stroke) => {
      const d = `M${points.map(([x, y]) => `${x} ${y}`).join('L')}${isClosed ? 'z' : ''}`;
      const polygon = strokeOf(d, stroke);
      const painted = paint(polygon, 200);
      const { left, top, right, bottom } = polygon.bounds();
      const reach = inkReach(stroke) + 0.01;
      if (left < 30 - reach || top < 30 - reach || right > 98 + reach || bottom > 98 + reach) return false;
      const ends = isClosed ? [...points, points[0]] : points;
      for (let i = 0; i + 1 < ends.length; i++) {
        for (let s = 0.05; s < 1; s += 0.1) {
          const x = ends[i][0] + (ends[i + 1][0] - ends[i][0]) * s;
          const y = ends[i][1] + (ends[i + 1][1] - ends[i][1]) * s;
          // a pixel on the line, a quarter of the width from either edge at least
          if (stroke.width > 6 && painted[Math.floor(y) * 200 + Math.floor(x)] < 250) return false;
        }
      }
      return signedArea(polygon) >= 0;
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('thousands of huge curves and wide round caps stay within memory', (t) => {
  const d = `M0 0${'C90000 0 0 90000-90000-90000'.repeat(10_000)}`;
  const curves = strokeOf(d, { width: 1000, join: 'round', cap: 'round' });
  t.ok(curves.length < 2 * 5e6, `${curves.length / 2} corners`);
  const visible = { left: 0, top: 0, right: 9000, bottom: 9000 };
  const dots = strokeOf('M0 0H8000', { width: 5000, cap: 'round', dash: [0, 0.5] }, IDENTITY, visible);
  t.equal(dots.starts.length, 16_000);
  t.ok(dots.length < 2 * 1.5e6, `${dots.length / 2} corners`);
  t.end();
});

t.test('extreme coordinates and widths end in finite numbers', (t) => {
  const polygon = strokeOf('M0 0C1e9 1e9-1e9 1e9 5 5Q1e8-1e8 9 9A1e9 1 30 0 1 3e8 7z', { width: 1e6, join: 'round' });
  t.ok(polygon.points.subarray(0, polygon.length).every(Number.isFinite));
  t.ok(polygon.length < 20_000, `${polygon.length / 2} corners`);
  t.same(strokeOf('M0 0L9 9', { width: 3 }, translation(1, 1)).starts, [0]);
  t.end();
});
