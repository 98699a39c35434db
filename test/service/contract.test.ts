// The rules of docs/service.md#how-a-request-is-handled, one row each: authentication, the order of checks, and the requests
// that the rate limit counts.
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { hashKey } from '../../lib/store/api-keys.js';
import type { Scope } from '../../lib/store/types.js';
import { saveTemplate } from './stores.js';
import { type Ask, createWorld, FLAT } from './world.js';

const UNKNOWN = `svc_live_${'0'.repeat(64)}`;
const BROKEN = '{"canvas":';
const TEMPLATE = { name: 'T', width: 2, height: 2, hotspots: [] };

// fault: 18, 19, 20
t.test('rejects missing, malformed and unknown API keys', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const digits = key.slice('svc_live_'.length);
  const rows: [authorization: string | undefined, status: number, code?: string][] = [
    [undefined, 401, 'missing_api_key'],
    ['', 401, 'missing_api_key'],
    ['Bearer', 401, 'missing_api_key'],
    ['Bearer ', 401, 'missing_api_key'],
    ['Bearer    ', 401, 'missing_api_key'],
    [`Basic ${key}`, 401, 'missing_api_key'],
    [`Bearer\t${key}`, 401, 'missing_api_key'],
    [`Bearer${key}`, 401, 'missing_api_key'],
    [`Token Bearer ${key}`, 401, 'missing_api_key'],
    [key, 401, 'missing_api_key'],
    [`Bearer ${key.slice(0, -1)}`, 401, 'invalid_api_key'],
    [`Bearer ${key}0`, 401, 'invalid_api_key'],
    [`Bearer ${key} ${key}`, 401, 'invalid_api_key'],
    [`Bearer ${key}, Bearer ${key}`, 401, 'invalid_api_key'],
    [`Bearer svc_live_${digits.toUpperCase().replace(/^\d/, 'A')}`, 401, 'invalid_api_key'],
    [`Bearer SVC_LIVE_${digits}`, 401, 'invalid_api_key'],
    [`Bearer svc_test_${digits}`, 401, 'invalid_api_key'],
    [`Bearer ${digits}`, 401, 'invalid_api_key'],
    [`Bearer svc_live_${'٣'.repeat(64)}`, 401, 'invalid_api_key'],
    [`Bearer ${key}\0`, 401, 'invalid_api_key'],
    [`Bearer ${key}\u00a0`, 401, 'invalid_api_key'],
    [`Bearer ${UNKNOWN}`, 401, 'invalid_api_key'],
    [`Bearer svc_live_${hashKey(key)}`, 401, 'invalid_api_key'],
    [`Bearer ${'x'.repeat(2 ** 20)}`, 401, 'invalid_api_key'],
    [`Bearer ${key}`, 200],
    [`bearer ${key}`, 200],
    [`BEARER  ${key} `, 200],
  ];
  for (const [authorization, status, code] of rows) {
    const reply = await world.ask({ ...(authorization !== undefined && { authorization }) });
    t.equal(reply.status, status, (authorization ?? 'no header').slice(0, 90));
    t.equal(reply.outcome.code, code);
    t.equal(reply.headers.has('x-ratelimit-limit'), status === 200, 'only what got past the key was counted');
    if (code) t.same(reply.json, { success: false, error: reply.json.error, code });
  }
});

// fault: 19, 22
t.test('does not look up a malformed key, and looks up others by hash only', async (t) => {
  const asked: string[] = [];
  const world = await createWorld(t, {
    storeVerbs: {
      findKey: async (hash) => {
        asked.push(hash);
        return undefined;
      },
    },
  });
  await world.ask({ authorization: `Bearer ${'x'.repeat(2 ** 20)}` });
  t.same(asked, []);
  await world.ask({ key: UNKNOWN });
  t.same(asked, [hashKey(UNKNOWN)]);
});

t.test('rejects a revoked key on the next request, but not another key of its workspace', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  const other = await world.caller({ workspaceId: caller.workspaceId });
  t.equal((await world.ask(caller)).status, 200);
  await world.store.revokeKey(caller.keyId);
  const refused = await world.ask(caller);
  t.match(refused, { status: 401, json: { success: false, code: 'revoked_api_key' } });
  t.equal((await world.ask(other)).status, 200);
});

