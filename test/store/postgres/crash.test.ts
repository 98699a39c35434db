// The PostgreSQL store during outages of the database: charges equal the acknowledged ones, no operation waits long, and
// the store recovers without a restart.
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openPostgresStore, type PostgresOptions } from '../../../lib/store/postgres/store.js';
import type { Store, Workspace } from '../../../lib/store/types.js';
import { eventually } from '../../eventually.js';
import { addKey, addWorkspace, entryOf, holdOf, loggedRenders, record, saveTemplate } from '../suite.js';
import { type Cut, startProxy } from './proxy.js';
import { skipped, startCluster } from './server.js';

const cluster = skipped ? undefined! : await startCluster();
const proxy = skipped ? undefined! : await startProxy(cluster.folder);
const database = skipped ? '' : await cluster.create();
t.teardown(async () => {
  await proxy?.close();
  await cluster?.remove();
});

const skip = { skip: skipped };
const UNAVAILABLE = { code: 'storage_unavailable' };

interface Opened {
  readonly store: Store;
  readonly workspace: Workspace;
  readonly warnings: string[];
}

/** Opens a store with a workspace of 100 credits; `parameters` are appended to the URL. */
async function opened(
  t: Test,
  {
    parameters = '',
    folder = cluster.folder,
    ...options
  }: PostgresOptions & { parameters?: string; folder?: string } = {},
): Promise<Opened> {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const store = await openPostgresStore(`${cluster.url(database, folder)}${parameters}`, { warn, ...options });
  t.teardown(() => store.close());
  return { store, workspace: await addWorkspace(store, 100), warnings };
}

async function ledger({ id }: Workspace) {
  const [row] = await cluster.ask<{ balance: number; charges: number; holds: number }>(
    database,
    `SELECT balance / 1e6::float8 AS balance,
      (SELECT coalesce(sum(cost), 0) / 1e6 FROM platen.charges WHERE workspace_id = w.id)::float8 AS charges,
      (SELECT count(*)::int FROM platen.holds WHERE workspace_id = w.id) AS holds
    FROM platen.workspaces w WHERE id = $1`,
    [id],
  );
  return row;
}

/** Polls until the ledger equals `wanted`: background work of a store can't be observed in another way. */
async function ledgerBecomes(t: Test, workspace: Workspace, wanted: object, message: string): Promise<void> {
  let found: object = {};
  await eventually(async () => {
    found = await ledger(workspace);
    return JSON.stringify(found) === JSON.stringify(wanted);
  }, message);
  t.strictSame({ ...found }, wanted, message);
}

const backends = (like: string) => `FROM pg_stat_activity WHERE query LIKE '${like}' AND pid <> pg_backend_pid()`;

/** Repeats an operation of a store with short timeouts, which it may miss on a busy machine. */
async function retrying<Result>(operation: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if ((error as { code?: string }).code !== UNAVAILABLE.code) throw error;
    }
  }
}

/** Locks every workspace's row until the returned function is called. */
async function lockRows(): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: cluster.url(database) });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM platen.workspaces FOR UPDATE');
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}

// fault: 92
t.test('a charge whose connection breaks happens once, and its outcome is known', skip, async (t) => {
  const cuts: readonly Cut[] = ['before', 'after', 'late'];
  for (const how of cuts) {
    const { store, workspace } = await opened(t, { folder: proxy.folder });
    const hold = await holdOf(store, workspace, 10);
    proxy.cut('settle_hold', how);
    t.strictSame(await store.settle(hold), { balance: 90 }, how);
    // Until the late message has arrived.
    if (how === 'late') await sleep(250);
    await ledgerBecomes(t, workspace, { balance: 90, charges: 10, holds: 0 }, `${how}: once`);
    await t.rejects(store.settle(hold), { name: 'StoreError' });
  }
});

// fault: 92
t.test('a charge whose outcome stays unknown is reported as failed and undone', skip, async (t) => {
  for (const how of ['before', 'after'] as const) {
    const { store, workspace } = await opened(t, { folder: proxy.folder });
    const hold = await holdOf(store, workspace, 10);
    proxy.cut('settle_hold', how, 4);
    await t.rejects(store.settle(hold), UNAVAILABLE, how);
    await ledgerBecomes(t, workspace, { balance: 100, charges: 0, holds: 0 }, `${how}: undone`);
    await store.release(hold);
    t.strictSame(await store.settle(await holdOf(store, workspace)), { balance: 99 });
  }
});

