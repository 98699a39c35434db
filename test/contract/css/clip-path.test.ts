// Parsing of clip-path. What is accepted is what Chromium's CSS.supports('clip-path', …) accepts, calc() and boxes aside.
import t from 'tap';
import { parseClipPath } from '../../../lib/contract/css/clip-path.js';
import { basicShapePath } from '../../../lib/geometry/basic-shape.js';

const px = (value: number) => ({ px: value, percent: 0 });
const percent = (value: number) => ({ px: 0, percent: value });

t.test('accepts the basic shapes', (t) => {
  for (const text of [
    'inset(10px)',
    'inset(-5px 10%)',
    'inset(1px 2px round 3px / 4px 10%)',
    'inset(1px 2px 3px 4px round 1px 2px 3px 4px)',
    'circle()',
    'circle(50%)',
    'circle(farthest-side at right 10px bottom 20%)',
    'circle(40px at left)',
    'circle(40px at top left)',
    'CIRCLE( 40PX  AT  CENTER )',
    'ellipse()',
    'ellipse(closest-side 10px)',
    'ellipse(at 10px 20px)',
    'polygon(0 0)',
    'polygon(nonzero, 0 0, 1px 1px)',
    'polygon(evenodd,0 0,100% -1px,1.5e1px 50%)',
    'path("M0 0")',
    "path(evenodd, 'M0 0 L10 10')",
  ]) {
    t.ok(parseClipPath(text).shape, text);
  }
  t.end();
});

t.test('rejects everything else', (t) => {
  for (const text of [
    '',
    'none',
    'circle',
    'circle(',
    'circle(50% 40%)',
    'circle(-5px)',
    'circle(5)',
    'circle(40px at 10px left)',
    'circle(40px at right 10px top)',
    'circle(40px at)',
    'circle(40px) border-box',
    'circle(40px),',
    'ellipse(10px)',
    'ellipse(10px -1px)',
    'inset()',
    'inset(1 2)',
    'inset(0 round)',
    'inset(0 round 5px 6px 7px 8px 9px)',
    'inset(10px round -3px)',
    'inset(1px 2px 3px 4px 5px)',
    'polygon()',
    'polygon(evenodd)',
    'polygon(0 0, 10px 10px,)',
    'polygon(evenodd, 0 0, 1px 1px 2px)',
    'path("")',
    'path(M0 0)',
    'path("M0 0',
    'path("M0 0") x',
    'url(#clip)',
    'circle(1e999px)',
  ]) {
    t.notOk(parseClipPath(text).shape, text);
  }
  t.end();
});

t.test('says where path data are wrong, and bounds the corners of a polygon', (t) => {
  const expectedOf = (text: string) => {
    const parsed = parseClipPath(text);
    return parsed.shape ? undefined : parsed.expected;
  };
  t.match(expectedOf('path("M0 0 L 10 10 garbage")'), /at character 14 of the path data/);
  const corners = (count: number) => `polygon(${new Array<string>(count).fill('0 0').join(',')})`;
  t.equal(expectedOf(corners(10_000)), undefined);
  t.equal(expectedOf(corners(10_001)), 'a polygon of at most 10000 corners');
  t.match(expectedOf('star()'), /^a CSS shape: inset\(\), circle\(\)/);
  t.end();
});

t.test('completes what may be left out', (t) => {
  const center = { x: percent(50), y: percent(50) };
  t.same(parseClipPath('circle()').shape, { kind: 'circle', radius: 'closest-side', center });
  t.same(parseClipPath('ellipse()').shape, { kind: 'ellipse', radii: ['closest-side', 'closest-side'], center });
  t.same(parseClipPath('polygon(0 0)').shape, { kind: 'polygon', rule: 'nonzero', points: [{ x: px(0), y: px(0) }] });
  const corner = (x: number, y: number) => ({ x: px(x), y: px(y) });
  t.same(parseClipPath('inset(1px 2px 3px round 4px 5px / 6px)').shape, {
    kind: 'inset',
    insets: [px(1), px(2), px(3), px(2)],
    corners: [corner(4, 6), corner(5, 6), corner(4, 6), corner(5, 6)],
  });
  t.end();
});

t.test('resolves lengths against a box', (t) => {
  const boundsOf = (text: string) => {
    const { shape } = parseClipPath(text);
    if (!shape) throw new Error(text);
    const { coords } = basicShapePath(shape, 200, 100);
    const numbers = Array.from(coords);
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, i) => i % 2 === odd));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(
      (value) => Math.round(value * 1e6) / 1e6,
    );
  };
  t.same(boundsOf('inset(10px 20px 30% 10%)'), [20, 10, 180, 70]);
  t.same(boundsOf('circle()'), [50, 0, 150, 100]);
  t.same(boundsOf('circle(farthest-side at 30px 50px)'), [-140, -120, 200, 220]);
  t.same(boundsOf('circle(10px at right 20px bottom 10%)'), [170, 80, 190, 100]);
  const radius = 0.5 * Math.sqrt((200 * 200 + 100 * 100) / 2);
  t.same(boundsOf('circle(50%)')[2], Math.round((100 + radius) * 1e6) / 1e6);
  t.same(boundsOf('ellipse(25% 10px at 0 0)'), [-50, -10, 50, 10]);
  t.same(boundsOf('polygon(0 0, 100% 50%, 10px 100%)'), [0, 0, 200, 100]);
  t.same(boundsOf('path("M5 6 L 300 7 L 8 90")'), [5, 6, 300, 90]);
  t.same(basicShapePath(parseClipPath('inset(60%)').shape!, 200, 100).verbs.length, 0, 'nothing is left');
  t.same(basicShapePath(parseClipPath('circle(0)').shape!, 200, 100).verbs.length, 0);
  t.end();
});
