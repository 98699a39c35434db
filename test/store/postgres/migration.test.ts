// Migrations of a database with data: everything is found again, and servers of earlier versions go on meanwhile and
// afterwards.
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

/** Statements of version 2 that concern what migration 3 changes. */
const VERSION_2 = {
  findKey: `SELECT k.id, k.workspace_id, k.name, k.scopes, k.state, k.created_at, k.rate_limit,
      w.name AS workspace_name, w.plan, w.balance
    FROM platen.keys k JOIN platen.workspaces w ON w.id = k.workspace_id WHERE k.hash = $1 AND w.deleted_at IS NULL`,
  createKey: `INSERT INTO platen.keys AS k (id, workspace_id, name, scopes, state, hash, rate_limit)
    SELECT $2, w.id, $3, $4, 'active', $5, $6::integer FROM platen.workspaces w
    WHERE w.id = $1 AND w.deleted_at IS NULL FOR SHARE RETURNING k.id`,
  createWorkspace: `WITH made AS (
      INSERT INTO platen.workspaces (id, name, plan, balance) VALUES ($1, $2, $3, $4) RETURNING id, name, plan, balance
    ), granted AS (INSERT INTO platen.grants (workspace_id, amount) SELECT id, balance FROM made WHERE balance > 0)
    SELECT id, name, plan, balance FROM made`,
  grant: `WITH of AS (SELECT id FROM platen.workspaces WHERE id = $1 AND deleted_at IS NULL), granted AS (
      UPDATE platen.workspaces SET balance = balance + $2
      WHERE id = $1 AND deleted_at IS NULL AND balance + $2 <= $3 RETURNING id, balance
    ), noted AS (INSERT INTO platen.grants (workspace_id, amount) SELECT id, $2 FROM granted)
    SELECT granted.balance FROM of LEFT JOIN granted USING (id)`,
  hold: 'SELECT held, spendable FROM platen.hold_credits($1, $2, $3, $4)',
  settle: 'SELECT platen.settle_hold($1) AS balance',
  claim: 'SELECT * FROM platen.claim_idempotency_key($1, $2, $3, $4)',
  settleKey: 'SELECT platen.settle_hold($1, $2, $3, $4, $5, $6) AS balance',
  undo: 'SELECT platen.undo_settlement($1) AS undone',
  undoKey: 'SELECT platen.undo_settlement($1, $2, $3) AS undone',
  append: 'SELECT platen.append_renders($1, $2, $3, $4, $5, $6, $7, $8, $9)',
} as const;