t.test('holds, counts and look-ups are exact when the connection breaks', skip, async (t) => {
  const { store, workspace } = await opened(t, { folder: proxy.folder });
  const { key, hash } = await addKey(store, workspace);
  const { id } = await saveTemplate(store, workspace.id, record('x'));
  for (const how of ['before', 'after'] as const) {
    proxy.cut('hold_credits', how);
    const hold = await holdOf(store, workspace, 60);
    t.equal((await ledger(workspace)).holds, 1, 'sent twice, held once');
    proxy.cut('release_hold', how);
    await store.release(hold);
    t.equal((await ledger(workspace)).holds, 0);
    proxy.cut('find_key', how);
    t.match(await store.findKey(hash), { key });
    proxy.cut('find_template', how);
    t.match(await store.findTemplate(workspace.id, id), { record: { name: 'x' } });
    proxy.cut('hold_credits', how, 2);
    await t.rejects(store.hold(workspace.id, 60), UNAVAILABLE);
    await ledgerBecomes(t, workspace, { balance: 100, charges: 0, holds: 0 }, 'no unknown hold remains');
    // A retry could count one request twice, so there is none.
    proxy.cut('count_request', how);
    await t.rejects(store.countRequest(key.id, 'render', 5), UNAVAILABLE);
  }
  t.match(
    await store.countRequest(key.id, 'render', 5),
    { allowed: true, remaining: 3 },
    'the request that arrived is counted',
  );
});

t.test('a request takes four round trips, five with a template; one writes a batch of log entries', skip, async (t) => {
  const { store, workspace } = await opened(t, { folder: proxy.folder, connections: 1 });
  const { key, hash } = await addKey(store, workspace);
  const { id } = await saveTemplate(store, workspace.id, record('x'));
  for (const [template, expected] of [
    [undefined, 4],
    [id, 5],
  ] as const) {
    const before = proxy.trips();
    await store.findKey(hash);
    await store.countRequest(key.id, 'render', 60);
    if (template !== undefined) await store.findTemplate(workspace.id, template);
    await store.settle(await holdOf(store, workspace));
    t.equal(proxy.trips() - before, expected);
  }
  const before = proxy.trips();
  for (let n = 0; n < 200; n++) store.appendRender(entryOf(workspace, `${workspace.id} ${n}`));
  t.equal((await loggedRenders(store, workspace.id, 500)).length, 200);
  t.equal(proxy.trips() - before, 2);
});

// fault: 93
t.test('retries serialization failures and deadlocks a limited number of times, and charges once', skip, async (t) => {
  const { store, workspace, warnings } = await opened(t);
  // A rollback does not reset a sequence.
  await cluster.ask(database, 'CREATE SEQUENCE tries');
  await cluster.ask(
    database,
    `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'lost' USING ERRCODE = TG_ARGV[0]; END IF;
      RETURN new;
    END $$`,
  );
  t.teardown(() => cluster.ask(database, 'DROP TRIGGER lose ON platen.charges'));
  let balance = 100;
  for (const code of ['40001', '40P01']) {
    await cluster.ask(database, "SELECT setval('tries', 1, false)");
    await cluster.ask(
      database,
      `CREATE OR REPLACE TRIGGER lose BEFORE INSERT ON platen.charges FOR EACH ROW EXECUTE FUNCTION lose('${code}')`,
    );
    balance -= 7;
    t.strictSame(await store.settle(await holdOf(store, workspace, 7)), { balance }, code);
    t.strictSame({ ...(await ledger(workspace)) }, { balance, charges: 100 - balance, holds: 0 });
  }
  await cluster.ask(database, 'ALTER SEQUENCE tries MINVALUE -1000 RESTART -1000');
  await t.rejects(store.settle(await holdOf(store, workspace, 7)), UNAVAILABLE);
  t.match(warnings.join('\n'), /SQLSTATE 40P01/);
  await ledgerBecomes(t, workspace, { balance, charges: 100 - balance, holds: 0 }, 'refunded');
});

t.test('survives pg_terminate_backend during a charge and on all connections', skip, async (t) => {
  const { store, workspace } = await opened(t);
  const hold = await holdOf(store, workspace, 10);
  const unlock = await lockRows();
  const settled = store.settle(hold);
  let killed = 0;
  while (killed === 0) {
    await sleep(10);
    const rows = await cluster.ask(
      database,
      `SELECT pg_terminate_backend(pid) ${backends('%settle_hold%')} AND state = 'active'`,
    );
    killed = rows.length;
  }
  await unlock();
  t.strictSame(await settled, { balance: 90 });
  t.strictSame({ ...(await ledger(workspace)) }, { balance: 90, charges: 10, holds: 0 });

  await Promise.all(Array.from({ length: 8 }, () => store.balance(workspace.id)));
  await cluster.ask(database, `SELECT pg_terminate_backend(pid) ${backends('%')} AND datname = current_database()`);
  await sleep(50);
  t.strictSame(await store.settle(await holdOf(store, workspace)), { balance: 89 }, 'idle connections are replaced');
});

