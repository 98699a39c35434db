// The PostgreSQL store: the shared suite, several nodes on one database, the database's clock, migrations.
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { LATEST_VERSION, MIGRATIONS, migrate } from '../../../lib/store/postgres/migrate.js';
import { Database } from '../../../lib/store/postgres/pool.js';
import { newHoldId } from '../../../lib/store/postgres/requests.js';
import { migrateDatabase, openPostgresStore } from '../../../lib/store/postgres/store.js';
import { SlidingWindowLimiter } from '../../../lib/store/sliding-window.js';
import { eventually } from '../../eventually.js';
import { addKey, addWorkspace, entryOf, holdOf, loggedRenders, record, saveTemplate, storeSuite } from '../suite.js';
import { administrationSuite } from '../suite-administration.js';
import { brandSuite } from '../suite-brands.js';
import { idempotencySuite } from '../suite-idempotency.js';
import { linkSuite } from '../suite-links.js';
import { operatorSuite } from '../suite-operators.js';
import { renderLogSuite } from '../suite-render-log.js';
import { templateSuite } from '../suite-templates.js';
import { usageSuite } from '../suite-usage.js';
import { skipped, startCluster, stopClock } from './server.js';

const cluster = skipped ? undefined! : await startCluster();
t.teardown(() => cluster?.remove());

const skip = { skip: skipped };
const quiet = { warn: () => undefined };

t.test('passes the store suite', skip, async (t) => {
  const database = await cluster.create();
  const setup = {
    runs: 10,
    open: async (t: Test) => {
      await cluster.clear(database);
      const store = await openPostgresStore(cluster.url(database), quiet);
      t.teardown(() => store.close());
      return store;
    },
  };
  storeSuite(t, setup);
  templateSuite(t, setup);
  brandSuite(t, setup);
  administrationSuite(t, setup);
  idempotencySuite(t, setup);
  linkSuite(t, setup);
  renderLogSuite(t, setup);
  operatorSuite(t, setup);
  usageSuite(t, setup);
});

