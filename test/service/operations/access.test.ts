// The checks that all operations around POST /v1/render share: scopes, windows, the order of checks, and errors with codes.
import t from 'tap';
import { type Scope, StoreError } from '../../../lib/store/types.js';
import { saveTemplate } from '../stores.js';
import { type Ask, createWorld } from '../world.js';

const RECORD = { name: 'Card', width: 4, height: 3, hotspots: [] };
const SCOPES: readonly Scope[] = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'];

/** Every operation, with the scope that it needs and the status of a good request. */
function operations(id: string): [string, string, Scope | undefined, number, unknown?][] {
  return [
    ['GET', '/v1/workspace', undefined, 200],
    ['GET', '/v1/fonts', undefined, 200],
    ['GET', '/v1/renders', 'render:read', 200],
    ['GET', '/v1/renders/none', 'render:read', 404],
    ['GET', '/v1/templates', 'templates:read', 200],
    ['POST', '/v1/templates', 'templates:write', 201, RECORD],
    ['GET', `/v1/templates/${id}`, 'templates:read', 200],
    ['GET', `/v1/templates/${id}/schema`, 'templates:read', 200],
    ['PUT', `/v1/templates/${id}`, 'templates:write', 200, RECORD],
    ['GET', `/v1/templates/${id}/versions`, 'templates:read', 200],
    ['GET', `/v1/templates/${id}/versions/1`, 'templates:read', 200],
    ['POST', `/v1/templates/${id}/restore`, 'templates:write', 200, { version: 1 }],
    ['POST', `/v1/templates/${id}/publish`, 'templates:write', 200, { version: 1 }],
    ['DELETE', `/v1/templates/${id}`, 'templates:write', 204],
  ];
}

t.test('each operation needs its scope, and no other', async (t) => {
  const world = await createWorld(t);
  const owner = await world.caller();
  const callers = new Map<Scope, string>();
  for (const scope of SCOPES) {
    const { key } = await world.caller({ scopes: [scope], workspaceId: owner.workspaceId });
    callers.set(scope, key);
  }
  const id = await saveTemplate(world.store, owner.workspaceId, RECORD);
  for (const [method, path, scope, status, body] of operations(id)) {
    for (const [own, key] of callers) {
      if (scope === undefined || own === scope) continue;
      const refused = await world.ask({ method, path, key, body });
      t.match(
        refused,
        { status: 403, json: { success: false, code: 'insufficient_scope' } },
        `${method} ${path} ${own}`,
      );
      t.match(refused.json.error, scope, 'the message names the scope');
      t.notOk(refused.headers.has('x-ratelimit-limit'), 'not counted');
    }
    const key = callers.get(scope ?? 'batch:write');
    const reply = await world.ask({ method, path, ...(key && { key }), body });
    t.equal(reply.status, status, `${method} ${path}`);
    t.match(reply.outcome.route, /^\/v1\/(workspace|fonts|renders|templates)/);
  }
});

