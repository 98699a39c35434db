// The embedded store: the shared suite, failing file system calls, and torn, corrupt or foreign files.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { FileSystem } from '../../../lib/store/embedded/durable-file.js';
import { openEmbeddedStore } from '../../../lib/store/embedded/store.js';
import { restoreStore, serveStore } from '../../../lib/store/open.js';
import type { Store } from '../../../lib/store/types.js';
import { addKey, addWorkspace, holdOf, record, saveTemplate, storeSuite } from '../suite.js';
import { administrationSuite } from '../suite-administration.js';
import { brandSuite } from '../suite-brands.js';
import { idempotencySuite } from '../suite-idempotency.js';
import { linkSuite } from '../suite-links.js';
import { operatorSuite } from '../suite-operators.js';
import { renderLogSuite } from '../suite-render-log.js';
import { templateSuite } from '../suite-templates.js';
import { usageSuite } from '../suite-usage.js';
import { failing } from './failing-files.js';

function folderFor(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const quiet = { warn: () => undefined };

t.test('passes the store suite', (t) => {
  const setup = {
    runs: 25,
    open: async (t: Test) => {
      const store = await openEmbeddedStore(folderFor(t), quiet);
      t.teardown(() => store.close());
      return store;
    },
  };
  storeSuite(t, setup);
  templateSuite(t, setup);
  brandSuite(t, setup);
  administrationSuite(t, setup);
  idempotencySuite(t, setup);
  linkSuite(t, setup);
  renderLogSuite(t, setup);
  operatorSuite(t, setup);
  usageSuite(t, setup);
  t.end();
});

t.test('the check that charges can be written fails where a charge fails', async (t) => {
  const disk = failing('ENOSPC');
  const store = await openEmbeddedStore(folderFor(t), { files: disk.files, ...quiet });
  t.teardown(() => store.close());
  const workspace = await addWorkspace(store, 99);
  const charge = async () => void (await store.settle(await holdOf(store, workspace)));
  disk.fail(() => false);
  await charge();
  const { calls } = disk;
  disk.fail(() => false);
  await store.assertWritable();
  t.equal(disk.calls, calls, 'it makes the calls of a charge');
  for (const work of [charge, () => store.assertWritable()]) {
    const failures: boolean[] = [];
    for (let n = 0; n < calls; n++) {
      disk.fail((call) => call === n);
      failures.push(
        await work().then(
          () => false,
          ({ code }) => code === 'storage_unavailable',
        ),
      );
    }
    t.strictSame(failures, Array(calls).fill(true));
  }
  disk.fail(() => false);
  await store.assertWritable();
  t.equal((await store.balance(workspace.id)).balance, 98);
});

t.test(
  'creates a missing folder and all files as private; an existing folder keeps its mode',
  { skip: process.platform === 'win32' },
  async (t) => {
    const parent = folderFor(t);
    const mode = (path: string) => statSync(path).mode & 0o777;
    const [missing, existing] = [join(parent, 'missing'), join(parent, 'existing')];
    mkdirSync(existing);
    chmodSync(existing, 0o755);
    for (const folder of [missing, existing]) {
      const store = await serveStore(folder, quiet);
      await addWorkspace(store, 5, 'w');
      const names = readdirSync(folder);
      for (const name of ['keys.json', 'lock', 'control.sock']) t.ok(names.includes(name), name);
      for (const name of names) t.equal(mode(join(folder, name)), 0o600, name);
      await store.close();
    }
    t.equal(mode(missing), 0o700);
    t.equal(mode(existing), 0o755);
  },
);

t.test('keeps everything but holds when reopened, in private files', async (t) => {
  const folder = join(folderFor(t), 'new', 'folder');
  const store = await openEmbeddedStore(folder, quiet);
  const workspace = await addWorkspace(store, 5, '"odd" \u2028 {');
  const { key, hash } = await addKey(store, workspace);
  const template = await saveTemplate(store, workspace.id, record('t'));
  await store.settle(await holdOf(store, workspace));
  await holdOf(store, workspace, 4);
  await store.close();
  if (process.platform !== 'win32') {
    for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o77, 0, name);
    t.equal(statSync(folder).mode & 0o77, 0);
  }
  const again = await openEmbeddedStore(folder, quiet);
  t.strictSame(await again.findKey(hash), { key, workspace: { ...workspace, balance: 4 } });
  t.strictSame((await again.getTemplateRecord(template)).record, record('t'));
  t.ok('hold' in (await again.hold(workspace.id, 4)), 'a hold does not outlive its process');
  await again.close();
});

