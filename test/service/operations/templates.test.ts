// Reads and writes of templates (`/v1/templates`): answers, conditions, other workspaces, limits and faults.
import t from 'tap';
import type { Scope } from '../../../lib/store/types.js';
import { type Ask, type Caller, createWorld, type World } from '../world.js';

const BOTH: readonly Scope[] = ['templates:read', 'templates:write', 'render:write'];
const HOTSPOT = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 4, height: 3 };
const record = (name: string, more: object = {}) => ({ name, width: 4, height: 3, hotspots: [HOTSPOT], ...more });

const call = (world: World, caller: Caller, method: string, path: string, request: Ask = {}) =>
  world.ask({ method, path: `/v1/templates${path}`, key: caller.key, ...request });

async function start(t: Parameters<typeof createWorld>[0], settings: Record<string, string> = {}) {
  const world = await createWorld(t, { settings: { API_KEY_READ_LIMIT_PER_MIN: '10000', ...settings } });
  return { world, caller: await world.caller({ scopes: BOTH }) };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

t.test('POST saves and publishes; GET answers the record as it was sent', async (t) => {
  const { world, caller } = await start(t);
  const body = record('Card', { background: { color: '#fff' }, own: { field: [1, null] } });
  const created = await call(world, caller, 'POST', '', { body });
  t.equal(created.status, 201);
  const { id, createdAt, updatedAt } = created.json as Record<string, string>;
  t.match(createdAt, TIME);
  t.match(updatedAt, TIME);
  const expected = {
    id,
    name: 'Card',
    version: 1,
    publishedVersion: 1,
    createdAt,
    updatedAt,
    width: 4,
    height: 3,
    hotspots: [{ key: 'title', label: 'Title', type: 'text' }],
    record: body,
  };
  t.strictSame(created.json, expected);
  t.equal(created.headers.get('location'), `/v1/templates/${id}`);
  t.equal(created.headers.get('etag'), '"1.1"');
  const found = await world.ask({ method: 'GET', path: created.headers.get('location') ?? '', key: caller.key });
  t.equal(found.status, 200);
  t.strictSame(found.json, expected);
  t.equal(found.headers.get('etag'), '"1.1"');
  t.equal((await world.ask({ key: caller.key, body: { templateId: id } })).status, 200, 'it renders');
});

t.test('PUT makes the next version, and publishes it unless publish=false', async (t) => {
  const { world, caller } = await start(t);
  const { json } = await call(world, caller, 'POST', '', { body: record('one'), query: 'publish=false' });
  const path = `/${json.id}`;
  t.match(json, { version: 1, publishedVersion: null });
  const render = () => world.ask({ key: caller.key, body: { templateId: json.id } });
  t.match(await render(), { status: 404, json: { code: 'template_not_found' } }, 'a draft does not render');
  const second = await call(world, caller, 'PUT', path, { body: record('two') });
  t.match(second, { status: 200, json: { version: 2, publishedVersion: 2, name: 'two', record: record('two') } });
  t.equal(second.headers.get('etag'), '"2.2"');
  t.notOk(second.headers.has('location'));
  const third = await call(world, caller, 'PUT', path, { body: record('three'), query: 'publish=false' });
  t.match(third, { status: 200, json: { version: 3, publishedVersion: 2, createdAt: json.createdAt } });
  t.equal((await render()).status, 200);
  t.match(world.engine.asked.at(-1)?.record, { name: 'two' }, 'renders use the published version');
  const chosen = await world.ask({ key: caller.key, body: { templateId: json.id, templateVersion: 3 } });
  t.equal(chosen.status, 200);
  t.match(world.engine.asked.at(-1)?.record, { name: 'three' });
  const none = await world.ask({ key: caller.key, body: { templateId: json.id, templateVersion: 4 } });
  t.match(none, { status: 404, json: { code: 'template_not_found' } });
});

t.test('If-Match lets a write pass only on the versions that it names', async (t) => {
  const { world, caller } = await start(t);
  const { json } = await call(world, caller, 'POST', '', { body: record('1') });
  const path = `/${json.id}`;
  const put = (ifMatch: string) => call(world, caller, 'PUT', path, { body: record('next'), ifMatch });
  let version = 1;
  const rows: [string, number][] = [
    ['"7"', 412],
    ['W/"1"', 412],
    ['"01"', 412],
    ['"x"', 412],
    ['""', 412],
    ['"7", W/"1"', 412],
    ['"7", "8"', 412],
    ['"99999999999999999999"', 412],
    ['"1"', 200],
    ['"1"', 412],
    ['*', 200],
    [' "3" ', 200],
    ['"3", "4"', 200],
    [', "x,y",, "5",', 200],
  ];
  for (const [ifMatch, status] of rows) {
    const reply = await put(ifMatch);
    t.equal(reply.status, status, ifMatch);
    if (status === 412) t.match(reply.json, { success: false, code: 'version_conflict' });
    else t.equal(reply.json.version, ++version);
  }
  for (const ifMatch of [
    '6',
    '',
    '"6',
    '"6" "7"',
    '6"',
    '"6"x',
    'w/"6"',
    '*, "6"',
    '"6",*',
    '"a\u0001"',
    '"'.repeat(9000),
  ]) {
    const reply = await put(ifMatch);
    t.match(
      reply,
      { status: 400, json: { code: 'invalid_request', details: [{ path: 'If-Match' }] } },
      ifMatch.slice(0, 20),
    );
  }
  for (const [method, at, body] of [
    ['POST', '/restore', { version: 1 }],
    ['POST', '/publish', { version: 1 }],
    ['DELETE', '', undefined],
  ] as const) {
    const refused = await call(world, caller, method, `${path}${at}`, { body, ifMatch: '"1"' });
    t.match(refused, { status: 412, json: { code: 'version_conflict' } }, `${method} ${at}`);
    for (const ifMatch of ['"6.5"', '"6.0"', '"6.5", "6.0"']) {
      const unpublished = await call(world, caller, method, `${path}${at}`, { body, ifMatch });
      t.equal(unpublished.status, 412, `${method} ${at}: ${ifMatch}`);
    }
  }
  t.equal((await put('"6.5", "6.6"')).status, 200, 'an ETag');
  t.equal((await put('"7.7"')).headers.get('etag'), '"8.8"');
  const restored = await call(world, caller, 'POST', `${path}/restore`, { body: { version: 1 }, ifMatch: '"8"' });
  t.match(restored, { status: 200, json: { version: 9 } });
  t.equal((await call(world, caller, 'POST', `${path}/publish`, { body: { version: 2 }, ifMatch: '"9"' })).status, 200);
  t.equal((await call(world, caller, 'DELETE', path, { ifMatch: '"8", "9.2"' })).status, 204);
  for (const ifMatch of ['"7"', '*', '"6", "7"']) t.equal((await put(ifMatch)).status, 404, 'deleted');
});

t.test('of writers who all expect one version, one wins', async (t) => {
  const { world, caller } = await start(t);
  const { json } = await call(world, caller, 'POST', '', { body: record('1') });
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      call(world, caller, 'PUT', `/${json.id}`, { body: record(`by ${i}`), ifMatch: i % 2 ? '"1"' : '"1", "9"' }),
    ),
  );
  t.equal(replies.filter(({ status }) => status === 200).length, 1);
  t.equal(replies.filter(({ status }) => status === 412).length, 11);
  t.equal((await call(world, caller, 'GET', `/${json.id}`)).json.version, 2);
});

