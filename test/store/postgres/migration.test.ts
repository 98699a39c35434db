// Migration 2 of a database with data: everything is found again, and servers of version 1 go on meanwhile and afterwards.
import pg from 'pg';
import t, { type Test } from 'tap';
import { createRawKey, hashKey } from '../../../lib/store/api-keys.js';
import { MIGRATIONS, migrate } from '../../../lib/store/postgres/migrate.js';
import { Database } from '../../../lib/store/postgres/pool.js';
import { openPostgresStore } from '../../../lib/store/postgres/store.js';
import { skipped, startCluster } from './server.js';

const cluster = skipped ? undefined! : await startCluster();
t.teardown(() => cluster?.remove());

const skip = { skip: skipped };
const quiet = { warn: () => undefined };

/** The statements of a request in version 1, prepared once per connection. */
const VERSION_1 = {
  findKey: `SELECT k.id, k.workspace_id, k.name, k.scopes, k.state, k.created_at,
      w.name AS workspace_name, w.plan, w.balance
    FROM platen.keys k JOIN platen.workspaces w ON w.id = k.workspace_id WHERE k.hash = $1`,
  count: 'SELECT allowed, remaining, reset_ms FROM platen.count_request($1, $2)',
  findTemplate: `SELECT CASE WHEN $3 THEN NULL ELSE record END AS record FROM platen.templates
    WHERE id = $1 AND workspace_id = $2`,
  hold: 'SELECT held, spendable FROM platen.hold_credits($1, $2, $3, $4)',
  settle: 'SELECT platen.settle_hold($1) AS balance',
  release: 'SELECT platen.release_hold($1)',
  undo: 'SELECT platen.undo_settlement($1) AS undone',
  append: 'SELECT platen.append_renders($1, $2, $3, $4)',
} as const;

/** A connection of a server of version 1. */
async function oldServer(t: Test, database: string) {
  const client = new pg.Client({ connectionString: cluster.url(database) });
  await client.connect();
  t.teardown(() => client.end());
  return async (name: keyof typeof VERSION_1, ...values: unknown[]): Promise<Record<string, unknown>> =>
    (await client.query({ name, text: VERSION_1[name], values })).rows[0];
}

const key = createRawKey();
/** Records of version 1, with hotspots, texts that are odd in JSON, and none at all. */
const RECORDS: readonly Record<string, unknown>[] = [
  { name: 'A', width: 10, height: 20, hotspots: [{ key: 'k', label: 'L “ü”', type: 'text', x: 1 }] },
  { name: 'B', width: 1, height: 2, hotspots: [{ key: 'a\0b', label: '\ud800', type: 'qrcode' }], 'odd\\u0000': '\0' },
  { name: 'C', width: 1, height: 2 },
  ...Array.from({ length: 50 }, (_, n) => ({ name: `T${n}`, width: 1, height: 1, hotspots: [] })),
];
const hold = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const entry = (n: number, more: object = {}) => {
  const time = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const first = { id: `render ${n}`, time, workspaceId: 'ws_1', keyId: 'key_1' };
  return { ...first, ...more, format: 'png', width: 1, height: 1, durationMs: 1, sizeBytes: 1, creditsCost: 1 };
};
const ENTRIES = [
  entry(1),
  entry(2, { templateId: 'tpl_0' }),
  { ...entry(3), metadata: { templateId: 'tpl_9', '"keyId":"x"': '\0', order: 42 } },
];

/** A database of version 1 with two workspaces, a key, templates, entries and an open hold. */
async function oldDatabase(t: Test) {
  const database = await cluster.create(true);
  const connection = new Database(cluster.url(database), { connections: 1, ...quiet });
  t.teardown(() => connection.close());
  await migrate(connection, MIGRATIONS.slice(0, 1));
  const ask = (text: string, values: unknown[] = []) => cluster.ask(database, text, values);
  await ask(`INSERT INTO platen.workspaces (id, name, plan, balance)
    VALUES ('ws_1', 'one', 'paid', 10000000), ('ws_2', 'two', 'free', 0)`);
  await ask(
    `INSERT INTO platen.keys (id, workspace_id, name, scopes, state, hash)
    VALUES ('key_1', 'ws_1', 'key', '{render:write}', 'active', $1)`,
    [hashKey(key)],
  );
  await ask("INSERT INTO platen.rate_windows (key_id) VALUES ('key_1')");
  for (const [n, record] of RECORDS.entries()) {
    await ask(
      `INSERT INTO platen.templates (id, workspace_id, name, width, height, record)
      VALUES ($1, 'ws_1', $2, $3, $4, $5)`,
      [`tpl_${n}`, record.name, record.width, record.height, JSON.stringify(record)],
    );
  }
  return { database, connection };
}

