// The request that each call sends, and the result that it makes of the answer.
import t from 'tap';
import { type Client, createClient, PlatenError } from '../../lib/client/index.js';
import { OPERATIONS } from '../../lib/contract/api/operations/index.js';
import { API_KEY, answer, type Step, startStub } from './stub.js';

const record = { name: 'T', width: 1, height: 1, hotspots: [] };

/** Each call → what it must send. */
const CALLS: readonly (readonly [string, (client: Client) => unknown, object?])[] = [
  ['POST /v1/render', (client) => client.render({ templateId: 'tpl', templateVersion: 2, variables: { a: 1 } })],
  ['POST /v1/inspect', (client) => client.inspect({ templateId: 'tpl', scale: 2 }), { templateId: 'tpl', scale: 2 }],
  ['GET /v1/templates', (client) => client.templates.list().page()],
  ['GET /v1/templates?limit=5&cursor=a%2Bb', (client) => client.templates.list({ limit: 5, cursor: 'a+b' }).page()],
  ['POST /v1/templates', (client) => client.templates.create(record), record],
  ['POST /v1/templates?publish=false', (client) => client.templates.create(record, { publish: false })],
  ['GET /v1/templates/tpl', (client) => client.templates.get('tpl')],
  ['GET /v1/templates/a%2Fb%3F', (client) => client.templates.get('a/b?')],
  ['GET /v1/templates/tpl/schema', (client) => client.templates.schema('tpl')],
  ['GET /v1/brand', (client) => client.brand.get()],
  ['PUT /v1/brand', (client) => client.brand.replace({})],
  ['PUT /v1/templates/tpl', (client) => client.templates.replace('tpl', record), record],
  ['DELETE /v1/templates/tpl', (client) => client.templates.delete('tpl')],
  ['GET /v1/templates/tpl/versions', (client) => client.templates.versions('tpl').page()],
  ['GET /v1/templates/tpl/versions/2', (client) => client.templates.version('tpl', 2)],
  ['POST /v1/templates/tpl/restore', (client) => client.templates.restore('tpl', 2), { version: 2 }],
  ['POST /v1/templates/tpl/publish', (client) => client.templates.publish('tpl', 2), { version: 2 }],
  ['GET /v1/renders', (client) => client.renders.list().page()],
  [
    'GET /v1/renders?status=failed&from=2026-01-31T00%3A00%3A00.000Z&metadata.order=42',
    (client) => client.renders.list({ status: 'failed', from: new Date('2026-01-31'), metadata: { order: 42 } }).page(),
  ],
  ['GET /v1/renders/ren', (client) => client.renders.get('ren')],
  ['POST /v1/assets', (client) => client.assets.add(new Uint8Array([1, 2, 3]))],
  ['GET /v1/assets', (client) => client.assets.list().page()],
  ['GET /v1/assets/asset', (client) => client.assets.get('asset')],
  ['DELETE /v1/assets/asset', (client) => client.assets.delete('asset')],
  ['DELETE /v1/assets/asset?force=true', (client) => client.assets.delete('asset', { force: true })],
  [
    'POST /v1/documents',
    (client) => client.renderDocument({ templateId: 'tpl', format: 'svg' }),
    { templateId: 'tpl', format: 'svg', responseType: 'binary' },
  ],
  ['GET /v1/fonts', (client) => client.fonts()],
  ['POST /v1/batches', (client) => client.batch({ items: [] }).next(), { items: [] }],
  ['GET /v1/workspace', (client) => client.workspace()],
];

t.test('each call sends its method, path, query and body', async (t) => {
  const [picture, list] = [answer(200, Buffer.from('png')), answer(200, { items: [], nextCursor: null })];
  const summary = answer(200, Buffer.from('{"done":true,"succeeded":0,"failed":0,"creditsRemaining":0}\n'));
  const special = new Map([
    ['/v1/render', picture],
    ['/v1/documents', picture],
    ['/v1/batches', summary],
  ]);
  const step: Step = (response, request) => (special.get(request.url ?? '') ?? list)(response, request);
  const { client, asked } = await startStub(t, [step]);
  for (const [expected, call, body] of CALLS) {
    await call(client);
    const { method, url, headers, body: sent } = asked[asked.length - 1];
    t.equal(`${method} ${url}`, expected);
    t.equal(headers.authorization, `Bearer ${API_KEY}`);
    if (body) t.same(JSON.parse(sent.toString()), body);
    if (method === 'GET' || method === 'DELETE') t.equal(headers['content-type'], undefined);
  }
  t.same(asked.find(({ url }) => url === '/v1/assets')?.body, Buffer.from([1, 2, 3]));
  t.match(asked[0], { headers: { 'content-type': 'application/json' } });
});