t.test('If-None-Match answers 304 without a body', async (t) => {
  const { world, caller } = await start(t);
  const { json } = await call(world, caller, 'POST', '', { body: record('1') });
  await call(world, caller, 'PUT', `/${json.id}`, { body: record('2') });
  const formsOf = (tag: string): [string, number][] => [
    [`"${tag}"`, 304],
    [`W/"${tag}"`, 304],
    [`"1", "${tag}"`, 304],
    ['*', 304],
    ['"1"', 200],
    [tag, 200],
    ['', 200],
  ];
  for (const [tag, path] of [
    ['2.2', `${json.id}`],
    ['2', `${json.id}/versions/2`],
  ]) {
    for (const [ifNoneMatch, status] of formsOf(tag)) {
      const reply = await call(world, caller, 'GET', `/${path}`, { ifNoneMatch });
      t.equal(reply.status, status, `${path}: ${ifNoneMatch}`);
      t.equal(reply.headers.get('etag'), `"${tag}"`);
      if (status === 304) t.equal(reply.bytes.length, 0);
    }
  }
  const published = await call(world, caller, 'POST', `/${json.id}/publish`, { body: { version: 1 } });
  t.equal(published.headers.get('etag'), '"2.1"');
  const again = await call(world, caller, 'GET', `/${json.id}`, { ifNoneMatch: '"2.2"' });
  t.match(again, { status: 200, json: { publishedVersion: 1 } }, 'another version is published');
  t.equal(again.headers.get('etag'), '"2.1"');
  t.equal((await call(world, caller, 'GET', '/none', { ifNoneMatch: '*' })).status, 404);
});

