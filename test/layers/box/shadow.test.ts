// Box shadows: around the box and inside it, by its corners; turned and mirrored with the layer; beneath the border.
import t from 'tap';
import { parseTemplate } from '../../../lib/contract/template/parse.js';
import { BLUE, CLEAR, draw, inkOf, inkSum, LIME, pngUrl, RED, shape } from '../picture.js';

const red = { fillColor: '#ff0000' };
const blue = { color: '#0000ff' };

t.test('a spread shadow is larger than the box on each side, and not painted inside it', async (t) => {
  const picture = await draw([shape(10, 10, 12, 8, { fillColor: 'transparent', shadow: { ...blue, spread: 3 } })]);
  t.same(inkOf(picture), { left: 7, top: 7, right: 25, bottom: 21 });
  t.equal(inkSum(picture), 18 * 14 - 12 * 8);
  t.same(picture.at(8, 8), BLUE);
  t.same(picture.at(15, 14), CLEAR);
  const smaller = await draw([shape(10, 10, 12, 8, { ...red, shadow: { ...blue, spread: -3, offsetY: 6 } })]);
  t.same(inkOf(smaller), { left: 10, top: 10, right: 22, bottom: 21 });
  t.same(smaller.at(13, 19), BLUE);
  t.same(smaller.at(12, 19), CLEAR);
  const nothing = await draw([shape(10, 10, 12, 8, { ...red, shadow: { ...blue, spread: -4, offsetX: 9 } })]);
  t.equal(inkSum(nothing), 12 * 8, 'no box is left');
});

t.test('the shadow has the corners of the box: square ones stay square', async (t) => {
  const square = await draw([shape(10, 10, 12, 8, { ...red, shadow: { ...blue, spread: 5 } })]);
  t.same(square.at(5, 5), BLUE);
  const circle = await draw([shape(10, 5, 20, 20, { shapeType: 'circle', shadow: { ...blue, spread: 4 } })]);
  t.ok(Math.abs(inkSum(circle) - Math.PI * 14 * 14) < 3);
});

t.test('no background shows through between an opaque round box and its shadow', async (t) => {
  const box = { shapeType: 'rounded_rectangle', borderRadius: 8, fillColor: '#0000ff' };
  for (const rotation of [0, 20]) {
    const plain = await draw([shape(6, 4, 28, 22, { ...box, borderRadius: 10, rotation })]);
    const shadowed = await draw([shape(8, 6, 24, 18, { ...box, rotation, shadow: { ...blue, spread: 2 } })]);
    const worst = Math.max(...plain.data.map((value, i) => Math.abs(value - shadowed.data[i])));
    t.ok(worst <= 1, `${rotation}°: off by ${worst}`);
  }
});

t.test('an inset shadow lies on the fill and beneath the border', async (t) => {
  const inset = { ...blue, inset: true, offsetX: 4 };
  const picture = await draw([
    shape(10, 10, 16, 10, { ...red, border: { color: '#00ff00', width: 2 }, shadow: inset }),
  ]);
  t.same(inkOf(picture), { left: 10, top: 10, right: 26, bottom: 20 });
  t.same(picture.at(11, 14), LIME);
  t.same(picture.at(12, 14), BLUE, "from the border's inner edge");
  t.same(picture.at(15, 14), BLUE);
  t.same(picture.at(16, 14), RED);
  t.same(picture.at(23, 12), RED);
  const spread = await draw([shape(10, 10, 16, 10, { ...red, shadow: { ...blue, inset: true, spread: 3 } })]);
  t.same([spread.at(12, 14), spread.at(13, 14), spread.at(20, 17)], [BLUE, RED, BLUE]);
  const full = await draw([shape(10, 10, 16, 10, { ...red, shadow: { ...blue, inset: true, spread: 5 } })]);
  t.same(full.at(18, 15), BLUE, 'a hole of no size');
});

