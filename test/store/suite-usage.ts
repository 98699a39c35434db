// The behaviour of the ledger, of usage by day and of the requests of keys that all store implementations have.
import type { Test } from 'tap';
import { addCredits } from '../../lib/store/credits.js';
import type { PageRequest, Store } from '../../lib/store/types.js';
import type { LedgerEntry, UsageStore } from '../../lib/store/usage-store.js';
import { addKey, addWorkspace, entryOf, holdOf, loggedRenders } from './suite.js';
import { readPages, rejectAll } from './suite-templates.js';

export interface UsageSuiteSetup {
  /** Opens an empty store and closes it when the test ends. */
  readonly open: (t: Test) => Promise<Store & UsageStore>;
}

const day = (time: Date | number = Date.now()) => new Date(time).toISOString().slice(0, 10);

const sum = (entries: readonly LedgerEntry[]) => entries.reduce((total, { amount }) => addCredits(total, amount), 0);

const allEntries = async (store: UsageStore, workspaceId: string) =>
  (await store.listLedger(workspaceId, { limit: 200 })).items;

export function usageSuite(t: Test, { open }: UsageSuiteSetup): void {
  t.test('the ledger lists grants and the charges of each day, and adds up to the balance', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 10);
    const other = await addWorkspace(store);
    const { id } = workspace;
    t.strictSame(await allEntries(store, other.id), [], 'without grants and charges');
    await store.grant(id, 2.000001);
    for (const cost of [1, 0.25, 0]) await store.settle(await holdOf(store, workspace, cost));
    await store.release(await holdOf(store, workspace, 3));
    await store.revokeCredits(id, 0.5);
    const entries = await allEntries(store, id);
    const charges = entries.filter(({ kind }) => kind === 'charge');
    // More than one only if the day ended meanwhile.
    t.equal(sum(charges), -1.25);
    t.equal(
      charges.reduce((total, entry) => total + (entry.kind === 'charge' ? entry.renders! : 0), 0),
      3,
    );
    for (const { time } of charges) t.match(time, /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    const grants = entries.filter(({ kind }) => kind === 'grant');
    t.strictSame(
      grants.map(({ amount }) => amount),
      [-0.5, 2.000001, 10],
    );
    for (const { time } of grants) t.equal(new Date(time).toISOString(), time);
    t.equal(new Set(entries.map((entry) => entry.id)).size, entries.length);
    if (charges.length === 1) t.equal(entries[0].kind, 'charge', 'the charges of a day precede its grants');
    t.equal(sum(entries), (await store.balance(id)).balance);
    t.strictSame(
      (await allEntries(store, other.id)).map(({ amount }) => amount),
      [],
      'of this workspace only',
    );

    const list = (page: PageRequest) => store.listLedger(id, page);
    t.strictSame(await readPages(list, 2, () => store.grant(id, 1)), entries);
    await rejectAll(t, { code: 'invalid_cursor' }, [list({ limit: 1, cursor: 'x' })]);
    await rejectAll(t, { code: 'not_found' }, [
      store.listLedger('nobody', { limit: 1 }),
      store.dailyUsage('nobody', day(), day()),
      store.keyRequests('nobody'),
    ]);
  });

  t.test('the ledger is exact after concurrent charges, grants and revocations', async (t) => {
    const store = await open(t);
    const workspaces = await Promise.all([30, 30].map((credits) => addWorkspace(store, credits)));
    await Promise.all(
      workspaces.flatMap((workspace) => [
        ...Array.from({ length: 20 }, async (_, n) => store.settle(await holdOf(store, workspace, n / 10))),
        ...Array.from({ length: 5 }, () => store.grant(workspace.id, 0.1)),
        ...Array.from({ length: 5 }, () => store.revokeCredits(workspace.id, 0.3)),
      ]),
    );
    for (const { id } of workspaces) {
      const entries = await allEntries(store, id);
      t.equal(sum(entries), (await store.balance(id)).balance);
      t.equal(sum(entries.filter(({ kind }) => kind === 'charge')), -19);
      t.equal(entries.filter(({ kind }) => kind === 'grant').length, 11);
      t.notOk(entries.some(({ kind }) => kind === 'opening'));
    }
  });

  t.test('counts renders, failures and credits by day', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 10);
    const other = await addWorkspace(store);
    const at = (time: string, n: string) => entryOf(workspace, `${time} ${n}`, { time });
    store.appendRender(at('2026-01-01T23:59:59.999Z', 'a'));
    store.appendRender(at('2026-01-03T00:00:00.000Z', 'a'));
    store.appendRender({ ...at('2026-01-03T12:00:00.000Z', 'b'), status: 'failed', code: 'x', creditsCost: 0 });
    store.appendRender(at('2026-01-03T23:59:59.999Z', 'c'));
    store.appendRender(entryOf(other, 'other', { time: '2026-01-03T12:00:00.000Z' }));
    await loggedRenders(store, workspace.id, 1);
    const usage = await store.dailyUsage(workspace.id, '2025-12-31', '2026-01-03');
    t.strictSame(
      usage.map(({ date, renders, failures }) => [date, renders, failures]),
      [
        ['2025-12-31', 0, 0],
        ['2026-01-01', 1, 0],
        ['2026-01-02', 0, 0],
        ['2026-01-03', 2, 1],
      ],
    );
    t.strictSame(
      (await store.dailyUsage(other.id, '2026-01-03', '2026-01-03')).map(({ renders }) => renders),
      [1],
    );
    t.strictSame(await store.dailyUsage(workspace.id, '2026-01-02', '2026-01-01'), [], 'an empty period');
    t.strictSame((await store.dailyUsage(workspace.id, '2028-02-28', '2028-03-01')).length, 3, 'a leap year');

    // Over the end of a day, too.
    const start = day();
    for (const cost of [0.5, 1]) {
      const time = new Date().toISOString();
      await store.settle(await holdOf(store, workspace, cost));
      store.appendRender(entryOf(workspace, `charged ${cost}`, { time, creditsCost: cost }));
    }
    await loggedRenders(store, workspace.id, 1);
    const today = await store.dailyUsage(workspace.id, start, day());
    t.equal(today.length, start === day() ? 1 : 2);
    t.equal(
      today.reduce((total, { credits }) => addCredits(total, credits), 0),
      1.5,
    );
    t.equal(
      today.reduce((total, { renders }) => total + renders, 0),
      2,
    );
  });

  t.test('counts the requests of keys, also those that a limit refuses', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const other = await addWorkspace(store);
    t.strictSame(await store.keyRequests(workspace.id), {});
    const { key } = await addKey(store, workspace);
    const { key: unused } = await addKey(store, workspace);
    const { key: foreign } = await addKey(store, other);
    for (let n = 0; n < 5; n++) await store.countRequest(key.id, 'render', 3);
    await store.countRequest(key.id, 'read', 3);
    await store.countRequest(foreign.id, 'read', 3);
    const counted = await store.keyRequests(workspace.id);
    t.strictSame({ ...counted }, { [key.id]: { requests: 6, refused: 2, cpuMs: 0 } });
    t.notOk(unused.id in counted);
    await store.countRequest(unused.id, 'read', 3);
    await store.countRequest(key.id, 'read', 3);
    t.strictSame(
      { ...(await store.keyRequests(workspace.id)) },
      { [key.id]: { requests: 7, refused: 2, cpuMs: 0 }, [unused.id]: { requests: 1, refused: 0, cpuMs: 0 } },
    );
    t.strictSame({ ...(await store.keyRequests(other.id)) }, { [foreign.id]: { requests: 1, refused: 0, cpuMs: 0 } });
  });

  t.test('counts processor time by key in 24 hours, and by day with that of callers without a key', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const other = await addWorkspace(store);
    const { key } = await addKey(store, workspace);
    const { key: idle } = await addKey(store, workspace);
    const link = await store.createLinkKey({
      workspaceId: workspace.id,
      name: 'l',
      publicKey: Buffer.alloc(32, 7).toString('base64url'),
    });
    const start = day();
    await store.countRequest(key.id, 'render', 5);
    await store.countRequest(idle.id, 'render', 5);
    for (const milliseconds of [12.4, 0.6, 7])
      store.countCpu({ workspaceId: workspace.id, keyId: key.id }, milliseconds);
    store.countCpu({ workspaceId: workspace.id, keyId: link.id }, 100);
    store.countCpu({ workspaceId: workspace.id }, 1000);
    store.countCpu({ workspaceId: workspace.id, keyId: 'key_unknown' }, 10_000);
    store.countCpu({ workspaceId: other.id }, 5);
    t.strictSame(
      { ...(await store.keyRequests(workspace.id)) },
      {
        [key.id]: { requests: 1, refused: 0, cpuMs: 20 },
        [idle.id]: { requests: 1, refused: 0, cpuMs: 0 },
        [link.id]: { requests: 0, refused: 0, cpuMs: 100 },
      },
    );
    store.countCpu({ workspaceId: workspace.id, keyId: key.id }, 30);
    t.match(await store.keyRequests(workspace.id), { [key.id]: { requests: 1, cpuMs: 50 } });
    store.appendRender(entryOf(workspace, 'a', { time: new Date().toISOString() }));
    await loggedRenders(store, workspace.id, 1);
    const usage = await store.dailyUsage(workspace.id, start, day());
    const total = (field: 'cpuMs' | 'renders') => usage.reduce((sum, each) => sum + each[field], 0);
    t.equal(total('cpuMs'), 20 + 100 + 1000 + 10_000 + 30);
    t.equal(total('renders'), 1, 'renders are counted beside it');
    const theirs = await store.dailyUsage(other.id, start, day());
    t.equal(
      theirs.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      5,
    );
  });

  t.test('a key keeps what a person recognises it by', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const workspaceId = workspace.id;
    const hash = '00'.repeat(32);
    const prefix = 'svc_live_01234567';
    const key = await store.createKey({ workspaceId, name: 'k', scopes: [], hash, prefix });
    t.match(key, { prefix });
    t.strictSame(await store.listKeys(workspaceId), [key]);
    t.strictSame((await store.findKey(hash))?.key, key);
    t.strictSame(await store.revokeKey(key.id), { ...key, state: 'revoked' });
    const { key: without } = await addKey(store, workspace);
    t.notOk('prefix' in without);
  });
}
