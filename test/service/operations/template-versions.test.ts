// Versions of templates: lists, single versions, restore and publish.
import t from 'tap';
import type { Scope } from '../../../lib/store/types.js';
import { type Ask, createWorld } from '../world.js';

const SCOPES: readonly Scope[] = ['templates:read', 'templates:write', 'render:write'];
const HOTSPOT = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 4, height: 3 };
const record = (name: string) => ({ name, width: 4, height: 3, hotspots: [HOTSPOT] });

async function start(t: Parameters<typeof createWorld>[0], versions: readonly string[]) {
  const world = await createWorld(t, { settings: { API_KEY_READ_LIMIT_PER_MIN: '10000' } });
  const { key } = await world.caller({ scopes: SCOPES });
  const ask = (method: string, path: string, request: Ask = {}) => world.ask({ method, path, key, ...request });
  const [first, ...others] = versions;
  const { json } = await ask('POST', '/v1/templates', { body: record(first) });
  const path = `/v1/templates/${json.id}`;
  for (const name of others) await ask('PUT', path, { body: record(name) });
  const rendered = async () => {
    await world.ask({ key, body: { templateId: json.id } });
    const { record } = world.engine.asked.at(-1) ?? {};
    return (record as { name: string }).name;
  };
  return { ask, path, rendered };
}

t.test('lists versions in pages, newest first, without records', async (t) => {
  const { ask, path } = await start(t, ['a', 'b', 'c', 'd', 'e']);
  const names: unknown[] = [];
  let cursor = '';
  do {
    const { status, json } = await ask('GET', `${path}/versions`, { query: `limit=2${cursor}` });
    t.equal(status, 200);
    t.same(Object.keys(json), ['items', 'nextCursor']);
    const items = json.items as Record<string, unknown>[];
    for (const item of items) {
      t.same(Object.keys(item).sort(), ['createdAt', 'height', 'hotspots', 'name', 'version', 'width']);
      names.push([item.version, item.name]);
    }
    cursor = json.nextCursor === null ? '' : `&cursor=${json.nextCursor}`;
  } while (cursor !== '');
  t.same(names, [
    [5, 'e'],
    [4, 'd'],
    [3, 'c'],
    [2, 'b'],
    [1, 'a'],
  ]);
  t.equal((await ask('GET', `${path}/versions`, { query: 'cursor=x' })).status, 400);
});

t.test('answers one version with its record', async (t) => {
  const { ask, path } = await start(t, ['a', 'b']);
  const { status, json, headers } = await ask('GET', `${path}/versions/1`);
  t.equal(status, 200);
  t.equal(headers.get('etag'), '"1"');
  t.strictSame(json, {
    version: 1,
    createdAt: json.createdAt,
    name: 'a',
    width: 4,
    height: 3,
    hotspots: [{ key: 'title', label: 'Title', type: 'text' }],
    record: record('a'),
  });
  for (const n of ['0', '3', '01', '1.0', '-1', 'x', '1e0', '%31x', '99999999999999999999']) {
    t.match(await ask('GET', `${path}/versions/${n}`), { status: 404, json: { code: 'template_not_found' } }, n);
  }
  t.equal((await ask('GET', `${path}/versions/%31`)).status, 200, 'segments are decoded');
});

t.test('restore makes a new version equal to an old one, and publishes it unless publish=false', async (t) => {
  const { ask, path, rendered } = await start(t, ['a', 'b']);
  const restored = await ask('POST', `${path}/restore`, { body: { version: 1 } });
  t.match(restored, { status: 200, json: { version: 3, publishedVersion: 3, name: 'a', record: record('a') } });
  t.equal(restored.headers.get('etag'), '"3.3"');
  t.equal(await rendered(), 'a');
  const draft = await ask('POST', `${path}/restore`, { body: { version: 2 }, query: 'publish=false' });
  t.match(draft, { status: 200, json: { version: 4, publishedVersion: 3, name: 'b' } });
  t.equal(await rendered(), 'a');
  t.strictSame((await ask('GET', `${path}/versions/1`)).json.record, record('a'), 'versions do not change');
});

t.test('publish selects the version that renders use', async (t) => {
  const { ask, path, rendered } = await start(t, ['a', 'b', 'c']);
  t.equal(await rendered(), 'c');
  const published = await ask('POST', `${path}/publish`, { body: { version: 1 } });
  t.match(published, { status: 200, json: { version: 3, publishedVersion: 1, name: 'c', record: record('c') } });
  t.equal(await rendered(), 'a');
  t.match(await ask('POST', `${path}/publish`, { body: { version: 1 } }), {
    status: 200,
    json: { publishedVersion: 1 },
  });
  await ask('PUT', path, { body: record('d'), query: 'publish=false' });
  t.equal(await rendered(), 'a');
});

t.test('rejects malformed bodies and unknown versions', async (t) => {
  const { ask, path } = await start(t, ['a']);
  for (const operation of ['restore', 'publish']) {
    for (const body of [
      {},
      { version: 0 },
      { version: 1.5 },
      { version: '1' },
      { version: null },
      [],
      'null',
      '7',
      '{}',
    ]) {
      const reply = await ask('POST', `${path}/${operation}`, { body });
      t.match(reply, { status: 400, json: { success: false, code: 'invalid_request' } }, JSON.stringify(body));
      t.equal((reply.json.details as unknown[]).length, 1);
    }
    t.match(await ask('POST', `${path}/${operation}`, { body: '{' }), { status: 400, json: { code: 'invalid_json' } });
    t.match(await ask('POST', `${path}/${operation}`, { body: '' }), { status: 400, json: { code: 'invalid_json' } });
    t.match(await ask('POST', `${path}/${operation}`, { body: { version: 2 } }), {
      status: 404,
      json: { code: 'template_not_found' },
    });
    const long = `{"version":1,"own":"${'x'.repeat(20_000)}"}`;
    t.equal((await ask('POST', `${path}/${operation}`, { body: long })).status, 413);
  }
  t.equal((await ask('GET', path)).json.version, 1);
});
