// The store on a simulated disk that loses power, fails and fills up: it always opens again, and the balance includes all
// acknowledged operations and only operations in flight besides. A key is settled if and only if its charge is included.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import type { IdempotencyLease, Store } from '../../lib/store/types.js';
import { dice, FORM } from '../exhaustive.js';
import { type Call, type Fault, ModelDisk, PowerCut } from './disk.js';
import { type Kind, perform } from './ledger.js';
import { CODES, createStore, folder, inspect, open, repeatAndClose } from './modelled.js';

// fault: 85
t.test('survives a power cut at every call of three batches, in every possible state of the disk', async (t) => {
  for (const links of [true, false]) {
    let states = 0;
    let cuts = 0;
    for (let cut = 0; ; cut++) {
      const disk = new ModelDisk(links);
      const { store, ledger, id } = await createStore(disk);
      disk.fault = () => {
        if (disk.calls >= cut) throw new PowerCut('the power is off');
        return undefined;
      };
      for (let batch = 0; batch < 3; batch++) {
        const kinds: Kind[] = batch === 1 ? ['keyed charge', 'grant'] : ['keyed charge', 'charge'];
        await Promise.all(kinds.map((kind) => perform(ledger, store, id, kind, () => true)));
      }
      if (disk.calls < cut) break;
      cuts++;
      for (const left of disk.allAfterPowerCut()) {
        states++;
        // The exhaustive form opens the store in every state, and continues from each.
        if (FORM === 'normal' && states % 4 > 0) continue;
        const what = `cut at call ${cut}, state ${states}`;
        const again = await inspect(t, left, ledger, id, what);
        if (FORM === 'normal' && states % 12 > 0) continue;
        await repeatAndClose(t, left, again, ledger, id, what);
        const third = await open(left);
        const { balance } = await third.grant(id, 2 ** 31);
        await third.close();
        t.equal((await (await open(left)).balance(id)).balance, balance, 'further changes are durable');
      }
    }
    t.ok(cuts >= 24 && states > 1000, `${cuts} cuts, ${states} states, ${links ? 'with' : 'without'} hard links`);
    t.comment(`power: ${cuts} cuts, ${states} states, ${links ? 'links' : 'copies'}`);
  }
});

// fault: 85
t.test('a power cut while lines move to the table of the ledger neither loses nor doubles one', async (t) => {
  const grants = Array.from({ length: 60 }, (_, n) => n + 1);
  let states = 0;
  for (let cut = 0; ; cut++) {
    const disk = new ModelDisk();
    const { store, id } = await createStore(disk);
    await Promise.all(grants.map((amount) => store.grant(id, amount)));
    const before = (await store.listLedger(id, { limit: 200 })).items;
    t.equal(before.length, 61);
    disk.calls = 0;
    disk.fault = () => {
      if (disk.calls >= cut) throw new PowerCut('the power is off');
      return undefined;
    };
    await store.close().catch(() => undefined);
    if (disk.calls < cut) break;
    for (const left of disk.allAfterPowerCut()) {
      states++;
      const again = await open(left);
      t.strictSame((await again.listLedger(id, { limit: 200 })).items, before, `cut at call ${cut}, state ${states}`);
      await again.close();
      const third = await open(left);
      t.strictSame((await third.listLedger(id, { limit: 200 })).items, before, `state ${states}, closed again`);
    }
  }
  t.ok(states > 50, `${states} states`);
});

/** Charges a millionth of a credit with a key that is not used elsewhere. */
async function settleNew(store: Store, id: string): Promise<void> {
  const claim = await store.claimIdempotencyKey({ keyId: 'key', value: randomUUID() }, '0'.repeat(64));
  const held = await store.hold(id, 0.000001);
  if ('hold' in held && 'lease' in claim) await store.settle(held.hold, { lease: claim.lease, renderId: 'render' });
}