t.test('gives up within seconds on a locked row, a slow statement and an exhausted pool', skip, async (t) => {
  const patient = (await opened(t)).store;
  for (const parameters of ['&lock_timeout=150', '&statement_timeout=150']) {
    const { store, workspace, warnings } = await opened(t, { parameters, connections: 2 });
    const hold = await retrying(() => holdOf(store, workspace, 10));
    const unlock = await lockRows();
    const attempts = [store.settle(hold), ...Array.from({ length: 12 }, () => store.hold(workspace.id, 1))];
    const outcomes = await Promise.allSettled(attempts);
    for (const outcome of outcomes) t.match(outcome, { status: 'rejected', reason: UNAVAILABLE });
    t.match(warnings.join('\n'), /SQLSTATE (55P03|57014)/);
    await unlock();
    await ledgerBecomes(t, workspace, { balance: 100, charges: 0, holds: 0 }, 'nothing is charged or held');
    t.strictSame(await patient.settle(await holdOf(patient, workspace)), { balance: 99 });
  }
});

// fault: 92
t.test('stays consistent when the database is killed and restarted under load', skip, async (t) => {
  const { store, warnings } = await opened(t, { connections: 4 });
  const granted = 100_000;
  const workspace = await addWorkspace(store, granted);
  const { key, hash } = await addKey(store, workspace);
  const acknowledged = { charged: 0, refused: 0, counted: 0 };
  let ending = false;
  const render = async () => {
    while (!ending) {
      try {
        await store.findKey(hash);
        if ((await store.countRequest(key.id, 'render', 1_000_000)).allowed) acknowledged.counted++;
        const hold = await holdOf(store, workspace);
        await store.settle(hold);
        acknowledged.charged++;
      } catch (error) {
        t.match(error, UNAVAILABLE);
        acknowledged.refused++;
        await sleep(20);
      }
      store.appendRender(entryOf(workspace, `render ${acknowledged.charged} ${acknowledged.refused}`));
    }
  };
  const running = [render(), render(), render(), render()];
  for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGINT'] as const) {
    await sleep(200);
    const before = acknowledged.charged;
    await cluster.stop(signal);
    await t.rejects(store.balance(workspace.id), UNAVAILABLE, signal);
    await cluster.start();
    await eventually(() => acknowledged.charged > before, `${signal}: recovers`);
  }
  ending = true;
  await Promise.all(running);
  t.ok(acknowledged.refused > 0, JSON.stringify(acknowledged));
  // The undoing of a charge that was reported as failed may still be waiting.
  const rest = { balance: granted - acknowledged.charged, charges: acknowledged.charged };
  await eventually(async () => {
    const { balance, charges } = await ledger(workspace);
    return balance === rest.balance && charges === rest.charges;
  }, 'the charges are the acknowledged ones');
  const { remaining } = await store.countRequest(key.id, 'render', 1_000_000);
  t.ok(1_000_000 - remaining - 1 >= acknowledged.charged, 'every charged render is counted in its key’s window');
  t.match(warnings[0], /can’t be reached|database refused|lost/);
  t.ok(warnings.includes('the database answers again'));
  t.ok(warnings.length < 60, `${warnings.length} warnings, not one per query`);
});

// fault: 92
t.test('rejects operations in time when the database does not respond at all', skip, async (t) => {
  const { store, workspace } = await opened(t, { parameters: '&query_timeout=300', connections: 2 });
  const hold = await retrying(() => holdOf(store, workspace, 5));
  cluster.freeze(true);
  const outcomes = await Promise.allSettled([
    store.balance(workspace.id),
    store.hold(workspace.id, 1),
    store.release(hold),
    store.hold(workspace.id, 1),
  ]).finally(() => cluster.freeze(false));
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'rejected'],
    'a hold that can’t be released expires',
  );
  const { balance } = await retrying(() => store.balance(workspace.id));
  t.equal(balance, 100);
  t.equal((await ledger(workspace)).charges, 0);
});
