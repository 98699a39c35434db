// Random lives of a credit store: charges, grants, reads and revocations on a disk that fails as the dice say, ended by
// a kill or a power cut. All that was acknowledged is there, nothing that was refused, and the answers fit in one order.
import t, { type Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { dice, pick, roll, rounds } from '../exhaustive.js';
import { ModelDisk, PowerCut } from './disk.js';
import { type Kind, perform } from './ledger.js';
import { begin, CODES, inspect } from './modelled.js';

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

// fault: 85
t.test('random lives', async (t) => {
  const counts = { states: 0, faults: 0, cuts: 0, doubtful: 0 };
  let lives = 0;
  for (const seed of rounds(250)) {
    await live(t, seed, counts);
    lives++;
  }
  t.ok(lives > 0);
  t.comment(`lives: ${lives}; ${JSON.stringify(counts)}`);
});
