// The public inspection: the boxes of the render, rounded and in pixels of the image, and nothing painted.
import t from 'tap';
import type { InspectedLayer } from '../../lib/render/inspected.js';
import { describeLayers } from '../../lib/render/inspection.js';
import { createRenderer, inspect, renderToPixels } from '../any-payload.js';
import { type Pixel, pngUrl, RED, shape } from '../layers/picture.js';

const canvas = { width: 200, height: 120 };
const text = { type: 'text', text: 'One two', x: 10, y: 20, width: 60, height: 80, fontSize: 20 };
const url = pngUrl(Array.from({ length: 20 }, () => Array.from({ length: 40 }, (): Pixel => RED)));
const image = { type: 'image', url, x: 100.004, y: 0, width: 50, height: 50 };

/** The smallest rectangle around what is painted. */
async function paintedBox(payload: unknown): Promise<number[]> {
  const { data, width, height } = await renderToPixels(payload);
  const xs: number[] = [];
  const ys: number[] = [];
  for (let i = 3; i < data.length; i += 4) {
    if (data[i] === 0) continue;
    xs.push(((i - 3) / 4) % width);
    ys.push(Math.floor((i - 3) / 4 / width));
  }
  t.ok(height > 0);
  const [left, top] = [xs, ys].map((each) => each.reduce((a, b) => Math.min(a, b)));
  const [right, bottom] = [xs, ys].map((each) => each.reduce((a, b) => Math.max(a, b)));
  return [left, top, right + 1 - left, bottom + 1 - top];
}

t.test('has the layers, lines and pictures that a render paints', async (t) => {
  const { timings, ...found } = await inspect({ canvas, layers: [{ ...text, id: 'title' }, image] });
  const [title, picture] = found.layers;
  t.match(title, {
    path: 'layers[0]',
    id: 'title',
    type: 'text',
    box: [10, 20, 60, 80],
    fontSize: 20,
    lines: [
      { text: 'One', x: 10 },
      { text: 'two', x: 10 },
    ],
    fonts: ['Inter 400'],
    overflow: false,
  });
  t.same(Object.keys(title.lines?.[0] ?? {}), ['text', 'x', 'y', 'width', 'baseline']);
  t.match(picture, { box: [100, 0, 50, 50], natural: [40, 20], source: [10, 0, 20, 20], format: 'png' });
  t.match(found, { width: 200, height: 120, warnings: [] });
  t.ok(Object.values(timings).every((ms) => ms >= 0 && Math.round(ms * 10) / 10 === ms));
  const numbers = JSON.stringify(found).match(/-?\d+\.\d+/g) ?? [];
  t.ok(numbers.every((number) => /\.\d{1,2}$/.test(number)));
});

t.test('inkBox is where the render paints, without the shadow', async (t) => {
  const box = shape(20, 30, 40, 20, { rotation: 90 });
  const shadow = { color: '#000000', blur: 4, offsetX: 50, offsetY: 9 };
  for (const scale of [1, 2, 0.5]) {
    const scaled = { ...canvas, scale };
    const painted = await paintedBox({ canvas: scaled, layers: [box] });
    const [plain] = (await inspect({ canvas: scaled, layers: [box] })).layers;
    const [shadowed] = (await inspect({ canvas: scaled, layers: [{ ...box, shadow }] })).layers;
    t.same(plain.inkBox, painted, `scale ${scale}`);
    t.same(shadowed.inkBox, painted);
    t.same(
      plain.box,
      [20, 30, 40, 20].map((length) => length * scale),
    );
  }
});

t.test('lines are in pixels of the image, where the render has them', async (t) => {
  const layer = { ...text, text: 'HHH', lineHeight: 2 };
  for (const scale of [1, 3]) {
    const scaled = { ...canvas, scale };
    const [{ lines = [], fontSize }] = (await inspect({ canvas: scaled, layers: [layer] })).layers;
    const [line] = lines;
    const [left, , width, height] = await paintedBox({ canvas: scaled, layers: [layer] });
    const [, top] = await paintedBox({ canvas: scaled, layers: [layer] });
    t.equal(fontSize, 20);
    t.equal(top + height, line.baseline, 'letters stand on the baseline');
    t.ok(line.x <= left && left + width <= line.x + line.width);
    t.equal(line.y, 20 * scale);
  }
});

