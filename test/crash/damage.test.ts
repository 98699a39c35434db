// Randomly damaged store files: truncated, bits flipped, zeroed, duplicated or mixed. The store either opens with all its
// data, or fails with one line that names the file and the remedy; it never has wrong data.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { restoreStore } from '../../lib/store/open.js';
import type { Store } from '../../lib/store/types.js';
import { dice, pick, roll, rounds } from '../exhaustive.js';
import { saveTemplate } from '../store/suite.js';

const quiet = { warn: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'platen-crash-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

const TABLES = ['workspaces', 'keys', 'templates'] as const;
const pathOf = (table: string) => join(folder, `${table}.json`);

/** Everything that can be read from the store. */
async function contentsOf(store: Store): Promise<unknown> {
  const workspaces = await store.listWorkspaces();
  const keys = await Promise.all(workspaces.map(({ id }) => store.listKeys(id)));
  const templates = (await store.listTemplates(undefined, { limit: 100 })).items;
  return {
    workspaces,
    keys,
    templates,
    records: await Promise.all(templates.map(({ id }) => store.getTemplateRecord({ id }))),
  };
}

async function outcome(): Promise<{ contents: unknown } | { error: Error }> {
  try {
    const store = await openEmbeddedStore(folder, quiet);
    const contents = await contentsOf(store);
    await store.close();
    return { contents };
  } catch (error) {
    return { error: error as Error };
  }
}

type Damage = (bytes: Buffer, random: () => number) => Buffer;

const damages: readonly [string, Damage][] = [
  [
    'bits flipped',
    (bytes, random) => {
      const flipped = Buffer.from(bytes);
      for (let left = 1 + roll(random, 3); left > 0; left--)
        flipped[roll(random, bytes.length)] ^= 1 << roll(random, 8);
      return flipped;
    },
  ],
  ['truncated', (bytes, random) => bytes.subarray(0, roll(random, bytes.length))],
  ['a tail of zeros', (bytes, random) => Buffer.from(bytes).fill(0, roll(random, bytes.length))],
  ['zeros appended', (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + roll(random, 5000))])],
  ['a page of zeros inside', (bytes, random) => Buffer.from(bytes).fill(0, ...span(bytes, random))],
  ['a page duplicated', (bytes, random) => splice(bytes, random, (part) => Buffer.concat([part, part]))],
  ['a page missing', (bytes, random) => splice(bytes, random, () => Buffer.alloc(0))],
  ['empty', () => Buffer.alloc(0)],
  ['written twice', (bytes) => Buffer.concat([bytes, bytes])],
  ['rows duplicated', (bytes) => Buffer.from(String(bytes).replace(/^(\{.*\}),?$/m, '$1,\n$1'))],
];

function span(bytes: Buffer, random: () => number): [number, number] {
  const from = roll(random, bytes.length);
  return [from, Math.min(bytes.length, from + 1 + roll(random, 512))];
}

function splice(bytes: Buffer, random: () => number, change: (part: Buffer) => Buffer): Buffer {
  const [from, to] = span(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), change(bytes.subarray(from, to)), bytes.subarray(to)]);
}

