// SIGKILL at random times during charges: the balance lacks the acknowledged charges and at most those in flight besides,
// and no file is corrupt. Charges with idempotency keys that are repeated until they succeed happen once.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { openAdminStore } from '../../lib/store/open.js';
import { dice, pick, rounds } from '../exhaustive.js';
import { addWorkspace } from '../store/suite.js';
import { buildChild } from './built.js';
import { killAfter, startKeyLife } from './key-life.js';

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
    const { started, acknowledged, errors } = await killAfter(child, mark, random() * 25);
    if (errors !== '') t.comment(errors);
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

// fault: 91
t.test('charges a key once that is repeated after each kill until it is settled', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(place, { recursive: true, force: true }));
  const life = await startKeyLife(place);
  for (const seed of rounds(10)) t.strictSame((await life.kill(dice(seed))).problems, [], `seed ${seed}`);
  t.comment(`keys: ${life.answered()} answered; ${life.repeated()} charged without an answer`);
});
