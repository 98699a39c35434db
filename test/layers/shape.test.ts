// Shape layers: fills and their defaults, borders inside the box, the outlines, and lines.
import t from 'tap';
import { BLACK, BLUE, CLEAR, draw, inkOf, inkSum, LIME, RED, shape } from './picture.js';

const red = { fillColor: '#ff0000' };

t.test('a shape is black by default', async (t) => {
  t.same((await draw([shape(5, 5, 10, 10)])).at(7, 7), BLACK);
  t.same((await draw([shape(5, 5, 10, 10, red)])).at(7, 7), RED);
});

t.test('with a border and no fillColor it is not filled', async (t) => {
  const picture = await draw([shape(5, 5, 20, 10, { border: {} })]);
  t.same(inkOf(picture), { left: 5, top: 5, right: 25, bottom: 15 });
  t.same(picture.at(5, 5), BLACK, 'a border is 1 px of black by default');
  t.same(picture.at(6, 6), CLEAR, 'and the inside is open');
  t.equal(inkSum(picture), 56);
});

t.test('a border lies inside the box, on top of the fill', async (t) => {
  const picture = await draw([shape(5, 5, 20, 12, { ...red, border: { color: '#0000ff', width: 3 } })]);
  t.same(inkOf(picture), { left: 5, top: 5, right: 25, bottom: 17 });
  for (const [x, y] of [
    [5, 5],
    [7, 10],
    [24, 16],
    [15, 7],
  ]) {
    t.same(picture.at(x, y), BLUE, `(${x}, ${y})`);
  }
  t.same(picture.at(8, 8), RED);
  t.same(picture.at(21, 13), RED);
});

t.test('border widths round down to whole pixels, to at least one unless 0', async (t) => {
  const width = async (given: number) => inkSum(await draw([shape(0, 0, 20, 20, { border: { width: given } })]));
  t.equal(await width(0), 0);
  t.equal(await width(0.3), 76);
  t.equal(await width(1.9), 76);
  t.equal(await width(2), 144);
  t.equal(await width(15), 400, 'a border wider than the box fills it');
});

t.test('upright boxes are painted on whole pixels, each edge rounded', async (t) => {
  const picture = await draw([shape(4.5, 5.4, 10.1, 9.2, red)]);
  t.same(inkOf(picture), { left: 5, top: 5, right: 15, bottom: 15 });
  t.equal(inkSum(picture), 100);
});

t.test('circle: the ellipse of the box', async (t) => {
  const picture = await draw([shape(2, 3, 36, 24, { shapeType: 'circle', ...red })]);
  t.same(inkOf(picture), { left: 2, top: 3, right: 38, bottom: 27 });
  t.ok(Math.abs(inkSum(picture) - Math.PI * 18 * 12) < 2);
  t.same(picture.at(3, 4), CLEAR);
});

t.test('pill: a radius of half the shorter side', async (t) => {
  const picture = await draw([shape(2, 5, 36, 20, { shapeType: 'pill', borderRadius: 3, ...red })]);
  t.ok(Math.abs(inkSum(picture) - (36 * 20 - (4 - Math.PI) * 100)) < 1.5);
  const large = await draw([shape(2, 5, 90, 60, { shapeType: 'pill' })], { width: 100, height: 70 });
  t.ok(Math.abs(inkSum(large) - (90 * 60 - (4 - Math.PI) * 900)) < 5);
});

t.test('rounded_rectangle: 16 by default, reduced where it does not fit', async (t) => {
  // chords are up to 0.03 px inside their curves
  const area = async (more: object, height = 36) =>
    inkSum(await draw([shape(0, 0, 40, height, { shapeType: 'rounded_rectangle', ...more })], { height: 40 }));
  const less = (radius: number) => (4 - Math.PI) * radius ** 2;
  t.ok(Math.abs((await area({})) - (40 * 36 - less(16))) < 2.5);
  t.ok(Math.abs((await area({ borderRadius: 5 })) - (40 * 36 - less(5))) < 2.5);
  t.ok(Math.abs((await area({ borderRadius: 500 })) - (40 * 36 - less(18))) < 2.5);
  t.equal(await area({ borderRadius: 0 }), 40 * 36);
  t.equal(inkSum(await draw([shape(0, 0, 20, 20, { borderRadius: 8 })])), 400, 'a rectangle has no radius');
});

