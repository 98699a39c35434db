// Payloads that fail: every bad layer is named at once, and nothing is fetched while a layer is malformed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { RenderError } from '../../lib/index.js';
import { render } from '../any-payload.js';
import { draw, RED_BLUE, shape } from './picture.js';

async function failure(layers: readonly object[]): Promise<RenderError> {
  try {
    await draw(layers);
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error('it was drawn');
}

/** Responds with 404 to every request and counts them. */
async function emptyServer(t: Test): Promise<{ origin: string; hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits };
}

t.test('lists every issue of every layer, in order, and no valid layer', async (t) => {
  const error = await failure([
    shape(0, 0, 10, 10),
    { ...shape(0, 0, 10, 10, { opacity: 2, fillColor: '#zz' }), id: 'first' },
    { type: 'image', url: RED_BLUE, x: 0, y: 0, width: 10, height: 10 },
    { type: 'text', x: 0, y: 0, width: 10, height: 10 },
    { type: 'image', url: 'ftp://example.com/a.png', x: 0, y: 0, width: 10, height: 10 },
    { type: 'sticker' },
    { type: 'qrcode', data: 'x'.repeat(5000), x: 0, y: 0, width: 10, height: 10 },
  ]);
  t.equal(error.code, 'render_failed');
  t.notOk('status' in error, 'an HTTP status belongs to the service');
  t.same(
    error.details.map(({ path }) => path),
    ['layers[1].opacity', 'layers[1].fillColor', 'layers[3].text', 'layers[4].url', 'layers[5].type', 'layers[6].data'],
  );
  t.equal(error.details[0].layerId, 'first');
});

// fault: 7
t.test('rejects meaningless numbers', async (t) => {
  const { NaN: notANumber, POSITIVE_INFINITY: infinite } = Number;
  for (const bad of [
    { width: -1 },
    { height: notANumber },
    { x: infinite },
    { x: 1e6 + 1 },
    { y: -1e6 - 1 },
    { rotation: '45' },
    { shadow: { blur: -1 } },
    { border: { width: -1 } },
  ]) {
    const error = await failure([shape(0, 0, 10, 10, bad)]);
    t.equal(error.code, 'render_failed', JSON.stringify(bad));
    t.equal(error.details.length, 1);
  }
});

t.test('a malformed layer beside a dead URL fails with 500 before anything is fetched', async (t) => {
  const { origin, hits } = await emptyServer(t);
  const dead = { type: 'image', url: `${origin}/dead.png`, x: 0, y: 0, width: 10, height: 10 };
  const font = { type: 'text', text: 'x', customFontUrl: `${origin}/dead.ttf`, x: 0, y: 0, width: 10, height: 10 };
  for (const malformed of [
    shape(0, 0, 10, 10, { opacity: 2 }),
    { ...dead, url: 'file:///etc/hostname' },
    { type: 'qrcode', data: 'x'.repeat(5000), x: 0, y: 0, width: 10, height: 10 },
  ]) {
    const error = await failure([dead, font, malformed]);
    t.equal(error.code, 'render_failed');
    t.same(
      error.details.map(({ path }) => path.slice(0, 9)),
      ['layers[2]'],
    );
  }
  t.same(hits, []);
  const error = await failure([dead, font, shape(0, 0, 10, 10)]);
  t.equal(error.code, 'asset_failed');
  t.same(
    error.details.map(({ path }) => path),
    ['layers[0].url', 'layers[1].customFontUrl'],
  );
  t.same(hits.sort(), ['/dead.png', '/dead.ttf'], 'each is asked for once');
});

t.test('a dead URL with a fallbackColor is drawn, with a warning that identifies the layer', async (t) => {
  const { origin } = await emptyServer(t);
  const layer = {
    type: 'image',
    id: 'logo',
    url: `${origin}/a.png`,
    fallbackColor: '#ff0000',
    x: 0,
    y: 0,
    width: 9,
    height: 9,
  };
  const picture = await draw([shape(0, 0, 40, 30), layer]);
  t.same(picture.at(4, 4), [255, 0, 0, 255]);
  t.match(picture.warnings, [{ path: 'layers[1].url', layerId: 'logo' }]);
  t.equal(picture.warnings.length, 1);
});

t.test('an undecodable image beside an unreachable one: the error lists both', async (t) => {
  const { origin } = await emptyServer(t);
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const error = await failure([
    { type: 'image', url: `${origin}/a.png`, ...box },
    { type: 'image', url: 'data:image/png;base64,AAAA', ...box },
  ]);
  t.equal(error.code, 'render_failed');
  t.equal(error.details.length, 2);
});

t.test('the payload’s structure is checked first', async (t) => {
  await t.rejects(render({ layers: [] }), { code: 'invalid_request' });
  await t.rejects(render({ canvas: { width: 0, height: 5 }, layers: [] }), { code: 'invalid_request' });
  await t.rejects(render({ canvas: { width: 5, height: 5 }, layers: ['x'] }), { code: 'invalid_request' });
  await t.rejects(render({ canvas: { width: 5, height: 5 }, layers: [shape(0, 0, 1, 1)] }, { maxLayers: 0 }), {
    code: 'invalid_request',
  });
});

t.test('warnings stand in the order of the layers, in whatever order their assets arrive', async (t) => {
  let release = () => {};
  const isOtherAnswered = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url === '/first.png') await isOtherAnswered;
    response.writeHead(404, { connection: 'close' }).end();
    // the other answer has been read when its connection closes
    if (request.url === '/second.png') response.once('close', release);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const layers = [
    ...['first', 'second'].map((id) => ({
      type: 'image',
      id,
      url: `${origin}/${id}.png`,
      ...box,
      fallbackColor: 'red',
    })),
    { type: 'text', id: 'third', text: 'Hi', fontFamily: 'No Such Family', ...box },
  ];
  const { warnings } = await render({ canvas: { width: 10, height: 10 }, layers });
  t.same(
    warnings.map(({ path }) => path),
    ['layers[0].url', 'layers[1].url', 'layers[2].fontFamily', 'layers[2].text'],
  );
});
