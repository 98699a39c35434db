// The credit store on a disk that loses power, fails and fills up: whatever is left of it, the store opens, and the
// balance is what the acknowledged charges and grants make it, or one of what was in flight besides.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded.js';
import { createRawKey, hashKey } from '../../lib/store/keys.js';
import type { Store } from '../../lib/store/store.js';
import { type Call, type Fault, ModelDisk, PowerCut } from './disk.js';
import { type Kind, Ledger, perform } from './ledger.js';
import { dice, pick, roll, rounds } from './rounds.js';

/** The model holds the tables; the folder itself, and the render log, are of no account here. */
const folder = mkdtempSync(join(tmpdir(), 'platen-crash-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

const CODES = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];

const open = (disk: ModelDisk) => openEmbeddedStore(folder, { files: disk.files, warn: () => undefined });

async function begin(disk: ModelDisk) {
  const store = await open(disk);
  const ledger = new Ledger();
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: ledger.start });
  disk.calls = 0;
  return { store, ledger, id };
}

/** Opens what is left, asks the ledger about it, and charges once more. */
async function inspect(t: Test, left: ModelDisk, ledger: Ledger, id: string, what: string): Promise<Store> {
  const store = await open(left);
  const { balance } = await store.balance(id);
  const fault = ledger.faultAfterCrash(balance);
  if (fault !== undefined) t.fail(`${what}: ${fault}`);
  return store;
}

t.test('the power goes at every call of three batches: every mixture of names, every torn form', async (t) => {
  for (const links of [true, false]) {
    let states = 0;
    let cuts = 0;
    for (let cut = 0; ; cut++) {
      const disk = new ModelDisk(links);
      const { store, ledger, id } = await begin(disk);
      disk.fault = () => {
        if (disk.calls >= cut) throw new PowerCut('the power is off');
        return undefined;
      };
      for (let batch = 0; batch < 3; batch++) {
        const kinds: Kind[] = batch === 1 ? ['charge', 'grant'] : ['charge', 'charge'];
        await Promise.all(kinds.map((kind) => perform(ledger, store, id, kind, () => true)));
      }
      if (disk.calls < cut) break;
      cuts++;
      for (const left of disk.allAfterPowerCut()) {
        states++;
        const again = await inspect(t, left, ledger, id, `cut at call ${cut}, state ${states}`);
        const { balance } = await again.grant(id, 2 ** 31);
        await again.close();
        t.equal((await (await open(left)).balance(id)).balance, balance, 'it goes on from there');
      }
    }
    t.ok(cuts >= 24 && states > 1000, `${cuts} cuts, ${states} states, ${links ? 'with' : 'without'} hard links`);
    t.comment(`power: ${cuts} cuts, ${states} states, ${links ? 'links' : 'copies'}`);
  }
});

t.test('every call fails once, with each code, before or after its effect', async (t) => {
  let failures = 0;
  const calls = new Set<Call>();
  for (const links of [true, false]) {
    for (const code of CODES) {
      for (const late of [false, true]) {
        const disk = new ModelDisk(links);
        const { store, ledger, id } = await begin(disk);
        await perform(ledger, store, id, 'charge');
        const each = disk.calls;
        for (let failing = 0; failing < each; failing++) {
          let failed: Call | undefined;
          disk.calls = 0;
          disk.fault = (call): Fault | undefined => {
            if (disk.calls !== failing || failed) return undefined;
            failed = call;
            calls.add(call);
            return { code, late };
          };
          const before = (await store.balance(id)).balance;
          const held = await store.hold(id, 2 ** 20);
          const what = `${code} at call ${failing}${late ? ', after its effect' : ''}`;
          const outcome = await store.settle((held as { hold: never }).hold).catch((error) => error);
          failures++;
          // A link that can't be made is replaced by a copy; all other calls are needed.
          if (outcome instanceof Error) t.match(outcome, { code: 'storage_unavailable' }, `${what}: ${failed}`);
          else t.equal(failed, 'link', `${what}: charged`);
          const charged = outcome instanceof Error ? 0 : 2 ** 20;
          const now = (await store.balance(id)).balance;
          t.equal(now, before - charged, `${what}: memory`);
          if (charged > 0) await store.grant(id, charged);
          for (const left of [
            disk.afterKill(),
            disk.afterPowerCut(dice(failing)),
            disk.afterPowerCut(dice(-failing)),
          ]) {
            t.equal((await (await open(left)).balance(id)).balance, before, `${what}: disk`);
          }
          t.ok('hold' in (await store.hold(id, 0)), 'it goes on');
        }
        disk.fault = () => undefined;
        await perform(ledger, store, id, 'charge');
        t.equal(ledger.faultAfterCrash((await (await open(disk.afterKill())).balance(id)).balance), undefined);
      }
    }
  }
  const met: Call[] = ['open', 'write', 'sync', 'close', 'link', 'rename', 'copy'];
  for (const call of met) t.ok(calls.has(call), call);
  t.comment(`faults: ${failures} single faults`);
});

t.test('a file whose sync failed is never synced again: another one is written', async (t) => {
  const disk = new ModelDisk();
  const { store, id } = await begin(disk);
  const seen: string[] = [];
  disk.fault = (call, path) => {
    if (path.endsWith('.tmp') && (call === 'open' || call === 'sync')) seen.push(call);
    return call === 'sync' && seen.length === 2 ? { code: 'EIO', late: false } : undefined;
  };
  await t.rejects(store.grant(id, 2 ** 30), { code: 'storage_unavailable' });
  await store.grant(id, 2 ** 29);
  t.same(seen, ['open', 'sync', 'open', 'sync']);
});

