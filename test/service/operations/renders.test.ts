// The render log of a workspace (`/v1/renders`): what is logged, filters, pages, single entries.
import t from 'tap';
import { codedError, type Detail, type ErrorCode, RenderError, ServiceError } from '../../../lib/errors.js';
import { failureCpuMs } from '../../../lib/service/render/engine.js';
import type { Scope } from '../../../lib/store/types.js';
import { saveTemplate } from '../stores.js';
import { type Caller, createWorld, FLAT, type World } from '../world.js';

const SCOPES: readonly Scope[] = ['render:write', 'render:read'];
type Entry = Record<string, unknown>;

async function list(world: World, { key }: Caller, query = '') {
  const { status, json } = await world.ask({ method: 'GET', path: '/v1/renders', key, query });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json as { items: Entry[]; nextCursor: string | null };
}

t.test('has an entry for each image, as its answer named it', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '2' } });
  const caller = await world.caller({ scopes: SCOPES });
  world.engine.result = { warnings: [{ code: 'no_effect', path: 'layers[0]', message: 'm' }], cpuMs: 12.6 };
  const metadata = { order: 'A-1', n: 42 };
  const body = { ...FLAT, format: 'jpg', metadata, layers: [{ type: 'shape', colour: 1 }], unknown: 1 };
  const binary = await world.ask({ key: caller.key, body });
  const id = binary.headers.get('x-service-render-id');
  t.equal(binary.headers.get('x-service-warnings'), '2');
  const template = { name: 'T', width: 2, height: 2 };
  const templateId = await saveTemplate(world.store, caller.workspaceId, template);
  world.engine.result = {};
  const json = await world.ask({ key: caller.key, body: { templateId } });
  const { items, nextCursor } = await list(world, caller);
  t.equal(nextCursor, null);
  const [second, first] = items;
  t.strictSame(first, {
    id,
    time: first.time,
    status: 'ok',
    format: 'jpeg',
    width: 4,
    height: 3,
    durationMs: first.durationMs,
    cpuMs: 13,
    sizeBytes: 4,
    creditsCost: 2,
    sha256: JSON.parse(binary.headers.get('etag') ?? ''),
    warnings: 2,
    keyId: caller.keyId,
    metadata,
  });
  t.match(second, { id: json.json.renderId, sha256: json.json.sha256, templateId, templateVersion: 1, warnings: 0 });
  t.notOk('metadata' in second);
  t.notOk('cpuMs' in second, 'nothing ran for it');
  const single = await world.ask({ method: 'GET', path: `/v1/renders/${id}`, key: caller.key });
  t.equal(single.status, 200);
  t.strictSame(single.json, first);
});

