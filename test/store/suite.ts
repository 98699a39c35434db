// The behaviour suite that all store implementations pass.
import fc from 'fast-check';
import type { Test } from 'tap';
import { listHotspots } from '../../lib/contract/template/record-strings.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import type { Hold, LoggedRender, Store, VersionedTemplate, Workspace } from '../../lib/store/types.js';

export interface SuiteSetup {
  /** Opens an empty store and closes it when the test ends. */
  readonly open: (t: Test) => Promise<Store>;
  /** Number of runs of the property test. */
  readonly runs: number;
}

export const record = (name: string) => ({ name, width: 100, height: 50, background: {}, 'any field': [1, null] });

export const addKey = (store: Store, { id: workspaceId }: Workspace, name = 'key') => {
  const hash = hashKey(createRawKey());
  return store.createKey({ workspaceId, name, scopes: ['render:write'], hash }).then((key) => ({ key, hash }));
};

export const addWorkspace = (store: Store, credits = 0, name = 'workspace') =>
  store.createWorkspace({ name, plan: 'paid', credits });

export const entryOf = (workspace: Workspace, id: string, more: Partial<LoggedRender> = {}): LoggedRender => ({
  id,
  time: '2026-01-02T03:04:05.678Z',
  workspaceId: workspace.id,
  keyId: 'key',
  format: 'png',
  width: 1,
  height: 2,
  durationMs: 3,
  sizeBytes: 4,
  creditsCost: 1,
  status: 'ok',
  warnings: 0,
  ...more,
});

/** Saves and publishes a template without checking it. */
export const saveTemplate = (
  store: Pick<Store, 'createTemplate'>,
  workspaceId: string,
  record: { name: string; width: number; height: number },
): Promise<VersionedTemplate> =>
  store.createTemplate(workspaceId, { record, hotspots: listHotspots(record), assetIds: [] }, { publish: true });

/** The newest entries of a workspace's render log. */
export const loggedRenders = async (store: Pick<Store, 'listRenders'>, workspaceId: string, limit = 200) =>
  (await store.listRenders(workspaceId, {}, { limit })).items;

export async function holdOf(store: Store, { id }: Workspace, cost = 1): Promise<Hold> {
  const held = await store.hold(id, cost);
  if (!('hold' in held)) throw new Error(`expected a hold, received a balance of ${held.balance}`);
  return held.hold;
}

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

