// The files of records and assets: failing calls, damaged and orphaned files, and the previous generation of a table.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type EmbeddedOptions, openEmbeddedStore } from '../../../lib/store/embedded/store.js';
import { restoreStore } from '../../../lib/store/open.js';
import { addKey, addWorkspace, record } from '../suite.js';
import { assetOf } from '../suite-administration.js';
import { draft } from '../suite-templates.js';
import { failing } from './failing-files.js';

const published = { publish: true };
const QUOTA = 1e6;

function folderFor(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const open = (folder: string, options: EmbeddedOptions = {}) =>
  openEmbeddedStore(folder, { warn: () => undefined, ...options });

type Store = Awaited<ReturnType<typeof open>>;

/** The paths of the files in `records` or `assets`. */
const filesIn = (folder: string, name: string): string[] => {
  const root = join(folder, name);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => join(root, path))
    .filter((path) => statSync(path).isFile());
};
const contentOf = (path: string) => readFileSync(path, 'utf8');
/** The file whose content contains `text`. */
const fileWith = (folder: string, name: string, text: string): string =>
  filesIn(folder, name).find((path) => contentOf(path).includes(text))!;

/** All templates with all their records, and all assets with their contents. */
async function contentsOf(store: Store) {
  const templates = (await store.listTemplates(undefined, { limit: 100 })).items;
  const versions = templates.map(async (template) => {
    const { items } = await store.listTemplateVersions(template, { limit: 200 });
    return await Promise.all(items.map(({ version }) => store.getTemplateRecord(template, version)));
  });
  const workspaces = await store.listWorkspaces();
  const assets = (await Promise.all(workspaces.map(({ id }) => store.listAssets(id, { limit: 100 })))).flatMap(
    ({ items }) => items,
  );
  const contents = assets.map(async ({ workspaceId, id }) => String(await store.readAsset(workspaceId, id)));
  return { templates, versions: await Promise.all(versions), assets, contents: await Promise.all(contents) };
}

const addAsset = (store: Store, workspaceId: string, text: string) =>
  store.addAsset(assetOf(workspaceId, Buffer.from(text)), Buffer.from(text), QUOTA);

t.test('writes private files named by their content, with the exact JSON text', async (t) => {
  const folder = folderFor(t);
  const store = await open(folder);
  const { id } = await addWorkspace(store);
  await store.createTemplate(id, draft('ü', { b: 1, a: [0.1, '\u2028'] }), published);
  await addAsset(store, id, 'content');
  const [path] = filesIn(folder, 'records');
  t.match(path, /records\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.json$/);
  t.equal(contentOf(path), JSON.stringify({ ...record('ü'), b: 1, a: [0.1, '\u2028'] }));
  t.match(filesIn(folder, 'assets'), [/assets\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/]);
  if (process.platform !== 'win32') t.equal(statSync(path).mode & 0o777, 0o600);
  t.notMatch(readFileSync(join(folder, 'templates.json'), 'utf8'), 'any field', 'the table has no records');
  await store.close();
});

t.test('while a record is cached, all callers get the same object', async (t) => {
  const store = await open(folderFor(t));
  const { id } = await addWorkspace(store);
  const template = await store.createTemplate(id, draft('t'), published);
  const other = await store.createTemplate(id, draft('t'), published);
  const found = await Promise.all([template, template, other].map((each) => store.findTemplate(id, each.id)));
  const again = await store.findTemplate(id, template.id);
  for (const each of found) t.equal(each?.record, again?.record);
  await store.close();
});