t.test('there is a call for each operation', async (t) => {
  const patterns = CALLS.map(([line]) => line.replace(/\?.*/, ''));
  for (const { method, path } of OPERATIONS) {
    const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    t.ok(
      patterns.some((line) => pattern.test(line)),
      `${method} ${path}`,
    );
  }
});

t.test('versions are sent as entity tags', async (t) => {
  const { client, asked } = await startStub(t, [answer(200, { id: 'tpl' })]);
  await client.templates.replace('tpl', record, { ifMatch: 3 });
  await client.templates.delete('tpl', { ifMatch: 3 });
  await client.templates.restore('tpl', 1, { ifMatch: 3 });
  await client.templates.publish('tpl', 1, { ifMatch: 3 });
  for (const { headers } of asked) t.equal(headers['if-match'], '"3"');
  t.match(await client.templates.get('tpl', { ifNoneMatch: 3 }), { id: 'tpl' });
  t.equal(asked[4].headers['if-none-match'], '"3"');
  const { client: other } = await startStub(t, [answer(304, undefined, { ETag: '"3"' })]);
  t.equal(await other.templates.get('tpl', { ifNoneMatch: 3 }), undefined);
  const same = answer(200, { id: 'tpl', version: 3, publishedVersion: 2 }, { ETag: '"3.2"' });
  const { client: published, asked: sent } = await startStub(t, [same]);
  t.equal(await published.templates.get('tpl', { ifNoneMatch: 3 }), undefined, 'it is still the latest version');
  const known = { version: 3, publishedVersion: null };
  t.match(await published.templates.get('tpl', { ifNoneMatch: known }), { publishedVersion: 2 });
  t.equal(sent[1].headers['if-none-match'], '"3.0"');
  await published.templates.publish('tpl', 1, { ifMatch: { version: 3, publishedVersion: 2 } });
  t.equal(sent[2].headers['if-match'], '"3.2"');
});

t.test('a picture comes with what its headers say', async (t) => {
  const headers = {
    'X-Render-Duration-Ms': '21.5',
    'X-Canvas-Width': '60',
    'X-Canvas-Height': '30',
    'X-Service-Watermark': 'true',
    'X-Service-Credits-Remaining': '9.5',
    'X-Service-Renders-Remaining': '9',
    'X-Service-Warnings': '2',
    'X-Service-Render-Id': 'ren_1',
    'X-Service-Alt': 'Caf%C3%A9',
    'Idempotency-Replayed': 'true',
    'X-Request-Id': 'abc',
    ETag: '"hash"',
  };
  const { client } = await startStub(t, [answer(200, Buffer.from('png'), headers)]);
  const { bytes, ...rest } = await client.render({ canvas: { width: 60, height: 30 }, layers: [] });
  t.equal(Buffer.from(bytes).toString(), 'png');
  t.strictSame(rest, {
    alt: 'Café',
    mimeType: 'image/png',
    format: 'png',
    width: 60,
    height: 30,
    durationMs: 21.5,
    watermarked: true,
    creditsRemaining: 9.5,
    rendersRemaining: 9,
    warnings: 2,
    renderId: 'ren_1',
    sha256: 'hash',
    replayed: true,
    requestId: 'abc',
  });
});

t.test('responseType json gives the answer’s body', async (t) => {
  const { client, asked } = await startStub(t, [answer(200, { success: true, base64: 'AA==' })]);
  const result = await client.render({ templateId: 'tpl' }, { responseType: 'json' });
  t.strictSame(result, { success: true, base64: 'AA==', replayed: false });
  t.match(JSON.parse(asked[0].body.toString()), { templateId: 'tpl', responseType: 'json' });
});