t.test('lists pages, newest first, without records', async (t) => {
  const { world, caller } = await start(t);
  const ids: unknown[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await call(world, caller, 'POST', '', { body: record(`${i}`) })).json.id);
  const other = await world.caller({ scopes: BOTH });
  await call(world, other, 'POST', '', { body: record('theirs') });
  const all = await call(world, caller, 'GET', '');
  t.same(Object.keys(all.json), ['items', 'nextCursor']);
  const items = all.json.items as Record<string, unknown>[];
  t.same(
    items.map(({ id }) => id),
    ids,
  );
  t.equal(all.json.nextCursor, null);
  for (const item of items) {
    t.same(Object.keys(item).sort(), [
      'createdAt',
      'height',
      'hotspots',
      'id',
      'name',
      'publishedVersion',
      'updatedAt',
      'version',
      'width',
    ]);
  }
  const first = await call(world, caller, 'GET', '', { query: 'limit=2' });
  t.same(
    (first.json.items as { id: string }[]).map(({ id }) => id),
    ids.slice(0, 2),
  );
  // the cursor outlives what it was made at
  await call(world, caller, 'DELETE', `/${ids[1]}`);
  await call(world, caller, 'POST', '', { body: record('new') });
  const rest = await call(world, caller, 'GET', '', {
    query: `cursor=${encodeURIComponent(String(first.json.nextCursor))}`,
  });
  t.same(
    (rest.json.items as { id: string }[]).map(({ id }) => id),
    ids.slice(2),
  );
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=1.5',
    'limit=1&limit=2',
    'cursor=none',
    'cursor=%00',
    'limt=3',
  ]) {
    const { status, json } = await call(world, caller, 'GET', '', { query });
    t.match({ status, json }, { status: 400, json: { success: false, code: 'invalid_request' } }, query);
    t.equal((json.details as unknown[]).length, 1, query);
  }
  t.equal((await call(world, caller, 'GET', '', { query: 'limit=200&_=1' })).status, 200);
});

t.test('another workspace’s template and an unknown one get the same bytes', async (t) => {
  const { world, caller } = await start(t);
  const theirs = await world.caller({ scopes: BOTH });
  const { json } = await call(world, theirs, 'POST', '', { body: record('theirs') });
  const ids = [
    String(json.id),
    'none',
    '..',
    '%2e%2e%2f',
    '__proto__',
    'constructor',
    'a%00b',
    '%ED%9F%BF',
    'x'.repeat(3000),
  ];
  const rows: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['GET', '/versions/0'],
    ['PUT', '', record('mine')],
    ['DELETE', ''],
    ['POST', '/restore', { version: 1 }],
    ['POST', '/publish', { version: 1 }],
  ];
  for (const [method, path, body] of rows) {
    const replies = [];
    for (const id of ids) replies.push(await call(world, caller, method, `/${id}${path}`, { body }));
    for (const reply of replies) {
      t.match(reply, { status: 404, json: { success: false, code: 'template_not_found' } }, `${method} ${path}`);
      t.ok(reply.bytes.equals(replies[0].bytes), 'the same bytes');
      const names = [...reply.headers.keys()].filter((name) => !/^x-(request-id|ratelimit-)/.test(name));
      t.same(
        names,
        [...replies[0].headers.keys()].filter((name) => !/^x-(request-id|ratelimit-)/.test(name)),
      );
      for (const name of names) t.equal(reply.headers.get(name), replies[0].headers.get(name), name);
    }
  }
  t.match(
    (await call(world, theirs, 'GET', `/${json.id}`)).json,
    { version: 1, name: 'theirs' },
    'nothing was changed',
  );
});