t.test('a failed write has no effect, whichever call fails, before or after its effect', async (t) => {
  const writes: Record<string, (store: Store, workspaceId: string, name: string) => Promise<unknown>> = {
    create: (store, id, name) => store.createTemplate(id, draft(name), published),
    replace: async (store, id, name) => {
      const { items } = await store.listTemplates(id, { limit: 100 });
      return await store.replaceTemplate(items.at(-1)!, draft(name), published);
    },
    restore: async (store, id) => {
      const { items } = await store.listTemplates(id, { limit: 100 });
      return await store.restoreTemplate(items.at(-1)!, 1, published);
    },
    remove: async (store, id) => store.deleteTemplate((await store.listTemplates(id, { limit: 1 })).items[0]),
    upload: addAsset,
    discard: async (store, id) => {
      const { items } = await store.listAssets(id, { limit: 1 });
      return await store.deleteAsset(id, items[0].id, { force: true });
    },
  };
  const seeded = folderFor(t);
  const seeding = await open(seeded);
  const { id } = await addWorkspace(seeding);
  await seeding.createTemplate(id, draft('first'), published);
  await seeding.createTemplate(id, draft('second'), published);
  await addAsset(seeding, id, 'first');
  const before = await contentsOf(seeding);
  await seeding.close();
  for (const [what, write] of Object.entries(writes)) {
    let failures = 0;
    for (const late of [false, true]) {
      for (let call = 0; ; call++) {
        const folder = folderFor(t);
        cpSync(seeded, folder, { recursive: true });
        const disk = failing(call % 2 === 0 ? 'EIO' : 'ENOSPC');
        const warnings: string[] = [];
        const store = await open(folder, { files: disk.files, warn: (message) => warnings.push(message) });
        let failed = false;
        disk.fail((at) => {
          failed ||= at === call;
          return at === call;
        }, late);
        const outcome = await write(store, id, 'new').catch((error: Error) => error);
        disk.fail(() => false);
        if (!failed) {
          t.notOk(outcome instanceof Error, `${what}: succeeds without a failure`);
          await store.close();
          break;
        }
        // The file that a row no longer refers to may fail to be removed.
        if (outcome instanceof Error) {
          failures++;
          t.match(outcome, { code: 'storage_unavailable', message: /^(?!.*\/).*$/ }, `${what}: call ${call}`);
          t.equal(warnings.length, 1, `${what}: call ${call}`);
          t.strictSame(await contentsOf(store), before, `${what}: in memory after call ${call}`);
          const after = await open(folder);
          t.strictSame(await contentsOf(after), before, `${what}: on disk after call ${call}`);
          await after.close();
          await t.resolves(write(store, id, 'new'), `${what}: works again after call ${call}`);
        }
        await store.close();
        const last = await open(folder);
        t.notSame(await contentsOf(last), before, `${what}: durable after call ${call}`);
        await last.close();
      }
    }
    t.ok(failures >= 12, `${what}: ${failures} failures`);
  }
});

t.test('a damaged or missing record fails its own template only, with one warning that names the file', async (t) => {
  const folder = folderFor(t);
  const seeding = await open(folder);
  const { id } = await addWorkspace(seeding);
  const damaged = await seeding.createTemplate(id, draft('damaged'), published);
  const missing = await seeding.createTemplate(id, draft('missing'), published);
  const intact = await seeding.createTemplate(id, draft('intact'), published);
  await seeding.close();
  const damagedPath = fileWith(folder, 'records', '"damaged"');
  const missingPath = fileWith(folder, 'records', '"missing"');
  writeFileSync(damagedPath, contentOf(damagedPath).replace('50', '51'));
  rmSync(missingPath);
  const warnings: string[] = [];
  const store = await open(folder, { warn: (message) => warnings.push(message) });
  for (const { id: template } of [damaged, missing]) {
    const attempts = [store.findTemplate(id, template), store.getTemplateRecord({ id: template })];
    for (const outcome of await Promise.allSettled(attempts)) {
      t.match(outcome, { reason: { code: 'storage_unavailable', message: /^storage is unavailable: the template/ } });
    }
    t.match(await store.getTemplate({ id: template }), { version: 1 });
  }
  t.match(warnings, {
    0: `${damagedPath}: its content does not match its name`,
    1: `${missingPath}: it is missing`,
    length: 2,
  });
  t.match(await store.findTemplate(id, intact.id), { record: { name: 'intact' } });
  await store.createTemplate(id, draft('damaged'), published);
  t.match(await store.findTemplate(id, damaged.id), { record: record('damaged') }, 'saved again, it is repaired');
  await store.close();
});

t.test('a damaged asset can’t be read, and is repaired when it is added again', async (t) => {
  const folder = folderFor(t);
  const warnings: string[] = [];
  const store = await open(folder, { warn: (message) => warnings.push(message) });
  const { id } = await addWorkspace(store);
  const { asset } = await addAsset(store, id, 'content');
  const [path] = filesIn(folder, 'assets');
  writeFileSync(path, 'Content');
  await t.rejects(store.readAsset(id, asset.id), { code: 'storage_unavailable', message: /the asset can’t be read/ });
  t.match(warnings, [`${path}: its content does not match its name`]);
  t.match(await addAsset(store, id, 'content'), { asset: { id: asset.id }, isNew: false });
  t.equal(String(await store.readAsset(id, asset.id)), 'content');
  await store.close();
});

t.test('removes files that neither a table nor its previous generation refers to', async (t) => {
  const folder = folderFor(t);
  const store = await open(folder);
  const { id } = await addWorkspace(store);
  const first = await store.createTemplate(id, draft('first'), published);
  const twin = await store.createTemplate(id, draft('first'), published);
  await store.deleteTemplate(twin);
  await store.createTemplate(id, draft('other'), published);
  t.ok(fileWith(folder, 'records', '"first"'), 'another template has the same record');
  await store.deleteTemplate(first);
  t.ok(fileWith(folder, 'records', '"first"'), 'the previous generation of the table refers to it');
  const { asset } = await addAsset(store, id, 'first');
  await store.deleteAsset(id, asset.id, { force: true });
  await store.close();

  writeFileSync(join(folder, 'templates.json'), '');
  await restoreStore(folder);
  const restored = await open(folder);
  t.match(await restored.findTemplate(id, first.id), { record: { name: 'first' } }, 'all of that generation is there');
  await restored.deleteTemplate(first);
  await restored.createTemplate(id, draft('last'), published);
  await addAsset(restored, id, 'second');
  await restored.close();
  t.equal(fileWith(folder, 'records', '"first"'), undefined);
  t.same(filesIn(folder, 'assets').map(contentOf), ['second']);
});