t.test('concurrent changes share a write', async (t) => {
  let renames = 0;
  const counting: FileSystem = {
    ...promises,
    rename: (from, to) => {
      renames++;
      return promises.rename(from, to);
    },
  };
  const store = await openEmbeddedStore(folderFor(t), { ...quiet, files: counting });
  const workspace = await addWorkspace(store, 1000);
  const holds = await Promise.all(Array.from({ length: 500 }, () => holdOf(store, workspace)));
  renames = 0;
  const balances = await Promise.all(holds.map((hold) => store.settle(hold)));
  t.equal(new Set(balances.map(({ balance }) => balance)).size, 500, 'each charge returns its own balance');
  t.ok(renames <= 4, `${renames} renames`);
  await store.close();
});

t.test('a failed write has no effect, whichever call fails, before or after its effect', async (t) => {
  const disk = failing('ENOSPC');
  const folder = folderFor(t);
  const warnings: string[] = [];
  const store = await openEmbeddedStore(folder, { files: disk.files, warn: (message) => warnings.push(message) });
  const workspace = await addWorkspace(store, 1000);
  disk.fail(() => false);
  let balance = (await store.settle(await holdOf(store, workspace))).balance;
  const callsOfOne = disk.calls;
  t.ok(callsOfOne >= 8, `${callsOfOne} calls`);
  for (const late of [false, true]) {
    for (let call = 0; call < callsOfOne; call++) {
      const hold = await holdOf(store, workspace);
      disk.fail((at) => at === call, late);
      await t.rejects(store.settle(hold), { code: 'storage_unavailable', message: /^(?!.*\/).*$/ }, `call ${call}`);
      disk.fail(() => false);
      t.equal((await store.balance(workspace.id)).balance, balance);
      const after = await openEmbeddedStore(folder, quiet);
      t.equal((await after.balance(workspace.id)).balance, balance, `on disk after call ${call}`);
      await after.close();
      await store.release(hold);
      balance = (await store.settle(await holdOf(store, workspace))).balance;
    }
  }
  t.equal(balance, 1000 - 1 - 2 * callsOfOne, 'each success was charged once, no failure was charged');
  t.ok('hold' in (await store.hold(workspace.id, balance)), 'no failed charge holds credits');
  t.equal(warnings.length, 2 * callsOfOne);
  t.match(warnings[0], /workspaces\.json.*ENOSPC/);
  await store.close();
});

t.test('recovers from a disk that fails for a while, from any call on', async (t) => {
  const disk = failing('EIO');
  const folder = folderFor(t);
  const store = await openEmbeddedStore(folder, { ...quiet, files: disk.files });
  const workspace = await addWorkspace(store, 100);
  const { key, hash } = await addKey(store, workspace);
  disk.fail(() => false);
  await store.grant(workspace.id, 1);
  const callsOfOne = disk.calls;
  for (let first = 0; first < callsOfOne; first++) {
    const { balance } = await store.balance(workspace.id);
    disk.fail((call) => call >= first, first % 2 === 0);
    // A file that was renamed but not synced can't be replaced by the old snapshot either.
    await t.rejects(store.grant(workspace.id, 50), { code: 'storage_unavailable' });
    const attempts: Promise<unknown>[] = [store.revokeKey(key.id), addWorkspace(store)];
    for (const outcome of await Promise.allSettled(attempts))
      t.match(outcome, { reason: { code: 'storage_unavailable' } });
    t.equal((await store.findKey(hash))?.key.state, 'active');
    t.equal((await store.listWorkspaces()).length, 1);
    disk.fail(() => false);
    t.equal((await store.grant(workspace.id, 1)).balance, balance + 1);
    const kept = JSON.parse(readFileSync(join(folder, 'workspaces.json.bak'), 'utf8'));
    t.equal(kept.rows[0].balance, balance, `the write that failed from call ${first} on did not become the backup`);
    const again = await openEmbeddedStore(folder, quiet);
    t.equal((await again.balance(workspace.id)).balance, balance + 1);
    await again.close();
  }
  await store.close();
});