t.test('a deleted template is gone with all its versions', async (t) => {
  const { world, caller } = await start(t);
  const { json } = await call(world, caller, 'POST', '', { body: record('1') });
  const deleted = await call(world, caller, 'DELETE', `/${json.id}`);
  t.equal(deleted.status, 204);
  t.equal(deleted.bytes.length, 0);
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['PUT', '', record('2')],
    ['DELETE', ''],
    ['POST', '/restore', { version: 1 }],
    ['POST', '/publish', { version: 1 }],
  ] as const) {
    t.equal((await call(world, caller, method, `/${json.id}${path}`, { body })).status, 404, `${method} ${path}`);
  }
  t.equal((await world.ask({ key: caller.key, body: { templateId: json.id } })).status, 404);
  t.equal((await world.ask({ key: caller.key, body: { templateId: json.id, templateVersion: 1 } })).status, 404);
  t.same((await call(world, caller, 'GET', '')).json.items, []);
});

t.test('the audit log has each change, made by the key', async (t) => {
  const { world, caller } = await start(t);
  const { id } = (await call(world, caller, 'POST', '', { body: record('1') })).json as { id: string };
  await call(world, caller, 'PUT', `/${id}`, { query: 'publish=false', body: record('2') });
  await call(world, caller, 'POST', `/${id}/publish`, { body: { version: 2 } });
  await call(world, caller, 'POST', `/${id}/restore`, { body: { version: 1 } });
  t.equal((await call(world, caller, 'PUT', `/${id}`, { body: {} })).status, 400);
  await call(world, caller, 'GET', `/${id}`);
  await call(world, caller, 'DELETE', `/${id}`);
  const { items } = await world.store.listAudit({}, { limit: 9 });
  t.strictSame(
    items.map(({ action }) => action),
    ['delete', 'restore', 'publish', 'update', 'create'].map((verb) => `template.${verb}`),
  );
  const actor = { kind: 'key', name: caller.keyId };
  for (const item of items) t.match(item, { actor, subject: id, workspaceId: caller.workspaceId });
});

t.test('a malformed record is rejected with every fault, and not saved', async (t) => {
  const { world, caller } = await start(t, { MAX_LAYERS: '3' });
  const broken = {
    name: '',
    width: 0,
    height: 3,
    background: { url: './local.png' },
    layers: [{ type: 'shape', x: 'left' }],
    hotspots: [HOTSPOT, { ...HOTSPOT, type: 'image', url: 'ftp://a/b.png' }],
  };
  const { json: good } = await call(world, caller, 'POST', '', { body: record('good') });
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', `/${good.id}`],
  ] as const) {
    const { status, json } = await call(world, caller, method, path, { body: broken });
    t.match({ status, json }, { status: 400, json: { success: false, code: 'invalid_request' } });
    const paths = (json.details as { path: string }[]).map(({ path }) => path);
    for (const expected of ['name', 'width', 'background.url', 'layers[0].x', 'hotspots[1].key', 'hotspots[1].url']) {
      t.ok(paths.includes(expected), expected);
    }
    for (const body of ['null', '[]', '7', '"x"', record('many', { layers: [{}, {}, {}] })]) {
      t.equal((await call(world, caller, method, path, { body })).status, 400);
    }
  }
  t.equal(((await call(world, caller, 'GET', '')).json.items as unknown[]).length, 1);
  t.equal((await call(world, caller, 'GET', `/${good.id}`)).json.version, 1);
});

t.test('a record may be 4 MiB, or MAX_BODY_BYTES if that is less', async (t) => {
  const MIB4 = 4 * 2 ** 20;
  const padded = (length: number) => {
    const start = JSON.stringify(record('Big', { own: '' })).slice(0, -2);
    return `${start}${'x'.repeat(length - start.length - 2)}"}`;
  };
  const { world, caller } = await start(t);
  const largest = await call(world, caller, 'POST', '', { body: padded(MIB4) });
  t.equal(largest.status, 201);
  t.equal(JSON.stringify((await call(world, caller, 'GET', `/${largest.json.id}`)).json.record).length, MIB4);
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', `/${largest.json.id}`],
  ] as const) {
    const refused = await call(world, caller, method, path, { body: padded(MIB4 + 1) });
    t.match(refused, { status: 413, json: { success: false, code: 'payload_too_large' } });
  }
  const small = await start(t, { MAX_BODY_BYTES: '1000' });
  t.equal((await call(small.world, small.caller, 'POST', '', { body: padded(1000) })).status, 201);
  t.equal((await call(small.world, small.caller, 'POST', '', { body: padded(1001) })).status, 413);
});
