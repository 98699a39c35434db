// canvas.scale: everything is drawn at that many canvas pixels per CSS pixel.
import t from 'tap';
import type { RenderError } from '../../lib/index.js';
import { render } from '../any-payload.js';
import { draw, inkOf, inkSum, LIME, RED, shape, WHITE } from './picture.js';

t.test('boxes are rounded in CSS pixels, then scaled', async (t) => {
  const box = shape(10.4, 5.5, 8, 4, { fillColor: 'red' });
  for (const scale of [0.5, 1, 2, 3]) {
    const picture = await draw([box], { scale });
    t.same([picture.width, picture.height], [40 * scale, 30 * scale]);
    t.same(inkOf(picture), {
      left: 10 * scale,
      top: 6 * scale,
      right: 18 * scale,
      bottom: 10 * scale,
    });
    t.same(picture.at(10 * scale, 6 * scale), RED, 'without blurred edges');
  }
});

t.test('the image’s sides are rounded, and are at least 1', async (t) => {
  for (const [width, height, scale, expected] of [
    [3, 5, 1.5, [5, 8]],
    [1, 8, 0.1, [1, 1]],
  ] as const) {
    const picture = await draw([], { width, height, scale });
    t.same([picture.width, picture.height], expected);
  }
});

t.test('at half pixels edges are antialiased', async (t) => {
  const picture = await draw([shape(1, 1, 3, 3, { fillColor: 'red' })], { scale: 1.5 });
  t.ok(Math.abs(inkSum(picture) - 4.5 * 4.5) < 0.1);
});

t.test('borders, radii, turns and text grow with the canvas', async (t) => {
  const layers = [
    shape(4, 4, 20, 12, { shapeType: 'rounded_rectangle', borderRadius: 4, border: { width: 2, color: 'lime' } }),
    shape(30, 20, 6, 2, { rotation: 90, fillColor: 'red' }),
    { type: 'text', x: 2, y: 18, width: 30, height: 12, text: 'ab', fontSize: 10 },
  ];
  const [once, fourfold] = [await draw(layers), await draw(layers, { scale: 4 })];
  t.same(fourfold.at(4 * 14, 4 * 4 + 7), LIME, 'the border is 8 pixels wide');
  t.same(fourfold.at(4 * 14, 4 * 4 + 8)[3], 0);
  t.same(fourfold.at(4 * 33, 4 * 18 + 1), RED);
  const ratio = inkSum(fourfold) / inkSum(once) / 16;
  t.ok(ratio > 0.97 && ratio < 1.03, `${ratio}`);
});

t.test('QR modules fall on whole pixels of the image', async (t) => {
  const code = { type: 'qrcode', x: 0, y: 0, width: 30, height: 30, data: 'a' };
  const picture = await draw([code], { width: 30, height: 30, scale: 1.3 });
  const colors = new Set<string>();
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) colors.add(picture.at(x, y).join());
  }
  t.same([...colors].sort(), ['0,0,0,255', WHITE.join()]);
});

t.test('templates have a scale, which options replace', async (t) => {
  const template = { name: 'Card', width: 40, height: 20, scale: 2, hotspots: [] };
  const { width, height } = await render(template);
  t.same([width, height], [80, 40]);
  const other = await render(template, { scale: 0.5 });
  t.same([other.width, other.height], [20, 10]);
});

t.test('names the scale that makes the image too large', async (t) => {
  const canvas = { width: 2048, height: 100 };
  const failure = async (payload: object, scale?: number) => {
    const error: RenderError = await render(payload, scale === undefined ? {} : { scale }).then(
      () => t.fail('rendered'),
      (reason) => reason,
    );
    t.equal(error.code, 'invalid_request');
    return error.message;
  };
  t.equal(
    await failure({ canvas: { ...canvas, scale: 5 }, layers: [] }),
    'canvas.scale: received 5, expected a scale at which no side is longer than 8192 pixels (here 10240 × 500)',
  );
  t.equal(
    await failure({ canvas, layers: [] }, 5),
    'scale: received 5, expected a scale at which no side is longer than 8192 pixels (here 10240 × 500)',
  );
  t.match(
    await failure({ canvas: { ...canvas, scale: 9 }, layers: [] }),
    'received 9, expected a number from 0.1 to 8',
  );
  t.match(await failure({ canvas, layers: [] }, 9), 'received 9, expected a number from 0.1 to 8');
});
