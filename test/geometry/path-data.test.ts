// SVG path data: every command, packed numbers, arcs, and errors with their position.
import fc from 'fast-check';
import t from 'tap';
import { IDENTITY } from '../../lib/geometry/affine.js';
import { flatten } from '../../lib/geometry/flatten.js';
import { CLOSE, CUBIC, LINE, MOVE, type PathData, QUAD } from '../../lib/geometry/path.js';
import { isPathError, MAX_PATH_SEGMENTS, parsePathData } from '../../lib/geometry/path-data.js';
import { Polygon } from '../../lib/geometry/polygon.js';

fc.configureGlobal({ seed: 9417 });

function parse(data: string): PathData {
  const parsed = parsePathData(data);
  if (isPathError(parsed)) throw new Error(`${parsed.expected} at ${parsed.at}`);
  return parsed;
}

function errorOf(data: string) {
  const parsed = parsePathData(data);
  return isPathError(parsed) ? [parsed.expected, parsed.at] : 'no error';
}

const listed = ({ verbs, coords }: PathData) => [Array.from(verbs), Array.from(coords)];

t.test('lines, absolute and relative; pairs after a moveto are linetos', (t) => {
  t.same(listed(parse('M1 2 3 4 L5,6 H7 V8 Z')), [
    [MOVE, LINE, LINE, LINE, LINE, CLOSE],
    [1, 2, 3, 4, 5, 6, 7, 6, 7, 8],
  ]);
  t.same(listed(parse('m1 2 3 4l5,6h7v8z')), [
    [MOVE, LINE, LINE, LINE, LINE, CLOSE],
    [1, 2, 4, 6, 9, 12, 16, 12, 16, 20],
  ]);
  t.end();
});