t.test('hidden layers are marked', async (t) => {
  const { layers } = await inspect({ canvas, layers: [shape(0, 0, 9, 9, { visible: false }), shape(0, 0, 9, 9)] });
  t.match(layers[0], { visible: false, inkBox: [0, 0, 0, 0] });
  t.notOk('visible' in layers[1]);
});

t.test('codes are not read back', async (t) => {
  const code = { type: 'qrcode', data: 'x'.repeat(300), x: 0, y: 0, width: 20, height: 20, verify: 'error' };
  await t.rejects(renderToPixels({ canvas, layers: [code] }), { code: 'render_failed' });
  t.equal((await inspect({ canvas, layers: [code] })).layers.length, 1);
});

t.test('fails as a render does', async (t) => {
  const missing = { ...image, url: 'data:image/png;base64,AAAA' };
  for (const payload of [{}, { canvas, layers: [{ type: 'x' }] }, { canvas, layers: [missing, missing] }]) {
    const failed = await renderToPixels(payload).catch((error) => error);
    const { code, details } = failed;
    t.ok(details.length > 0);
    await t.rejects(inspect(payload), { code, details });
  }
  const reason = new Error('stop');
  await t.rejects(inspect({ canvas, layers: [] }, { signal: AbortSignal.abort(reason) }), reason);
});

t.test('a picture of 8192 × 8192 is inspected without its pixels', async (t) => {
  const payload = (side: number) => ({
    canvas: { width: side, height: side },
    layers: [text, image, shape(0, 0, side, side)],
  });
  let largest = 0;
  const original = globalThis.Uint8ClampedArray;
  globalThis.Uint8ClampedArray = new Proxy(original, {
    construct(target, given, newTarget) {
      const made = Reflect.construct(target, given, newTarget);
      largest = Math.max(largest, made.byteLength);
      return made;
    },
  });
  t.teardown(() => {
    globalThis.Uint8ClampedArray = original;
  });
  await renderToPixels(payload(501));
  t.ok(largest >= 501 * 501 * 4, 'the pixels of a render are seen');
  largest = 0;
  const { width, height, layers } = await inspect(payload(8192));
  t.match({ width, height }, { width: 8192, height: 8192 });
  t.equal(layers.length, 3);
  t.ok(largest < 2 ** 20, `${largest} bytes`);
});

t.test('a renderer with worker processes answers the same', async (t) => {
  const payload = { canvas, layers: [text, image] };
  const alone = await inspect(payload);
  const renderer = createRenderer({ workers: 1 });
  t.teardown(() => renderer.close());
  const { timings, ...found } = await renderer.inspect(payload);
  const { timings: _, ...expected } = alone;
  t.same(found, expected);
  t.same(Object.keys(timings), ['check', 'load', 'layout']);
  await t.rejects(renderer.inspect({ canvas }), { code: 'invalid_request' });
});

t.test('an inspection has at most 10,000 lines, and 1,000,000 characters in them', (t) => {
  const layer = (count: number, length: number): InspectedLayer => ({
    path: 'layers[0]',
    type: 'text',
    box: [0, 0, 1, 1],
    transform: [1, 0, 0, 1, 0, 0],
    inkBox: [0, 0, 0, 0],
    isVisible: true,
    lines: Array.from({ length: count }, () => {
      return { text: 'x'.repeat(length), x: 0, y: -0.001, width: 1, height: 1, baseline: 1 };
    }),
  });
  const found = describeLayers([layer(9000, 1), layer(2500, 1), layer(1, 1)], 1);
  t.same(
    found.map(({ lines, moreLines }) => [lines?.length, moreLines]),
    [
      [9000, undefined],
      [1000, 1500],
      [0, 1],
    ],
  );
  t.ok(Object.is(found[0].lines?.[0].y, 0), 'there is no -0');
  const [long, short] = describeLayers([layer(3, 400_000), layer(1, 200_000)], 1);
  t.match([long, short], [{ lines: { length: 2 }, moreLines: 1 }, { lines: { length: 1 } }]);
  t.end();
});
