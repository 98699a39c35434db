// Requests that race with admin commands: a revoked key is rejected from its revocation on, while requests in progress
// complete; grants, charges and reads of a workspace are linearizable.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { dice, FORM, pick, roll, rounds } from '../exhaustive.js';
import { createWorld, type Reply } from '../service/world.js';
import { type Kind, Ledger, MAX_CHARGES, MAX_GRANTS, perform } from './ledger.js';

// fault: 21, 90
t.test('rejects all requests that start after a key’s revocation, and charges the others once', async (t) => {
  let rendered = 0;
  for (const seed of rounds(12)) {
    const random = dice(seed);
    await t.test(`seed ${seed}`, async (t) => {
      const world = await createWorld(t);
      const caller = await world.caller({ credits: 40 });
      world.engine.before = async () => {
        for (let left = roll(random, 6); left > 0; left--) await turn();
      };
      const replies: Promise<{ reply: Reply; late: boolean }>[] = [];
      let revoked = false;
      const ask = () => {
        const late = revoked;
        replies.push(world.ask(caller).then((reply) => ({ reply, late })));
      };
      const pauses = async (most: number) => {
        for (let left = roll(random, most); left > 0; left--) await turn();
      };
      const revoking = pauses(12).then(async () => {
        await world.store.revokeKey(caller.keyId);
        revoked = true;
        for (let i = 0; i < 3; i++) ask();
      });
      for (let i = 0; i < 50; i++) {
        ask();
        if (random() < 0.5) await pauses(3);
      }
      await revoking;
      let charged = 0;
      let rejected = 0;
      for (const { reply, late } of await Promise.all(replies)) {
        const { status, json } = reply;
        if (status === 200) charged++;
        else if (status === 401) t.equal(json.code, 'revoked_api_key');
        else t.equal(status, 402);
        if (late && status !== 401) t.fail(`${status} after the revocation was acknowledged`);
        if (status === 401) rejected++;
      }
      t.ok(rejected > 0, 'some were late');
      rendered += charged;
      t.equal(await world.balance(caller), 40 - charged, 'requests in progress complete and are charged once');
      const held = await world.store.hold(caller.workspaceId, 40 - charged);
      t.ok('hold' in held, 'no hold remains');
    });
  }
  // other seeds may revoke the key before the first render in each of few rounds
  if (FORM === 'normal') t.ok(rendered > 0, `${rendered} rendered`);
});

// fault: 90
t.test('concurrent grants, charges and reads of a workspace are linearizable', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-crash-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const store = await openEmbeddedStore(folder, { warn: () => undefined });
  let histories = 0;
  let operations = 0;
  for (const seed of rounds(20)) {
    const random = dice(seed);
    const { firstBalance } = new Ledger();
    const workspaces = await Promise.all(
      ['a', 'b'].map(async (name) => ({
        id: (await store.createWorkspace({ name, plan: 'paid', credits: firstBalance })).id,
        ledger: new Ledger(),
      })),
    );
    const running: Promise<void>[] = [];
    for (let left = 2 * (MAX_CHARGES + MAX_GRANTS); left > 0; left--) {
      const { id, ledger } = pick(random, workspaces);
      const kind = pick<Kind>(random, ['charge', 'charge', 'grant', 'read']);
      if (ledger.has(kind)) running.push(perform(ledger, store, id, kind));
      if (random() < 0.2) await pick(random, running);
      else if (random() < 0.3) await turn();
    }
    await Promise.all(running);
    for (const { id, ledger } of workspaces) {
      const error = ledger.linearizabilityError() ?? ledger.errorAfterCrash((await store.balance(id)).balance);
      if (error !== undefined) t.fail(`seed ${seed}: ${error}`);
      operations += ledger.operations.length;
      histories++;
    }
  }
  t.ok(histories > 0);
  t.comment(`histories: ${histories}; ${operations} operations`);
  await store.close();
});