t.test('requires the scope render:write, whatever other scopes the key has', async (t) => {
  const world = await createWorld(t);
  const reserved: Scope[] = ['render:read', 'templates:read', 'templates:write', 'batch:write'];
  for (const scope of reserved) {
    const refused = await world.ask(await world.caller({ scopes: [scope] }));
    t.match(refused, { status: 403, json: { success: false, code: 'insufficient_scope' } }, scope);
    t.notOk(refused.headers.has('x-ratelimit-limit'), 'not counted');
  }
  t.equal((await world.ask(await world.caller({ scopes: [...reserved, 'render:write'] }))).status, 200);
});

t.test('of two errors, reports the one of the earlier check', async (t) => {
  const settings = { API_KEY_RATE_LIMIT_PER_MIN: '1', MAX_BODY_BYTES: '300' };
  const world = await createWorld(t, { settings });
  world.engine.before = () => {
    throw new RenderError('render_failed', 'the engine was asked');
  };
  const fresh = (options = {}) => world.caller(options).then(({ key }) => key);
  const exhausted = async (options = {}) => {
    const caller = await world.caller(options);
    await world.ask(caller);
    return caller;
  };
  const revoked = await exhausted({ scopes: ['render:read'] });
  await world.store.revokeKey(revoked.keyId);
  const spent = await exhausted();
  const spentAndRevoked = await exhausted();
  await world.store.revokeKey(spentAndRevoked.keyId);
  const rows: [string, Ask, number, string?][] = [
    ['no key, before the body', { body: BROKEN }, 401, 'missing_api_key'],
    ['unknown, before the body', { key: UNKNOWN, body: BROKEN }, 401, 'invalid_api_key'],
    ['revoked, before the scope', { key: revoked.key }, 401, 'revoked_api_key'],
    ['revoked, before the limit', { key: spentAndRevoked.key }, 401, 'revoked_api_key'],
    [
      'scope, before the body',
      { key: await fresh({ scopes: ['render:read'] }), body: BROKEN },
      403,
      'insufficient_scope',
    ],
    ['limit, before the size', { key: spent.key, body: 'x'.repeat(301) }, 429, 'rate_limited'],
    ['limit, before the credits', { key: (await exhausted({ credits: 0 })).key }, 429, 'rate_limited'],
    ['size, before the JSON', { key: await fresh(), body: 'x'.repeat(301) }, 413, 'payload_too_large'],
    [
      'limit, before the encoding',
      { key: (await exhausted()).key, contentEncoding: 'gzip', body: BROKEN },
      429,
      'rate_limited',
    ],
    [
      'size, before the encoding',
      { key: await fresh(), contentEncoding: 'gzip', body: 'x'.repeat(301) },
      413,
      'payload_too_large',
    ],
    [
      'encoding, before the JSON',
      { key: await fresh({ credits: 0 }), contentEncoding: 'gzip', body: BROKEN },
      415,
      'unsupported_media_type',
    ],
    ['JSON, before the credits', { key: await fresh({ credits: 0 }), body: BROKEN }, 400],
    ['shape, before the template', { key: await fresh(), body: { ...FLAT, templateId: 'none' } }, 400],
    ['shape, before the credits', { key: await fresh({ credits: 0 }), body: {} }, 400],
    [
      'template, before the credits',
      { key: await fresh({ credits: 0 }), body: { templateId: 'none' } },
      404,
      'template_not_found',
    ],
    ['credits, before the render', { key: await fresh({ credits: 0 }) }, 402],
    ['the render', { key: await fresh() }, 500, 'render_failed'],
  ];
  for (const [name, request, status, code] of rows) {
    const asked = world.engine.asked.length;
    const reply = await world.ask(request);
    t.equal(reply.status, status, name);
    t.equal(reply.json.code, code, name);
    t.equal(world.engine.asked.length - asked, status === 500 ? 1 : 0, 'nothing is rendered before the last gate');
  }
});