/** A connection of a server of an earlier version. */
async function oldServer<Name extends string>(t: Test, database: string, statements: Readonly<Record<Name, string>>) {
  const client = new pg.Client({ connectionString: cluster.url(database) });
  await client.connect();
  t.teardown(() => client.end());
  return async (name: Name, ...values: unknown[]): Promise<Record<string, unknown>> =>
    (await client.query({ name, text: statements[name], values })).rows[0];
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
  const old = await oldServer(t, database, VERSION_1);
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
  const old = await oldServer(t, database, VERSION_1);
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

t.test(
  'migration 3 counts what servers of version 2 charge and log, and goes on from their balances',
  skip,
  async (t) => {
    const database = await cluster.create(true);
    const connection = new Database(cluster.url(database), { connections: 1, ...quiet });
    t.teardown(() => connection.close());
    const [first, second, third] = MIGRATIONS;
    await migrate(connection, [first, second]);
    const old = await oldServer(t, database, VERSION_2);
    t.match(await old('createWorkspace', 'ws_1', 'one', 'paid', 100_000_000), { balance: '100000000' });
    t.match(await old('createKey', 'ws_1', 'key_1', 'key', ['render:write'], hashKey(key), null), { id: 'key_1' });
    const lease = Buffer.from('lease');
    let balance = 100;
    const now = new Date().toISOString();
    // Each round prepares or uses all statements.
    const round = async (n: number) => {
      t.match(await old('findKey', hashKey(key)), { id: 'key_1', workspace_name: 'one' });
      t.match(await old('grant', 'ws_1', 5_000_000, 1_000_000_000), { balance: String((balance + 5) * 1e6) });
      balance += 5;
      const [plain, keyed] = [hold(10 * n), hold(10 * n + 1)];
      for (const id of [plain, keyed]) t.match(await old('hold', 'ws_1', id, 1_000_000, 60_000), { held: true });
      t.match(await old('settle', plain), { balance: String(--balance * 1e6) });
      t.match(await old('settle', plain), { balance: String(balance * 1e6) }, 'again');
      const digest = Buffer.from(`digest ${n}`);
      t.match(await old('claim', digest, keyed, 60_000, lease), { running_ms: null, settled_id: null });
      t.match(await old('settleKey', keyed, digest, keyed, lease, 'r', null), { balance: String(--balance * 1e6) });
      const undone = hold(10 * n + 2);
      await old('hold', 'ws_1', undone, 1_000_000, 60_000);
      await old('settle', undone);
      t.match(await old('undo', undone), { undone: true });
      t.match(await old('undo', undone), { undone: false }, 'again');
      t.match(await old('undoKey', hold(10 * n + 3), digest, hold(99)), { undone: false });
      for (const [status, id] of [
        ['ok', `ok ${n}`],
        ['failed', `failed ${n}`],
      ]) {
        const columns = [[id], ['ws_1'], [JSON.stringify(entry(n))], [now], [status], ['key_1'], [null], ['{}']];
        await old('append', ...columns, 1000);
        await old('append', ...columns, 1000);
      }
    };
    await round(1);
    const applied = await migrate(connection, [
      first,
      second,
      { ...third, steps: [async () => void (await old('findKey', hashKey(key))), ...third.steps] },
    ]);
    t.match(applied[2], { version: 3, now: true });
    await round(2);
    await round(3);
    await t.resolves(old('createKey', 'ws_1', 'key_2', 'key', [], hashKey(createRawKey()), null));

    const store = await openPostgresStore(cluster.url(database), quiet);
    t.teardown(() => store.close());
    t.match(await store.findKey(hashKey(key)), { key: { id: 'key_1' }, workspace: { balance } });
    const { items } = await store.listLedger('ws_1', { limit: 100 });
    const amounts = (kind: string) => items.flatMap((line) => (line.kind === kind ? [line.amount] : []));
    t.strictSame(amounts('grant'), [5, 5, 5, 100]);
    t.strictSame(amounts('opening'), [-2], 'charges before the migration');
    t.equal(
      amounts('charge').reduce((sum, amount) => sum + amount, 0),
      -4,
    );
    t.equal(
      items.reduce((sum, { amount }) => sum + amount, 0),
      balance,
    );
    t.equal(items[items.length - 1].kind, 'opening');
    const usage = await store.dailyUsage('ws_1', now.slice(0, 10), now.slice(0, 10));
    t.match(usage, [{ renders: 2, failures: 2 }], 'an entry that is sent twice counts once');
  },
);

t.test('charges of earlier days, and those of a clock that was set back', skip, async (t) => {
  const database = await cluster.create();
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: 100 });
  const charge = (time: string) =>
    cluster.ask(database, 'SELECT platen.charge_workspace($1, 1000000, $2) AS rest', [id, time]);
  for (const time of [
    '2026-01-01T23:59:59.9Z',
    '2026-01-02T00:00:00Z',
    '2026-01-01T23:59:59.9Z',
    '2026-01-02T01:00Z',
  ]) {
    await charge(time);
  }
  await charge('2026-02-01T00:00:00Z');
  const lines = async () =>
    (await store.listLedger(id, { limit: 9 })).items.flatMap((line) =>
      line.kind === 'charge' ? [[line.time.slice(0, 10), line.amount, line.renders]] : [],
    );
  t.strictSame(await lines(), [
    ['2026-02-01', -1, 1],
    ['2026-01-02', -2, 2],
    ['2026-01-01', -2, 2],
  ]);
  t.match(await store.dailyUsage(id, '2026-01-01', '2026-01-03'), [{ credits: 2 }, { credits: 2 }, { credits: 0 }]);

  // A charge of an earlier day is undone.
  const held = await store.hold(id, 3);
  if (!('hold' in held)) throw new Error('expected a hold');
  await store.settle(held.hold);
  await cluster.ask(database, "UPDATE platen.charges SET charged_at = '2026-01-01T12:00:00Z'");
  await cluster.ask(database, 'SELECT platen.undo_settlement($1)', [held.hold.id]);
  const undone = await lines();
  t.strictSame(undone[undone.length - 1], ['2026-01-01', 1, 1]);
  t.equal((await store.balance(id)).balance, 95);
  await cluster.ask(database, 'UPDATE platen.workspaces SET balance = 0');
  t.strictSame(await charge('2026-03-01T00:00:00Z'), [{ rest: null }], 'too few credits change nothing');
});

t.test('servers of version 5 go on counting after migration 6, and leave processor time alone', skip, async (t) => {
  const database = await cluster.create(true);
  const connection = new Database(cluster.url(database), { connections: 1, ...quiet });
  t.teardown(() => connection.close());
  await migrate(connection, MIGRATIONS.slice(0, 5));
  const old = await oldServer(t, database, {
    count: 'SELECT platen.add_key_requests($1, $2, $3, $4)',
    append: VERSION_2.append,
    read: 'SELECT sum(requests)::text AS requests FROM platen.key_hours WHERE key_id = $1',
  });
  await cluster.ask(
    database,
    "INSERT INTO platen.workspaces (id, name, plan, balance) VALUES ('ws_1', 'one', 'paid', 0)",
  );
  await cluster.ask(
    database,
    `INSERT INTO platen.keys (id, workspace_id, name, scopes, state, hash)
    VALUES ('key_1', 'ws_1', 'key', '{render:write}', 'active', $1)`,
    [hashKey(key)],
  );
  const now = new Date();
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const round = async (n: number) => {
    await old('count', ['key_1'], [hour], [2], [1]);
    await old('append', [`r${n}`], ['ws_1'], [JSON.stringify(entry(n))], [now], ['ok'], ['key_1'], [null], ['{}'], 100);
    t.match(await old('read', 'key_1'), { requests: String(2 * n) });
  };
  await round(1);
  await migrate(connection);
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  store.countCpu({ workspaceId: 'ws_1', keyId: 'key_1' }, 500);
  t.match(await store.keyRequests('ws_1'), { key_1: { requests: 2, refused: 1, cpuMs: 500 } });
  await round(2);
  t.match(await store.keyRequests('ws_1'), { key_1: { requests: 4, refused: 2, cpuMs: 500 } });
  const day = now.toISOString().slice(0, 10);
  t.match(await store.dailyUsage('ws_1', day, day), [{ renders: 2, failures: 0, cpuMs: 500 }]);
});
