// kill -9 in the middle of charges, at moments that nobody chose: the balance is what was granted less what was
// acknowledged, or less by renders that were in flight; no file is ever corrupt.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openAdminStore } from '../../lib/store/open.js';
import { dice, pick, rounds } from '../exhaustive.js';
import { addWorkspace } from '../store/suite.js';
import { buildChild } from './built.js';

/** Charges without end, four at a time, and says on its output what it asks and what it was told. */
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
    store.appendRender({ id: 'r', workspaceId: id, metadata: { text: 'x'.repeat(500) } });
  }
};
await Promise.all([charge(), charge(), charge(), charge()]);
`;

// fault: 83
t.test('kill -9 at any moment', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(place, { recursive: true, force: true }));
  buildChild(place, 'lib/store/open.ts', CHARGER);
  const folder = join(place, 'data');
  const granted = 1_000_000;
  const first = await openAdminStore(folder, { create: true });
  const { id } = await addWorkspace(first as never, granted);
  await first.close();
  let balance = granted;
  let charged = 0;
  let kills = 0;
  for (const seed of rounds(10)) {
    const child = spawn(process.execPath, ['child.js', folder, id], { cwd: place });
    const random = dice(seed);
    // Some before they have charged anything, others as soon as they have.
    const { asked, told } = await killed(child, pick(random, ['?', '!']), random() * 25, t);
    const admin = await openAdminStore(folder);
    const after = (await admin.balance(id)).balance;
    if (kills++ % 10 === 0) await admin.listRenders(id, 1000);
    await admin.close();
    t.ok(
      balance - after >= told && balance - after <= asked,
      `${told} told, ${balance - after} charged, ${asked} asked`,
    );
    t.ok(asked - told <= 4, 'at most those in flight');
    charged += told;
    balance = after;
  }
  t.ok(charged > 0, `${charged} charges`);
  t.comment(`kills: ${kills}; ${charged} charges acknowledged, ${granted - balance} made`);
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.json')) t.doesNotThrow(() => JSON.parse(readFileSync(join(folder, name), 'utf8')), name);
  }
});

/** Kills the child so many milliseconds after it has said `word`, and counts what it has said. */
async function killed(child: ChildProcess, word: string, milliseconds: number, t: { comment(text: string): void }) {
  let said = '';
  let errors = '';
  child.stdout!.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const closed = once(child, 'close');
  while (!said.includes(word)) {
    const more = await Promise.race([once(child.stdout!, 'data'), closed.then(() => undefined)]);
    if (!more) break;
  }
  await sleep(milliseconds);
  child.kill('SIGKILL');
  await closed;
  if (errors !== '') t.comment(errors);
  const count = (each: string) => said.split(each).length - 1;
  return { asked: count('?'), told: count('!') };
}
