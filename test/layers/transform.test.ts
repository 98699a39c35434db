// Layers with a CSS transform.
import t from 'tap';
import { inspect, render } from '../any-payload.js';
import { BLUE, CLEAR, draw, inkOf, RED, shape } from './picture.js';

const red = { fillColor: '#ff0000' };

t.test('everything that belongs to the layer follows the transform', async (t) => {
  const scaled = await draw([shape(10, 10, 8, 6, { ...red, transform: 'scale(2, 1)', transformOrigin: '0 0' })]);
  t.same(inkOf(scaled), { left: 10, top: 10, right: 26, bottom: 16 });
  const clipped = await draw([
    shape(10, 10, 8, 6, { ...red, clipPath: 'inset(0 4px 0 0)', transform: 'scale(2, 1)', transformOrigin: '0 0' }),
  ]);
  t.same(inkOf(clipped), { left: 10, top: 10, right: 18, bottom: 16 });
  const shadow = { color: '#0000ff', offsetX: 5, offsetY: 0 };
  const shadowed = await draw([shape(10, 10, 8, 6, { ...red, shadow, transform: 'rotate(90deg)' })]);
  t.same(inkOf(shadowed), { left: 11, top: 9, right: 17, bottom: 22 }, 'the shadow falls down');
  t.same(shadowed.at(14, 20), BLUE);
  const inverted = await draw([
    shape(0, 0, 40, 30, red),
    {
      type: 'group',
      x: 0,
      y: 0,
      width: 10,
      height: 10,
      layers: [],
      backdropFilter: 'hue-rotate(120deg)',
      transform: 'translate(50%)',
    },
  ]);
  t.same(inverted.at(4, 5), RED);
  t.not(inverted.at(14, 5)[0], 255);
});

t.test('layers of a group follow its transform', async (t) => {
  const inner = shape(2, 2, 4, 4, { ...red, transform: 'translateX(4px)' });
  const group = {
    type: 'group',
    x: 10,
    y: 5,
    width: 10,
    height: 10,
    layers: [inner],
    transform: 'scaleY(2)',
    transformOrigin: 'top',
  };
  t.same(inkOf(await draw([group])), { left: 16, top: 9, right: 20, bottom: 17 });
});

t.test('boxes start at whole pixels, unless they only move', async (t) => {
  const turned = await draw([shape(10.4, 10.4, 8, 8, { ...red, transform: 'rotate(180deg)' })]);
  t.same(inkOf(turned), { left: 10, top: 10, right: 18, bottom: 18 });
  t.same(turned.at(10, 10), RED);
  const moved = await draw([shape(10, 10, 8, 8, { ...red, transform: 'translateX(0.5px)' })]);
  t.same(inkOf(moved), { left: 10, top: 10, right: 19, bottom: 18 });
  t.equal(moved.at(10, 12)[3], 128);
});

t.test('nothing is drawn under a transform without area', async (t) => {
  const text = {
    type: 'text',
    x: 5,
    y: 5,
    width: 30,
    height: 20,
    text: 'text',
    shadow: { blur: 3 },
    backgroundColor: 'red',
  };
  const group = {
    type: 'group',
    x: 0,
    y: 0,
    width: 30,
    height: 20,
    backgroundColor: 'red',
    border: { width: 2 },
    layers: [text],
  };
  for (const transform of ['scale(0)', 'scale(0, 1)', 'scaleY(0)', 'matrix(1, 1, 1, 1, 0, 0)', 'skew(45deg, 45deg)']) {
    const picture = await draw([text, group].map((layer) => ({ ...layer, transform, filter: 'blur(2px)' })));
    t.same(picture.at(10, 10), CLEAR, transform);
    t.equal(inkOf(picture), undefined, transform);
  }
});

t.test('extreme transforms are drawn, and refused beyond the bound', async (t) => {
  const dashed = shape(5, 5, 20, 20, { border: { width: 2, dash: [3, 2] }, filter: 'blur(1px)' });
  const group = (layer: object, transform: string) => ({
    type: 'group',
    x: 0,
    y: 0,
    width: 30,
    height: 20,
    transform,
    layers: [layer],
  });
  for (const transform of ['scale(1000)', 'scale(0.001)', 'scale(1000, 0.001)', 'translate(1000000px)']) {
    await draw([{ ...dashed, transform }]);
  }
  await draw([group({ ...dashed, transform: 'scale(100)' }, 'scale(100)')]);
  await t.rejects(draw([group({ ...dashed, transform: 'scale(100, 1)' }, 'scale(101)')]), {
    code: 'render_failed',
    details: [{ path: 'layers[0].layers[0].transform', message: /enlarges the layer more than 10000 times/ }],
  });
});

t.test('an inspection has the ink of the transformed layer, and the box as laid out', async (t) => {
  const payload = {
    canvas: { width: 40, height: 30 },
    layers: [shape(10, 10, 8, 6, { ...red, transform: 'scale(2, 1)', transformOrigin: '0 0' })],
  };
  const { layers } = await inspect(payload);
  t.match(layers[0], { box: [10, 10, 8, 6], inkBox: [10, 10, 16, 6] });
});

t.test('vector documents have the transform', async (t) => {
  const layer = {
    type: 'shape',
    shapeType: 'circle',
    x: 10,
    y: 10,
    width: 8,
    height: 6,
    ...red,
    transform: 'skewX(45deg)',
  };
  const payload = { canvas: { width: 40, height: 30 }, layers: [layer] };
  const { bytes } = await render(payload, { format: 'svg' });
  t.match(Buffer.from(bytes).toString(), /transform|matrix|<path/);
  t.notMatch(Buffer.from(bytes).toString(), /<image/);
});