// fault: 27
t.test('counts requests that pass key and scope, except 429s, and reports the rest in headers', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_RATE_LIMIT_PER_MIN: '7', MAX_BODY_BYTES: '300' } });
  const { key } = await world.caller({ credits: 1 });
  const rate = ({ headers }: { headers: ReadonlyMap<string, string> }) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  const counted: [unknown, number][] = [
    ['x'.repeat(301), 413],
    [BROKEN, 400],
    [{}, 400],
    [{ templateId: 'none' }, 404],
    [{ ...FLAT, layers: [{}] }, 200],
    [FLAT, 402],
    [FLAT, 402],
  ];
  for (const [i, [body, status]] of counted.entries()) {
    const reply = await world.ask({ key, body });
    t.equal(reply.status, status);
    t.same(rate(reply), ['7', String(6 - i), String(60 - i)]);
    world.pass(1000);
  }
  for (const body of [FLAT, BROKEN]) {
    const refused = await world.ask({ key, body });
    t.match(refused, { status: 429, json: { success: false, code: 'rate_limited' } });
    t.same(rate(refused), ['7', '0', '53']);
    t.equal(refused.headers.get('retry-after'), '53');
  }
  world.pass(52_000);
  t.equal((await world.ask({ key })).status, 429, 'a second earlier fails');
  world.pass(1000);
  t.equal((await world.ask({ key })).status, 402, 'after Retry-After there is room');
  t.equal((await world.ask({ key })).status, 429, 'for one');
});

t.test('rounds Retry-After up to whole seconds', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_RATE_LIMIT_PER_MIN: '1' } });
  const { key } = await world.caller();
  await world.ask({ key });
  world.pass(58_999.5);
  t.equal((await world.ask({ key })).headers.get('retry-after'), '2');
  world.pass(1000);
  const last = await world.ask({ key });
  t.equal(last.headers.get('retry-after'), '1');
  t.equal(last.headers.get('x-ratelimit-reset'), '1');
});

// fault: 27
t.test('limits each key separately; the default is 60', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_RATE_LIMIT_PER_MIN: '' } });
  const one = await world.caller({ credits: 0 });
  const two = await world.caller({ workspaceId: one.workspaceId });
  const statuses = new Map<number, number>();
  for (let i = 0; i < 70; i++) {
    const { status } = await world
      .service({
        method: 'POST',
        path: '/v1/render',
        authorization: `Bearer ${one.key}`,
        body: async () => Buffer.from(JSON.stringify(FLAT)),
        signal: new AbortController().signal,
      })
      .then(({ answer }) => answer);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  t.same(
    [...statuses],
    [
      [402, 60],
      [429, 10],
    ],
  );
  t.equal((await world.ask(two)).status, 402);
});

