// The HTTP cache of assets: many renders with one image fetch it only as often as its origin's headers require.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { startWhole } from '../whole.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

t.test('a repeated asset is fetched once while it is fresh', async (t) => {
  const hits = new Map<string, number>();
  const origin = createServer((request, response) => {
    const path = request.url ?? '';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    response.setHeader('Cache-Control', path === '/kept' ? 'max-age=60' : 'no-store').end(PNG);
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  t.teardown(() => origin.close());
  const { port } = origin.address() as AddressInfo;
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: `127.0.0.1:${port}` });
  const { key } = await whole.caller();
  const post = async (path: string) => {
    const layers = [{ type: 'image', x: 0, y: 0, width: 8, height: 8, url: `http://127.0.0.1:${port}${path}` }];
    const { status } = await whole.post(key, { canvas: { width: 8, height: 8 }, layers });
    t.equal(status, 200, path);
  };
  await Promise.all([1, 2, 3].map(() => post('/kept')));
  await post('/kept');
  t.equal(hits.get('/kept'), 1);
  for (const _ of [1, 2]) await post('/never');
  t.equal(hits.get('/never'), 2);
});
