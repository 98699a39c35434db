// A data folder that several processes use: servers, admin commands, and locks whose holders have ended.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { acquireLock } from '../../lib/store/embedded/lock.js';
import { isRunning, thisProcess } from '../../lib/store/embedded/process-identity.js';
import { readLines } from '../../lib/store/lines.js';
import { openAdminStore, restoreStore, serveStore } from '../../lib/store/open.js';
import type { Store } from '../../lib/store/types.js';
import { addKey, addWorkspace, entryOf, holdOf, loggedRenders, record, saveTemplate } from './suite.js';
import { assetOf } from './suite-administration.js';
import { draft } from './suite-templates.js';

const quiet = { warn: () => undefined };

function folderFor(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const lockOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'));

/** The id of a process that has ended. */
const deadProcess = () => spawnSync(process.execPath, ['-e', '']).pid;

// fault: 87
t.test('rejects a second server immediately with one line that names STORE_URL', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  await t.rejects(serveStore(folder, quiet), {
    name: 'StoreError',
    message: /^[^\n]*in use by another server[^\n]*STORE_URL[^\n]*$/,
  });
  await t.rejects(serveStore(join(folder, '..', folder.split('/').pop()!), quiet), { message: /STORE_URL/ });
  await t.rejects(restoreStore(folder), { name: 'StoreError', message: /in use by a server/ });
  await addWorkspace(store);
  await store.close();
  t.notOk(
    readdirSync(folder).some((name) => /^(lock|control)/.test(name)),
    'no lock or socket is left',
  );
  await (await serveStore(folder, quiet)).close();
});

t.test('the admin socket carries templates, assets of 25 MiB and the codes of errors', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const admin = await openAdminStore(folder);
  const { id } = await admin.createWorkspace({ name: 'w', plan: 'free', credits: 5 });
  const content = Uint8Array.from({ length: 25 * 2 ** 20 }, (_, n) => n * 7);
  const { asset, isNew } = await admin.addAsset(assetOf(id, content), content, 2 ** 30);
  t.equal(isNew, true);
  t.strictSame(await store.findAsset(id, asset.id), asset);
  t.ok(Buffer.from(content).equals((await admin.readAsset(id, asset.id))!));
  t.equal(await admin.findAsset(id, 'none'), undefined);
  t.equal(await admin.readAsset(id, 'none'), undefined);
  const one = content.subarray(0, 1);
  await t.rejects(admin.addAsset(assetOf(id, one), one, 10), { name: 'StoreError', code: 'asset_quota' });

  const template = await admin.createTemplate(id, draft('t', {}, [asset.id]), { publish: false });
  t.match(template, { version: 1, publishedVersion: null });
  const conflict = admin.replaceTemplate(template, draft('u'), { publish: true, ifVersion: { version: 7 } });
  await t.rejects(conflict, { name: 'StoreError', code: 'version_conflict' });
  t.match(await admin.replaceTemplate(template, draft('u', {}, [asset.id]), { publish: true }), { version: 2 });
  t.match(await admin.restoreTemplate(template, 1, { publish: true }), { version: 3, publishedVersion: 3 });
  t.match(await admin.publishTemplate(template, 2), { publishedVersion: 2 });
  const versions = await admin.listTemplateVersions(template, { limit: 2 });
  t.match(versions, { items: [{ version: 3 }, { version: 2 }], nextCursor: String });
  t.match(await admin.listTemplateVersions(template, { limit: 2, cursor: versions.nextCursor! }), { nextCursor: null });
  await t.rejects(admin.listTemplates(id, { limit: 1, cursor: 'x' }), { name: 'StoreError', code: 'invalid_cursor' });
  await t.rejects(admin.getTemplate({ id: 'none' }), { name: 'StoreError', code: 'not_found' });
  await t.rejects(admin.deleteAsset(id, asset.id, { force: false }), {
    ...{ name: 'StoreError', code: 'asset_in_use', templates: [template.id] },
  });
  t.strictSame(await admin.deleteAsset(id, asset.id, { force: true }), asset);
  t.match(await admin.updateWorkspace(id, { plan: 'paid' }), { name: 'w', plan: 'paid' });
  t.strictSame(await admin.revokeCredits(id, 2), { workspaceId: id, balance: 3 });
  t.match(await admin.deleteWorkspace(id), { id });
  t.strictSame(await store.listWorkspaces(), []);
  await admin.close();
  await store.close();
});