t.test(
  'replaces leftovers of a crash, even a hard link to the current file under the backup’s temporary name',
  async (t) => {
    for (const links of [true, false]) {
      const folder = folderFor(t);
      const link: FileSystem['link'] = links
        ? promises.link
        : () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
      const store = await openEmbeddedStore(folder, { ...quiet, files: { ...promises, link } });
      const workspace = await addWorkspace(store, 1);
      const path = join(folder, 'workspaces.json');
      for (const granted of [1, 2, 3]) {
        await promises.link(path, `${path}.bak.tmp`);
        writeFileSync(`${path}.tmp`, '{"half":');
        t.equal((await store.grant(workspace.id, 1)).balance, granted + 1);
        const balanceIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).rows[0].balance;
        t.same([balanceIn(path), balanceIn(`${path}.bak`)], [granted + 1, granted], links ? 'by links' : 'by copies');
        t.same(
          readdirSync(folder).filter((name) => name.endsWith('.tmp')),
          [],
        );
      }
      await store.close();
    }
  },
);

t.test('keeps a backup on file systems without hard links', async (t) => {
  const folder = folderFor(t);
  const files: FileSystem = {
    ...promises,
    link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })),
  };
  const store = await openEmbeddedStore(folder, { ...quiet, files });
  const workspace = await addWorkspace(store, 1);
  await store.grant(workspace.id, 1);
  await store.close();
  t.equal(JSON.parse(readFileSync(join(folder, 'workspaces.json.bak'), 'utf8')).rows[0].balance, 1);
});

async function filled(t: Test): Promise<{ folder: string; store: () => Promise<Store>; id: string }> {
  const folder = folderFor(t);
  const store = await openEmbeddedStore(folder, quiet);
  const workspace = await addWorkspace(store, 5);
  await addKey(store, workspace);
  await store.grant(workspace.id, 1);
  await store.close();
  return { folder, store: () => openEmbeddedStore(folder, quiet), id: workspace.id };
}

t.test('names corrupt files, does not change them, and restores their backups', async (t) => {
  const rows: [string, (text: string) => string | Buffer, RegExp][] = [
    ['empty', () => '', /it is empty/],
    ['cut off', (text) => text.slice(0, -30), /not valid JSON: line/],
    ['zeros', (text) => Buffer.alloc(text.length), /not valid JSON/],
    ['no UTF-8', () => Buffer.from([0x22, 0xff, 0x22]), /not UTF-8/],
    ['a flipped digit', (text) => text.replace('"balance":6', '"balance":7'), /checksum/],
    ['other rows', (text) => text.replace('"plan":"paid"', '"plan":"gold"'), /row 1 is not a valid row of/],
    ['another table', () => readFileSync(join(folder, 'keys.json')), /not the table "workspaces"/],
    ['other JSON', () => '[]', /not the table/],
  ];
  const { folder, store, id } = await filled(t);
  const path = join(folder, 'workspaces.json');
  const good = readFileSync(path, 'utf8');
  for (const [what, damage, reason] of rows) {
    const damaged = damage(good);
    writeFileSync(path, damaged);
    const error: Error = await store().then(
      () => t.fail(what),
      (reason) => reason,
    );
    t.equal(error.name, 'StoreError', what);
    t.match(error.message, reason);
    t.match(error.message, /^\/.*workspaces\.json: [^\n]*; "platen store restore --data \/[^\n]*" puts the previous/);
    t.same(readFileSync(path), Buffer.from(damaged), 'the file is unchanged');
  }
  const [restored, ...others] = await restoreStore(folder);
  t.same(others, []);
  t.match(restored, { file: path, from: `${path}.bak` });
  t.equal(readFileSync(restored.kept!, 'utf8'), '[]');
  const again = await store();
  t.equal((await again.balance(id)).balance, 5, 'the previous snapshot');
  await again.close();
  t.same(await restoreStore(folder), [], 'nothing to restore');
});

