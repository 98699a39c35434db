// The folder format: opening the folder of an older program, and the upgrade of that folder, interrupted at any call.
import { cpSync, mkdtempSync, promises, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { hashKey } from '../../../lib/store/api-keys.js';
import type { FileSystem } from '../../../lib/store/embedded/durable-file.js';
import { openEmbeddedStore } from '../../../lib/store/embedded/store.js';
import { restoreStore } from '../../../lib/store/open.js';
import type { Store } from '../../../lib/store/types.js';
import { addWorkspace, loggedRenders } from '../suite.js';

/** A folder that a program of format 1 wrote, and what that program read from it. */
const FORMAT_1 = new URL('format-1/data', import.meta.url).pathname;
const CONTENTS = JSON.parse(readFileSync(new URL('format-1/contents.json', import.meta.url), 'utf8'));
const TABLES = ['workspaces', 'keys', 'templates'];

const quiet = { warn: () => undefined };

function folderFor(t: Test, from?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  if (from !== undefined) cpSync(from, folder, { recursive: true });
  return folder;
}

const readTable = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** Everything that a program of format 1 could read. */
async function contentsOf(store: Store) {
  const workspaces = await store.listWorkspaces();
  const templates = (await store.listTemplates(undefined, { limit: 100 })).items;
  return {
    workspaces,
    keys: await Promise.all(workspaces.map(({ id }) => store.listKeys(id))),
    found: await Promise.all([1, 2, 3].map((n) => store.findKey(hashKey(`svc_live_${n}`)))),
    templates: templates.map(({ id, workspaceId, name, width, height }) => ({ id, workspaceId, name, width, height })),
    records: await Promise.all(
      templates.map(async ({ id }) => JSON.stringify((await store.getTemplateRecord({ id })).record)),
    ),
    renders: (await Promise.all(workspaces.map(({ id }) => loggedRenders(store, id, 100)))).map((entries) =>
      entries.map(({ status: _status, warnings: _warnings, ...entry }) => entry),
    ),
  };
}

async function open(folder: string, files: FileSystem = promises): Promise<Store> {
  return await openEmbeddedStore(folder, { ...quiet, files });
}

t.test('reads a folder of format 1 and upgrades it', async (t) => {
  const folder = folderFor(t, FORMAT_1);
  const store = await open(folder);
  t.strictSame(await contentsOf(store), CONTENTS);
  const { items } = await store.listTemplates(undefined, { limit: 10 });
  t.match(items.at(-1), { version: 1, publishedVersion: 1, createdAt: String, updatedAt: String });
  t.strictSame(items.at(-1)?.hotspots, [
    { key: 'title', label: 'Title', type: 'text' },
    { key: 'photo', label: 'photo', type: 'image' },
  ]);
  await store.close();
  for (const name of TABLES) {
    t.equal(readTable(folder, `${name}.json`).version, 2, name);
    t.equal(
      readTable(folder, `${name}.json.bak`).version,
      1,
      `${name}: the previous generation is the older program's`,
    );
  }
  for (const name of TABLES) t.ok(readTable(folder, 'workspaces.json').tables.includes(name), name);
  const again = await open(folder);
  t.strictSame(await contentsOf(again), CONTENTS);
  await again.close();
});

t.test('a program of format 1 refuses an upgraded folder with one line', async (t) => {
  const folder = folderFor(t, FORMAT_1);
  await (await open(folder)).close();
  // The check of that program: a table of its name whose version is greater than 1.
  for (const name of TABLES) {
    const { table, version } = readTable(folder, `${name}.json`);
    const isRefused = table === name && Number.isInteger(version) && version > 1;
    const reason = `a later version of the program wrote it (format ${version}): this one reads 1`;
    t.equal(isRefused ? reason : '', 'a later version of the program wrote it (format 2): this one reads 1', name);
  }
});

/** A file system whose calls fail from the `first` on. */
function failingFrom(first: number) {
  let calls = 0;
  const guarded = <Work extends (...values: never[]) => Promise<unknown>>(work: Work) =>
    (async (...values: never[]) => {
      if (calls++ >= first) throw Object.assign(new Error('EIO: made to fail'), { code: 'EIO' });
      return await work(...values);
    }) as unknown as Work;
  const files = Object.fromEntries(
    Object.entries(promises).map(([name, value]) => [
      name,
      typeof value === 'function' ? guarded(value as never) : value,
    ]),
  ) as unknown as FileSystem;
  const openFile = files.open;
  files.open = async (path, flags, mode) => {
    const handle = await openFile(path, flags, mode);
    const { writeFile, sync } = handle;
    return Object.assign(handle, {
      writeFile: guarded(writeFile.bind(handle) as never),
      sync: guarded(sync.bind(handle) as never),
    });
  };
  return { files, hasFailed: () => calls > first };
}

t.test('completes an upgrade that was interrupted at any call', async (t) => {
  for (let first = 0; ; first++) {
    const folder = folderFor(t, FORMAT_1);
    const disk = failingFrom(first);
    const interrupted = await open(folder, disk.files).catch((error: Error) => error);
    if (interrupted instanceof Error) t.match(interrupted, { message: /EIO/ }, `call ${first}`);
    const store = await open(folder);
    t.strictSame(await contentsOf(store), CONTENTS, `after ${first} calls`);
    await store.close();
    if (disk.hasFailed()) continue;
    t.ok(first > 20, `${first} calls`);
    break;
  }
});

t.test('restores a table from the generation of either format', async (t) => {
  const folder = folderFor(t, FORMAT_1);
  await (await open(folder)).close();
  for (const name of TABLES) {
    writeFileSync(join(folder, `${name}.json`), '{');
    t.match(await restoreStore(folder), [{ file: join(folder, `${name}.json`) }]);
    t.equal(readTable(folder, `${name}.json`).version, 1);
  }
  const store = await open(folder);
  t.strictSame(await contentsOf(store), CONTENTS);
  await store.grant(CONTENTS.workspaces[0].id, 1);
  await store.close();
  writeFileSync(join(folder, 'workspaces.json'), '');
  await restoreStore(folder);
  t.equal(readTable(folder, 'workspaces.json').version, 2);
  await (await open(folder)).close();
});

t.test('keeps the names of tables that it does not know', async (t) => {
  const folder = folderFor(t);
  const store = await open(folder);
  const { id } = await addWorkspace(store);
  await store.close();
  const { checksum: _checksum, ...file } = readTable(folder, 'workspaces.json');
  writeFileSync(join(folder, 'workspaces.json'), JSON.stringify({ ...file, tables: [...file.tables, 'badges'] }));
  const again = await open(folder);
  await again.grant(id, 1);
  await again.close();
  t.same(readTable(folder, 'workspaces.json').tables, [...file.tables, 'badges']);
});

t.test('names a listed table that is missing, and creates one that is not listed', async (t) => {
  const folder = folderFor(t);
  await (await open(folder)).close();
  const { checksum: _checksum, ...file } = readTable(folder, 'workspaces.json');
  rmSync(join(folder, 'keys.json'));
  await t.rejects(open(folder), { message: /keys\.json: it is missing; take it from a backup of yours$/ });
  const tables = file.tables.filter((name: string) => name !== 'keys');
  writeFileSync(join(folder, 'workspaces.json'), JSON.stringify({ ...file, tables }));
  await (await open(folder)).close();
  t.ok(readdirSync(folder).includes('keys.json'));
  t.same(readTable(folder, 'workspaces.json').tables, [...tables, 'keys']);
});