t.test('a server rejects commands of another version, whose operations have other arguments', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const { socket } = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'));
  const connection = connect(socket);
  connection.write(`${JSON.stringify({ id: 1, verb: 'listTemplates', arguments: [] })}\n`);
  const [reply] = await once(connection, 'data');
  t.match(JSON.parse(String(reply)), { id: 1, error: { name: 'StoreError', message: /another version.*restart it/ } });
  connection.destroy();
  await store.close();
});

t.test('runs every admin operation while a server runs; the server sees its effect immediately', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const admin = await openAdminStore(folder);
  const workspace = await addWorkspace(store, 1);
  t.strictSame(await admin.listWorkspaces(), [workspace]);
  const { key, hash } = await addKey({ ...store, ...admin }, workspace);
  t.strictSame((await store.findKey(hash))?.key, key);
  t.strictSame(await admin.revokeKey(key.id), { ...key, state: 'revoked' });
  t.equal((await store.findKey(hash))?.key.state, 'revoked');
  t.strictSame(await admin.listKeys(workspace.id), await store.listKeys(workspace.id));
  t.strictSame(await admin.grant(workspace.id, 2), { workspaceId: workspace.id, balance: 3 });
  t.ok('hold' in (await store.hold(workspace.id, 3)));
  t.strictSame(await admin.balance(workspace.id), { workspaceId: workspace.id, balance: 3 });
  const big = { ...record('big\u2028\n'), background: { url: `data:image/png;base64,${'A'.repeat(3_000_000)}` } };
  const template = await saveTemplate(admin, workspace.id, big);
  t.strictSame((await store.findTemplate(workspace.id, template.id))?.record, big);
  t.strictSame((await admin.getTemplateRecord(template)).record, big);
  t.strictSame(await admin.getTemplate(template), template);
  t.strictSame((await admin.listTemplates(undefined, { limit: 5 })).items, [template]);
  t.strictSame(await admin.deleteTemplate(template), template);
  t.strictSame(await admin.listTemplates(workspace.id, { limit: 5 }), { items: [], nextCursor: null });
  const other = await admin.createWorkspace({ name: 'other', plan: 'free', credits: 0 });
  store.appendRender(entryOf(other, 'render'));
  t.strictSame(await loggedRenders(admin, other.id, 1), [entryOf(other, 'render')]);
  await t.rejects(admin.revokeKey('none'), { name: 'StoreError', message: 'there is no key "none"' });
  const many = await Promise.all(Array.from({ length: 50 }, () => admin.grant(other.id, 1)));
  t.strictSame(
    many.map(({ balance }) => balance),
    Array.from({ length: 50 }, (_, i) => i + 1),
  );
  await admin.close();
  const again = await openAdminStore(folder);
  await store.close();
  await t.rejects(again.listWorkspaces(), { name: 'StoreError', message: /the server closed the connection/ });
  await again.close();
});

