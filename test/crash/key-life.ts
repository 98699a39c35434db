// The life of a data folder whose charging process is killed again and again: four clients charge with idempotency keys, and
// repeat a key after each kill until it is settled.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openAdminStore } from '../../lib/store/open.js';
import { addWorkspace } from '../store/suite.js';
import { buildChild } from './built.js';

const GRANTED = 1_000_000;
/** The child is killed at most so long after its first answer. */
const MAX_DELAY_MS = 25;

/** Four clients: each charges with the keys `CLIENT NUMBER` for ever, and prints `! CLIENT NUMBER` for each that is settled. */
const CLIENTS = `
import { writeSync } from 'node:fs';
import { serveStore } from './lib/store/open.js';
const [folder, id, ...starts] = process.argv.slice(2);
const store = await serveStore(folder);
const client = async (name, from) => {
  for (let number = from; ; number++) {
    const key = { keyId: 'key', value: name + ' ' + number };
    const claim = await store.claimIdempotencyKey(key, '0'.repeat(64));
    if (!claim.settled) {
      const { hold } = await store.hold(id, 1);
      await store.settle(hold, { lease: claim.lease, renderId: key.value });
    } else if (claim.settled.renderId !== key.value) throw new Error('the record of another key');
    writeSync(1, '! ' + key.value + '\\n');
  }
};
await Promise.all(starts.map((from, name) => client(name, Number(from))));
`;

/** Kills the child `milliseconds` after it has printed `mark`, and counts the charges that it has printed. */
export async function killAfter(child: ChildProcess, mark: string, milliseconds: number) {
  let output = '';
  let errors = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const closed = once(child, 'close');
  while (!output.includes(mark)) {
    const more = await Promise.race([once(child.stdout!, 'data'), closed.then(() => undefined)]);
    if (!more) break;
  }
  await sleep(milliseconds);
  child.kill('SIGKILL');
  await closed;
  const count = (each: string) => output.split(each).length - 1;
  return { output, errors, started: count('?'), acknowledged: count('!') };
}

export interface KeyLife {
  /** Starts the charging process, kills it, and returns what does not add up in the folder. */
  kill(random: () => number): Promise<{ readonly problems: readonly string[] }>;
  /** Number of keys that were answered, and that were charged without an answer. */
  answered(): number;
  repeated(): number;
}

/** Makes a data folder and the program that charges in it, both in `place`. */
export async function startKeyLife(place: string): Promise<KeyLife> {
  buildChild(place, CLIENTS);
  const folder = join(place, 'data');
  const first = await openAdminStore(folder, { create: true });
  const { id } = await addWorkspace(first as never, GRANTED);
  await first.close();
  const next = [0, 0, 0, 0];
  let repeated = 0;
  return {
    answered: () => next.reduce((sum, count) => sum + count, 0),
    repeated: () => repeated,
    async kill(random) {
      const problems: string[] = [];
      const child = spawn(process.execPath, ['child.mjs', folder, id, ...next.map(String)], { cwd: place });
      const { output, errors } = await killAfter(child, '!', random() * MAX_DELAY_MS);
      if (errors !== '') problems.push(`the process said: ${errors.slice(0, 300)}`);
      for (const [, client, number] of output.matchAll(/^! (\d) (\d+)$/gm)) next[Number(client)] = Number(number) + 1;
      const store = await openEmbeddedStore(folder);
      const { balance } = await store.balance(id);
      let settled = next.reduce((sum, count) => sum + count, 0);
      for (const [client, number] of next.entries()) {
        // The key in flight may be charged without an answer, or not.
        for (const value of [`${client} ${number - 1}`, `${client} ${number}`, `${client} ${number + 1}`]) {
          const claim = await store.claimIdempotencyKey({ keyId: 'key', value }, '0'.repeat(64));
          const isAcknowledged = Number(value.slice(2)) < number;
          if (isAcknowledged && number > 0) {
            if (!('settled' in claim)) problems.push(`the settled key ${value} is forgotten`);
          } else if ('settled' in claim) {
            settled++;
            repeated++;
            if (value !== `${client} ${number}`) problems.push(`the key ${value} is settled, which was not in flight`);
          }
        }
      }
      const lines = (await store.listLedger(id, { limit: 200 })).items;
      await store.close();
      if (GRANTED - balance !== settled) problems.push(`${GRANTED - balance} charged, ${settled} keys settled`);
      const grants = lines.filter(({ kind }) => kind !== 'charge').map(({ amount }) => amount);
      if (grants.join() !== String(GRANTED)) problems.push(`the ledger has the grants ${grants.join()}`);
      const renders = lines.reduce((sum, line) => sum + (line.kind === 'charge' ? line.renders! : 0), 0);
      if (renders !== settled) problems.push(`the ledger has ${renders} charges, ${settled} keys settled`);
      return { problems };
    },
  };
}
