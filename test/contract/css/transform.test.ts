// Parsing of transform and transform-origin, and what lists do to a box. What is accepted is what Chromium's
// CSS.supports('transform', …) accepts, functions in three dimensions, calc() and units other than px aside.
import t from 'tap';
import { parseTransform, parseTransformOrigin } from '../../../lib/contract/css/transform.js';
import { parseLayers } from '../../../lib/contract/layers/parse.js';
import type { RenderError } from '../../../lib/errors.js';
import type { Affine } from '../../../lib/geometry/affine.js';
import { resolveTransform } from '../../../lib/geometry/transform.js';

const BOX = { left: 10, top: 20, right: 110, bottom: 60 };

/** The place to which the list takes a point of the box, rounded. */
function moved(list: string, [x, y]: readonly [number, number], origin?: string): number[] {
  const functions = parseTransform(list);
  if (typeof functions === 'string') throw new Error(functions);
  const { a, b, c, d, e, f }: Affine = resolveTransform(
    functions,
    BOX,
    origin ? parseTransformOrigin(origin) : undefined,
  );
  return [a * x + c * y + e, b * x + d * y + f].map((each) => Math.round(each * 1000) / 1000 + 0);
}

t.test('each function moves points as in CSS, about the centre', (t) => {
  const table: [list: string, x: number, y: number][] = [
    ['none', 10, 20],
    ['translate(5px)', 15, 20],
    ['translate(10%, 50%)', 20, 40],
    ['TRANSLATEX(-3px)', 7, 20],
    ['translateY( 25% )', 10, 30],
    ['scale(2)', -40, 0],
    ['scale(50%, 1)', 35, 20],
    ['scaleX(-1)', 110, 20],
    ['scaley(0)', 10, 40],
    ['rotate(90deg)', 80, -10],
    ['rotate(0.25turn)', 80, -10],
    ['rotate(0)', 10, 20],
    ['skewX(45deg)', -10, 20],
    ['skew(0, 45deg)', 10, -30],
    ['skewY(45deg)', 10, -30],
    ['matrix(1, 0, 0, 1, 7, -2)', 17, 18],
    ['matrix(0,1,-1,0,0,0)', 80, -10],
    ['translate(10px, 0) scale(2)', -30, 0],
    ['scale(2) translate(10px, 0)', -20, 0],
  ];
  for (const [list, ...to] of table) t.same(moved(list, [10, 20]), to, list);
  t.same(moved('rotate(90deg)', [110, 20], '0 0'), [10, 120]);
  t.same(moved('scale(2)', [10, 20], 'right 10px'), [-90, 10]);
  t.end();
});

t.test('rejects everything else', (t) => {
  for (const list of [
    '',
    'rotate(15)',
    'rotate(15deg',
    'rotate(15deg), scale(2)',
    'scale(2 2)',
    'scale(1, 2, 3)',
    'scale(1001)',
    'skew(90deg)',
    'translate()',
    'translate(5em)',
    'matrix(1, 0, 0, 1, 0)',
    'matrix(1, 0, 0, 1, 0, 0, 0)',
    'rotate3d(1, 1, 1, 10deg)',
    'none rotate(1deg)',
    'scale(1)'.repeat(21),
  ]) {
    t.type(parseTransform(list), 'string', list);
  }
  for (const origin of ['', '1 2 3', 'left right', '10px 10px 10px', '1e9px']) {
    t.equal(parseTransformOrigin(origin), undefined, origin);
  }
  t.end();
});

t.test('a transform is in place of rotation and flip', (t) => {
  const issues = (fields: object): readonly string[] => {
    try {
      parseLayers([{ type: 'shape', shapeType: 'circle', x: 0, y: 0, width: 1, height: 1, ...fields }]);
    } catch (error) {
      return (error as RenderError).details.map(({ path, message }) => `${path}: ${message}`);
    }
    return [];
  };
  t.same(issues({ transform: 'rotate(1deg)', transformOrigin: 'top', rotation: 0 }), []);
  t.same(issues({ transform: 'none', rotation: 5 }), [
    'layers[0].rotation: received 5, expected nothing beside transform: rotate() in transform',
  ]);
  t.same(issues({ transformOrigin: 'top', flip: 'x' }), [
    'layers[0].flip: received "x", expected nothing beside transformOrigin: scale() in transform',
  ]);
  t.match(
    issues({ transform: 'rotate(9)' })[0],
    /^layers\[0\]\.transform: received "rotate\(9\)", expected a CSS transform list/,
  );
  t.match(issues({ transformOrigin: 'middle' })[0], /^layers\[0\]\.transformOrigin: .* expected a CSS position/);
  t.end();
});