t.test('a closing server answers the admin requests that it has started', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const { id } = await addWorkspace(store);
  const admins = await Promise.all(Array.from({ length: 5 }, () => openAdminStore(folder)));
  const grants = admins.map((admin) =>
    admin.grant(id, 1).then(
      () => 1,
      () => 0,
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  await store.close();
  const acknowledged = (await Promise.all(grants)).reduce((sum: number, one) => sum + one, 0);
  const after = await openAdminStore(folder);
  const { balance } = await after.balance(id);
  t.ok(balance >= acknowledged && balance <= 5, `${acknowledged} acknowledged, ${balance} granted`);
  await after.close();
});

t.test(
  'the admin socket is private, rejects invalid requests, and is elsewhere if the folder’s path is long',
  async (t) => {
    const long = join(folderFor(t), 'x'.repeat(60), 'y'.repeat(60));
    mkdirSync(long, { recursive: true });
    for (const folder of [folderFor(t), long]) {
      const store = await serveStore(folder, quiet);
      const { socket, purpose, pid } = lockOf(folder);
      t.match({ purpose, pid }, { purpose: 'server', pid: process.pid });
      if (process.platform !== 'win32') t.equal(statSync(socket).mode & 0o777, 0o600, socket);
      const connection = connect(socket);
      connection.write('{"id":1,"verb":"close","arguments":[]}\n{"id":2,"verb":"__proto__","arguments":[]}\n');
      const lines = readLines(connection);
      for (const id of [1, 2]) {
        t.match(JSON.parse((await lines.next()).value!), {
          id,
          error: { name: 'StoreError', message: /another version/ },
        });
      }
      connection.write('nonsense\n');
      t.ok((await lines.next()).done, 'the server closes the connection');
      const admin = await openAdminStore(folder);
      t.same(await admin.listWorkspaces(), []);
      await admin.close();
      await store.close();
      t.throws(() => statSync(socket), { code: 'ENOENT' });
    }
  },
);

t.test('without a server, concurrent admin commands run one after the other and lose no change', async (t) => {
  const folder = folderFor(t);
  const first = await openAdminStore(folder);
  const { id } = await addWorkspace(first as never);
  const waiting = Promise.all(
    Array.from({ length: 8 }, async () => {
      const admin = await openAdminStore(folder);
      await admin.grant(id, 1);
      await admin.close();
    }),
  );
  await first.grant(id, 1);
  await first.close();
  await waiting;
  const last = await openAdminStore(folder);
  t.equal((await last.balance(id)).balance, 9);
  await last.close();
  t.notOk(readdirSync(folder).some((name) => name.startsWith('lock')));
});

t.test('a starting server waits for an admin command that holds the lock', async (t) => {
  const folder = folderFor(t);
  const admin = await openAdminStore(folder);
  const starting = serveStore(folder, quiet);
  const { id } = await admin.createWorkspace({ name: 'x', plan: 'paid', credits: 1 });
  await admin.close();
  const store = await starting;
  t.ok('hold' in (await store.hold(id, 1)));
  await store.close();
});

t.test('creates a missing folder only with `create`', async (t) => {
  const folder = join(folderFor(t), 'none');
  await t.rejects(openAdminStore(folder), { name: 'StoreError', message: /no such folder; "platen init --data/ });
  await t.rejects(restoreStore(folder), { name: 'StoreError' });
  await (await openAdminStore(folder, { create: true })).close();
  t.ok(statSync(folder).isDirectory());
});

// fault: 87
t.test('takes over locks whose holders have ended', async (t) => {
  const self = thisProcess();
  const rows: [string, unknown][] = [
    ['a dead process', { ...self, pid: deadProcess(), token: 'a', purpose: 'server', socket: '/nowhere' }],
    ['another process with the same id', { ...self, started: '1', token: 'a', purpose: 'server' }],
    ['malformed, old', 'nonsense'],
    ['empty, old', ''],
    ['another machine, without heartbeats', { ...self, machine: 'other', token: 'a', purpose: 'server' }],
  ];
  for (const [what, lock] of rows) {
    if (what.includes('same id') && self.started === undefined) continue;
    const folder = folderFor(t);
    const path = join(folder, 'lock');
    writeFileSync(path, typeof lock === 'string' ? lock : JSON.stringify(lock));
    const past = new Date(Date.now() - 60_000);
    if (!what.includes('process')) utimesSync(path, past, past);
    const opened = await Promise.all(Array.from({ length: 5 }, () => acquireLock(folder, 'server')));
    t.ok(opened.filter((lock) => 'release' in lock).length <= 1, what);
    for (const lock of opened) if ('release' in lock) await lock.release();
    const store = await serveStore(folder, quiet);
    t.equal(lockOf(folder).pid, process.pid);
    await store.close();
  }
});

t.test('when many processes find the same dead lock, only one at a time holds the new lock', async (t) => {
  const folder = folderFor(t);
  const first = await openAdminStore(folder);
  const { id } = await first.createWorkspace({ name: 'x', plan: 'paid', credits: 0 });
  await first.close();
  const pid = deadProcess();
  for (let round = 0; round < 10; round++) {
    writeFileSync(
      join(folder, 'lock'),
      JSON.stringify({ ...thisProcess(), pid, token: `${round}`, purpose: 'server' }),
    );
    let inside = 0;
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const admin = await openAdminStore(folder);
        inside++;
        t.equal(inside, 1, 'alone');
        await admin.grant(id, 1);
        inside--;
        await admin.close();
      }),
    );
  }
  const last = await openAdminStore(folder);
  t.equal((await last.balance(id)).balance, 60);
  await last.close();
});

