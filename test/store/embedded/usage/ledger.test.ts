// The ledger and the counts of the embedded store over days, restarts and folders of earlier versions.
import { copyFileSync, promises, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openTables } from '../../../../lib/store/embedded/folder.js';
import { openEmbeddedStore } from '../../../../lib/store/embedded/store.js';
import type { LedgerEntry } from '../../../../lib/store/usage-store.js';
import { addKey, addWorkspace, entryOf, holdOf } from '../../suite.js';

const warn = () => undefined;

/** A folder whose stores have the same clock, which the test sets. */
function world(folder: string) {
  const clock = { time: '2026-11-20T23:59:00.000Z' };
  return { clock, open: () => openEmbeddedStore(folder, { warn, now: () => new Date(clock.time) }) };
}

const brief = (entries: readonly LedgerEntry[]) =>
  entries.map((entry) => [
    ...[entry.kind, entry.time, entry.amount],
    ...(entry.kind === 'charge' ? [entry.renders] : []),
  ]);

t.test('charges become one line a day, which stays when the store is opened again', async (t) => {
  const { clock, open } = world(t.testdir({}));
  let store = await open();
  const workspace = await addWorkspace(store, 100);
  const list = async () => brief((await store.listLedger(workspace.id, { limit: 200 })).items);
  for (const time of ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-21T12:00:00.000Z']) {
    clock.time = time;
    await store.settle(await holdOf(store, workspace, 1.5));
  }
  await store.grant(workspace.id, 10);
  clock.time = '2026-12-01T08:00:00.000Z';
  await store.settle(await holdOf(store, workspace, 0.25));
  const expected = [
    ['charge', '2026-12-01T00:00:00.000Z', -0.25, 1],
    ['charge', '2026-11-21T00:00:00.000Z', -3, 2],
    ['grant', '2026-11-21T12:00:00.000Z', 10],
    ['charge', '2026-11-20T00:00:00.000Z', -1.5, 1],
    ['grant', '2026-11-20T23:59:00.000Z', 100],
  ];
  t.strictSame(await list(), expected);
  await store.close();
  store = await open();
  t.strictSame(await list(), expected);
  const days = await store.dailyUsage(workspace.id, '2026-11-20', '2026-11-22');
  t.strictSame(
    days.map(({ credits }) => credits),
    [1.5, 3, 0],
  );
  await store.close();
});

t.test('a clock that is set back keeps the ledger exact', async (t) => {
  const { clock, open } = world(t.testdir({}));
  const store = await open();
  const workspace = await addWorkspace(store, 10);
  for (const day of ['2030-01-01', '2026-11-20', '2030-01-01', '2026-11-20']) {
    clock.time = `${day}T10:00:00.000Z`;
    await store.settle(await holdOf(store, workspace));
  }
  const { items } = await store.listLedger(workspace.id, { limit: 9 });
  t.strictSame(brief(items), [
    ['charge', '2030-01-01T00:00:00.000Z', -2, 2],
    ['charge', '2026-11-20T00:00:00.000Z', -2, 2],
    ['grant', '2026-11-20T23:59:00.000Z', 10],
  ]);
  await store.close();
});

t.test('moves many lines to their table; a crash in between doubles none', async (t) => {
  const folder = t.testdir({});
  const { open } = world(folder);
  const file = (name: string) => join(folder, name);
  let store = await open();
  const { id } = await addWorkspace(store, 1);
  for (let n = 2; n <= 60; n++) await store.grant(id, n);
  const items = [...(await store.listLedger(id, { limit: 200 })).items];
  t.equal(items.length, 60);
  copyFileSync(file('workspaces.json'), file('before'));
  await store.close();
  t.notMatch(readFileSync(file('workspaces.json'), 'utf8'), 'unposted');
  t.match(readFileSync(file('ledger.json'), 'utf8'), '"number":60');
  // As if the power had failed before the row of the workspace was written.
  copyFileSync(file('before'), file('workspaces.json'));
  rmSync(file('before'));
  for (let restarts = 0; restarts < 2; restarts++) {
    store = await open();
    t.strictSame((await store.listLedger(id, { limit: 200 })).items, items);
    await store.grant(id, 1);
    items.unshift((await store.listLedger(id, { limit: 1 })).items[0]);
    t.equal(items[0].id, `grant_${61 + restarts}`);
    await store.close();
  }
  t.equal(readFileSync(file('ledger.json'), 'utf8').split('"number":60').length, 2);
});