t.test('has the renders that failed for a reason of their own, and no others', async (t) => {
  const world = await createWorld(t, { settings: { MAX_BODY_BYTES: '2000', API_KEY_RATE_LIMIT_PER_MIN: '30' } });
  const caller = await world.caller({ scopes: SCOPES, credits: 5 });
  const ask = (body: unknown, more = {}) => world.ask({ key: caller.key, body, ...more });
  const details: Detail[] = [
    { code: 'asset_failed', path: 'layers[2].url', layerId: 'a', message: 'the first' },
    { code: 'render_failed', path: 'layers[3]', message: 'the second' },
  ];
  const failWith = (code: ErrorCode, given: readonly Detail[] = [], cpuMs?: number) => {
    world.engine.before = () => {
      const error = codedError(code, 'it failed', { details: given });
      if (cpuMs !== undefined) failureCpuMs.set(error, cpuMs);
      throw error;
    };
  };
  const expected: Entry[] = [];
  for (const code of ['render_failed', 'asset_failed', 'render_timeout', 'internal_error'] as const) {
    failWith(code, details);
    await ask({ ...FLAT, metadata: { code } });
    const detail = { path: 'layers[2].url', message: 'the first' };
    expected.unshift({ status: 'failed', code, detail, metadata: { code } });
  }
  failWith('render_timeout', [], 4999.7);
  await ask(FLAT);
  expected.unshift({
    status: 'failed',
    code: 'render_timeout',
    detail: { path: '', message: 'it failed' },
    cpuMs: 5000,
  });
  await ask({ templateId: 'tpl_none', format: 'webp' });
  expected.unshift({ status: 'failed', code: 'template_not_found', templateId: 'tpl_none', format: 'webp' });
  await ask({ templateId: '\u0000'.repeat(100) });
  expected.unshift({ status: 'failed', code: 'template_not_found', templateId: undefined });
  const poor = await world.caller({ scopes: SCOPES, credits: 0, workspaceId: caller.workspaceId });
  const held = await world.store.hold(caller.workspaceId, 5);
  await world.ask({ key: poor.key });
  if ('hold' in held) await world.store.release(held.hold);
  expected.unshift({ status: 'failed', code: 'credits_exhausted', keyId: poor.keyId, detail: { path: '' } });
  // not logged: 400, 401, 403, 413, 415, 429, 503
  await ask('{');
  await ask({});
  await ask(FLAT, { idempotencyKeys: [''] });
  await world.ask({ key: `${caller.key}0` });
  await world.ask({ key: (await world.caller({ scopes: ['render:read'], workspaceId: caller.workspaceId })).key });
  await ask('x'.repeat(2001));
  await ask(FLAT, { contentEncoding: 'br' });
  failWith('overloaded');
  await ask(FLAT);
  while ((await ask('{')).status !== 429);
  const { items } = await list(world, caller, 'limit=200');
  t.equal(items.length, expected.length);
  for (const [i, item] of items.entries()) {
    t.match(item, expected[i]);
    t.match(item, { width: 0, height: 0, sizeBytes: 0, creditsCost: 0, warnings: 0 });
    t.notOk('sha256' in item || 'replayOf' in item);
    t.equal('cpuMs' in item, 'cpuMs' in expected[i], 'of a render that ran');
    t.ok(Number(item.durationMs) >= 0);
  }
  const [{ id }] = items;
  t.strictSame((await world.ask({ method: 'GET', path: `/v1/renders/${id}`, key: caller.key })).json, items[0]);
});

t.test('keeps variables of templates only with LOG_VARIABLES=on, up to 16 KiB, and lists without them', async (t) => {
  const template = { name: 'T', width: 2, height: 2 };
  const variables = { title: 'Ümlaut "status":"failed"', price: 9, hidden: null, badge: { color: '#f00' } };
  const large = (bytes: number) => ({ title: 'x'.repeat(bytes - '{"title":""}'.length) });
  for (const setting of ['off', 'on']) {
    const world = await createWorld(t, { settings: { LOG_VARIABLES: setting } });
    const caller = await world.caller({ scopes: SCOPES });
    const templateId = await saveTemplate(world.store, caller.workspaceId, template);
    const ask = (body: unknown) => world.ask({ key: caller.key, body });
    await ask({ templateId, variables });
    await ask({ templateId, variables: large(16 * 1024) });
    await ask({ templateId, variables: large(16 * 1024 + 1) });
    await ask({ templateId });
    await ask({ templateId: 'tpl_none', variables });
    await ask(FLAT);
    const { items } = await list(world, caller);
    const kept: unknown[] = [];
    for (const item of items.reverse()) {
      t.notOk('variables' in item, 'never in a list');
      const single = await world.ask({ method: 'GET', path: `/v1/renders/${item.id}`, key: caller.key });
      kept.push(single.json.variables);
    }
    const all = [variables, large(16 * 1024), undefined, {}, variables, undefined];
    t.strictSame(kept, setting === 'on' ? all : all.map(() => undefined), setting);
    const failed = (await list(world, caller, 'status=failed')).items;
    t.match(failed, [{ templateId: 'tpl_none' }]);
    t.equal(failed.length, 1);
  }
});