t.test('does not take over locks whose holders may be running', async (t) => {
  const self = thisProcess();
  const rows: unknown[] = [
    { ...self, token: 'a', purpose: 'server' },
    { ...self, machine: 'other', token: 'a', purpose: 'server' },
    { ...self, space: 'other', token: 'a', purpose: 'server' },
    'being written',
  ];
  for (const lock of rows) {
    const folder = folderFor(t);
    writeFileSync(join(folder, 'lock'), typeof lock === 'string' ? lock : JSON.stringify(lock));
    const found = await acquireLock(folder, 'server');
    t.notOk('release' in found, JSON.stringify(lock));
    if (typeof lock !== 'string') await t.rejects(serveStore(folder, quiet), { message: /STORE_URL/ });
  }
});

t.test('checks the holder of a lock in another container through its socket', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const { socket, ...lock } = lockOf(folder);
  const elsewhere = folderFor(t);
  const path = join(elsewhere, 'lock');
  const past = new Date(Date.now() - 60_000);
  writeFileSync(path, JSON.stringify({ ...lock, space: 'other', socket }));
  utimesSync(path, past, past);
  t.notOk('release' in (await acquireLock(elsewhere, 'server')), 'the socket accepts connections');
  await store.close();
});

t.test('removes old temporary and claim files of locks that crashes left', async (t) => {
  const folder = folderFor(t);
  const past = new Date(Date.now() - 60_000);
  for (const [name, time] of [
    [`lock.${'a'.repeat(24)}`, past],
    [`lock.${'b'.repeat(24)}`, new Date()],
    ['lock.takeover', past],
    ['lock.mine', past],
  ] as const) {
    writeFileSync(join(folder, name), '{}');
    utimesSync(join(folder, name), time, time);
  }
  await (await openAdminStore(folder)).close();
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('lock')),
    [`lock.${'b'.repeat(24)}`, 'lock.mine'],
  );
});

t.test('isRunning compares process id, start time, machine and pid namespace', async (t) => {
  const self = thisProcess();
  t.equal(isRunning(self), true);
  t.equal(isRunning({ ...self, pid: deadProcess() }), false);
  t.equal(isRunning({ ...self, machine: 'other' }), undefined);
  if (self.started === undefined) return;
  t.match(self.started, /^\d+$/);
  t.equal(isRunning({ ...self, started: `${self.started}0` }), false);
});

t.test('holds do not survive a restart of the server', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const workspace = await addWorkspace(store, 1);
  await holdOf(store, workspace);
  await store.close();
  const again = await serveStore(folder, quiet);
  t.ok('hold' in (await again.hold(workspace.id, 1)));
  await again.close();
});