t.test('removes what a crash left when it is opened, and nothing else', async (t) => {
  const folder = folderFor(t);
  const store = await open(folder);
  const { id } = await addWorkspace(store);
  const template = await store.createTemplate(id, draft('kept'), published);
  const previous = await store.createTemplate(id, draft('previous'), published);
  await store.createTemplate(id, draft('third'), published);
  await store.deleteTemplate(previous);
  await store.close();
  const path = fileWith(folder, 'records', '"kept"');
  // A record whose table was never written, as after a crash, and temporary files.
  const orphan = join(folder, 'records', 'ab', `ab${'0'.repeat(62)}.json`);
  cpSync(path, orphan, { recursive: true });
  writeFileSync(`${path}.tmp`, 'half');
  writeFileSync(`${orphan}.tmp`, 'half');
  writeFileSync(join(folder, 'records', 'notes.txt'), 'of somebody');
  const again = await open(folder);
  t.match(await again.findTemplate(id, template.id), { record: { name: 'kept' } });
  const names = filesIn(folder, 'records').map((file) =>
    file.endsWith('.txt') ? 'notes' : JSON.parse(contentOf(file)).name,
  );
  t.same(names.sort(), ['kept', 'notes', 'previous', 'third']);
  await again.close();
});

t.test('completes the deletion of a workspace that was interrupted at any call', async (t) => {
  for (let first = 0; ; first++) {
    const folder = folderFor(t);
    const disk = failing('EIO');
    const store = await open(folder, { files: disk.files });
    const { id } = await addWorkspace(store);
    const { hash } = await addKey(store, { id } as never);
    await store.createTemplate(id, draft('t'), published);
    await addAsset(store, id, 'content');
    const before = await contentsOf(store);
    let failed = false;
    disk.fail((call) => {
      failed ||= call >= first;
      return call >= first;
    });
    const outcome = await store.deleteWorkspace(id).catch((error: Error) => error);
    const again = await open(folder);
    if (outcome instanceof Error && (await again.listWorkspaces()).length === 1) {
      t.match(outcome, { code: 'storage_unavailable' });
      t.strictSame(await contentsOf(again), before, `nothing is deleted after ${first} calls`);
      t.ok(await again.findKey(hash));
    } else {
      t.equal(await again.findKey(hash), undefined);
      t.same(await again.listWorkspaces(), [], `after ${first} calls`);
      for (const table of ['keys', 'templates', 'assets']) {
        t.same(JSON.parse(contentOf(join(folder, `${table}.json`))).rows, [], `no ${table} after ${first} calls`);
      }
      t.match(
        JSON.parse(contentOf(join(folder, 'workspaces.json'))).rows,
        [{ id, deletedAt: String }],
        'its row stays',
      );
    }
    await again.close();
    if (failed) continue;
    t.ok(first > 20, `${first} calls`);
    break;
  }
});

t.test('writes when a key was last used no later than it closes, and never for a command', async (t) => {
  const folder = folderFor(t);
  let now = new Date('2026-01-02T03:04:05.678Z');
  const store = await open(folder, { now: () => now });
  const workspace = await addWorkspace(store);
  const { key } = await addKey(store, workspace);
  const lastUsedIn = () => JSON.parse(contentOf(join(folder, 'keys.json'))).rows[0].lastUsedAt;
  now = new Date('2026-01-02T04:00:00.000Z');
  await store.countRequest(key.id, 'read', 1);
  now = new Date('2026-01-02T05:00:00.000Z');
  t.match(await store.countRequest(key.id, 'read', 1), { allowed: false });
  t.match(
    await store.listKeys(workspace.id),
    [{ lastUsedAt: '2026-01-02T04:00:00.000Z' }],
    'refused requests do not count',
  );
  t.equal(lastUsedIn(), undefined, 'no request waits for the table');
  await store.close();
  t.equal(lastUsedIn(), '2026-01-02T04:00:00.000Z');
  const written = statSync(join(folder, 'keys.json')).mtimeMs;
  const again = await open(folder);
  t.match(await again.listKeys(workspace.id), [{ ...key, lastUsedAt: '2026-01-02T04:00:00.000Z' }]);
  await again.close();
  t.equal(statSync(join(folder, 'keys.json')).mtimeMs, written);
});