t.test('filters by status, template, key, time and metadata', async (t) => {
  const world = await createWorld(t);
  const one = await world.caller({ scopes: SCOPES });
  const two = await world.caller({ scopes: SCOPES, workspaceId: one.workspaceId });
  const template = { name: 'T', width: 2, height: 2 };
  const templateId = await saveTemplate(world.store, one.workspaceId, template);
  const ask = (key: string, body: unknown) => world.ask({ key, body });
  await ask(one.key, { ...FLAT, metadata: { n: 1, order: 42 } });
  await ask(two.key, { ...FLAT, metadata: { n: 2, order: '42', 'with.dot': 'a b' } });
  await ask(one.key, { templateId, metadata: { n: 3, order: { nested: 42 }, __proto__: null } });
  await ask(two.key, { templateId: 'tpl_none', metadata: { n: 4, flag: true } });
  const numbers = async (query: string) =>
    (await list(world, one, query)).items.map(({ metadata }) => (metadata as { n: number }).n);
  const [newest, , , oldest] = (await list(world, one)).items as { time: string }[];
  const rows: [string, number[]][] = [
    ['', [4, 3, 2, 1]],
    ['status=ok', [3, 2, 1]],
    ['status=failed', [4]],
    [`templateId=${templateId}`, [3]],
    ['templateId=tpl_none', [4]],
    ['templateId=other', []],
    [`keyId=${two.keyId}`, [4, 2]],
    ['metadata.order=42', [2, 1]],
    ['metadata.flag=true', [4]],
    ['metadata.with.dot=a+b', [2]],
    ['metadata.order=42&metadata.n=2', [2]],
    ['metadata.toString=x', []],
    [`status=ok&keyId=${two.keyId}&metadata.n=2`, [2]],
    ['from=2000-01-01', [4, 3, 2, 1]],
    ['to=2000-01-01', []],
    [`from=${oldest.time}`, [4, 3, 2, 1]],
    [`to=${oldest.time}`, []],
    [`from=${new Date(Date.parse(newest.time) + 1).toISOString()}`, []],
  ];
  for (const [query, expected] of rows) t.same(await numbers(query), expected, query);
  for (const query of [
    'status=OK',
    'from=yesterday',
    'to=2026-13-01',
    'keyId=',
    'limit=0',
    'stauts=ok',
    'status=ok&status=ok',
  ]) {
    const { status, json } = await world.ask({ method: 'GET', path: '/v1/renders', key: one.key, query });
    t.match({ status, json }, { status: 400, json: { success: false, code: 'invalid_request' } }, query);
    t.ok((json.details as unknown[]).length > 0);
  }
});

t.test('pages go on where they ended while entries are added', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const made: unknown[] = [];
  const render = async () => {
    made.unshift((await world.ask({ key: caller.key, body: { ...FLAT, responseType: 'json' } })).json.renderId);
  };
  for (let i = 0; i < 7; i++) await render();
  const expected = [...made];
  const seen: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await list(world, caller, `limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    await render();
  }
  t.same(seen, expected);
});

t.test('an unknown entry and another workspace’s get the same 404', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const other = await world.caller({ scopes: SCOPES });
  const made = await world.ask({ key: other.key });
  const theirs = made.headers.get('x-service-render-id');
  const replies = [];
  for (const id of [theirs, 'none', '..', 'a%00b', '__proto__', 'x'.repeat(3000)]) {
    replies.push(await world.ask({ method: 'GET', path: `/v1/renders/${id}`, key: caller.key }));
  }
  for (const reply of replies) {
    t.match(reply, { status: 404, json: { success: false, code: 'render_not_found' } });
    t.ok(reply.bytes.equals(replies[0].bytes));
  }
  t.equal((await world.ask({ method: 'GET', path: `/v1/renders/${theirs}`, key: other.key })).status, 200);
  t.same((await list(world, caller)).items, []);
});

t.test('a client that left is not in the log', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const gone = new AbortController();
  world.engine.before = () => {
    gone.abort(new ServiceError('internal_error', 'the client disconnected'));
    throw new RenderError('asset_failed', 'the fetch was aborted');
  };
  await world.ask({ key: caller.key, signal: gone.signal });
  t.same((await list(world, caller)).items, []);
});
