// Idempotency keys in the embedded store: what a charge writes, leases by a clock, restarts, backups and a day's end.
import { mkdtempSync, promises, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { FileSystem } from '../../../../lib/store/embedded/durable-file.js';
import { type EmbeddedOptions, openEmbeddedStore } from '../../../../lib/store/embedded/store.js';
import { restoreStore } from '../../../../lib/store/open.js';
import type { Store, Workspace } from '../../../../lib/store/types.js';
import { addWorkspace, holdOf } from '../../suite.js';
import { leaseOf } from '../../suite-idempotency.js';

const FINGERPRINT = 'ab'.repeat(32);
const HOUR = 3_600_000;
const quiet = { warn: () => undefined };

function folderFor(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const keyOf = (value: string) => ({ keyId: 'key_1', value });

async function open(t: Test, folder: string, options: EmbeddedOptions = quiet): Promise<Store> {
  const store = await openEmbeddedStore(folder, options);
  t.teardown(() => store.close());
  return store;
}

async function settle(store: Store, workspace: Workspace, value: string, cost = 1): Promise<number> {
  const lease = await leaseOf(store, keyOf(value), FINGERPRINT);
  const hold = await holdOf(store, workspace, cost);
  return (await store.settle(hold, { lease, renderId: `render of ${value}` })).balance;
}

const isSettled = async (store: Store, value: string) => {
  const claim = await store.claimIdempotencyKey(keyOf(value), FINGERPRINT);
  if ('lease' in claim) await store.releaseIdempotencyLease(claim.lease);
  return 'settled' in claim;
};

/** A file system that notes its calls, as `call name`. */
function noting() {
  const calls: string[] = [];
  const note = (call: string, path: unknown) => void calls.push(`${call} ${String(path).split('/').at(-1)}`);
  const files = {
    ...promises,
    rename: (from: string, to: string) => {
      note('rename', to);
      return promises.rename(from, to);
    },
    link: (from: string, to: string) => {
      note('link', to);
      return promises.link(from, to);
    },
    rm: (path: string, options: object) => {
      note('rm', path);
      return promises.rm(path, options);
    },
    open: async (path: string, flags: string, mode: number) => {
      note('open', path);
      const handle = await promises.open(path, flags, mode);
      return Object.assign(Object.create(handle), {
        writeFile: (text: string) => {
          note('write', path);
          return handle.writeFile(text);
        },
        write: (...rest: [Buffer, number, number, number]) => {
          note('write', path);
          return handle.write(...rest);
        },
        read: handle.read.bind(handle),
        sync: () => {
          note('sync', path);
          return handle.sync();
        },
        close: () => handle.close(),
      });
    },
  } as unknown as FileSystem;
  return { files, calls };
}

t.test('a charge without a key makes no call for keys; one with a key makes a write and a sync more', async (t) => {
  const folder = folderFor(t);
  const { files, calls } = noting();
  const store = await open(t, folder, { ...quiet, files });
  const workspace = await addWorkspace(store, 10_000);
  const callsOf = async (work: () => Promise<unknown>) => {
    calls.length = 0;
    await work();
    return [...calls];
  };
  const without = await callsOf(async () => store.settle(await holdOf(store, workspace)));
  t.equal(without.filter((call) => call.includes('idempotency')).length, 0);
  await settle(store, workspace, 'first');
  const segment = 'idempotency-000001.bin';
  const withKey = await callsOf(() => settle(store, workspace, 'second'));
  t.strictSame(withKey, [`write ${segment}`, `sync ${segment}`, ...without]);
  t.strictSame(await callsOf(async () => store.settle(await holdOf(store, workspace))), without, 'again without one');

  const many = await callsOf(async () => {
    const balances = await Promise.all(Array.from({ length: 500 }, (_, i) => settle(store, workspace, `key ${i}`)));
    t.equal(new Set(balances).size, 500, 'each charge returns its own balance');
  });
  const syncs = many.filter((call) => call === `sync ${segment}`).length;
  t.ok(syncs <= 4, `${syncs} syncs of the records of 500 charges that arrive together`);
  t.equal(many.filter((call) => call === 'rename workspaces.json').length, syncs);
  t.equal((await store.balance(workspace.id)).balance, 10_000 - 504);
});

t.test('a lease ends one minute after the longest render', async (t) => {
  let now = 1000;
  const store = await open(t, folderFor(t), { ...quiet, clock: () => now, renderMs: 5000 });
  const workspace = await addWorkspace(store, 10);
  const lease = await leaseOf(store, keyOf('a'), FINGERPRINT);
  t.strictSame(await store.claimIdempotencyKey(keyOf('a'), FINGERPRINT), { inProgressMs: 65_000 });
  now += 64_999;
  t.strictSame(await store.claimIdempotencyKey(keyOf('a'), FINGERPRINT), { inProgressMs: 1 });
  now += 1;
  const next = await leaseOf(store, keyOf('a'), FINGERPRINT);
  await t.rejects(store.settle(await holdOf(store, workspace), { lease, renderId: 'late' }), {
    code: 'storage_unavailable',
    message: /^(?!.*\/)[^\n]*lease has ended$/,
  });
  t.equal((await store.balance(workspace.id)).balance, 10);
  t.strictSame(await store.settle(await holdOf(store, workspace), { lease: next, renderId: 'r' }), { balance: 9 });
  const expired = await leaseOf(store, keyOf('b'), FINGERPRINT);
  now += 65_000;
  await t.rejects(store.settle(await holdOf(store, workspace), { lease: expired, renderId: 'late' }));
  t.equal((await store.balance(workspace.id)).balance, 9, 'an expired lease that nobody took over');
  t.notOk(await isSettled(store, 'b'));
});

t.test('keys outlive the process for 24 hours, leases do not', async (t) => {
  const folder = folderFor(t);
  let now = new Date('2026-03-29T00:30:00Z');
  const options = { ...quiet, now: () => now };
  const store = await open(t, folder, options);
  const workspace = await addWorkspace(store, 10);
  await settle(store, workspace, 'a');
  await leaseOf(store, keyOf('b'), FINGERPRINT);
  now = new Date(now.getTime() + 24 * HOUR - 1);
  await store.close();
  const again = await open(t, folder, options);
  t.ok(await isSettled(again, 'a'));
  t.notOk(await isSettled(again, 'b'));
  now = new Date(now.getTime() + 1);
  t.notOk(await isSettled(again, 'a'));
  t.equal(await settle(again, workspace, 'a'), 8, 'a new charge after a day');
  await again.close();
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.bin')),
    ['idempotency-000002.bin'],
    'the old segment is removed as a whole',
  );
  t.ok(await isSettled(await open(t, folder, options), 'a'));
});

t.test('a backup that is restored has the keys of its charges, and no later ones', async (t) => {
  const folder = folderFor(t);
  const store = await open(t, folder);
  const workspace = await addWorkspace(store, 100);
  let balance = 100;
  for (const value of ['a', 'b', 'c']) balance = await settle(store, workspace, value);
  await store.close();
  const path = join(folder, 'workspaces.json');
  writeFileSync(path, readFileSync(path).subarray(0, 50));
  await restoreStore(folder);
  const restored = await open(t, folder);
  t.equal((await restored.balance(workspace.id)).balance, balance + 1);
  for (const [value, expected] of Object.entries({ a: true, b: true, c: false }))
    t.equal(await isSettled(restored, value), expected, value);
  t.equal(await settle(restored, workspace, 'c'), balance);
  t.equal(await settle(restored, workspace, 'd'), balance - 1);
  await restored.close();
  const last = await open(t, folder);
  for (const value of ['a', 'b', 'c', 'd']) t.ok(await isSettled(last, value), value);
});

t.test('a key of a request with damaged records is free, with a warning at the start', async (t) => {
  const folder = folderFor(t);
  const store = await open(t, folder);
  const workspace = await addWorkspace(store, 10);
  await settle(store, workspace, 'a');
  await settle(store, workspace, 'b');
  await store.close();
  const path = join(folder, 'idempotency-000001.bin');
  const bytes = readFileSync(path);
  bytes[40] ^= 1;
  writeFileSync(path, bytes);
  const warnings: string[] = [];
  const again = await open(t, folder, { warn: (message) => warnings.push(message) });
  t.same(warnings, [`${path}: 1 of 2 records are damaged or missing; their keys can be charged once more`]);
  t.notOk(await isSettled(again, 'a'));
  t.ok(await isSettled(again, 'b'));
});

t.test('a damaged list of committed records is noticed', async (t) => {
  const folder = folderFor(t);
  const store = await open(t, folder);
  const workspace = await addWorkspace(store, 10);
  await settle(store, workspace, 'a');
  await settle(store, workspace, 'b');
  await store.close();
  const path = join(folder, 'workspaces.json');
  const text = readFileSync(path, 'utf8');
  t.match(text, '"bytes":256');
  writeFileSync(path, text.replace('"bytes":256', '"bytes":128'));
  await t.rejects(openEmbeddedStore(folder, quiet), { name: 'StoreError', message: /do not match its checksum/ });
});

t.test('a failed look-up of a settled key charges nothing', async (t) => {
  const folder = folderFor(t);
  let fails = false;
  const open_ = (path: string, flags: string, mode: number) =>
    fails ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : promises.open(path, flags, mode);
  const store = await open(t, folder, { ...quiet, files: { ...promises, open: open_ } as FileSystem });
  const workspace = await addWorkspace(store, 10);
  await settle(store, workspace, 'a');
  fails = true;
  const attempt = store.claimIdempotencyKey(keyOf('a'), FINGERPRINT);
  await t.rejects(attempt, { code: 'storage_unavailable', message: /^(?!.*\/)[^\n]+$/ });
  fails = false;
  t.ok(await isSettled(store, 'a'));
});