// fault: 87
t.test('a server that has lost its lock writes nothing, as another process may own the folder', async (t) => {
  const folder = folderFor(t);
  const data = join(folder, 'data');
  const lines: string[] = [];
  const first = await serveStore(data, { warn: (line) => lines.push(line) });
  const workspace = await addWorkspace(first, 10);
  const { id } = workspace;
  const charge = async (store: Store) => (await store.settle(await holdOf(store, workspace))).balance;
  t.equal(await charge(first), 9);

  copyFileSync(join(data, 'lock'), join(data, 'copy'));
  renameSync(join(data, 'copy'), join(data, 'lock'));
  t.equal(await charge(first), 8, 'the same lock in another file');

  renameSync(data, join(folder, 'aside'));
  await t.rejects(charge(first), { code: 'storage_unavailable' }, 'moved away');
  const other = await serveStore(data, quiet);
  const stranger = await addWorkspace(other, 5);
  await t.rejects(charge(first), { code: 'storage_unavailable' }, 'another folder and server at this path');
  await t.rejects(first.grant(id, 1), { code: 'storage_unavailable' });
  await other.close();
  await t.rejects(charge(first), { code: 'storage_unavailable' }, 'no lock in the folder');
  const kept = await openAdminStore(data);
  t.strictSame(await kept.listWorkspaces(), [stranger]);
  await kept.close();
  rmSync(data, { recursive: true });
  renameSync(join(folder, 'aside'), data);
  t.equal(await charge(first), 7, 'its own folder and lock again');

  rmSync(join(data, 'lock'));
  const second = await serveStore(data, quiet);
  t.equal(await charge(second), 6);
  await t.rejects(charge(first), { code: 'storage_unavailable' }, 'the lock was removed and a second server has it');
  t.equal(await charge(second), 5);
  await first.close();
  await t.rejects(serveStore(data, quiet), { message: /in use/ }, 'the lock of the second server remains');
  t.equal((await second.balance(id)).balance, 5);
  await second.close();
  t.match(lines[0], /^[^\n]*workspaces\.json can't be written: the lock of the folder is lost[^\n]*$/);
});

t.test('an argument omitted from an admin operation is omitted on the server too', async (t) => {
  const folder = folderFor(t);
  const store = await serveStore(folder, quiet);
  const admin = await openAdminStore(folder);
  const { id } = await addWorkspace(store);
  const template = await saveTemplate(store, id, record('one'));
  t.strictSame((await admin.listTemplates(undefined, { limit: 5 })).items, [template]);
  t.strictSame((await admin.listTemplates(id, { limit: 5 })).items, [template]);
  await admin.close();
  await store.close();
});

t.test('reports a folder that can’t be opened in one line; ignores a lock that can’t be removed', async (t) => {
  const folder = folderFor(t);
  mkdirSync(join(folder, 'control.sock', 'not empty'), { recursive: true });
  const store = await serveStore(folder, quiet);
  const { socket } = lockOf(folder);
  t.equal(dirname(socket), tmpdir(), 'the socket is in the temporary folder');
  const { id } = await addWorkspace(store);
  mkdirSync(join(folder, 'renders-000001.jsonl'));
  await t.rejects(loggedRenders(store, id, 1), {
    name: 'StoreError',
    message: /^the render log can't be read: [^\n]+$/,
  });
  rmSync(join(folder, 'lock'));
  mkdirSync(join(folder, 'lock'));
  await store.close();
  await t.rejects(serveStore(folder, quiet), {
    name: 'StoreError',
    message: /^[^\n]*it can't be used as a lock[^\n]*$/,
  });

  // The socket's path would be too long in the folder, and the temporary folder does not exist.
  const long = join(folder, 'x'.repeat(120));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(folder, 'nowhere');
  t.teardown(() => {
    process.env.TMPDIR = TMPDIR;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
  });
  await t.rejects(serveStore(long, quiet), { name: 'StoreError', message: /^[^\n]*it can't be opened: [^\n]+$/ });
  t.notOk(readdirSync(long).includes('lock'), 'the lock is released');
});