// fault: 84
t.test('survives a failure of each call, with each code, before or after its effect', async (t) => {
  let failures = 0;
  const calls = new Set<Call>();
  for (const links of [true, false]) {
    for (const code of CODES) {
      for (const late of [false, true]) {
        const disk = new ModelDisk(links);
        const { store, ledger, id } = await createStore(disk);
        await perform(ledger, store, id, 'keyed charge');
        const each = disk.calls;
        // The segment of records is either new for each charge, which needs a few calls more, or an old one.
        const isFresh = code === 'EIO' || code === 'EROFS';
        for (let failing = 0; failing < each + 4; failing++) {
          if (isFresh) {
            disk.fault = (_call, path) => (path.endsWith('.bin') ? { code, late } : undefined);
            await t.rejects(settleNew(store, id), { code: 'storage_unavailable' });
          }
          let failed: Call | undefined;
          let canContinue = false;
          disk.calls = 0;
          disk.fault = (call, path): Fault | undefined => {
            if (disk.calls !== failing || failed) return undefined;
            failed = call;
            // If linking fails the store copies the file. An old segment of records need not be closed or removed.
            canContinue = call === 'link' || (path.endsWith('.bin') && (call === 'close' || call === 'remove'));
            calls.add(call);
            return { code, late };
          };
          const before = (await store.balance(id)).balance;
          const held = await store.hold(id, 2 ** 20);
          const what = `${code} at call ${failing}${late ? ', after its effect' : ''}`;
          const key = { keyId: 'key', value: what };
          const claim = async (from = store) => await from.claimIdempotencyKey(key, '0'.repeat(64));
          const { lease } = (await claim()) as { lease: IdempotencyLease };
          const outcome = await store
            .settle((held as { hold: never }).hold, { lease, renderId: 'render' })
            .catch((error) => error);
          failures++;
          if (outcome instanceof Error) t.match(outcome, { code: 'storage_unavailable' }, `${what}: ${failed}`);
          else t.ok(canContinue || !failed, `${what}: ${failed}: charged`);
          disk.fault = () => undefined;
          const charged = outcome instanceof Error ? 0 : 2 ** 20;
          const after = await claim();
          t.equal('settled' in after, charged > 0, `${what}: the key in memory`);
          if ('lease' in after) await store.releaseIdempotencyLease(after.lease);
          const now = (await store.balance(id)).balance;
          t.equal(now, before - charged, `${what}: memory`);
          if (charged > 0) await store.grant(id, charged);
          for (const left of [
            disk.afterKill(),
            disk.afterPowerCut(dice(failing)),
            disk.afterPowerCut(dice(-failing)),
          ]) {
            const again = await open(left);
            t.equal((await again.balance(id)).balance, before, `${what}: disk`);
            t.equal('settled' in (await claim(again)), charged > 0, `${what}: the key on the disk`);
          }
          t.ok('hold' in (await store.hold(id, 0)), 'the store still works');
        }
        await perform(ledger, store, id, 'charge');
        t.equal(ledger.errorAfterCrash((await (await open(disk.afterKill())).balance(id)).balance), undefined);
      }
    }
  }
  const met: Call[] = ['open', 'write', 'sync', 'close', 'link', 'rename', 'copy', 'remove'];
  for (const call of met) t.ok(calls.has(call), call);
  t.comment(`faults: ${failures} single faults`);
});

// fault: 84
t.test('writes a new file after a failed sync instead of syncing the old one again', async (t) => {
  const disk = new ModelDisk();
  const { store, id } = await createStore(disk);
  const seen: string[] = [];
  disk.fault = (call, path) => {
    if (path.endsWith('.tmp') && (call === 'open' || call === 'sync')) seen.push(call);
    return call === 'sync' && seen.length === 2 ? { code: 'EIO', late: false } : undefined;
  };
  await t.rejects(store.grant(id, 2 ** 30), { code: 'storage_unavailable' });
  await store.grant(id, 2 ** 29);
  t.same(seen, ['open', 'sync', 'open', 'sync']);
});

t.test('close undoes a rejected charge whose undoing failed before', async (t) => {
  const disk = new ModelDisk();
  const { store, ledger, id } = await createStore(disk);
  let gone = false;
  disk.fault = (call, path) => {
    gone ||= call === 'sync' && path === folder;
    return gone ? { code: 'EIO', late: false } : undefined;
  };
  const held = await store.hold(id, 1);
  await t.rejects(store.settle((held as { hold: never }).hold), { code: 'storage_unavailable' });
  const balanceOn = async (left: ModelDisk) => (await (await open(left)).balance(id)).balance;
  t.equal(await balanceOn(disk.afterKill()), ledger.firstBalance - 1, 'on the disk until then');
  disk.fault = () => undefined;
  await store.close();
  t.equal(await balanceOn(disk.afterKill()), ledger.firstBalance);
  for (const left of disk.allAfterPowerCut()) t.equal(await balanceOn(left), ledger.firstBalance);
});

t.test('a failed sync of the folder for one table loses no change of another', async (t) => {
  for (let failing = 0; failing < 6; failing++) {
    const disk = new ModelDisk();
    const { store, ledger, id } = await createStore(disk);
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
