// SIGKILL at random times during charges: the balance lacks the acknowledged charges and at most those in flight besides,
// and no file is corrupt. Charges with idempotency keys that are repeated until they succeed happen once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openAdminStore } from '../../lib/store/open.js';
import { dice, pick, rounds } from '../exhaustive.js';
import { addWorkspace } from '../store/suite.js';
import { buildChild } from './built.js';

/** Makes charges endlessly, four at a time; prints `?` before each and `!` after it is acknowledged. */
const CHARGER = `
import { writeSync } from 'node:fs';
import { serveStore } from './lib/store/open.js';
const [folder, id] = process.argv.slice(2);
const store = await serveStore(folder);
const charge = async () => {
  for (;;) {
    const { hold } = await store.hold(id, 1);
    writeSync(1, '?');
    await store.settle(hold);
    writeSync(1, '!');
    store.appendRender({ id: 'r', time: new Date().toISOString(), workspaceId: id, metadata: { text: 'x'.repeat(500) } });
  }
};
await Promise.all([charge(), charge(), charge(), charge()]);
`;

// fault: 83
t.test('loses no acknowledged charge when killed at any time', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(place, { recursive: true, force: true }));
  buildChild(place, CHARGER);
  const folder = join(place, 'data');
  const granted = 1_000_000;
  const first = await openAdminStore(folder, { create: true });
  const { id } = await addWorkspace(first as never, granted);
  await first.close();
  let balance = granted;
  let charged = 0;
  let kills = 0;
  for (const seed of rounds(10)) {
    const child = spawn(process.execPath, ['child.mjs', folder, id], { cwd: place });
    const random = dice(seed);
    // Some are killed before the first charge is acknowledged, others after it.
    const mark = pick(random, ['?', '!']);
    const { started, acknowledged } = await killAfter(child, mark, random() * 25, t);
    t.ok(mark === '?' ? started > 0 : acknowledged > 0, `seed ${seed}: killed during charges`);
    const admin = await openAdminStore(folder);
    const after = (await admin.balance(id)).balance;
    if (kills++ % 10 === 0) await admin.listRenders(id, {}, { limit: 1000 });
    await admin.close();
    t.ok(
      balance - after >= acknowledged && balance - after <= started,
      `${acknowledged} acknowledged, ${balance - after} charged, ${started} started`,
    );
    t.ok(started - acknowledged <= 4, 'at most four in flight');
    charged += acknowledged;
    balance = after;
  }
  t.comment(`kills: ${kills}; ${charged} charges acknowledged, ${granted - balance} made`);
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.json')) t.doesNotThrow(() => JSON.parse(readFileSync(join(folder, name), 'utf8')), name);
  }
});

/** Kills the child `milliseconds` after it has printed `mark`, and counts the charges that it has printed. */
async function killAfter(child: ChildProcess, mark: string, milliseconds: number, t: { comment(text: string): void }) {
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
  if (errors !== '') t.comment(errors);
  const count = (each: string) => output.split(each).length - 1;
  return { output, started: count('?'), acknowledged: count('!') };
}

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

// fault: 91
t.test('charges a key once that is repeated after each kill until it is settled', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(place, { recursive: true, force: true }));
  buildChild(place, CLIENTS);
  const folder = join(place, 'data');
  const granted = 1_000_000;
  const first = await openAdminStore(folder, { create: true });
  const { id } = await addWorkspace(first as never, granted);
  await first.close();
  const next = [0, 0, 0, 0];
  let repeated = 0;
  for (const seed of rounds(10)) {
    const random = dice(seed);
    const child = spawn(process.execPath, ['child.mjs', folder, id, ...next.map(String)], { cwd: place });
    const { output } = await killAfter(child, '!', random() * 25, t);
    for (const [, client, number] of output.matchAll(/^! (\d) (\d+)$/gm)) next[Number(client)] = Number(number) + 1;
    const store = await openEmbeddedStore(folder);
    const { balance } = await store.balance(id);
    let settled = next.reduce((sum, count) => sum + count, 0);
    for (const [client, number] of next.entries()) {
      // The one in flight: charged without an answer, or not.
      for (const value of [`${client} ${number - 1}`, `${client} ${number}`, `${client} ${number + 1}`]) {
        const claim = await store.claimIdempotencyKey({ keyId: 'key', value }, '0'.repeat(64));
        const isAcknowledged = Number(value.slice(2)) < number;
        if (isAcknowledged && number > 0) t.ok('settled' in claim, `${value} is not forgotten`);
        else if ('settled' in claim) {
          settled++;
          repeated++;
          t.equal(value, `${client} ${number}`, 'only the one in flight');
        }
      }
    }
    const lines = (await store.listLedger(id, { limit: 200 })).items;
    await store.close();
    t.equal(granted - balance, settled, `seed ${seed}: charges and settled keys`);
    t.strictSame(
      lines.filter(({ kind }) => kind !== 'charge').map(({ amount }) => amount),
      [granted],
    );
    const renders = lines.reduce((sum, line) => sum + (line.kind === 'charge' ? line.renders : 0), 0);
    t.equal(renders, settled, `seed ${seed}: the ledger has each charge`);
  }
  t.comment(`keys: ${next.reduce((sum, count) => sum + count, 0)} answered; ${repeated} charged without an answer`);
});