t.test('names missing files and whether they have a backup', async (t) => {
  const { folder, store } = await filled(t);
  rmSync(join(folder, 'workspaces.json'));
  await t.rejects(store(), { message: /workspaces\.json: it is missing; "platen store restore/ });
  rmSync(join(folder, 'workspaces.json.bak'));
  await t.rejects(store(), { message: /workspaces\.json: it is missing; take it from a backup/ });
  rmSync(join(folder, 'keys.json'));
  writeFileSync(join(folder, 'workspaces.json'), '{');
  rmSync(join(folder, 'keys.json.bak'));
  await t.rejects(store(), {
    message:
      /keys\.json: it is missing.*workspaces\.json: not valid|workspaces\.json: not valid.*keys\.json: it is missing/,
  });
  await t.rejects(restoreStore(folder), { name: 'StoreError', message: /workspaces\.json.*backup of yours/ });
});

t.test('completes a first start that was interrupted at any call', async (t) => {
  for (let first = 0; first < 50; first++) {
    const disk = failing('EIO');
    disk.fail((call) => call >= first);
    const folder = folderFor(t);
    const interrupted = await openEmbeddedStore(folder, { ...quiet, files: disk.files }).catch((error: Error) => error);
    const again = await openEmbeddedStore(folder, quiet);
    await t.resolves(
      addWorkspace(again).then((workspace) => addKey(again, workspace)),
      `after ${first} calls`,
    );
    await again.close();
    if (interrupted instanceof Error) continue;
    t.ok(first > 10 && first < 50, `${first} calls`);
    break;
  }
});

// fault: 94
t.test('keeps unknown fields, reads files edited by hand, and rejects newer formats', async (t) => {
  const { folder, store, id } = await filled(t);
  const path = join(folder, 'workspaces.json');
  const { checksum: _checksum, ...file } = JSON.parse(readFileSync(path, 'utf8'));
  file.note = { of: 'somebody' };
  file.rows[0].colour = 'blue';
  writeFileSync(path, JSON.stringify(file, null, 4));
  const opened = await store();
  t.strictSame(Object.keys((await opened.listWorkspaces())[0]), ['id', 'name', 'plan', 'balance']);
  await opened.grant(id, 1);
  await opened.close();
  const written = JSON.parse(readFileSync(path, 'utf8'));
  t.match(written, { version: 2, note: { of: 'somebody' }, rows: [{ colour: 'blue', balance: 7 }] });
  t.match(written.checksum, /^[0-9a-f]{64}$/);
  const newer = JSON.stringify({ ...written, version: 3 });
  writeFileSync(path, newer);
  await t.rejects(store(), { name: 'StoreError', message: /workspaces\.json: a later version[^;]*$/ });
  t.same(await restoreStore(folder), []);
  t.equal(readFileSync(path, 'utf8'), newer);
});

t.test('names the reason when a folder can’t be used', async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'file'), '');
  await t.rejects(openEmbeddedStore(join(folder, 'file'), quiet), { name: 'StoreError', message: /file/ });
  const disk = failing('EROFS');
  disk.fail(() => true);
  await t.rejects(openEmbeddedStore(folder, { ...quiet, files: disk.files }), { name: 'StoreError', message: /EROFS/ });
});