t.test('what an earlier version granted and charged is the opening', async (t) => {
  const folder = t.testdir({});
  const { clock, open } = world(folder);
  let store = await open();
  const workspace = await addWorkspace(store, 30);
  await store.settle(await holdOf(store, workspace, 4));
  await store.close();
  // The files that an earlier version wrote: no ledger, and no lines in the rows.
  for (const name of ['ledger', 'usage', 'operators']) rmSync(join(folder, `${name}.json`));
  const tables = ['templates', 'keys', 'assets', 'workspaces'];
  const { id, name, plan } = workspace;
  const row = { id, name, plan, balance: 26 };
  writeFileSync(
    join(folder, 'workspaces.json'),
    JSON.stringify({ table: 'workspaces', version: 2, tables, rows: [row] }),
  );
  clock.time = '2026-11-22T10:00:00.000Z';
  store = await open();
  const opening = ['opening', '2026-11-22T10:00:00.000Z', 26];
  t.strictSame(brief((await store.listLedger(id, { limit: 9 })).items), [opening]);
  clock.time = '2026-11-23T10:00:00.000Z';
  await store.settle(await holdOf(store, workspace, 1));
  const expected = [['charge', '2026-11-23T00:00:00.000Z', -1, 1], opening];
  t.strictSame(brief((await store.listLedger(id, { limit: 9 })).items), expected);
  await store.close();
});

t.test(
  'counts of renders, requests and processor time survive a restart; requests of a day ago are forgotten',
  async (t) => {
    const { clock, open } = world(t.testdir({}));
    let store = await open();
    const workspace = await addWorkspace(store);
    const { key } = await addKey(store, workspace);
    clock.time = '2026-11-21T10:30:00.000Z';
    for (let n = 0; n < 3; n++) await store.countRequest(key.id, 'render', 2);
    store.appendRender(entryOf(workspace, 'a', { time: clock.time }));
    store.countCpu({ workspaceId: workspace.id, keyId: key.id }, 300);
    await store.close();
    store = await open();
    clock.time = '2026-11-22T09:59:00.000Z';
    store.countCpu({ workspaceId: workspace.id, keyId: key.id }, 40);
    await store.countRequest(key.id, 'read', 2);
    store.appendRender(entryOf(workspace, 'b', { time: clock.time, status: 'failed' }));
    t.strictSame(await store.keyRequests(workspace.id), { [key.id]: { requests: 4, refused: 1, cpuMs: 340 } });
    t.strictSame(await store.dailyUsage(workspace.id, '2026-11-21', '2026-11-22'), [
      { date: '2026-11-21', renders: 1, failures: 0, credits: 0, cpuMs: 300 },
      { date: '2026-11-22', renders: 0, failures: 1, credits: 0, cpuMs: 40 },
    ]);
    clock.time = '2026-11-22T10:00:00.000Z';
    t.strictSame(await store.keyRequests(workspace.id), { [key.id]: { requests: 1, refused: 0, cpuMs: 40 } });
    t.match(await store.listKeys(workspace.id), [{ id: key.id, lastUsedAt: '2026-11-22T09:59:00.000Z' }]);
    await store.close();
  },
);

t.test('rows of earlier versions have no processor time', async (t) => {
  const folder = t.testdir({});
  const { clock, open } = world(folder);
  clock.time = '2026-11-21T10:30:00.000Z';
  const store = await open();
  const workspace = await addWorkspace(store);
  const { key } = await addKey(store, workspace);
  await store.close();
  const tables = await openTables(promises, folder, { warn: () => undefined, now: () => new Date(clock.time) });
  const hour = Math.floor(Date.parse(clock.time) / 3_600_000);
  await tables.keys.change((draft) => draft.set(key.id, { ...draft.rows.get(key.id)!, hours: [[hour, 3, 1]] }));
  await tables.usage.change((draft) =>
    draft.set(`${workspace.id} 2026-11`, {
      id: `${workspace.id} 2026-11`,
      workspaceId: workspace.id,
      month: '2026-11',
      days: { '2026-11-21': [2, 1] },
    }),
  );
  const later = await open();
  const cpuMs = async () => (await later.dailyUsage(workspace.id, '2026-11-21', '2026-11-21'))[0];
  t.match(await cpuMs(), { renders: 2, failures: 1, cpuMs: 0 });
  t.match(await later.keyRequests(workspace.id), { [key.id]: { requests: 3, refused: 1, cpuMs: 0 } });
  later.countCpu({ workspaceId: workspace.id, keyId: key.id }, 8);
  t.match(await cpuMs(), { renders: 2, failures: 1, cpuMs: 8 });
  t.match(await later.keyRequests(workspace.id), { [key.id]: { requests: 3, refused: 1, cpuMs: 8 } });
  await later.close();
});