t.test('iterating ends at a page without a cursor', async (t) => {
  const { client, asked } = await startStub(t, [answer(200, { items: [{ id: 'tpl' }] })]);
  const ids: string[] = [];
  for await (const { id } of client.templates.list()) ids.push(id);
  t.same(ids, ['tpl']);
  t.equal(asked.length, 1);
});

t.test('iterating over a list follows its pages', async (t) => {
  const page = (from: number, nextCursor: string | null) =>
    answer(200, { items: [{ id: `t${from}` }, { id: `t${from + 1}` }], nextCursor });
  const empty = answer(200, { items: [], nextCursor: 'c' });
  const { client, asked } = await startStub(t, [page(1, 'b'), empty, page(3, null)]);
  const list = client.templates.list({ limit: 2 });
  t.equal(asked.length, 0, 'lazy');
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  t.same(ids, ['t1', 't2', 't3', 't4']);
  t.same(
    asked.map(({ url }) => url),
    ['/v1/templates?limit=2', '/v1/templates?limit=2&cursor=b', '/v1/templates?limit=2&cursor=c'],
  );
  const { client: other, asked: others } = await startStub(t, [page(1, 'b')]);
  for await (const { id } of other.templates.list()) if (id === 't2') break;
  t.equal(others.length, 1, 'a reader that stops asks for no more');
  for await (const { nextCursor } of other.templates.list({ cursor: 'x' }).pages()) {
    t.equal(nextCursor, 'b');
    break;
  }
  t.match(others[1].url, 'cursor=x');
});

t.test('an error has everything that the answer says', async (t) => {
  const details = [{ path: 'layers[0].x', message: 'received "a", expected a number' }];
  const body = { success: false, error: 'it is malformed', code: 'render_failed', details, requestId: 'abc' };
  const { client } = await startStub(t, [answer(500, body, { 'X-Request-Id': 'abc' })]);
  const error = await client.render({ templateId: 'a' }).catch((thrown: unknown) => thrown);
  t.ok(error instanceof PlatenError && error instanceof Error);
  t.match(error, { name: 'PlatenError', message: 'it is malformed', status: 500, code: 'render_failed', details });
  t.equal((error as PlatenError).requestId, 'abc');

  const paywall = { required: true, reason: 'CREDITS_EXHAUSTED', balance: 0 };
  const { client: poor } = await startStub(t, [answer(402, { success: false, error: 'no credits', paywall })]);
  await t.rejects(poor.render({ templateId: 'a' }), { status: 402, code: 'credits_exhausted', paywall });
  const { client: wrong } = await startStub(t, [answer(400, { success: false, error: 'no shape' })]);
  await t.rejects(wrong.render({ templateId: 'a' }), { status: 400, code: 'invalid_request' });
  const inUse = { success: false, error: 'in use', code: 'asset_in_use', templates: ['tpl_1'] };
  const { client: busy } = await startStub(t, [answer(409, inUse)]);
  await t.rejects(busy.assets.delete('a'), { code: 'asset_in_use', templates: ['tpl_1'] });
  const { client: lost } = await startStub(t, [answer(404, '<html>', { 'Content-Type': 'text/html' })]);
  await t.rejects(lost.workspace(), { status: 404, code: 'unexpected_answer' });
});

t.test('an answer of success that is no JSON is an error of the client', async (t) => {
  const { client } = await startStub(t, [(response) => response.end('<html>login</html>')]);
  await t.rejects(client.workspace(), { name: 'PlatenError', status: 200, code: 'unexpected_answer' });
});

t.test('a wrong address or key is told at once', async (t) => {
  t.throws(() => createClient({ baseUrl: 'images.example.com', apiKey: API_KEY }), {
    message: /^baseUrl: received "images\.example\.com", expected/,
  });
  for (const apiKey of ['', `${API_KEY}\n`, 'svc live']) {
    t.throws(() => createClient({ baseUrl: 'http://a.example', apiKey }), { message: /^apiKey: expected/ });
  }
});

t.test('the address may have a path and a slash at its end', async (t) => {
  const { baseUrl, asked } = await startStub(t, [answer(200, {})]);
  await createClient({ baseUrl: new URL(`${baseUrl}/images/`), apiKey: API_KEY }).workspace();
  t.equal(asked[0].url, '/images/v1/workspace');
});