t.test('reads and writes share a window of their own, beside that of renders', async (t) => {
  const settings = { API_KEY_RATE_LIMIT_PER_MIN: '2', API_KEY_READ_LIMIT_PER_MIN: '3' };
  const world = await createWorld(t, { settings });
  const { key } = await world.caller({ scopes: SCOPES });
  const get = (path: string) => world.ask({ method: 'GET', path, key });
  t.equal((await world.ask({ key })).headers.get('x-ratelimit-remaining'), '1');
  const paths = ['/v1/templates', '/v1/workspace', '/v1/renders/none'];
  for (const [i, path] of paths.entries()) {
    const { headers } = await get(path);
    t.same(
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`)),
      ['3', String(2 - i), '60'],
    );
  }
  const refused = await get('/v1/templates');
  t.match(refused, { status: 429, json: { success: false, code: 'rate_limited' } });
  t.equal(refused.headers.get('retry-after'), '60');
  t.equal((await world.ask({ key })).status, 200, 'renders have room');
  t.equal((await world.ask({ key })).status, 429);
  world.pass(60_000);
  t.equal((await get('/v1/templates')).status, 200);
});

t.test('a key’s own limit replaces the server’s for renders only', async (t) => {
  const settings = { API_KEY_RATE_LIMIT_PER_MIN: '1', API_KEY_READ_LIMIT_PER_MIN: '9' };
  const world = await createWorld(t, { settings });
  const { key } = await world.caller({ rateLimit: 3 });
  for (const remaining of ['2', '1', '0']) {
    const { headers } = await world.ask({ key });
    t.same([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], ['3', remaining]);
  }
  t.equal((await world.ask({ key })).status, 429);
  const read = await world.ask({ method: 'GET', path: '/v1/workspace', key });
  t.equal(read.headers.get('x-ratelimit-limit'), '9');
  t.equal(read.json.rateLimit, 3);
});

t.test('of two errors, reports the one of the earlier check; always with a code', async (t) => {
  const settings = { API_KEY_READ_LIMIT_PER_MIN: '1', MAX_BODY_BYTES: '300' };
  const world = await createWorld(t, { settings });
  const fresh = (scopes: readonly Scope[] = ['templates:write']) => world.caller({ scopes }).then(({ key }) => key);
  const spent = await fresh();
  await world.ask({ method: 'GET', path: '/v1/workspace', key: spent });
  const revoked = await world.caller({ scopes: [] as Scope[] });
  await world.store.revokeKey(revoked.keyId);
  const put = { method: 'PUT', path: '/v1/templates/none' };
  const long = 'x'.repeat(301);
  const rows: [string, Ask, number, string][] = [
    ['no key', { ...put, body: '{' }, 401, 'missing_api_key'],
    ['unknown key', { ...put, key: `svc_live_${'0'.repeat(64)}`, body: '{' }, 401, 'invalid_api_key'],
    ['revoked, before the scope', { ...put, key: revoked.key, body: '{' }, 401, 'revoked_api_key'],
    [
      'scope, before the limit',
      { ...put, key: await fresh(['templates:read']), body: long },
      403,
      'insufficient_scope',
    ],
    ['limit, before the size', { ...put, key: spent, body: long }, 429, 'rate_limited'],
    ['size, before the JSON', { ...put, key: await fresh(), body: long }, 413, 'payload_too_large'],
    ['encoding', { ...put, key: await fresh(), body: '{', contentEncoding: 'gzip' }, 415, 'unsupported_media_type'],
    ['JSON, before the fields', { ...put, key: await fresh(), body: '{', query: 'publish=7' }, 400, 'invalid_json'],
    ['record, before the template', { ...put, key: await fresh(), body: {} }, 400, 'invalid_request'],
    [
      'query, before the template',
      { ...put, key: await fresh(), body: RECORD, query: 'publish=7' },
      400,
      'invalid_request',
    ],
    [
      'If-Match, before the template',
      { ...put, key: await fresh(), body: RECORD, ifMatch: '3' },
      400,
      'invalid_request',
    ],
    [
      'template, before its version',
      { ...put, key: await fresh(), body: RECORD, ifMatch: '"3"' },
      404,
      'template_not_found',
    ],
  ];
  for (const [name, request, status, code] of rows) {
    const { status: found, json } = await world.ask(request);
    t.equal(found, status, name);
    t.equal(json.code, code, name);
    if (code === 'invalid_request') t.ok((json.details as unknown[]).length > 0, 'with details');
  }
});

t.test('methods and preflights', async (t) => {
  const world = await createWorld(t);
  const rows: [string, string, string][] = [
    ['PATCH', '/v1/templates', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/v1/templates/x', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['GET', '/v1/templates/x/publish', 'POST, OPTIONS'],
    ['DELETE', '/v1/renders/x', 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, allow] of rows) {
    const refused = await world.ask({ method, path });
    t.match(refused, { status: 405, json: { code: 'method_not_allowed' } });
    t.equal(refused.headers.get('allow'), allow);
    const { status, headers } = await world.ask({ method: 'OPTIONS', path });
    t.equal(status, 204);
    t.equal(headers.get('access-control-allow-methods'), 'GET, POST, PUT, DELETE, OPTIONS');
    t.equal(
      headers.get('access-control-allow-headers'),
      'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match',
    );
    for (const name of ['ETag', 'Location', 'Idempotency-Replayed', 'X-Service-Warnings', 'X-Service-Render-Id']) {
      t.ok(headers.get('access-control-expose-headers')?.split(', ').includes(name), name);
    }
  }
  for (const path of ['/v1/templates/', '/v1/templates/x/', '/v1/templates//versions', '/v1/templates/%']) {
    t.match(await world.ask({ method: 'GET', path }), { status: 404, json: { code: 'not_found' } }, path);
  }
});

t.test('the workspace of a key', async (t) => {
  const settings = { RENDER_CREDIT_COST: '0.3', API_KEY_RATE_LIMIT_PER_MIN: '77' };
  const world = await createWorld(t, { settings });
  const { key, workspaceId } = await world.caller({ credits: 1, plan: 'free' });
  const expected = { id: workspaceId, name: 'Test', plan: 'free', balance: 1, rendersRemaining: 3, creditsCost: 0.3 };
  const get = () => world.ask({ method: 'GET', path: '/v1/workspace', key });
  t.strictSame((await get()).json, { ...expected, rateLimit: 77 });
  await world.ask({ key });
  t.strictSame((await get()).json, { ...expected, balance: 0.7, rendersRemaining: 2, rateLimit: 77 });
});

t.test('answers 503 when the store is away, and 500 without its reason when it fails unexpectedly', async (t) => {
  const { ServiceError } = await import('../../../lib/errors.js');
  for (const [error, status, code] of [
    [new ServiceError('storage_unavailable', 'storage is unavailable'), 503, 'storage_unavailable'],
    [new TypeError('secret at /etc/x'), 500, 'internal_error'],
  ] as const) {
    const fail = () => Promise.reject(error);
    const world = await createWorld(t, {
      storeVerbs: {
        listTemplates: fail,
        createTemplate: fail,
        getTemplate: fail,
        replaceTemplate: fail,
        deleteTemplate: fail,
        listTemplateVersions: fail,
        getTemplateRecord: fail,
        restoreTemplate: fail,
        publishTemplate: fail,
        listFontAssets: fail,
        listRenders: fail,
        findRender: fail,
      },
    });
    const { key } = await world.caller({ scopes: SCOPES });
    for (const [method, path, , , body] of operations('x')) {
      if (path === '/v1/workspace') continue;
      const reply = await world.ask({ method, path, key, body });
      t.match(reply, { status, json: { code } }, `${method} ${path}`);
      t.notMatch(reply.bytes.toString(), /secret/);
    }
  }
});

t.test('a workspace that is deleted during a request answers as its keys do from then on', async (t) => {
  const world = await createWorld(t);
  const { workspaceId, key } = await world.caller({ scopes: SCOPES });
  const { key: other } = await world.caller();
  await world.store.deleteWorkspace(workspaceId);
  const gone = { status: 401, json: { code: 'invalid_api_key' } };
  t.match(await world.ask({ key }), gone);
  // the workspace was found before it was deleted
  for (const verb of ['hold', 'countRequest', 'createTemplate'] as const) {
    const missing = async () => {
      throw new StoreError('there is no workspace', { code: 'not_found' });
    };
    const late = await createWorld(t, { storeVerbs: { [verb]: missing } });
    const caller = await late.caller({ scopes: SCOPES });
    const request = verb === 'createTemplate' ? { path: '/v1/templates', body: RECORD } : {};
    t.match(await late.ask({ key: caller.key, ...request }), gone, verb);
  }
  t.match(await world.ask({ key: other }), { status: 200 });
});
