// `GET` and `PUT /v1/brand`: versions, entity tags, faults, scopes, and the audit log; the client's calls over a socket.
import t from 'tap';
import { createClient } from '../../../lib/client/index.js';
import { brandAnswer } from '../../../lib/contract/api/brand.js';
import { startWhole } from '../whole.js';
import { type Ask, createWorld } from '../world.js';

const SCOPES = ['templates:read', 'templates:write'] as const;
const NONE = { version: 0, updatedAt: null, tokens: {}, themes: {}, fonts: [], logos: {} };
const BRAND = {
  tokens: { brand: '#7c3aed', radius: 12, heading: { fontFamily: 'Fraunces' } },
  themes: { dark: { brand: '#a78bfa' } },
  fonts: ['Inter'],
  logos: { main: 'https://example.com/logo.svg' },
};

t.test('a workspace has a brand, whose versions its ETag names', async (t) => {
  const world = await createWorld(t);
  const { key, workspaceId, keyId } = await world.caller({ scopes: SCOPES });
  const other = await world.caller({ scopes: SCOPES });
  const ask = (method: string, more: Omit<Ask, 'method' | 'path'> = {}) =>
    world.ask({ method, path: '/v1/brand', key, ...more });
  const none = await ask('GET');
  t.strictSame(none.json, NONE);
  t.equal(none.headers.get('etag'), '"0"');
  t.equal((await ask('GET', { ifNoneMatch: '"0"' })).status, 304);
  t.equal((await ask('PUT', { body: BRAND, ifMatch: '"1"' })).status, 412);

  const saved = await ask('PUT', { body: { ...BRAND, unknown: 1 }, ifMatch: '"0"' });
  t.equal(saved.status, 200);
  t.same(brandAnswer.parse(saved.json), saved.json);
  const { updatedAt } = saved.json;
  t.strictSame(saved.json, { version: 1, updatedAt, ...BRAND });
  t.equal(saved.headers.get('etag'), '"1"');
  const read = await ask('GET');
  t.strictSame(read.json, saved.json);
  t.match(await ask('GET', { ifNoneMatch: '"1"' }), { status: 304, bytes: { length: 0 } });
  t.strictSame((await ask('GET', { key: other.key })).json, NONE, 'each workspace has its own');

  for (const [ifMatch, status] of [
    ['"0"', 412],
    ['"1.0"', 412],
    ['W/"1"', 412],
    ['"7", "8"', 412],
    ['"7", "1"', 200],
    ['"2"', 200],
    ['*', 200],
    ['x', 400],
  ] as const) {
    const reply = await ask('PUT', { body: {}, ifMatch });
    t.equal(reply.status, status, ifMatch);
    if (status === 412) t.match(reply.json, { code: 'version_conflict', error: /^the brand is not at the version/ });
  }
  t.match((await ask('GET')).json, { ...NONE, version: 4, updatedAt: String }, 'what is absent is empty');
  const { items } = await world.store.listAudit({}, { limit: 1 });
  t.match(items, [{ action: 'brand.update', workspaceId, actor: { name: keyId }, details: { version: 4 } }]);
});

t.test('rejects a brand with every fault', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller({ scopes: SCOPES });
  const put = async (body: unknown) => {
    const { status, json } = await world.ask({ method: 'PUT', path: '/v1/brand', key, body });
    const details = json.details as readonly { readonly path: string; readonly message: string }[];
    return [status, json.code, details?.map(({ path, message }) => `${path}: ${message}`)];
  };
  t.strictSame(await put({ tokens: [], fonts: 'Inter', logos: { main: 1 } }), [
    400,
    'invalid_request',
    [
      'tokens: received an empty array, expected an object',
      'fonts: received "Inter", expected an array of up to 50 names of font families',
    ],
  ]);
  t.strictSame(
    await put({
      tokens: { Brand: '#fff', on: true },
      themes: { dark: { brand: null } },
      logos: { main: 1, path: './logo.png' },
    }),
    [
      400,
      'invalid_request',
      [
        'tokens.Brand: received "Brand", expected a name that begins with a letter from a to z, then letters, digits and -',
        'tokens.on: received true, expected a string, a number, or an object of text fields',
        'themes.dark.brand: received null, expected a string, a number, or an object of text fields',
        'logos.main: received 1, expected the URL of a picture',
        'logos.path: received "./logo.png", expected an http:, https: or data: URL',
      ],
    ],
  );
  t.match(await put([]), [400, 'invalid_request', [': received an empty array, expected an object']]);
  t.match(await put({ logos: { main: 'x'.repeat(256 * 1024) } }), [413, 'payload_too_large']);
});

t.test('reads and writes need their scopes', async (t) => {
  const world = await createWorld(t);
  const reader = await world.caller({ scopes: ['templates:read'] });
  const writer = await world.caller({ scopes: ['templates:write'] });
  const status = async (method: string, key: string) =>
    (await world.ask({ method, path: '/v1/brand', key, body: {} })).status;
  t.equal(await status('GET', reader.key), 200);
  t.equal(await status('PUT', reader.key), 403);
  t.equal(await status('GET', writer.key), 403);
  t.equal(await status('PUT', writer.key), 200);
});

t.test('the client reads and replaces the brand', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller({ scopes: SCOPES });
  const client = createClient({ baseUrl: whole.url, apiKey: key });
  t.match(await client.brand.get(), NONE);
  t.match(await client.brand.replace(BRAND, { ifMatch: 0 }), { version: 1, ...BRAND });
  await t.rejects(client.brand.replace({}, { ifMatch: 0 }), { code: 'version_conflict', status: 412 });
  t.match(await client.brand.replace({ fonts: ['Lora'] }), { version: 2, tokens: {}, fonts: ['Lora'] });
  await whole.stop();
});
