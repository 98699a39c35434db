// Power cuts and kill -9 in the middle of charges: the balance is what was granted less what was acknowledged, or less
// by renders that were in flight; no file is ever corrupt.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded.js';
import { openAdminStore } from '../../lib/store/open.js';
import { erase, ROOT } from '../checkout.js';
import { PowerlessDisk } from './powerless.js';
import { addWorkspace } from './suite.js';

const quiet = { warn: () => undefined };

t.test('a power cut at every call, whatever of it reached the platter', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  let cuts = 0;
  for (let call = 0; ; call++) {
    const disk = new PowerlessDisk();
    const store = await openEmbeddedStore(folder, { ...quiet, files: disk.files });
    const { id } = await addWorkspace(store, 100);
    disk.cutAt(call);
    let asked = 0;
    let acknowledged = 0;
    const charge = async (cost: number) => {
      const held = await store.hold(id, cost);
      if (!('hold' in held)) throw new Error('the credits ran out');
      asked += cost;
      await store.settle(held.hold).then(
        () => {
          acknowledged += cost;
        },
        () => undefined,
      );
    };
    for (let round = 0; round < 3; round++) await Promise.all([charge(1), charge(2)]);
    await store.close();
    if (acknowledged === asked) break;
    cuts++;
    for (const names of ['synced', 'last'] as const) {
      for (const contents of ['synced', 'torn'] as const) {
        const { files } = disk.after(names, contents);
        const again = await openEmbeddedStore(folder, { ...quiet, files });
        const { balance } = await again.balance(id);
        const what = `cut at call ${call}, ${names} names, ${contents} contents: ${balance}, ${acknowledged} charged`;
        // Nobody has heard of more than one batch that failed.
        if (balance > 100 - acknowledged || balance < 100 - acknowledged - 3) t.fail(what);
        await again.close();
      }
    }
  }
  t.ok(cuts >= 24, `${cuts} cuts`);
});

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

/** The store's room and what it imports, as JavaScript that Node runs by itself: a child starts in a tenth of the time. */
function build(folder: string): void {
  for (const name of ['store', 'contract', 'errors.ts']) {
    const path = join(ROOT, 'lib', name);
    const sources = name.endsWith('.ts') ? [path] : readdirSync(path).map((file) => join(path, file));
    for (const source of sources) {
      const target = join(folder, 'lib', source.slice(join(ROOT, 'lib').length + 1).replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, erase(readFileSync(source, 'utf8')));
    }
  }
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'charger.js'), CHARGER);
}

t.test('kill -9 at any moment', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(place, { recursive: true, force: true }));
  build(place);
  const folder = join(place, 'data');
  const granted = 1_000_000;
  const first = await openAdminStore(folder, { create: true });
  const { id } = await addWorkspace(first as never, granted);
  await first.close();
  let balance = granted;
  let charged = 0;
  for (let round = 0; round < 20; round++) {
    const { asked, told } = await killed(spawn(process.execPath, ['charger.js', folder, id], { cwd: place }), t);
    const admin = await openAdminStore(folder);
    const after = (await admin.balance(id)).balance;
    if (round % 10 === 0) await admin.listRenders(id, 1000);
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
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.json')) t.doesNotThrow(() => JSON.parse(readFileSync(join(folder, name), 'utf8')), name);
  }
});

/** Kills the child at some moment after its first word, and counts what it has said. */
async function killed(child: ChildProcess, t: { comment(text: string): void }) {
  let said = '';
  let errors = '';
  child.stdout!.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout!, 'data'), closed]);
  await sleep(Math.random() * 25);
  child.kill('SIGKILL');
  await closed;
  if (errors !== '') t.comment(errors);
  const count = (word: string) => said.split(word).length - 1;
  return { asked: count('?'), told: count('!') };
}