t.test('curves, and smooth curves that mirror the last control point of their kind', (t) => {
  t.same(listed(parse('M0 0C1 2 3 4 5 6S9 10 11 12')), [
    [MOVE, CUBIC, CUBIC],
    [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  ]);
  t.same(listed(parse('M0 0q1 2 3 4t3 4')), [
    [MOVE, QUAD, QUAD],
    [0, 0, 1, 2, 3, 4, 5, 6, 6, 8],
  ]);
  t.same(
    listed(parse('M0 0Q1 2 3 4S5 6 7 8')),
    [
      [MOVE, QUAD, CUBIC],
      [0, 0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8],
    ],
    'after a curve of the other kind, the current point',
  );
  t.end();
});

t.test('numbers without separators, with exponents, and flags without separators', (t) => {
  t.same(listed(parse('M.5.5-1-2+3e1 4E-1'))[1], [0.5, 0.5, -1, -2, 30, 0.4]);
  t.same(listed(parse(' \n\tM 1.,2 '))[1], [1, 2]);
  t.same(listed(parse('M0 0a5 5 0 0110 0')), listed(parse('M0 0 a 5,5 0 0,1 10,0')));
  t.same(listed(parse('')), [[], []], 'empty data is an empty path');
  t.end();
});

t.test('after a closepath, a segment starts at the contour start', (t) => {
  t.same(listed(parse('M1 1h4v4zh9')), [
    [MOVE, LINE, LINE, CLOSE, MOVE, LINE],
    [1, 1, 5, 1, 5, 5, 1, 1, 10, 1],
  ]);
  t.same(listed(parse('M1 1h4zzm2 2h1')), [
    [MOVE, LINE, CLOSE, MOVE, LINE],
    [1, 1, 5, 1, 3, 3, 4, 3],
  ]);
  t.end();
});

/** The flattened corners of the only contour. */
function cornersOf(data: string): [number, number][] {
  const polygon = new Polygon();
  flatten(parse(data), IDENTITY, polygon);
  const corners: [number, number][] = [];
  for (let i = 0; i < polygon.length; i += 2) corners.push([polygon.points[i], polygon.points[i + 1]]);
  return corners;
}

t.test('an arc is on the ellipse that its flags choose', (t) => {
  const centres = { '00': [50, 10], '01': [10, 50], '10': [10, 50], '11': [50, 10] };
  for (const [flags, [x, y]] of Object.entries(centres)) {
    const corners = cornersOf(`M10 10A40 40 0 ${flags[0]} ${flags[1]} 50 50`);
    for (const [cx, cy] of corners) t.ok(Math.abs(Math.hypot(cx - x, cy - y) - 40) < 0.01, `${flags}: ${cx}, ${cy}`);
    const length = corners
      .slice(1)
      .reduce((sum, [cx, cy], i) => sum + Math.hypot(cx - corners[i][0], cy - corners[i][1]), 0);
    const expected = Math.PI * 20 * (flags[0] === '1' ? 3 : 1);
    t.ok(Math.abs(length - expected) < 0.1, `${flags}: ${length} long for ${expected}`);
    t.same(corners.at(-1), [50, 50]);
  }
  t.end();
});

t.test('radii that are too small grow, those of 0 give a line, and rotation turns the ellipse', (t) => {
  for (const [x, y] of cornersOf('M0 0A1 1 0 0 1 20 0')) t.ok(Math.abs(Math.hypot(x - 10, y) - 10) < 0.01);
  t.same(listed(parse('M0 0A0 5 0 0 1 20 0'))[0], [MOVE, LINE]);
  t.same(listed(parse('M3 3A5 5 0 0 1 3 3'))[0], [MOVE], 'equal ends have no arc');
  for (const [x, y] of cornersOf('M10 0A5 20 90 0 1 50 0')) {
    t.ok(Math.abs(Math.hypot((x - 30) / 20, y / 5) - 1) < 0.01, 'a quarter turn swaps the radii');
  }
  t.end();
});

t.test('errors say what was expected at which character', (t) => {
  t.same(errorOf('L1 2'), ['a moveto (M) first', 0]);
  t.same(errorOf('M1'), ['a number', 2]);
  t.same(errorOf('M1 2 L3 x'), ['a number', 8]);
  t.same(errorOf('M1 2 3'), ['a number', 6]);
  t.same(errorOf('M1 2,'), ['a number', 5]);
  t.same(errorOf('M1 2 R3 4'), ['a command or a number', 5]);
  t.same(errorOf('M1 2 constructor'), ['a number', 6]);
  t.same(errorOf('hello'), ['a moveto (M) first', 0]);
  t.same(errorOf('M0 0A5 5 0 2 1 9 9'), ['a flag (0 or 1)', 11]);
  t.same(errorOf('M0 1e99'), ['a number up to 1000000000', 3]);
  t.end();
});

t.test('bounds the segments that a path has when its arcs are curves', (t) => {
  const tooMany = `at most ${MAX_PATH_SEGMENTS} segments (an arc is up to 8)`;
  const most = MAX_PATH_SEGMENTS - 1;
  t.equal(parse(`M0 0${'h1'.repeat(most)}`).verbs.length, MAX_PATH_SEGMENTS);
  t.same(errorOf(`M0 0${'h1'.repeat(most + 1)}`)[0], tooMany);
  const arcs = (count: number) => `M0 0${'a9 9 0 1 1 1e-9 0'.repeat(count)}`;
  t.equal(parse(arcs(2)).verbs.length, 17);
  t.equal(parse(arcs(2499)).verbs.length, 19_993);
  t.same(errorOf(arcs(2500)), [tooMany, arcs(2499).length]);
  t.same(errorOf(`M0 0${'h1zh1z'.repeat(5000)}`)[0], tooMany, 'after a closepath a contour begins');
  t.end();
});

t.test('any text gives a path or an error inside it; numbers stay finite', (t) => {
  const piece = fc.constantFrom(...'MmLlHhVvCcSsQqTtAaZz ,.-+eE0159\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const data = `M0 0${pieces.join('')}`;
      const parsed = parsePathData(data);
      if (isPathError(parsed)) return parsed.at <= data.length;
      return Array.from(parsed.coords).every(Number.isFinite);
    }),
    { numRuns: 3000 },
  );
  t.end();
});
