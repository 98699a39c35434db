// The behaviour of the render log that all store implementations have.
import type { Test } from 'tap';
import type { LoggedRender, RenderLogFilter, Store, Workspace } from '../../lib/store/types.js';
import { addWorkspace, entryOf, type SuiteSetup } from './suite.js';
import { readPages } from './suite-templates.js';

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

const timeOf = (i: number) => new Date(START + i * 1000).toISOString();

/** Adds entries of two workspaces with all kinds of fields; returns the first workspace's, newest first. */
async function fill(store: Store, workspace: Workspace, other: Workspace, count: number): Promise<LoggedRender[]> {
  const entries: LoggedRender[] = [];
  for (let i = 0; i < count; i++) {
    const entry: LoggedRender = {
      ...entryOf(i % 4 === 3 ? other : workspace, `render ${i}`),
      time: timeOf(i),
      keyId: `key_${i % 5}`,
      ...(i % 2 === 0 && { templateId: `tpl_${i % 3}`, templateVersion: 1 + (i % 7) }),
      ...(i % 6 === 0
        ? { status: 'failed', code: 'invalid_request', detail: { path: 'layers[2].url', message: 'no "such" file' } }
        : { status: 'ok', sha256: 'r2vVEHrV4zVpTB4hTtwR6hHjW4D5yZQ3h5gHhV2Zq3c' }),
      ...(i % 3 > 0 && { cpuMs: i % 11 }),
      warnings: i % 3,
      ...(i % 7 === 0 && { variables: { title: `"time":"2000-01-01T00:00:00.000Z" \0 ${i}`, none: null } }),
      ...(i % 8 === 1 && { replayOf: `render ${i - 1}` }),
      metadata: {
        order: i % 10,
        note: `note ${i}`,
        'a.b': i % 9 === 0,
        'odd \n"': '"\\\u2028',
        list: [i % 4],
        none: null,
      },
    };
    store.appendRender(entry);
    if (entry.workspaceId === workspace.id) entries.unshift(entry);
  }
  return entries;
}

export function renderLogSuite(t: Test, { open }: SuiteSetup): void {
  t.test('lists the renders of a workspace by every filter, page by page', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store);
    const other = await addWorkspace(store);
    const entries = await fill(store, mine, other, 200);
    const filters: [RenderLogFilter, (entry: LoggedRender) => boolean][] = [
      [{}, () => true],
      [{ status: 'ok' }, ({ status }) => status === 'ok'],
      [{ status: 'failed' }, ({ status }) => status === 'failed'],
      [{ templateId: 'tpl_2' }, ({ templateId }) => templateId === 'tpl_2'],
      [{ keyId: 'key_3' }, ({ keyId }) => keyId === 'key_3'],
      [{ keyId: 'key_3', status: 'failed' }, ({ keyId, status }) => keyId === 'key_3' && status === 'failed'],
      [{ from: timeOf(150) }, ({ time }) => time >= timeOf(150)],
      [{ to: timeOf(50) }, ({ time }) => time < timeOf(50)],
      [{ from: timeOf(20), to: timeOf(21) }, ({ time }) => time === timeOf(20)],
      [{ from: timeOf(20), to: timeOf(20) }, () => false],
      [{ metadata: { order: '7' } }, ({ metadata }) => metadata?.order === 7],
      [{ metadata: { note: 'note 100' } }, ({ id }) => id === 'render 100'],
      [{ metadata: { order: '0', note: 'note 100' } }, ({ id }) => id === 'render 100'],
      [{ metadata: { 'a.b': 'true' } }, ({ metadata }) => metadata?.['a.b'] === true],
      [{ metadata: { 'odd \n"': '"\\\u2028' }, keyId: 'key_1' }, ({ keyId }) => keyId === 'key_1'],
      [{ metadata: { note: 'note' } }, () => false],
      [{ metadata: { missing: '' } }, () => false],
      [{ metadata: { toString: 'x', __proto__: 'x' } }, () => false],
      [{ templateId: 'none' }, () => false],
    ];
    for (const [i, [filter, predicate]] of filters.entries()) {
      for (const limit of [7, 200]) {
        const items = await readPages((page) => store.listRenders(mine.id, filter, page), limit);
        t.same(idsOf(items), idsOf(entries.filter(predicate)), `filter ${i}, ${limit} a page`);
      }
    }
    const { items, nextCursor } = await store.listRenders(mine.id, {}, { limit: 200 });
    t.strictSame(items, entries);
    t.equal(nextCursor, null);
  });

  t.test('a cursor stays valid while renders are added', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store);
    for (let i = 0; i < 50; i++) store.appendRender(entryOf(mine, `render ${i}`, { time: timeOf(i) }));
    let added = 50;
    const items = await readPages(
      (page) => store.listRenders(mine.id, {}, page),
      8,
      async () => {
        for (let i = 0; i < 20; i++) store.appendRender(entryOf(mine, `render ${added}`, { time: timeOf(added++) }));
      },
    );
    t.same(
      idsOf(items),
      Array.from({ length: 50 }, (_, i) => `render ${49 - i}`),
    );
    const { items: newest } = await store.listRenders(mine.id, {}, { limit: 1 });
    t.same(idsOf(newest), [`render ${added - 1}`]);
  });

  t.test('finds a render by its id, within its workspace', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store);
    const other = await addWorkspace(store);
    const entries = await fill(store, mine, other, 20);
    for (const entry of entries) t.strictSame(await store.findRender(mine.id, entry.id), entry);
    t.equal(await store.findRender(mine.id, 'render 3'), undefined, 'of the other workspace');
    t.equal((await store.findRender(other.id, 'render 3'))?.id, 'render 3');
    for (const odd of ['', 'render', 'note 1', '"', '\0', 'x'.repeat(1e5)])
      t.equal(await store.findRender(mine.id, odd), undefined, odd.slice(0, 9));
    t.equal(await store.findRender('nobody', 'render 1'), undefined);
  });

  t.test('rejects a malformed cursor', async (t) => {
    const store = await open(t);
    const { id } = await addWorkspace(store);
    for (const cursor of ['', 'x', '0', 'é', 'a'.repeat(1000), 'MQ', 'MS4y=']) {
      const attempt = store.listRenders(id, {}, { limit: 1, cursor });
      await t.rejects(attempt, { name: 'StoreError', code: 'invalid_cursor', message: /^[^\n]+$/ }, cursor.slice(0, 9));
    }
  });

  t.test('pages that scan a part of the log lead to every match', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store);
    const total = 12_000;
    for (let i = 0; i < total; i++) {
      const metadata = i % 5000 === 17 ? { order: 'wanted' } : { order: 'x' };
      store.appendRender(entryOf(mine, `render ${i}`, { time: timeOf(i), metadata }));
      // The buffer of entries is bounded: wait until they are written.
      if (i % 1000 === 999) await store.listRenders(mine.id, {}, { limit: 1 });
    }
    const items = await readPages((page) => store.listRenders(mine.id, { metadata: { order: 'wanted' } }, page), 2);
    t.same(idsOf(items), ['render 10017', 'render 5017', 'render 17']);
  });
}