t.test('the border of a round shape is the difference of two outlines, however thin', async (t) => {
  for (const width of [1, 2, 5]) {
    const ring = await draw([shape(2, 2, 36, 26, { shapeType: 'circle', border: { width } })]);
    const expected = Math.PI * (18 * 13 - (18 - width) * (13 - width));
    t.ok(Math.abs(inkSum(ring) - expected) < 1.5, `${width} px: ${inkSum(ring)} for ${expected}`);
    const outer = await draw([shape(2, 2, 36, 26, { shapeType: 'circle' })]);
    const inner = await draw([shape(2 + width, 2 + width, 36 - 2 * width, 26 - 2 * width, { shapeType: 'circle' })]);
    const worst = Math.max(
      ...ring.data.map((alpha, i) => (i % 4 === 3 ? Math.abs(alpha - (outer.data[i] - inner.data[i])) : 0)),
    );
    t.ok(worst <= 2, `${width} px: pixels differ by up to ${worst}`);
  }
  const rounded = await draw([
    shape(2, 2, 36, 26, { shapeType: 'rounded_rectangle', borderRadius: 12, border: { width: 4 } }),
  ]);
  const expected = 36 * 26 - 0.8584 * 144 - (28 * 18 - 0.8584 * 64);
  t.ok(Math.abs(inkSum(rounded) - expected) < 1.5, 'inner radii are less by the width');
});

t.test('line: along the longer side, through the middle', async (t) => {
  const line = (x: number, y: number, width: number, height: number, more: object = {}) =>
    shape(x, y, width, height, { shapeType: 'line', ...more });
  const across = await draw([line(5, 10, 30, 10, { border: { width: 4, color: '#00ff00' }, ...red })]);
  t.same(inkOf(across), { left: 5, top: 13, right: 35, bottom: 17 });
  t.same(across.at(20, 14), LIME, "the border's colour before fillColor");
  const down = await draw([line(5, 2, 10, 26, { border: { width: 4 }, ...red })]);
  t.same(inkOf(down), { left: 8, top: 2, right: 12, bottom: 28 });
  t.same(down.at(9, 14), RED, 'fillColor where the border has no colour');
  const plain = await draw([line(5, 10, 30, 3)]);
  t.same(inkOf(plain), { left: 5, top: 10, right: 35, bottom: 13 }, 'the shorter side without a border width');
  t.same(plain.at(6, 11), BLACK);
  t.same(inkOf(await draw([line(5, 10, 30, 3, { border: { color: '#f00' } })])), inkOf(plain));
  const square = await draw([line(5, 5, 20, 20, { border: { width: 2 } })]);
  t.same(inkOf(square), { left: 5, top: 14, right: 25, bottom: 16 }, 'a square one lies');
});

t.test('zero size draws nothing, except a line with a border width', async (t) => {
  for (const shapeType of ['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line']) {
    for (const [width, height] of [
      [0, 10],
      [10, 0],
      [0, 0],
    ]) {
      const picture = await draw([shape(5, 5, width, height, { shapeType, ...red, shadow: { blur: 4 } })]);
      t.equal(inkOf(picture), undefined, `${shapeType} ${width} × ${height}`);
    }
  }
  const border = { width: 3, color: '#ff0000' };
  const flat = await draw([shape(5, 10, 30, 0, { shapeType: 'line', border })]);
  t.same(inkOf(flat), { left: 5, top: 9, right: 35, bottom: 12 });
  const upright = await draw([shape(5, 5, 0, 20, { shapeType: 'line', border })]);
  t.same(inkOf(upright), { left: 4, top: 5, right: 7, bottom: 25 });
  t.equal(inkOf(await draw([shape(5, 5, 0, 0, { shapeType: 'line', border })])), undefined, 'no length: no line');
  t.equal(inkOf(await draw([shape(5, 5, 0, 10, { border })])), undefined);
});
