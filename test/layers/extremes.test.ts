// Sizes and positions at the contract's limits: the image is right, and no buffer of the layer's size is
// ever allocated. (Before wide shadows read a part of their rows, the first of these took 5 GB and 23 s.)
import t from 'tap';
import { BLUE, draw, inkOf, inkSum, RED, RED_BLUE, shape } from './picture.js';

const far = { x: -5e5, y: -5e5, width: 1e6, height: 1e6 };
const red = { fillColor: '#ff0000' };
const shadow = { color: '#0000ff', blur: 1e4, offsetX: 20, offsetY: -30 };
const effects = { rotation: 33, opacity: 0.5, shadow };

// fault: 69
t.test('a layer of 1e6 × 1e6 with everything covers the canvas evenly', async (t) => {
  const even = async (layer: object, r: number, message: string) => {
    const { data } = await draw([layer]);
    const odd = data.filter((value, i) => Math.abs(value - [r, 0, 0, 128][i % 4]) > 1);
    t.equal(odd.length, 0, message);
  };
  await even({ type: 'shape', shapeType: 'rectangle', ...far, ...effects }, 0, 'rectangle');
  await even({ type: 'shape', shapeType: 'circle', ...far, ...effects, ...red, border: { width: 9 } }, 255, 'circle');
  const milder = { ...effects, shadow: { ...shadow, blur: 1000 } };
  await even({ type: 'shape', shapeType: 'line', ...far, ...milder, ...red }, 255, 'line');
  await even({ type: 'qrcode', data: 'x', colorDark: 'red', colorLight: 'red', ...far, ...milder }, 255, 'qrcode');
  const image = { type: 'image', url: RED_BLUE, ...far, x: -1000, ...milder, rotation: 0, fit: 'fill' };
  await even(image, 255, 'image');
  await even({ ...image, mask: 'squircle', fit: 'cover' }, 255, 'image under a mask');
});

t.test('a layer 1e6 px away draws nothing', async (t) => {
  for (const x of [-1e6, 1e6]) {
    const box = { x, y: x, width: 500, height: 300 };
    for (const layer of [
      { type: 'shape', shapeType: 'pill', ...box },
      { type: 'image', url: RED_BLUE, ...box },
      { type: 'qrcode', data: 'x', ...box },
      { type: 'text', text: 'away', ...box },
    ]) {
      t.equal(inkOf(await draw([{ ...layer, ...effects }])), undefined, `${layer.type} at ${x}`);
    }
  }
});

t.test('a wide shadow has half its alpha at its edge', async (t) => {
  // a half plane to the left of x = 20 and its shadow, 20 to the right
  const layer = shape(20 - 1e6, -5e5, 1e6, 1e6, { ...red, shadow: { color: '#0000ff', blur: 1e4 } });
  const picture = await draw([layer]);
  t.same(picture.at(19, 15), RED);
  const [r, g, b, a] = picture.at(20, 15);
  t.same([r, g, b], [0, 0, 255]);
  t.ok(Math.abs(a - 127) <= 4, `alpha ${a} beside the edge`);
  const soft = await draw([
    shape(-400, -400, 410, 900, { ...red, shadow: { ...shadow, offsetX: 0, offsetY: 0, blur: 300 } }),
  ]);
  const [, , blue, alpha] = soft.at(10, 15);
  // the shares of a Gaussian of deviation 150: half to the left, and from 415 above to 485 below
  t.equal(blue, 255);
  t.ok(Math.abs(alpha / 255 - 0.4966 * 0.9966) < 0.02, `alpha ${alpha} beside a smaller one`);
});

// fault: 69
t.test('large borders, radii, strokes, angles', async (t) => {
  const border = { width: 1e6, color: '#0000ff' };
  const covered = await draw([shape(5, 5, 20, 20, { shapeType: 'circle', ...red, border })]);
  t.same(covered.at(15, 15), BLUE);
  t.equal(inkSum(await draw([shape(5, 5, 20, 20, { shapeType: 'rounded_rectangle', borderRadius: 1e6 })])) > 300, true);
  const turned = await draw([shape(10, 5, 20, 20, { ...red, rotation: 1e6 - 10 })]);
  // 999,990 degrees are 2,777 turns and 270 degrees
  t.equal(inkSum(turned), 400);
  t.same(turned.at(10, 5), RED);
  const text = { type: 'text', text: 'x', x: 0, y: 0, width: 40, height: 30, stroke: { width: 1e4, color: '#ff0000' } };
  t.same((await draw([text])).at(39, 29), RED);
  const sized = await draw([
    { ...text, stroke: null, fontSize: 1e4, x: -3000, y: -6000, width: 1e6, height: 1e6, ...effects },
  ]);
  t.equal(sized.width, 40);
});

// fault: 69
t.test('tiny boxes, upright and rotated', async (t) => {
  t.equal(inkOf(await draw([shape(5.1, 5.1, 0.2, 0.2)])), undefined);
  t.ok(Math.abs(inkSum(await draw([shape(20, 5, 0.5, 20, { rotation: 45 })])) - 10) < 0.5, 'a hair keeps its weight');
  const image = { type: 'image', url: RED_BLUE, x: 5, y: 5, width: 1e-4, height: 1e-4 };
  t.equal(
    inkOf(await draw([image, { ...image, rotation: 30 }, { ...image, fit: 'contain', mask: 'circle' }])),
    undefined,
  );
});

// fault: 64
t.test('fails a layer whose text has too many lines; maxLines truncates it instead', async (t) => {
  const text = {
    type: 'text',
    id: 'long',
    x: 0,
    y: 0,
    width: 1,
    height: 30,
    text: '\u4e00'.repeat(100_001),
    fontSize: 9,
  };
  const failing = draw([shape(0, 0, 5, 5), text]);
  const message = 'the text has over 100000 lines, expected at most 100000';
  await t.rejects(failing, { code: 'render_failed', details: [{ path: 'layers[1].text', layerId: 'long', message }] });
  const cut = await draw([{ ...text, maxLines: 2, width: 30 }]);
  t.ok(inkOf(cut));
});