t.test('the check that charges can be written reaches the log, and fails in a read-only database', skip, async (t) => {
  const database = await cluster.create();
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  const flushed = async () => {
    const text = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS bytes";
    return (await cluster.ask<{ bytes: number }>(database, text))[0].bytes;
  };
  const before = await flushed();
  await store.assertWritable();
  t.ok((await flushed()) > before);
  t.same(await cluster.ask(database, 'SELECT id FROM platen.charges'), []);
  await cluster.ask(database, `ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  const readOnly = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => readOnly.close());
  t.equal(await readOnly.findKey('0'.repeat(64)), undefined, 'it can be read');
  await t.rejects(readOnly.assertWritable(), { name: 'ServiceError', code: 'storage_unavailable' });
});

t.test('a grant that waits for the deletion of its workspace finds none', skip, async (t) => {
  const { default: pg } = await import('pg');
  const database = await cluster.create();
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  /** The error of a grant during a deletion. */
  const grantDuring = async (end: 'COMMIT' | 'ROLLBACK') => {
    const { id } = await addWorkspace(store, 5);
    const other = new pg.Client({ connectionString: cluster.url(database) });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT platen.delete_workspace($1)', [id]);
    const granting = store.grant(id, 1).catch((error) => error);
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await Promise.race([granting, eventually(async () => (await cluster.ask(database, waiting)).length > 0)]);
    await other.query(end);
    await other.end();
    return await granting;
  };
  /** The store gives up on a lock after a time, which may be too short on a busy machine. */
  const outcome = async (end: 'COMMIT' | 'ROLLBACK') => {
    for (;;) {
      const found = await grantDuring(end);
      if (found.code !== 'storage_unavailable') return found;
    }
  };
  t.match(await outcome('COMMIT'), { name: 'StoreError', code: 'not_found' });
  t.match(await outcome('ROLLBACK'), { balance: 6 });
});

t.test('nodes that share a database share balances, limits, keys and the render log', skip, async (t) => {
  const database = await cluster.create();
  const nodes = await Promise.all(
    Array.from({ length: 3 }, () => openPostgresStore(cluster.url(database), { ...quiet, connections: 4 })),
  );
  t.teardown(() => Promise.all(nodes.map((node) => node.close())));
  const [one, two] = nodes;
  const node = (i: number) => nodes[i % nodes.length];

  const workspace = await addWorkspace(one, 10);
  const { key, hash } = await addKey(one, workspace);
  const holds = await Promise.all(Array.from({ length: 100 }, (_, i) => node(i).hold(workspace.id, 1)));
  const held = holds.flatMap((each) => ('hold' in each ? [each.hold] : []));
  t.equal(held.length, 10, 'ten of 100 concurrent holds on a balance of ten');
  const balances = await Promise.all(
    holds.flatMap((each, i) =>
      'hold' in each
        ? [
            node(i)
              .settle(each.hold)
              .then(({ balance }) => balance),
          ]
        : [],
    ),
  );
  t.same(
    balances.sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  t.strictSame(await two.balance(workspace.id), { workspaceId: workspace.id, balance: 0 });
  const [{ charges, rest }] = await cluster.ask<{ charges: string; rest: string }>(
    database,
    'SELECT count(*) AS charges, (SELECT count(*) FROM platen.holds) AS rest FROM platen.charges',
  );
  t.same([charges, rest], ['10', '0']);

  const counted = await Promise.all(Array.from({ length: 90 }, (_, i) => node(i).countRequest(key.id, 'render', 60)));
  t.equal(counted.filter(({ allowed }) => allowed).length, 60, 'one limit for all nodes');
  t.same(new Set(counted.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)).size, 60);

  await one.revokeKey(key.id);
  t.equal((await two.findKey(hash))?.key.state, 'revoked', 'immediately on every node');
  await Promise.all(nodes.map((each, i) => each.appendRender(entryOf(workspace, `from ${i}`))));
  await Promise.all(nodes.map((each) => loggedRenders(each, workspace.id, 1)));
  t.equal((await loggedRenders(one, workspace.id, 10)).length, 3);
});

t.test('nodes share operators and sessions at once, and requests of keys soon', skip, async (t) => {
  const database = await cluster.create();
  const url = cluster.url(database);
  const [one, two] = [await openPostgresStore(url, quiet), await openPostgresStore(url, quiet)];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const { id } = await one.createOperator({ name: 'Anna', role: 'owner', workspaces: null });
  await two.createOperator({ name: 'Ben', role: 'owner', workspaces: null });
  t.equal(await two.hasOperators(), true);
  const secret = (hash: string) => ({ hash: hash.repeat(32), expiresAt: new Date(Date.now() + 3e6).toISOString() });
  const [session, other, token] = ['01', '02', '03'].map(secret);
  await one.createSession(id, session);
  await one.createSession(id, other);
  t.match(await two.useSession(session.hash, 1e6), { id });
  await two.endSession(session.hash);
  t.equal(await one.useSession(session.hash, 1e6), undefined, 'signed out on every node');
  await two.createSignInToken(id, token);
  const set = await Promise.all([one, two].map((store, n) => store.setPassword(token.hash, `hash ${n}`)));
  t.equal(set.filter((operator) => operator !== undefined).length, 1);
  t.equal(await one.useSession(other.hash, 1e6), undefined);
  await one.createSession(id, session);
  const notedAgo = async (seconds: number) => {
    await cluster.ask(database, 'UPDATE platen.sessions SET used_at = now() - make_interval(secs => $1)', [seconds]);
    await one.useSession(session.hash, 1e6);
    const [{ ago }] = await cluster.ask<{ ago: number }>(
      database,
      'SELECT extract(epoch FROM now() - used_at)::float8 AS ago FROM platen.sessions',
    );
    return ago;
  };
  t.ok((await notedAgo(20)) >= 20, 'a use is not written each time');
  t.ok((await notedAgo(900)) < 900, 'but in time');
  await two.removeOperator(id);
  t.equal(await one.useSession(session.hash, 1e6), undefined, 'removed on every node');

  const workspace = await addWorkspace(one);
  const { key } = await addKey(one, workspace);
  await one.countRequest(key.id, 'render', 1);
  await two.countRequest(key.id, 'render', 1);
  t.strictSame(await one.keyRequests(workspace.id), { [key.id]: { requests: 1, refused: 0, cpuMs: 0 } });
  t.strictSame(await two.keyRequests(workspace.id), { [key.id]: { requests: 2, refused: 1, cpuMs: 0 } });
  await cluster.ask(database, "UPDATE platen.key_hours SET hour = hour - interval '30 hours'");
  await one.countRequest(key.id, 'read', 1);
  t.strictSame(await one.keyRequests(workspace.id), { [key.id]: { requests: 1, refused: 0, cpuMs: 0 } });
  t.same(await cluster.ask(database, 'SELECT requests FROM platen.key_hours'), [{ requests: '1' }], 'old hours go');

  const gone = await addWorkspace(one);
  await one.countRequest((await addKey(one, gone)).key.id, 'read', 1);
  await one.countRequest(key.id, 'read', 1);
  await two.deleteWorkspace(gone.id);
  t.match(
    await one.keyRequests(workspace.id),
    { [key.id]: { requests: 2 } },
    'counts of deleted keys hinder no others',
  );
});

t.test('expired sessions are deleted, and the audit log is bounded', skip, async (t) => {
  const database = await cluster.create();
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  const { id } = await store.createOperator({ name: 'Anna', role: 'owner', workspaces: null });
  const add = (n: number, ms: number) =>
    store.createSession(id, {
      hash: n.toString(16).padStart(64, '0'),
      expiresAt: new Date(Date.now() + ms).toISOString(),
    });
  for (let n = 0; n < 20; n++) await add(n, -1);
  await add(20, 1e6);
  await add(21, 1e6);
  t.same(await cluster.ask(database, 'SELECT count(*)::integer AS count FROM platen.sessions'), [{ count: 2 }]);

  await store.appendAudit({ actor: { kind: 'command' }, action: 'first' });
  await cluster.ask(database, 'ALTER TABLE platen.audit_log ALTER COLUMN ordinal RESTART WITH 2000000');
  for (const action of ['second', 'third']) await store.appendAudit({ actor: { kind: 'command' }, action });
  const { items } = await store.listAudit({}, { limit: 9 });
  t.same(
    items.map(({ action }) => action),
    ['third', 'second'],
  );
});

t.test('caches parsed templates but checks each time that they exist', skip, async (t) => {
  const url = cluster.url(await cluster.create());
  const [one, two] = [await openPostgresStore(url, quiet), await openPostgresStore(url, quiet)];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const workspace = await addWorkspace(one);
  const odd = { ...record('odd \0 \ud800'), z: 1, a: { __proto__: null, '\0': '\ud800' } };
  const { id, name } = await saveTemplate(one, workspace.id, odd);
  t.equal(name, 'odd \ufffd \ufffd', 'PostgreSQL rejects NUL in text');
  const read = (await one.findTemplate(workspace.id, id))?.record;
  t.equal(JSON.stringify(read), JSON.stringify(odd), 'equal, including the order of keys');
  t.equal((await one.findTemplate(workspace.id, id))?.record, read, 'the same object');
  t.equal(await one.findTemplate('another', id), undefined);
  for (const none of ['\0', 'a\0b', 'x'.repeat(300)]) t.equal(await one.findTemplate(workspace.id, none), undefined);
  await two.deleteTemplate({ id });
  t.equal(await one.findTemplate(workspace.id, id), undefined, 'deleted on every node');
});

t.test('a hold of a crashed node expires', skip, async (t) => {
  const database = await cluster.create();
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  const workspace = await addWorkspace(store, 2);
  const lost = await holdOf(store, workspace, 2);
  t.strictSame(await store.hold(workspace.id, 1), { balance: 0 });
  const [{ seconds }] = await cluster.ask<{ seconds: number }>(
    database,
    'SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM platen.holds',
  );
  t.ok(seconds > 85 && seconds <= 90, `in ${seconds} s: 30 for the render, and a minute`);
  await cluster.ask(database, "UPDATE platen.holds SET expires_at = now() - interval '1 ms'");
  const next = await holdOf(store, workspace, 2);
  await t.rejects(store.settle(lost), { code: 'storage_unavailable', message: /expired/ });
  t.strictSame(await store.settle(next), { balance: 0 });
  const [{ count }] = await cluster.ask<{ count: string }>(database, 'SELECT count(*) FROM platen.holds');
  t.equal(count, '0', 'the expired hold is deleted');
});

t.test('says at the start that the database’s clock differs from the server’s', skip, async (t) => {
  const database = await cluster.create();
  const warnings: string[] = [];
  const options = { warn: (message: string) => void warnings.push(message) };
  await (await openPostgresStore(cluster.url(database), options)).close();
  t.same(warnings, []);
  const setClock = await stopClock(cluster, database);
  for (const [hours, expected] of [
    [240, /^the database's clock is 240\.0 hours ahead of this server's: [^\n]+$/],
    [-240, /^the database's clock is 240\.0 hours behind this server's: /],
  ] as const) {
    warnings.length = 0;
    await setClock(Date.now() + hours * 3_600_000);
    await (await openPostgresStore(cluster.url(database), options)).close();
    t.match(warnings, [expected]);
  }
});

t.test('limits requests exactly like the embedded store, on a clock that the test sets', skip, async (t) => {
  const database = await cluster.create();
  const setClock = await stopClock(cluster, database);
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  const workspace = await addWorkspace(store);
  const gap = fc.oneof(fc.constantFrom(0, 0, 0, 1, 59_999, 60_000, 60_001, 0.25, 999.5), fc.nat(20_000));
  let start = 1000;
  await fc.assert(
    fc.asyncProperty(
      // 64 is the length of a chunk.
      fc.constantFrom(1, 3, 63, 64, 65, 130),
      fc.array(fc.tuple(gap, fc.constantFrom(1, 2, 70), fc.constantFrom(0, 0, 0, -1, 5)), { maxLength: 12 }),
      async (limit, steps) => {
        const { key } = await addKey(store, workspace);
        let now = start;
        const limiter = new SlidingWindowLimiter(() => now);
        for (const [wait, requests, change] of steps) {
          now += wait;
          await setClock(now);
          for (let i = 0; i < requests; i++) {
            const most = Math.max(1, limit + change);
            t.strictSame(await store.countRequest(key.id, 'render', most), limiter.count(key.id, most));
          }
        }
        start = now;
      },
    ),
    { numRuns: 15 },
  );
});

// fault: 28
t.test(
  'setting the clock back neither raises the limit nor blocks a key forever; storage per key is bounded',
  skip,
  async (t) => {
    const database = await cluster.create();
    const setClock = await stopClock(cluster, database);
    const store = await openPostgresStore(cluster.url(database), quiet);
    t.teardown(() => store.close());
    const { key } = await addKey(store, await addWorkspace(store));
    const many = async (count: number, limit: number) => {
      const all = await Promise.all(Array.from({ length: count }, () => store.countRequest(key.id, 'render', limit)));
      return all.filter(({ allowed }) => allowed).length;
    };
    await setClock(10_000_000);
    t.equal(await many(10, 5), 5);
    await setClock(10_000_000 - 3_600_000);
    t.match(await store.countRequest(key.id, 'render', 5), { allowed: false, resetMs: 60_000 });
    await setClock(10_000_000 - 3_600_000 + 59_999);
    t.match(await store.countRequest(key.id, 'render', 5), { allowed: false, resetMs: 1 });
    await setClock(10_000_000 - 3_600_000 + 60_000);
    t.equal(await many(10, 5), 5);

    for (let minute = 1; minute <= 4; minute++) {
      await setClock(20_000_000 + minute * 60_000);
      t.equal(await many(210, 200), 200);
    }
    const [{ kept }] = await cluster.ask<{ kept: string }>(database, 'SELECT count(*) AS kept FROM platen.rate_chunks');
    t.ok(Number(kept) <= 4, `${kept} chunks of 64`);
  },
);

// fault: 95
t.test('the render log keeps a bounded number of entries, and append never waits', skip, async (t) => {
  const database = await cluster.create();
  const warnings: string[] = [];
  const options = { warn: (message: string) => void warnings.push(message), keepRenders: 100 };
  const store = await openPostgresStore(cluster.url(database), options);
  const workspace = await addWorkspace(store);
  for (let i = 0; i < 5000; i++) store.appendRender(entryOf(workspace, `render ${i}`));
  t.strictSame(warnings, ['the render log can’t keep up: entries are dropped'], 'one warning');
  const listed = await loggedRenders(store, workspace.id, 1000);
  t.ok(listed.length >= 100 && listed.length < 400, `${listed.length} entries`);
  t.equal(listed[0].id, 'render 4095');
  store.appendRender(entryOf(workspace, 'last'));
  await store.close();
  const [{ last }] = await cluster.ask<{ last: string }>(
    database,
    "SELECT max(id) AS last FROM platen.renders WHERE id = 'last'",
  );
  t.equal(last, 'last', 'close writes the waiting entries');
});

// fault: 94
t.test('one node applies each migration once; a newer schema is rejected', skip, async (t) => {
  const versions = [7, ...MIGRATIONS.map(({ version }) => version)];
  const database = await cluster.create(true);
  const url = cluster.url(database);
  const made = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url)));
  t.equal(made.filter(([first]) => first.now).length, 1, 'one of four concurrent calls migrates');
  t.same(
    made[0].map(({ version }) => version),
    versions,
  );
  const applied = { now: false, appliedAt: /^\d{4}-.*Z$/ };
  t.match(
    await migrateDatabase(url),
    versions.map((version) => ({ version, ...applied })),
  );

  const further = {
    version: LATEST_VERSION + 1,
    name: 'of tomorrow',
    steps: ['CREATE TABLE platen.tomorrow (x text)'],
  };
  const tomorrow = new Database(url, { connections: 1, ...quiet });
  const failing = [{ ...further, steps: [...further.steps, 'SELECT 1 / 0'] }];
  await t.rejects(migrate(tomorrow, [...MIGRATIONS, ...failing]), { code: 'storage_unavailable' });
  t.match(await migrateDatabase(url), { length: versions.length }, 'the failed migration left nothing behind');
  t.match(await migrate(tomorrow, [...MIGRATIONS, further]), [
    ...versions.map(() => ({ now: false })),
    { version: LATEST_VERSION + 1, now: true },
  ]);
  await tomorrow.close();
  const refusal = { name: 'StoreError', message: /^the database has the schema of a later version[^\n]*$/ };
  await t.rejects(openPostgresStore(url, quiet), refusal);
  await t.rejects(migrateDatabase(url), refusal);
});

// fault: 99
t.test('reports a database that can’t be opened in one line without the password', async (t) => {
  const urls = [
    'postgres://user:secret@127.0.0.1:1/x',
    'postgres://user:secret@/x?host=%2Fnowhere',
    'postgres://user:secret@[::1/x',
    'postgres://user:secret@host:port/x',
    'postgres://user:secret@h/x?sslrootcert=/not/there',
  ];
  for (const url of urls) {
    const error = await openPostgresStore(url, quiet).catch((error: Error) => error);
    t.match(error, { name: 'StoreError', message: /^[^\n]+$/ }, url);
    const cause = (error as Error).cause as Error | undefined;
    for (const each of [error as Error, cause, cause?.cause as Error]) t.notMatch(String(each?.stack), /secret/);
  }
});

t.test('hold ids are UUIDs of version 7, which start with the time', async (t) => {
  t.match(newHoldId(0x0123456789ab), /^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.equal(new Set(Array.from({ length: 1000 }, () => newHoldId())).size, 1000);
  t.ok(newHoldId(1e12) < newHoldId(1e12 + 1));
});