t.test(
  'a charge that was refused, and could not be taken back then, is taken back when the store closes',
  async (t) => {
    const disk = new ModelDisk();
    const { store, ledger, id } = await begin(disk);
    let gone = false;
    disk.fault = (call, path) => {
      gone ||= call === 'sync' && path === folder;
      return gone ? { code: 'EIO', late: false } : undefined;
    };
    const held = await store.hold(id, 1);
    await t.rejects(store.settle((held as { hold: never }).hold), { code: 'storage_unavailable' });
    const balanceOn = async (left: ModelDisk) => (await (await open(left)).balance(id)).balance;
    t.equal(await balanceOn(disk.afterKill()), ledger.start - 1, 'what the disk shows meanwhile');
    disk.fault = () => undefined;
    await store.close();
    t.equal(await balanceOn(disk.afterKill()), ledger.start);
    for (const left of disk.allAfterPowerCut()) t.equal(await balanceOn(left), ledger.start);
  },
);

t.test('a sync of the folder that fails for one table takes nothing from another', async (t) => {
  for (let failing = 0; failing < 6; failing++) {
    const disk = new ModelDisk();
    const { store, ledger, id } = await begin(disk);
    const hash = hashKey(createRawKey());
    const key = await store.createKey({ workspaceId: id, name: 'k', scopes: [], hash });
    let syncs = 0;
    disk.fault = (call, path) =>
      call === 'sync' && path === folder && syncs++ === failing ? { code: 'EIO', late: false } : undefined;
    const charging = perform(ledger, store, id, 'charge');
    const revoking = store.revokeKey(key.id).then(
      () => 'revoked',
      () => 'active',
    );
    await charging;
    const state = await revoking;
    for (const left of disk.allAfterPowerCut()) {
      const again = await inspect(t, left, ledger, id, `sync ${failing}`);
      t.equal((await again.findKey(hash))?.key.state, state, `sync ${failing}`);
    }
  }
});

/** One random life of a store: charges, grants, reads and revocations, failing calls, and an end by some crash. */
async function live(t: Test, seed: number, counts: { states: number; faults: number; cuts: number; doubtful: number }) {
  const random = dice(seed);
  const disk = new ModelDisk(random() < 0.8);
  const { store, ledger, id } = await begin(disk);
  const hash = hashKey(createRawKey());
  const key = await store.createKey({ workspaceId: id, name: 'k', scopes: ['render:write'], hash });
  const cutAt = random() < 0.7 ? roll(random, 250) : Number.POSITIVE_INFINITY;
  const rate = pick(random, [0, 0, 0.02, 0.1, 0.5]);
  let faults = 0;
  let off = false;
  let cut = false;
  disk.calls = 0;
  disk.fault = () => {
    cut ||= disk.calls >= cutAt;
    off ||= cut;
    if (off) throw new PowerCut('the power is off');
    if (random() >= rate) return undefined;
    faults++;
    return { code: pick(random, CODES), late: random() < 0.4 };
  };
  let revoked = 'active' as 'active' | 'asked' | 'revoked';
  const running: Promise<unknown>[] = [];
  for (let step = roll(random, 30); step > 0 && !off; step--) {
    const kind = pick<Kind>(random, ['charge', 'charge', 'charge', 'grant', 'read']);
    if (ledger.has(kind)) {
      const before = faults;
      // One fault is undone before anybody is answered; when that fails as well, what was written may stand.
      running.push(perform(ledger, store, id, kind, () => off || faults - before > 1));
    }
    if (revoked !== 'revoked' && random() < 0.05) {
      revoked = 'asked';
      running.push(
        store.revokeKey(key.id).then(
          () => {
            revoked = 'revoked';
          },
          () => undefined,
        ),
      );
    }
    if (random() < 0.4) await Promise.all(running);
    else for (let turn = roll(random, 8); turn > 0; turn--) await Promise.resolve();
  }
  if (random() < 0.5) await Promise.all(running);
  const ends = [disk.afterKill(), ...Array.from({ length: 8 }, () => disk.afterPowerCut(random))];
  const state = revoked as string;
  // Nothing that this store does from here on is of account.
  off = true;
  for (const left of ends) {
    counts.states++;
    const again = await inspect(t, left, ledger, id, `seed ${seed}`);
    const found = (await again.findKey(hash))?.key.state;
    if (state === 'revoked' && found !== 'revoked') t.fail(`seed ${seed}: a revoked key works again`);
    if (state === 'active' && found !== 'active') t.fail(`seed ${seed}: a key is ${found}, nobody had asked for it`);
    await again.close();
  }
  const order = ledger.faultInOrder();
  if (order !== undefined) t.fail(`seed ${seed}: ${order}`);
  counts.faults += faults;
  counts.cuts += cut ? 1 : 0;
  counts.doubtful += ledger.operations.filter(({ doubtful }) => doubtful).length;
  await Promise.all(running);
}

t.test('random lives', async (t) => {
  const counts = { states: 0, faults: 0, cuts: 0, doubtful: 0 };
  let lives = 0;
  for (const seed of rounds(400)) {
    await live(t, seed, counts);
    lives++;
  }
  t.ok(lives > 0);
  t.comment(`lives: ${lives}; ${JSON.stringify(counts)}`);
});
