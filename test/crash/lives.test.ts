// Random histories of a store on a simulated disk with random faults, ended by a kill or a power cut. Afterwards all
// acknowledged operations are there, no rejected one is, the results are linearizable, and no idempotency key is charged twice.
import t, { type Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { dice, pick, roll, rounds } from '../exhaustive.js';
import { ModelDisk, PowerCut } from './disk.js';
import { type Kind, perform, repeatRejected } from './ledger.js';
import { CODES, createStore, inspect, repeatAndClose } from './modelled.js';

interface Counts {
  states: number;
  faults: number;
  cuts: number;
  uncertain: number;
}

/** Runs a random history: charges, grants, reads and revocations, failing calls, and a crash at the end. */
async function runHistory(t: Test, seed: number, counts: Counts) {
  const random = dice(seed);
  const disk = new ModelDisk(random() < 0.8);
  const { store, ledger, id } = await createStore(disk);
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
    const kind = pick<Kind>(random, ['charge', 'keyed charge', 'keyed charge', 'keyed charge', 'grant', 'read']);
    if (ledger.has(kind)) {
      const before = faults;
      // The store undoes one fault before it answers. If the undoing fails too, the written snapshot may remain.
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
    if (random() < 0.2) {
      const before = faults;
      running.push(repeatRejected(ledger, store, id, () => off || faults - before > 1));
    }
    if (random() < 0.4) await Promise.all(running);
    else for (let turn = roll(random, 8); turn > 0; turn--) await Promise.resolve();
  }
  if (random() < 0.5) await Promise.all(running);
  const ends = [disk.afterKill(), ...Array.from({ length: 8 }, () => disk.afterPowerCut(random))];
  const state = revoked as string;
  // From here on, all calls of this store fail.
  off = true;
  for (const remaining of ends) {
    counts.states++;
    const again = await inspect(t, remaining, ledger, id, `seed ${seed}`);
    const found = (await again.findKey(hash))?.key.state;
    if (state === 'revoked' && found !== 'revoked') t.fail(`seed ${seed}: a revoked key works again`);
    if (state === 'active' && found !== 'active') t.fail(`seed ${seed}: a key is ${found} without a request`);
    await repeatAndClose(t, remaining, again, ledger, id, `seed ${seed}`);
  }
  const error = ledger.linearizabilityError();
  if (error !== undefined) t.fail(`seed ${seed}: ${error}`);
  counts.faults += faults;
  counts.cuts += cut ? 1 : 0;
  counts.uncertain += ledger.operations.filter(({ isUncertain }) => isUncertain).length;
  await Promise.all(running);
}

// fault: 85
t.test('random histories with faults and a crash lose nothing that was acknowledged', async (t) => {
  const counts: Counts = { states: 0, faults: 0, cuts: 0, uncertain: 0 };
  let histories = 0;
  for (const seed of rounds(250)) {
    await runHistory(t, seed, counts);
    histories++;
  }
  t.ok(histories > 0);
  t.comment(`histories: ${histories}; ${JSON.stringify(counts)}`);
});
