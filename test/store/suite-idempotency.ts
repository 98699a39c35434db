// The behaviour of idempotency keys that all store implementations have.
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Test } from 'tap';
import type { IdempotencyKey, IdempotencyLease, Store } from '../../lib/store/types.js';
import { dice, roll, rounds } from '../exhaustive.js';
import { addWorkspace, holdOf, type SuiteSetup } from './suite.js';

const fingerprintOf = (body: string) => createHash('sha256').update(body).digest('hex');
const FINGERPRINT = fingerprintOf('body');

const keyOf = (value: string, keyId = 'key_1'): IdempotencyKey => ({ keyId, value });

export async function leaseOf(store: Store, key: IdempotencyKey, fingerprint = FINGERPRINT): Promise<IdempotencyLease> {
  const claim = await store.claimIdempotencyKey(key, fingerprint);
  if (!('lease' in claim)) throw new Error(`expected a lease, received ${JSON.stringify(claim)}`);
  return claim.lease;
}

export function idempotencySuite(t: Test, { open }: SuiteSetup): void {
  t.test('gives one of fifty concurrent claims of a key the lease', async (t) => {
    const store = await open(t);
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, i) => store.claimIdempotencyKey(keyOf('a'), fingerprintOf(`${i}`))),
    );
    const leases = claims.flatMap((claim) => ('lease' in claim ? [claim.lease] : []));
    t.equal(leases.length, 1);
    t.match(leases[0].key, keyOf('a'));
    for (const claim of claims) {
      if ('lease' in claim) continue;
      t.ok('inProgressMs' in claim && claim.inProgressMs > 0 && claim.inProgressMs <= 600_000, JSON.stringify(claim));
    }
  });

  t.test('a released key is free again', async (t) => {
    const store = await open(t);
    const first = await leaseOf(store, keyOf('a'));
    await store.releaseIdempotencyLease(first);
    const second = await leaseOf(store, keyOf('a'));
    t.not(second.id, first.id);
    await store.releaseIdempotencyLease(first);
    t.ok('inProgressMs' in (await store.claimIdempotencyKey(keyOf('a'), FINGERPRINT)), 'an old lease ends no new one');
    await store.releaseIdempotencyLease(second);
    await store.releaseIdempotencyLease(second);
    t.ok('lease' in (await store.claimIdempotencyKey(keyOf('a'), FINGERPRINT)));
  });

  t.test('a charge settles its key, with the first request’s fingerprint, render, version and cost', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 10);
    const values = ['a', 'b', ' ', '"', '~'.repeat(255)];
    for (const [i, value] of values.entries()) {
      const lease = await leaseOf(store, keyOf(value));
      const renderId = `render ${i}`;
      const settlement = { lease, renderId, ...(i % 2 === 1 && { templateVersion: i, brandVersion: 2 ** i }) };
      t.strictSame(await store.settle(await holdOf(store, workspace, 0.25), settlement), {
        balance: 10 - 0.25 * (i + 1),
      });
      // The caller compares the fingerprints.
      for (const fingerprint of [FINGERPRINT, fingerprintOf('other')]) {
        const expected = {
          fingerprint: FINGERPRINT,
          renderId,
          creditsCost: 0.25,
          ...(i % 2 === 1 && { templateVersion: i, brandVersion: 2 ** i }),
        };
        t.strictSame(await store.claimIdempotencyKey(keyOf(value), fingerprint), { settled: expected });
      }
      await store.releaseIdempotencyLease(lease);
      t.ok('settled' in (await store.claimIdempotencyKey(keyOf(value), FINGERPRINT)), 'a late release changes nothing');
    }
    t.ok('lease' in (await store.claimIdempotencyKey(keyOf('a', 'key_2'), FINGERPRINT)), 'each API key has its own');
    t.ok('lease' in (await store.claimIdempotencyKey(keyOf('A'), FINGERPRINT)), 'case matters');
    const running = await leaseOf(store, keyOf('running'));
    t.strictSame(
      await store.settledFingerprints([keyOf('running'), keyOf('b'), keyOf('none'), keyOf('b', 'key_2'), keyOf('a')]),
      [undefined, FINGERPRINT, undefined, undefined, FINGERPRINT],
      'many keys at once',
    );
    t.strictSame(await store.settledFingerprints([]), []);
    await store.releaseIdempotencyLease(running);
    t.strictSame(await store.settle(await holdOf(store, workspace)), { balance: 7.75 }, 'a charge without a key');
  });

  t.test('a settlement without a lease is rejected, charges nothing and ends its hold', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 1);
    const lease = await leaseOf(store, keyOf('a'));
    await store.releaseIdempotencyLease(lease);
    await t.rejects(store.settle(await holdOf(store, workspace), { lease, renderId: 'r' }));
    t.equal((await store.balance(workspace.id)).balance, 1);
    const current = await leaseOf(store, keyOf('a'));
    await t.rejects(
      store.settle(await holdOf(store, workspace), { lease, renderId: 'r' }),
      'the key has another lease',
    );
    const hold = await holdOf(store, workspace);
    t.strictSame(await store.settle(hold, { lease: current, renderId: 'r' }), { balance: 0 });
    await store.grant(workspace.id, 1);
    await t.rejects(store.settle(await holdOf(store, workspace), { lease: current, renderId: 'r' }), 'settled already');
    t.equal((await store.balance(workspace.id)).balance, 1);
    t.ok('hold' in (await store.hold(workspace.id, 1)), 'no hold is left');
  });

  t.test('a settlement without a hold is rejected and frees the key', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 2);
    const hold = await holdOf(store, workspace);
    await store.release(hold);
    await t.rejects(store.settle(hold, { lease: await leaseOf(store, keyOf('a')), renderId: 'r' }));
    t.ok('lease' in (await store.claimIdempotencyKey(keyOf('a'), FINGERPRINT)));
    t.equal((await store.balance(workspace.id)).balance, 2);
  });

  t.test('concurrent settlements with one lease charge once', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 10);
    const lease = await leaseOf(store, keyOf('a'));
    const holds = await Promise.all(Array.from({ length: 5 }, () => holdOf(store, workspace)));
    const outcomes = await Promise.allSettled(
      holds.map((hold, i) => store.settle(hold, { lease, renderId: `render ${i}` })),
    );
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    t.equal((await store.balance(workspace.id)).balance, 9);
    t.ok('settled' in (await store.claimIdempotencyKey(keyOf('a'), FINGERPRINT)));
  });

  t.test('clients that repeat at random until their key is settled are charged once for each key', async (t) => {
    for (const seed of rounds(3)) {
      const random = dice(seed);
      const store = await open(t);
      const workspace = await addWorkspace(store, 1000);
      let charges = 0;
      const renders = new Map<string, string>();
      const client = async (value: string) => {
        for (;;) {
          const claim = await store.claimIdempotencyKey(keyOf(value), FINGERPRINT);
          if ('settled' in claim) {
            if (renders.has(value)) t.equal(claim.settled.renderId, renders.get(value));
            return;
          }
          for (let turns = roll(random, 5); turns > 0; turns--) await turn();
          if (!('lease' in claim)) continue;
          const { lease } = claim;
          const hold = await holdOf(store, workspace);
          if (random() < 0.5) {
            await store.release(hold);
            await store.releaseIdempotencyLease(lease);
            continue;
          }
          const renderId = `render ${seed % 1000} ${charges++}`;
          await store.settle(hold, { lease, renderId });
          renders.set(value, renderId);
        }
      };
      const values = Array.from({ length: 15 }, (_, i) => `key ${i % 5}`);
      await Promise.all(values.map(client));
      t.equal(charges, 5, `seed ${seed}`);
      t.equal((await store.balance(workspace.id)).balance, 995);
    }
  });
}