t.test('migrates templates, keys, the rate window and the render log of version 1', skip, async (t) => {
  const { database, connection } = await oldDatabase(t);
  const old = await oldServer(t, database);
  t.match(await old('findTemplate', 'tpl_1', 'ws_1', false), { record: JSON.stringify(RECORDS[1]) });
  t.match(await old('hold', 'ws_1', hold(1), 2_000_000, 60_000), { held: true });
  for (let n = 0; n < 70; n++) await old('count', 'key_1', 100);
  const append = (entries: readonly { readonly id: string }[]) => {
    const texts = entries.map((each) => JSON.stringify(each));
    return old(
      'append',
      entries.map(({ id }) => id),
      entries.map(() => 'ws_1'),
      texts,
      1000,
    );
  };
  await append(ENTRIES);

  // While the tables are copied, the old server goes on.
  const [first, second] = MIGRATIONS;
  const [create, describe, ...rest] = second.steps;
  const meanwhile = async () => {
    t.match(await old('findKey', hashKey(key)), { id: 'key_1', workspace_name: 'one' });
    t.match(await old('count', 'key_1', 100), { allowed: true, remaining: '29' });
    t.match(await old('findTemplate', 'tpl_0', 'ws_1', false), { record: JSON.stringify(RECORDS[0]) });
    t.match(await old('settle', hold(1)), { balance: '8000000' });
    await append([entry(4)]);
  };
  const made = await migrate(connection, [first, { ...second, steps: [create, describe, meanwhile, ...rest] }]);
  t.match(made, [
    { version: 1, now: false },
    { version: 2, now: true },
  ]);

  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  t.match(await store.findKey(hashKey(key)), {
    key: { id: 'key_1', lastUsedAt: /^20/ },
    workspace: { id: 'ws_1', balance: 8 },
  });
  const { items } = await store.listTemplates('ws_1', { limit: 100 });
  t.same(
    items.map(({ id }) => id),
    RECORDS.map((_, n) => `tpl_${n}`).reverse(),
  );
  t.match(items[items.length - 1], {
    ...{ name: 'A', width: 10, height: 20, version: 1, publishedVersion: 1, workspaceId: 'ws_1' },
    hotspots: [{ key: 'k', label: 'L “ü”', type: 'text' }],
  });
  t.match(items[items.length - 2], { hotspots: [{ key: 'a\0b', label: '\ud800', type: 'qrcode' }] });
  for (const [n, record] of RECORDS.entries()) {
    t.strictSame(await store.findTemplate('ws_1', `tpl_${n}`), { record, version: 1 });
  }
  const renders = await store.listRenders('ws_1', {}, { limit: 10 });
  t.strictSame(renders.items[1], { ...ENTRIES[2], status: 'ok', warnings: 0 });
  t.same(
    renders.items.map(({ id }) => id),
    ['render 4', 'render 3', 'render 2', 'render 1'],
  );
  const filtered = async (filter: object) =>
    (await store.listRenders('ws_1', filter, { limit: 10 })).items.map(({ id }) => id);
  t.same(await filtered({ templateId: 'tpl_0' }), ['render 2']);
  t.same(await filtered({ templateId: 'tpl_9' }), []);
  t.equal((await filtered({ keyId: 'key_1', status: 'ok' })).length, 4);
  t.same(await filtered({ metadata: { order: '42' } }), ['render 3']);
  t.same(await filtered({ from: '2026-01-01T00:00:02Z', to: '2026-01-01T00:00:04Z' }), ['render 3', 'render 2']);
  t.match(await store.countRequest('key_1', 'render', 100), { allowed: true, remaining: 28 }, 'the window goes on');
  t.match(await store.countRequest('key_1', 'read', 100), { allowed: true, remaining: 99 });
});

t.test('servers of version 1 that are still connected serve requests after the migration', skip, async (t) => {
  const { database, connection } = await oldDatabase(t);
  const old = await oldServer(t, database);
  // Prepares each statement before the migration.
  const request = async (n: number, counted = n) => {
    t.match(await old('findKey', hashKey(key)), { id: 'key_1' });
    t.match(await old('count', 'key_1', 5), { allowed: true, remaining: String(5 - counted) });
    t.match(await old('findTemplate', 'tpl_0', 'ws_1', false), { record: JSON.stringify(RECORDS[0]) });
    t.match(await old('hold', 'ws_1', hold(n), 1_000_000, 60_000), { held: true });
    t.match(await old('settle', hold(n)), { balance: String((10 - n) * 1_000_000) });
    await old('append', [`render ${n}`], ['ws_1'], [JSON.stringify(entry(n, { templateId: 'tpl_0' }))], 1000);
    await old('release', hold(99));
    t.match(await old('undo', hold(99)), { undone: false });
  };
  await request(1);
  await migrate(connection);
  await request(2);
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  t.match(await store.countRequest('key_1', 'render', 5), { remaining: 2 }, 'old and new servers share one limit');
  await request(3, 4);
  const { items } = await store.listRenders('ws_1', { templateId: 'tpl_0', keyId: 'key_1' }, { limit: 9 });
  t.same(
    items.map(({ id }) => id),
    ['render 3', 'render 2', 'render 1'],
  );

  // Templates of new servers are found, in the version that is published.
  const draft = { record: { name: 'New', width: 1, height: 1 }, hotspots: [], assetIds: [] };
  const { id } = await store.createTemplate('ws_1', draft, { publish: false });
  t.equal(await old('findTemplate', id, 'ws_1', false), undefined, 'a draft is unknown');
  await store.publishTemplate({ id }, 1);
  t.match(await old('findTemplate', id, 'ws_1', false), { record: JSON.stringify(draft.record) });
  await store.deleteWorkspace('ws_1');
  t.equal(await old('findKey', hashKey(key)), undefined, 'keys of deleted workspaces are unknown to old servers too');
});
