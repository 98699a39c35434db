// The credit store on a disk that loses power, fails and fills up: whatever is left of it, the store opens, and the
// balance is what the acknowledged charges and grants make it, or one of what was in flight besides.
import t from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { dice } from '../exhaustive.js';
import { type Call, type Fault, ModelDisk, PowerCut } from './disk.js';
import { type Kind, perform } from './ledger.js';
import { begin, CODES, folder, inspect, open } from './modelled.js';

// fault: 85
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

// fault: 84
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

// fault: 84
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
