// `renderToPixels`, and images that the program has in memory.
import { PNG } from 'pngjs';
import t from 'tap';
import { type Payload, type RendererOptions, validate } from '../lib/index.js';
import { createRenderer, render, renderToPixels } from './any-payload.js';

const box = { x: 0, y: 0, width: 4, height: 4 };
const canvas = { width: 4, height: 4 };
const dot = PNG.sync.write(Object.assign(new PNG({ width: 1, height: 1 }), { data: Buffer.from([10, 200, 30, 255]) }));
const withImage = (url: string): Payload => ({ canvas, layers: [{ type: 'image', url, ...box }] });
const images = { 'dot.png': dot };

t.test('returns the same pixels as a PNG has, with straight alpha', async (t) => {
  const payload: Payload = {
    canvas: { width: 40, height: 20, backgroundColor: 'rgba(0, 0, 255, 0.3)' },
    layers: [
      { type: 'shape', shapeType: 'circle', x: 2, y: 2, width: 16, height: 16, fillColor: 'rgba(255, 120, 0, 0.5)' },
      { type: 'text', text: 'ab', x: 20, y: 0, width: 20, height: 20 },
    ],
  };
  const { data, width, height, warnings } = await renderToPixels(payload);
  t.ok(data instanceof Uint8ClampedArray);
  t.same([width, height, data.length, warnings], [40, 20, 3200, []]);
  t.ok(PNG.sync.read(Buffer.from((await render(payload)).bytes)).data.equals(Buffer.from(data)));
});

t.test('a renderer does not reuse the pixels that it returned', async (t) => {
  const renderer = createRenderer();
  const red: Payload = { canvas: { ...canvas, backgroundColor: 'red' }, layers: [] };
  const { data } = await renderer.renderToPixels(red);
  for (let i = 0; i < 3; i++) await renderer.render({ canvas: { ...canvas, backgroundColor: 'blue' }, layers: [] });
  t.same([...data.subarray(0, 4)], [255, 0, 0, 255]);
});

t.test('worker processes give the same pixels, and draw images from memory', async (t) => {
  const renderer = createRenderer({ workers: 1, images });
  t.teardown(() => renderer.close());
  const payload = withImage('memory:dot.png');
  const { data, width, height } = await renderer.renderToPixels(payload);
  t.same([width, height], [4, 4]);
  t.same(data, (await renderToPixels(payload, { images })).data);
});

t.test('fails as render does', async (t) => {
  await t.rejects(renderToPixels({ canvas }), { code: 'invalid_request' });
  await t.rejects(renderToPixels({ canvas, layers: [], odd: 1 }, { strict: true }), { code: 'render_failed' });
  const signal = AbortSignal.abort(new Error('enough'));
  await t.rejects(renderToPixels({ canvas, layers: [] }, { signal }), { message: 'enough' });
});

t.test('draws an image from memory, also as a background and from a variable', async (t) => {
  const color = ({ data }: { data: Uint8ClampedArray }) => [...data.subarray(0, 4)];
  t.same(color(await renderToPixels(withImage('memory:dot.png'), { images })), [10, 200, 30, 255]);
  const renderer = createRenderer({ images });
  const template = { name: 'a', ...canvas, hotspots: [{ key: 'photo', label: 'Photo', type: 'image', ...box }] };
  const variables = { photo: 'memory:dot.png' };
  t.same(color(await renderer.renderToPixels(template, { variables })), [10, 200, 30, 255]);
  const backdrop = { name: 'a', ...canvas, background: { url: 'memory:dot.png' }, hotspots: [] };
  t.same(color(await renderer.renderToPixels(backdrop)), [10, 200, 30, 255]);
  t.equal(validate(withImage('memory:dot.png'), { images }).valid, true);
});

t.test('names what is wrong with an image in memory', async (t) => {
  const cases: [string, RendererOptions, RegExp][] = [
    ['memory:dto.png', { images }, /the option images has no "dto.png"; did you mean "memory:dot.png"\?/],
    ['memory:toString', { images }, /the option images has no "toString"/],
    ['memory:dot.png', {}, /the scheme memory: is not supported/],
    ['memory:dot.png', { baseDirectory: '/' }, /the scheme memory: is not supported/],
    ['memory:empty', { images: { empty: new Uint8Array() } }, /layers\[0\]\.url/],
  ];
  for (const [url, options, message] of cases) {
    await t.rejects(render(withImage(url), options), {
      code: 'render_failed',
      message,
      details: [{ path: 'layers[0].url' }],
    });
  }
  const text: Payload = { canvas, layers: [{ type: 'text', text: 'a', customFontUrl: 'memory:dot.png', ...box }] };
  await t.rejects(render(text, { images }), {
    message: /layers\[0\]\.customFontUrl: the scheme memory: is not supported/,
  });
  await t.rejects(render(withImage('memory:a'), { images: { a: 'text' as never } }), {
    code: 'invalid_request',
    message: 'images["a"]: received "text", expected a Uint8Array',
  });
});