// fault: 1, 2, 6
t.test('answers 400 without code, with the position, for invalid JSON and for neither shape', async (t) => {
  const world = await createWorld(t, { settings: { MAX_LAYERS: '3' } });
  const caller = await world.caller();
  const canvas = (fields: object) => ({ canvas: { width: 4, height: 4, ...fields }, layers: [] });
  const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  const rows: [unknown, RegExp][] = [
    ['', /JSON/],
    ['{', /JSON/],
    ['{"canvas":1,}', /JSON/],
    ['\ufeff', /JSON/],
    ['{"a":"\0"}', /JSON/],
    [Buffer.from('{"a":1}', 'utf16le'), /JSON/],
    [Uint8Array.of(0x7b, 0xff, 0x7d), /JSON/],
    [Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0), /JSON/],
    ['null', /object/],
    ['1', /object/],
    ['"x"', /object/],
    ['[]', /object/],
    ['{}', /templateId.*canvas/],
    [{ canvas: { width: 1, height: 1 } }, /layers/],
    [{ layers: [] }, /canvas/],
    [{ ...FLAT, templateId: 'x' }, /both/],
    [{ templateId: 'x', layers: [] }, /both/],
    [{ templateId: '' }, /templateId/],
    [{ templateId: ['x'] }, /templateId/],
    [{ templateId: { x: 1 } }, /templateId/],
    [{ templateId: 'x', variables: [] }, /variables/],
    [{ templateId: 'x', variables: 'x' }, /variables/],
    [{ templateId: 'x', metadata: [] }, /metadata/],
    [canvas({ width: 0 }), /canvas\.width/],
    [canvas({ width: -1 }), /canvas\.width/],
    [canvas({ width: 8193 }), /canvas\.width/],
    [canvas({ height: 8192.5 }), /canvas\.height/],
    [canvas({ height: '100' }), /canvas\.height/],
    [canvas({ height: true }), /canvas\.height/],
    ['{"canvas":{"width":1e999,"height":1},"layers":[]}', /canvas\.width/],
    [{ canvas: { height: 1 }, layers: [] }, /canvas\.width/],
    [{ canvas: [], layers: [] }, /canvas/],
    [canvas({ backgroundColor: '#zz' }), /canvas\.backgroundColor/],
    [canvas({ backgroundColor: 7 }), /canvas\.backgroundColor/],
    [{ ...FLAT, quality: 0 }, /quality/],
    [{ ...FLAT, quality: 101 }, /quality/],
    [{ ...FLAT, quality: '90' }, /quality/],
    [{ ...FLAT, format: 'gif' }, /format/],
    [{ ...FLAT, format: 'PNG' }, /format/],
    [{ ...FLAT, responseType: 'xml' }, /responseType/],
    [{ ...FLAT, layers: {} }, /layers/],
    [{ ...FLAT, layers: [{}, 5] }, /layers\[1\]/],
    [{ ...FLAT, layers: [null] }, /layers\[0\]/],
    [{ ...FLAT, layers: [[]] }, /layers\[0\]/],
    [{ ...FLAT, layers: [{}, {}, {}, {}] }, /layers.*3/],
    [{ ...FLAT, metadata: 'x' }, /metadata/],
    [{ ...FLAT, metadata: [] }, /metadata/],
    [{ ...FLAT, metadata: { a: 'x'.repeat(16 * 1024 - 7) } }, /metadata/],
    [{ ...FLAT, metadata: deep(9) }, /metadata/],
    [`{"canvas":{"width":1,"height":1},"layers":[],"metadata":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, /./],
    [{ ...FLAT, unknown: deep(64) }, /levels/],
  ];
  for (const [body, message] of rows) {
    const reply = await world.ask({ ...caller, body });
    const label = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 90);
    t.equal(reply.status, 400, label);
    t.notOk('code' in reply.json, 'without code');
    t.match(reply.json.error, message, label);
  }
  t.same(world.engine.asked, []);
  t.equal(await world.balance(caller), 1000);
});

// fault: 6, 25
t.test('accepts values at the limits and ignores unknown fields', async (t) => {
  const world = await createWorld(t, { settings: { MAX_LAYERS: '3' } });
  const caller = await world.caller();
  const other = await world.caller({ credits: 5 });
  const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  const rows: unknown[] = [
    { canvas: { width: 1, height: 8192 }, layers: [] },
    { canvas: { width: 8192, height: 1, backgroundColor: 'rgb(1 2 3 / 50%)' }, layers: [] },
    { ...FLAT, quality: 1 },
    { ...FLAT, quality: 100 },
    { ...FLAT, quality: 55.5 },
    { ...FLAT, layers: [{}, {}, {}] },
    { ...FLAT, metadata: { a: 'x'.repeat(16 * 1024 - 8) } },
    { ...FLAT, metadata: deep(8) },
    { ...FLAT, unknown: 1, variables: 'not of this shape', canvas: { ...FLAT.canvas, more: [] } },
    { ...FLAT, workspaceId: other.workspaceId },
    { ...FLAT, workspaceId: 7 },
    '{"canvas":{"width":9,"height":9},"canvas":{"width":1,"height":1},"layers":[],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  ];
  for (const body of rows)
    t.equal((await world.ask({ ...caller, body })).status, 200, JSON.stringify(body).slice(0, 90));
  t.equal(({} as { polluted?: number }).polluted, undefined);
  t.same(
    world.engine.asked.at(-1)?.request,
    {
      ...world.engine.asked.at(-1)?.request,
      canvas: { width: 1, height: 1, scale: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 0 } },
    },
    'of a key that stands twice the last is meant',
  );
  t.equal(await world.balance(caller), 1000 - rows.length);
  t.equal(await world.balance(other), 5, 'the workspace is the key’s alone');
});

// fault: 23, 24
t.test('answers another workspace’s template and a missing one with the same bytes', async (t) => {
  const world = await createWorld(t);
  const mine = await world.caller();
  const theirs = await world.caller();
  const id = await saveTemplate(world.store, theirs.workspaceId, TEMPLATE);
  const found = await world.ask({ ...theirs, body: { templateId: id } });
  t.equal(found.status, 200);
  t.same(world.engine.asked[0].record, TEMPLATE);
  const ids = [
    id,
    `${id}0`,
    'none',
    '../../etc/passwd',
    '%2e%2e',
    '__proto__',
    'constructor',
    'toString',
    'a\0b',
    'x'.repeat(1e6),
  ];
  const replies = await Promise.all(ids.map((templateId) => world.ask({ ...mine, body: { templateId } })));
  for (const reply of replies) {
    t.match(reply, { status: 404, json: { success: false, code: 'template_not_found' } });
    t.ok(reply.bytes.equals(replies[0].bytes), 'the same bytes');
    const names = [...reply.headers.keys()].filter((name) => !/^x-(request-id|ratelimit-)/.test(name));
    for (const name of names) t.equal(reply.headers.get(name), replies[0].headers.get(name), name);
  }
  await world.store.deleteTemplate({ id });
  t.equal((await world.ask({ ...theirs, body: { templateId: id } })).status, 404);
});

t.test('answers 404 and 405 for other paths and methods', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const render = 'POST, OPTIONS';
  const page = 'GET, HEAD, OPTIONS';
  const rows: [string, string, number, string?][] = [
    ['GET', '/v1/render', 405, render],
    ['HEAD', '/v1/render', 405, render],
    ['PUT', '/v1/render', 405, render],
    ['DELETE', '/v1/render', 405, render],
    ['PATCH', '/v1/render', 405, render],
    ['TRACE', '/v1/render', 405, render],
    ['POST', '/healthz', 405, page],
    ['POST', '/openapi.json', 405, page],
    ['DELETE', '/docs', 405, page],
    ['OPTIONS', '/v1/render', 204],
    ['OPTIONS', '/healthz', 204],
    ['GET', '/healthz', 200],
    ['HEAD', '/healthz', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
    ['GET', '/', 404],
    ['POST', '/', 404],
    ['POST', '/v1/render/', 404],
    ['POST', '//v1//render', 404],
    ['POST', '/v1/render/../render', 404],
    ['POST', '/V1/RENDER', 404],
    ['POST', '/v2/render', 404],
    ['GET', '/__proto__', 404],
    ['OPTIONS', '/nothing', 404],
    ['OPTIONS', '*', 404],
  ];
  for (const [method, path, status, allow] of rows) {
    const reply = await world.ask({ method, path, key });
    t.equal(reply.status, status, `${method} ${path}`);
    t.equal(reply.headers.get('allow'), allow);
    t.notOk(reply.headers.has('x-ratelimit-limit'), 'nothing is counted');
    if (status === 405 || status === 404) {
      const code = status === 405 ? 'method_not_allowed' : 'not_found';
      t.same(reply.json, { success: false, error: reply.json.error, code });
    }
  }
  t.equal(world.engine.asked.length, 0);
});

// fault: 16
t.test('answers a preflight without a key, with the allowed methods and headers', async (t) => {
  const world = await createWorld(t);
  const { status, headers, bytes } = await world.ask({ method: 'OPTIONS' });
  t.equal(status, 204);
  t.equal(bytes.length, 0);
  t.match(headers.get('access-control-allow-methods'), /POST/);
  const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
  t.ok(allowed?.includes('authorization') && allowed.includes('content-type'));
});

t.test('recognizes a compressed body by its Content-Encoding', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const long = 'x'.repeat(5000);
  const rows: [string, number][] = [
    ['', 200],
    ['identity', 200],
    [' Identity , identity', 200],
    ['gzip', 415],
    ['GZIP', 415],
    ['identity, gzip', 415],
    ['br', 415],
    ['none', 415],
    ['"\\', 415],
    [long, 415],
  ];
  for (const [contentEncoding, status] of rows) {
    const { status: found, json } = await world.ask({ key, contentEncoding });
    t.equal(found, status, contentEncoding.slice(0, 30));
    if (status === 415) t.ok(String(json.error).length < 200, String(json.error));
  }
});