t.test('an inset shadow lies on a picture, clipped to its mask', async (t) => {
  const image = { type: 'image', x: 10, y: 5, width: 20, height: 20, mask: 'circle', url: pngUrl([[RED]]) };
  const plain = await draw([image]);
  const picture = await draw([{ ...image, shadow: { ...blue, inset: true, offsetY: 6 } }]);
  t.same(picture.at(20, 7), BLUE);
  t.same(picture.at(20, 20), RED);
  t.same(inkOf(picture), inkOf(plain));
});

t.test('shadows turn and flip with the layer', async (t) => {
  const shadow = { ...blue, spread: 1, offsetX: 8 };
  const turned = await draw([shape(15, 10, 10, 10, { ...red, rotation: 90, shadow })]);
  t.same(turned.at(20, 26), BLUE);
  t.same(turned.at(30, 15), CLEAR);
  const flipped = await draw([shape(15, 10, 10, 10, { ...red, flip: 'x', shadow })]);
  t.same(flipped.at(8, 15), BLUE);
  t.same(flipped.at(30, 15), CLEAR);
});

t.test('the first of several shadows is on top; box shadows cast the others', async (t) => {
  const layers = (shadow: object[]) => [shape(10, 10, 10, 10, { ...red, shadow })];
  const near = { color: '#00ff00', spread: 2 };
  const far = { ...blue, spread: 4 };
  const nested = await draw(layers([near, far]));
  t.same([nested.at(9, 15), nested.at(7, 15)], [LIME, BLUE]);
  const covered = await draw(layers([far, near]));
  t.same([covered.at(9, 15), covered.at(7, 15)], [BLUE, BLUE]);
  const cast = await draw(layers([near, { ...blue, offsetX: 10 }]));
  t.same([cast.at(21, 15), cast.at(31, 15), cast.at(33, 15)], [LIME, BLUE, CLEAR]);
});

t.test('opacity applies to the layer and its shadows as a whole', async (t) => {
  const shadow = [
    { ...blue, inset: true, spread: 2 },
    { ...blue, spread: 4 },
  ];
  const picture = await draw([shape(10, 10, 10, 10, { ...red, opacity: 0.5, shadow })]);
  for (const x of [7, 11, 15]) t.equal(picture.at(x, 15)[3], 128, `x = ${x}`);
  t.same(picture.at(15, 15).slice(0, 3), [255, 0, 0]);
});

t.test('a blur of any width takes bounded memory', async (t) => {
  const shadow = [
    { ...blue, blur: 10_000, spread: 10_000 },
    { ...blue, inset: true, blur: 9_000, spread: -5_000 },
  ];
  const picture = await draw([shape(10, 10, 10, 10, { ...red, shadow })]);
  t.ok(picture.at(2, 2)[3] > 100);
});

t.test('a hotspot without a box is refused when the template is read', async (t) => {
  const hotspot = { key: 'k', label: 'K', type: 'text', x: 0, y: 0, width: 9, height: 9, shadow: { spread: 2 } };
  const read = () => parseTemplate({ name: 'T', width: 9, height: 9, hotspots: [hotspot] }, { maxLayers: 9 });
  t.throws(read, {
    message: /hotspots\[0\]\.shadow\.spread: received 2, expected 0 on a text without backgroundColor/,
  });
});

t.test('box shadows of a group: inset ones begin inside its border, beneath its layers', async (t) => {
  const group = (more: object) => ({ type: 'group', x: 10, y: 10, width: 16, height: 10, layers: [], ...more });
  const border = { color: '#00ff00', width: 2 };
  const inset = { ...blue, inset: true, offsetX: 4 };
  const picture = await draw([
    group({ backgroundColor: '#ff0000', border, shadow: inset, layers: [shape(4, 4, 1, 1, { fillColor: '#00ff00' })] }),
  ]);
  t.same([picture.at(11, 14), picture.at(12, 15), picture.at(15, 15), picture.at(16, 15)], [LIME, BLUE, BLUE, RED]);
  t.same(picture.at(14, 14), LIME);
  const spread = await draw([group({ backgroundColor: '#ff0000', shadow: { ...blue, spread: 3 } })]);
  t.same(inkOf(spread), { left: 7, top: 7, right: 29, bottom: 23 });
});