// fault: 86
t.test('opens a damaged file with all its data, or names it and the remedy', async (t) => {
  const store = await openEmbeddedStore(folder, quiet);
  for (const credits of [500, 70]) {
    const { id } = await store.createWorkspace({ name: `w ${credits}`, plan: 'free', credits });
    for (const name of ['a', 'b']) {
      const { id: key } = await store.createKey({ workspaceId: id, name, scopes: [], hash: hashKey(createRawKey()) });
      if (name === 'b') await store.revokeKey(key);
      await saveTemplate(store, id, { name, width: 10, height: 20 });
    }
    await store.grant(id, 3);
  }
  const good = await contentsOf(store);
  await store.close();
  const files = new Map(TABLES.map((table) => [table, readFileSync(pathOf(table))]));
  const counts = new Map<string, number>();
  let opened = 0;
  for (const seed of rounds(600)) {
    const random = dice(seed);
    const table = pick(random, TABLES);
    const bytes = files.get(table)!;
    const [name, damage] = pick(random, damages);
    const damaged = damage(bytes, random);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    writeFileSync(pathOf(table), damaged);
    const found = await outcome();
    if ('contents' in found) {
      opened++;
      if (!damaged.equals(bytes)) t.same(found.contents, good, `seed ${seed}: ${name} in ${table}`);
    } else {
      const { name: kind, message } = found.error;
      // A bit flip may change the version's digit, so that the format seems newer. For that no restore is offered.
      const expected = /: a later version of the program/.test(message)
        ? /^[^\n]*\.json: a later version[^\n]*$/
        : /^[^\n]*\.json: [^\n]*; "platen store restore --data [^\n]*" puts the previous generation in its place$/;
      if (kind !== 'StoreError' || !expected.test(message) || !message.includes(pathOf(table)))
        t.fail(`seed ${seed}: ${name} in ${table}: ${kind}: ${message}`);
      if (!readFileSync(pathOf(table)).equals(damaged)) t.fail(`seed ${seed}: the file was changed`);
    }
    writeFileSync(pathOf(table), bytes);
  }
  const flipped = String(files.get('workspaces'))
    .replace('"checksum"', '"checksul"')
    .replace('"balance":503', '"balance":507');
  writeFileSync(pathOf('workspaces'), flipped);
  const renamed = { error: { name: 'StoreError', message: /the name of its checksum field is damaged/ } };
  t.match(await outcome(), renamed);
  const twice = flipped.replace(/(?<="checksul":"[^"]*)[0-9ac-f]/, (digit) =>
    String.fromCharCode(digit.charCodeAt(0) ^ 0x40),
  );
  writeFileSync(pathOf('workspaces'), twice);
  t.match(await outcome(), renamed, 'its value is damaged too');
  writeFileSync(pathOf('workspaces'), files.get('workspaces')!);
  t.same(await outcome(), { contents: good });
  t.ok(
    opened * 5 < [...counts.values()].reduce((sum, count) => sum + count, 0),
    `${opened} opened with all their data`,
  );
  t.comment(`damages: ${[...counts.values()].reduce((sum, count) => sum + count, 0)}; ${opened} opened`);
});

t.test('offers a restore only if the backup is valid', async (t) => {
  for (const table of TABLES) {
    const bytes = readFileSync(pathOf(table));
    writeFileSync(pathOf(table), bytes.subarray(0, 40));
    const [restored] = await restoreStore(folder);
    t.equal(restored.file, pathOf(table));
    t.ok('contents' in (await outcome()), 'the restored snapshot opens');
    writeFileSync(pathOf(table), '');
    const backup = readFileSync(`${pathOf(table)}.bak`);
    writeFileSync(`${pathOf(table)}.bak`, backup.subarray(1));
    t.match(await outcome(), {
      error: { name: 'StoreError', message: /it is empty; take it from a backup of yours$/ },
    });
    writeFileSync(pathOf(table), bytes);
    writeFileSync(`${pathOf(table)}.bak`, backup);
  }
});

// fault: 86
t.test(
  'with an older snapshot of one table beside newer ones, keys of a missing workspace give no access',
  async (t) => {
    copyFileSync(pathOf('workspaces'), join(folder, 'older'));
    const store = await openEmbeddedStore(folder, quiet);
    const { id } = await store.createWorkspace({ name: 'newer', plan: 'paid', credits: 5 });
    const hash = hashKey(createRawKey());
    const key = await store.createKey({ workspaceId: id, name: 'k', scopes: ['render:write'], hash });
    const template = await saveTemplate(store, id, { name: 't', width: 1, height: 1 });
    await store.close();
    copyFileSync(join(folder, 'older'), pathOf('workspaces'));
    const again = await openEmbeddedStore(folder, quiet);
    t.equal(await again.findKey(hash), undefined);
    const attempts: Promise<unknown>[] = [again.hold(id, 1), again.grant(id, 1), again.listKeys(id)];
    for (const attempt of attempts) await t.rejects(attempt, { name: 'StoreError' });
    t.equal((await again.revokeKey(key.id)).state, 'revoked');
    t.equal((await again.deleteTemplate(template)).id, template.id);
    await again.close();
  },
);
