// Dashed borders: on the centre line, from the end of the top left corner; over content that shows between the dashes.
import t from 'tap';
import { CLEAR, draw, inkOf, inkSum, LIME, pngUrl, RED, shape } from '../picture.js';

const lime = { color: '#00ff00' };

t.test('dashes begin at the top left corner and run clockwise', async (t) => {
  const border = { ...lime, width: 2, dash: [6, 4] };
  const picture = await draw([shape(5, 5, 30, 20, { border })]);
  t.same(
    [picture.at(5, 5), picture.at(11, 6), picture.at(12, 6)],
    [LIME, LIME, CLEAR],
    'from the middle of the border',
  );
  t.same(inkOf(picture), { left: 5, top: 5, right: 35, bottom: 25 });
  const shifted = await draw([shape(5, 5, 30, 20, { border: { ...border, dashOffset: 3 } })]);
  t.same([shifted.at(8, 6), shifted.at(9, 6)], [LIME, CLEAR]);
});

t.test('on rounded corners and circles they begin at the top edge', async (t) => {
  const border = { ...lime, width: 2, dash: [5, 1000] };
  const rounded = shape(5, 5, 30, 20, { shapeType: 'rounded_rectangle', borderRadius: [8, 0, 0, 0], border });
  t.same(inkOf(await draw([rounded])), { left: 13, top: 5, right: 18, bottom: 7 });
  const circle = await draw([shape(5, 5, 20, 20, { shapeType: 'circle', border })]);
  t.same([circle.at(13, 5), circle.at(13, 6), circle.at(16, 6), circle.at(21, 8)], [CLEAR, CLEAR, LIME, CLEAR]);
});

t.test('the fill and the picture reach the outline between dashes', async (t) => {
  const border = { ...lime, width: 4, dash: [8, 8] };
  const filled = await draw([shape(5, 5, 30, 20, { fillColor: '#ff0000', border })]);
  t.equal(inkSum(filled), 600);
  t.same([filled.at(10, 5), filled.at(18, 5)], [LIME, RED]);
  const image = { type: 'image', x: 5, y: 5, width: 30, height: 20, url: pngUrl([[RED]]), border };
  t.same((await draw([image])).data, filled.data);
});

t.test('round and square caps lengthen dashes; a dash of no length is a dot', async (t) => {
  const ink = async (cap: string) =>
    inkSum(await draw([shape(0, 0, 40, 30, { border: { ...lime, width: 4, dash: [0, 200], cap } })]));
  t.equal(await ink('butt'), 0);
  t.ok(Math.abs((await ink('round')) - 4 * Math.PI) < 0.5);
  t.equal(await ink('square'), 16);
});

t.test('a pattern without lengths is a solid border', async (t) => {
  const solid = await draw([shape(5, 5, 30, 20, { border: lime })]);
  for (const dash of [[], [0], [0, 0]]) {
    t.same((await draw([shape(5, 5, 30, 20, { border: { ...lime, dash } })])).data, solid.data);
  }
});

t.test('a border wider than its box fills it, dashed or not', async (t) => {
  const border = { ...lime, width: 30, dash: [2, 2] };
  t.equal(inkSum(await draw([shape(5, 5, 30, 20, { border })])), 600);
});

t.test('dashes turn, flip and scale with the layer', async (t) => {
  const layer = (more: object) => shape(5, 5, 20, 20, { border: { ...lime, width: 2, dash: [6, 1000] }, ...more });
  t.match(inkOf(await draw([layer({ rotation: 90 })])), { left: 23, top: 6, right: 25, bottom: 12 });
  t.match(inkOf(await draw([layer({ flip: 'x' })])), { left: 18, top: 5, right: 24, bottom: 7 });
});

t.test('hostile patterns cost little: a border of too many dashes is solid', async (t) => {
  const border = { ...lime, width: 2, dash: [1e-9] };
  const picture = await draw([shape(5, 5, 30, 20, { border }), shape(-1e6, 5, 1e6, 1e6, { border })]);
  t.same(picture.at(6, 6), LIME);
});