export function storeSuite(t: Test, { open, runs }: SuiteSetup): void {
  t.test('creates workspaces and lists them newest first', async (t) => {
    const store = await open(t);
    t.same(await store.listWorkspaces(), []);
    const first = await store.createWorkspace({ name: 'a', plan: 'free', credits: 0 });
    const second = await store.createWorkspace({ name: 'a', plan: 'paid', credits: 7 });
    t.strictSame(Object.keys(first), ['id', 'name', 'plan', 'balance']);
    t.match(second, { name: 'a', plan: 'paid', balance: 7 });
    t.not(first.id, second.id);
    t.strictSame(await store.listWorkspaces(), [second, first]);
    t.strictSame(await store.findWorkspace(second.id), second);
    for (const id of ['', 'ws_0', '\0', 'x'.repeat(1e5)]) t.equal(await store.findWorkspace(id), undefined);
    const ids = new Set((await Promise.all(Array.from({ length: 20 }, () => addWorkspace(store)))).map(({ id }) => id));
    t.equal(ids.size, 20);
    t.equal((await store.listWorkspaces()).length, 22);
  });

  t.test('a check that charges can be written changes nothing', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 7);
    const hold = await holdOf(store, workspace, 2);
    const ledger = await store.listLedger(workspace.id, { limit: 9 });
    await Promise.all(Array.from({ length: 5 }, () => store.assertWritable()));
    t.strictSame(await store.listWorkspaces(), [workspace]);
    t.strictSame(await store.listLedger(workspace.id, { limit: 9 }), ledger);
    t.strictSame(await store.settle(hold), { balance: 5 });
  });

  t.test('rejects grants above the largest balance, and holds of any larger cost', async (t) => {
    const store = await open(t);
    const { id } = await addWorkspace(store, 7);
    t.strictSame(await store.hold(id, 999_999_999_999_999), { balance: 7 });
    await t.rejects(store.grant(id, 3_999_999_994), { name: 'StoreError', message: /above 4000000000/ });
    t.strictSame(await store.grant(id, 3_999_999_993), { workspaceId: id, balance: 4_000_000_000 });
  });

  t.test('creates keys, finds them by hash, lists and revokes them', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store, 3);
    const other = await addWorkspace(store);
    const { key, hash } = await addKey(store, mine, 'first');
    const second = await addKey(store, mine, 'second');
    await addKey(store, other, 'foreign');
    t.match(key, { workspaceId: mine.id, name: 'first', scopes: ['render:write'], state: 'active' });
    t.equal(new Date(key.createdAt).toISOString(), key.createdAt);
    t.notMatch(JSON.stringify(await store.listKeys(mine.id)), hash);
    t.strictSame(await store.findKey(hash), { key, workspace: mine });
    t.equal(await store.findKey(hashKey('none')), undefined);
    for (const odd of ['', '__proto__', 'constructor', key.id]) t.equal(await store.findKey(odd), undefined, odd);
    t.strictSame(names(await store.listKeys(mine.id)), ['second', 'first']);
    const revoked = { ...key, state: 'revoked' };
    t.strictSame(await store.revokeKey(key.id), revoked);
    t.strictSame(await store.revokeKey(key.id), revoked, 'revoking again changes nothing');
    t.strictSame((await store.findKey(hash))?.key, revoked);
    t.match((await store.findKey(second.hash))?.key, { state: 'active' });
    await t.rejects(store.createKey({ workspaceId: mine.id, name: 'x', scopes: [], hash }), { name: 'StoreError' });
    t.equal((await store.listKeys(mine.id)).length, 2);
  });

  t.test('rejects unknown ids with a one-line StoreError', async (t) => {
    const store = await open(t);
    const odd = 'none\n"__proto__"';
    const attempts: Promise<unknown>[] = [
      store.createKey({ workspaceId: odd, name: 'x', scopes: [], hash: hashKey('x') }),
      store.listKeys(odd),
      store.revokeKey(odd),
      store.balance(odd),
      store.grant(odd, 1),
      saveTemplate(store, odd, record('x')),
      store.listTemplates(odd, { limit: 1 }),
      store.getTemplate({ id: odd }),
      store.getTemplateRecord({ id: odd }),
      store.deleteTemplate({ id: odd }),
      store.listRenders(odd, {}, { limit: 1 }),
      store.updateWorkspace(odd, {}),
      store.deleteWorkspace(odd),
      store.revokeCredits(odd, 1),
      store.listAssets(odd, { limit: 1 }),
      store.deleteAsset(odd, odd, { force: true }),
    ];
    // Concurrently: a store that queries a database rejects them in any order.
    await Promise.all(attempts.map((attempt) => t.rejects(attempt, { name: 'StoreError', message: /^[^\n]+$/ })));
  });

  t.test('holds, charges, releases and grants credits', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 3);
    const { id } = workspace;
    const one = await holdOf(store, workspace);
    const two = await holdOf(store, workspace, 2);
    t.strictSame(await store.hold(id, 1), { balance: 0 }, 'the balance minus all holds');
    t.strictSame(await store.balance(id), { workspaceId: id, balance: 3 }, 'a hold charges nothing');
    t.strictSame(await store.settle(one), { balance: 2 });
    await t.rejects(store.settle(one), { name: 'StoreError' }, 'a hold is charged once');
    await store.release(one);
    await store.release(two);
    await store.release(two);
    await t.rejects(store.settle(two), { name: 'StoreError' }, 'a released hold is not charged');
    t.strictSame(await store.balance(id), { workspaceId: id, balance: 2 });
    t.strictSame(await store.hold(id, 2.5), { balance: 2 });
    t.strictSame(await store.grant(id, 5), { workspaceId: id, balance: 7 });
    t.strictSame(await store.settle(await holdOf(store, workspace, 7)), { balance: 0 });
    t.strictSame(await store.hold(id, 1), { balance: 0 });
    t.strictSame(await store.settle(await holdOf(store, workspace, 0)), { balance: 0 });
    const other = await addWorkspace(store, 1);
    await holdOf(store, other);
    t.strictSame(
      (await store.listWorkspaces()).map(({ balance }) => balance),
      [1, 0],
    );
    await t.rejects(store.grant(id, 1e15), { name: 'StoreError' }, 'above the largest balance');
    t.strictSame(await store.balance(id), { workspaceId: id, balance: 0 });
  });

  t.test('charges fractions of credits exactly', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 1);
    let renders = 0;
    for (;;) {
      const held = await store.hold(workspace.id, 0.1);
      if (!('hold' in held)) break;
      await store.settle(held.hold);
      renders++;
    }
    t.equal(renders, 10);
    t.equal((await store.balance(workspace.id)).balance, 0);
  });

  t.test('allows exactly ten of fifty concurrent charges on a balance of ten', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 10);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const held = await store.hold(workspace.id, 1);
        return 'hold' in held ? (await store.settle(held.hold)).balance : 'refused';
      }),
    );
    t.equal(outcomes.filter((outcome) => outcome === 'refused').length, 40);
    t.ok(outcomes.every((outcome) => outcome === 'refused' || outcome >= 0));
    t.equal((await store.balance(workspace.id)).balance, 0);
  });

  t.test('applies concurrent charges, grants and a revocation', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 20);
    const { key, hash } = await addKey(store, workspace);
    const holds = await Promise.all(Array.from({ length: 20 }, () => holdOf(store, workspace)));
    const charges = holds.map((hold) => store.settle(hold));
    const grants = Array.from({ length: 10 }, () => store.grant(workspace.id, 3));
    const creations = Array.from({ length: 5 }, () => addWorkspace(store));
    await store.revokeKey(key.id);
    t.equal((await store.findKey(hash))?.key.state, 'revoked', 'visible immediately');
    await Promise.all([...charges, ...grants, ...creations]);
    t.equal((await store.balance(workspace.id)).balance, 30);
    t.equal((await store.listWorkspaces()).length, 6);
  });

  t.test('counts requests per key and refuses those above the limit', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const { key } = await addKey(store, workspace);
    const { key: other } = await addKey(store, workspace);
    for (let left = 4; left >= 0; left--) {
      const decision = await store.countRequest(key.id, 'render', 5);
      t.match(decision, { allowed: true, limit: 5, remaining: left });
      t.ok(decision.resetMs > 0 && decision.resetMs <= 60_000, `${decision.resetMs}`);
    }
    const refused = await store.countRequest(key.id, 'render', 5);
    t.match(refused, { allowed: false, limit: 5, remaining: 0 });
    t.ok(refused.resetMs > 0 && refused.resetMs <= 60_000, `${refused.resetMs}`);
    t.match(
      await store.countRequest(other.id, 'render', 5),
      { allowed: true, remaining: 4 },
      'each key has its own window',
    );
    t.match(
      await store.countRequest(key.id, 'render', 6),
      { allowed: true, remaining: 0 },
      'the refused one was not counted',
    );
    const many = await Promise.all(Array.from({ length: 30 }, () => store.countRequest(other.id, 'render', 11)));
    t.equal(many.filter(({ allowed }) => allowed).length, 10);
  });

  t.test('lists the newest entries of a workspace’s render log, up to the limit', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store);
    const other = await addWorkspace(store);
    t.same(await loggedRenders(store, mine.id, 5), []);
    for (let i = 0; i < 10; i++) store.appendRender(entryOf(i % 3 === 0 ? other : mine, `render ${i}`));
    const full = entryOf(mine, 'last', { templateId: 'tpl', metadata: { 'a\nb\u2028': ['ü', { deep: null }] } });
    store.appendRender(full);
    const listed = await loggedRenders(store, mine.id, 5);
    t.strictSame(listed[0], full);
    t.strictSame(
      listed.map(({ id }) => id),
      ['last', 'render 8', 'render 7', 'render 5', 'render 4'],
    );
    t.equal((await loggedRenders(store, mine.id, 100)).length, 7);
    t.equal((await loggedRenders(store, other.id, 100)).length, 4);
  });

  t.test('keeps the balance exact under any interleaving of renders and grants', async (t) => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('render' as const), cost: fc.integer({ min: 0, max: 4 }), succeeds: fc.boolean() }),
      fc.record({ kind: fc.constant('grant' as const), amount: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ kind: fc.constant('wait' as const) }),
    );
    const holds = fc.assert(
      fc.asyncProperty(
        fc.nat(20),
        fc.array(step, { maxLength: 40 }),
        fc.scheduler(),
        async (credits, steps, scheduler) => {
          const store = await open(t);
          const workspace = await addWorkspace(store, credits);
          let charged = 0;
          let granted = credits;
          const balances: number[] = [];
          const render = async (cost: number, succeeds: boolean) => {
            const held = await store.hold(workspace.id, cost);
            if (!('hold' in held)) {
              if (held.balance >= cost) throw new Error(`refused ${cost} with ${held.balance} left`);
              return;
            }
            await scheduler.schedule(Promise.resolve());
            if (!succeeds) return await store.release(held.hold);
            balances.push((await store.settle(held.hold)).balance);
            charged += cost;
          };
          const running: Promise<unknown>[] = [];
          for (const each of steps) {
            if (each.kind === 'render') running.push(render(each.cost, each.succeeds));
            else if (each.kind === 'grant') {
              granted += each.amount;
              running.push(store.grant(workspace.id, each.amount));
            } else await new Promise(setImmediate);
          }
          await scheduler.waitFor(Promise.all(running));
          const { balance } = await store.balance(workspace.id);
          await store.close();
          return balance === granted - charged && Math.min(balance, ...balances) >= 0;
        },
      ),
      { numRuns: runs },
    );
    await t.resolves(holds);
  });

  t.test('rejects operations after close, and completes those that had started', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 1);
    const charge = store.settle(await holdOf(store, workspace));
    await store.close();
    t.strictSame(await charge, { balance: 0 }, 'the started charge completes');
    await t.rejects(store.grant(workspace.id, 1), { code: 'storage_unavailable' });
    await t.rejects(store.hold(workspace.id, 0), { code: 'storage_unavailable' });
  });
}
