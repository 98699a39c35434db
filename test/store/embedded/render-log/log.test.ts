// The render log of the embedded store: rotation, cursors, filters, torn lines, full and slow disks.
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { RenderLog } from '../../../../lib/store/embedded/render-log/log.js';
import type { LoggedRender, RenderLogFilter } from '../../../../lib/store/types.js';
import { entryOf } from '../../suite.js';

const workspace = { id: 'ws_1', name: 'one', plan: 'paid', balance: 0 } as const;
const other = { ...workspace, id: 'ws_2' };
const warn = () => undefined;

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

/** The newest entries of `ws_1`. */
const newest = async (log: RenderLog, limit: number, filter: RenderLogFilter = {}) =>
  (await log.list('ws_1', filter, { limit })).items;

/** All entries of `ws_1`, page by page. */
async function allPages(log: RenderLog, limit: number, filter: RenderLogFilter = {}, most = 1000) {
  const items: LoggedRender[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await log.list('ws_1', filter, { limit, cursor });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    if (++pages > most) throw new Error('the list never ends');
  } while (cursor !== undefined);
  return { items, pages };
}

// fault: 95
t.test('rotates files by size, deletes the oldest, and lists entries across files', async (t) => {
  const folder = t.testdir({ 'keys.json': '', 'renders-000001.jsonl.bak': '', 'xrenders-000001.jsonl': '' });
  const log = await RenderLog.open(folder, { maxBytes: 2000, keep: 3, warn });
  for (let i = 0; i < 60; i++) {
    log.append(entryOf(i % 2 ? workspace : other, `render ${i}`));
    await log.settled();
  }
  const names = readdirSync(folder).filter((name) => /^renders.*jsonl$/.test(name));
  t.equal(names.length, 3);
  for (const name of names) t.match(name, /^renders-\d{6}\.jsonl$/);
  for (const name of names) t.ok(statSync(join(folder, name)).size < 2300, name);
  const listed = await newest(log, 100);
  t.ok(listed.length > 10 && listed.length < 30, `${listed.length} are left`);
  t.same(
    listed.map(({ id }) => id),
    listed.map((_, age) => `render ${59 - 2 * age}`),
  );
  t.equal((await newest(log, 3)).length, 3);
  t.same((await log.list('ws_', {}, { limit: 3 })).items, [], 'ids are compared whole');
});

t.test('keeps a torn line apart from new entries, and skips lines that are not entries', async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'renders-000001.jsonl');
  writeFileSync(path, `${JSON.stringify(entryOf(workspace, 'first'))}\n{"id":"torn","workspaceId":"ws_1"`);
  const log = await RenderLog.open(folder, { warn });
  log.append(entryOf(workspace, 'second'));
  await log.settled();
  appendFileSync(path, '\u0000\u0000\nnull\n"ws_1"\n{"workspaceId":["ws_1"]}\n[{"workspaceId":"ws_1"}]\n');
  t.same(idsOf(await newest(log, 10)), ['second', 'first']);
  t.ok(readFileSync(path, 'utf8').includes('"ws_1"\n{"id":"second"'));
});

// fault: 95
t.test('a full disk loses entries with a warning and damages no other entries', async (t) => {
  const folder = t.testdir({});
  const warnings: string[] = [];
  let full = false;
  const log = await RenderLog.open(folder, {
    warn: (message) => warnings.push(message),
    append: async (path, text) => {
      // Like a disk that fills up: half of the text is written.
      await appendFile(path, full ? text.slice(0, text.length / 2) : text);
      if (full) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    },
  });
  log.append(entryOf(workspace, 'first'));
  await log.settled();
  full = true;
  log.append(entryOf(workspace, 'lost'));
  await log.settled();
  full = false;
  log.append(entryOf(workspace, 'last'));
  t.same(idsOf(await newest(log, 10)), ['last', 'first']);
  t.match(warnings, [/^entries of the render log are lost: ENOSPC/]);
});

t.test('append does not wait for a hanging disk, and the buffer is bounded', async (t) => {
  const warnings: string[] = [];
  let go: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    go = resolve;
  });
  let entries = 0;
  const log = await RenderLog.open(t.testdir({}), {
    warn: (message) => warnings.push(message),
    append: async (_path, text) => {
      entries += text.trim().split('\n').length;
      await hanging;
    },
  });
  log.append(entryOf(workspace, 'first'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let i = 0; i < 10_000; i++) log.append(entryOf(workspace, `render ${i}`));
  t.same(warnings.length, 1, 'one warning');
  go();
  await log.settled();
  t.ok(entries > 1000 && entries < 5000, `${entries} entries`);
});

/** A log of 600 entries in small files; every third is of another workspace. */
async function filledLog(folder: string, options: Partial<Parameters<typeof RenderLog.open>[1]> = {}) {
  const log = await RenderLog.open(folder, { maxBytes: 20_000, keep: 100, warn, ...options });
  const entries: LoggedRender[] = [];
  for (let i = 0; i < 600; i++) {
    const entry: LoggedRender = {
      ...entryOf(i % 3 === 2 ? other : workspace, `render ${i}`),
      time: new Date(Date.UTC(2026, 0, 2) + i * 1000).toISOString(),
      keyId: `key_${i % 5}`,
      ...(i % 2 === 0 && { templateId: `tpl_${i % 4}` }),
      status: i % 7 === 0 ? 'failed' : 'ok',
      warnings: i % 2,
      metadata: {
        order: i % 11,
        note: i % 13 === 0 ? 'say "hi"\n\u2028' : `note ${i}`,
        'a.b': i % 17 === 0,
        list: [i % 19],
      },
    };
    log.append(entry);
    if (entry.workspaceId === workspace.id) entries.unshift(entry);
    if (i % 50 === 49) await log.settled();
  }
  return { log, entries };
}

t.test('filters by every field, across files and pages, with the same result as a plain filter', async (t) => {
  const { log, entries } = await filledLog(t.testdir({}));
  t.ok((await log.paths()).length > 5);
  const filters: [RenderLogFilter, (entry: LoggedRender) => boolean][] = [
    [{}, () => true],
    [{ status: 'ok' }, ({ status }) => status === 'ok'],
    [{ status: 'failed' }, ({ status }) => status === 'failed'],
    [{ templateId: 'tpl_2' }, ({ templateId }) => templateId === 'tpl_2'],
    [{ keyId: 'key_3' }, ({ keyId }) => keyId === 'key_3'],
    [{ keyId: 'key_3', templateId: 'tpl_0' }, ({ keyId, templateId }) => keyId === 'key_3' && templateId === 'tpl_0'],
    [{ from: '2026-01-02T00:05:00.000Z' }, ({ time }) => time >= '2026-01-02T00:05:00.000Z'],
    [{ to: '2026-01-02T01:05:00+01:00' }, ({ time }) => time < '2026-01-02T00:05:00.000Z'],
    [{ metadata: { order: '7' } }, ({ metadata }) => metadata?.order === 7],
    [{ metadata: { note: 'note 100' } }, ({ metadata }) => metadata?.note === 'note 100'],
    [{ metadata: { note: 'say "hi"\n\u2028' } }, ({ metadata }) => metadata?.note === 'say "hi"\n\u2028'],
    [{ metadata: { 'a.b': 'true', order: '0' } }, ({ metadata }) => metadata?.['a.b'] === true && metadata.order === 0],
    [{ metadata: { list: '[3]' } }, ({ metadata }) => String(metadata?.list) === '3'],
    [{ metadata: { note: '' } }, () => false],
    [{ metadata: { toString: 'x' } }, () => false],
    [{ templateId: 'render 100' }, () => false],
  ];
  for (const [i, [filter, predicate]] of filters.entries()) {
    const expected = idsOf(entries.filter(predicate));
    for (const limit of [1, 7, 200]) {
      const { items } = await allPages(log, limit, filter);
      t.same(idsOf(items), expected, `filter ${i}, ${limit} an answer`);
    }
  }
  t.strictSame(await newest(log, 3), entries.slice(0, 3));
});

t.test('finds an entry by its id, within its workspace', async (t) => {
  const { log, entries } = await filledLog(t.testdir({}));
  t.strictSame(await log.find('ws_1', 'render 1'), entries.at(-2));
  t.equal(await log.find('ws_1', 'render 2'), undefined, 'of the other workspace');
  for (const odd of ['render', 'note 1', '', '"']) t.equal(await log.find('ws_1', odd), undefined, odd);
});

t.test('a page scans a bounded part of the log, and its cursor continues there', async (t) => {
  const { log, entries } = await filledLog(t.testdir({}), { pageBytes: 30_000 });
  const sparse = await allPages(log, 100, { metadata: { note: 'note 1' } });
  t.same(idsOf(sparse.items), ['render 1']);
  t.ok(sparse.pages >= 3, `${sparse.pages} pages`);
  t.same(idsOf((await allPages(log, 1000)).items), idsOf(entries));
  const parsed = await filledLog(t.testdir({}), { pageBytes: 1 });
  const { items, pages } = await allPages(parsed.log, 100);
  t.same(idsOf(items), idsOf(entries));
  t.ok(pages >= 20, `${pages} pages`);
});

t.test('reads lines of any length, and garbage longer than what a page scans', async (t) => {
  const folder = t.testdir({});
  const entries = Array.from({ length: 40 }, (_, i) =>
    entryOf(workspace, `render ${i}`, { metadata: { text: 'ü'.repeat((i * 40_009) % 262_144) } }),
  );
  const lines = entries.map((entry) => JSON.stringify(entry));
  lines.splice(20, 0, '\0'.repeat(700_000), '', `"ws_1"${'x'.repeat(600_000)}`);
  writeFileSync(join(folder, 'renders-000003.jsonl'), lines.join('\n'));
  for (const bytes of [1, 262_144, 1e9]) {
    const log = await RenderLog.open(folder, { warn, pageBytes: bytes });
    for (const limit of [1, 9]) {
      const { items } = await allPages(log, limit);
      t.same(idsOf(items), idsOf(entries).reverse(), `${bytes} bytes, ${limit} an answer`);
    }
  }
});

t.test('a cursor stays valid while entries are added and files are rotated and deleted', async (t) => {
  const folder = t.testdir({});
  const log = await RenderLog.open(folder, { maxBytes: 3000, keep: 4, warn });
  const add = async (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      log.append(entryOf(workspace, `render ${i}`));
      if (i % 5 === 0) await log.settled();
    }
    await log.settled();
  };
  await add(0, 40);
  const page = await log.list('ws_1', {}, { limit: 10 });
  t.same(
    idsOf(page.items),
    Array.from({ length: 10 }, (_, i) => `render ${39 - i}`),
  );
  await add(40, 55);
  const next = await log.list('ws_1', {}, { limit: 5, cursor: page.nextCursor ?? '' });
  t.same(idsOf(next.items), ['render 29', 'render 28', 'render 27', 'render 26', 'render 25']);
  await add(55, 300);
  // The file of the cursor is gone by now.
  t.same(await log.list('ws_1', {}, { limit: 5, cursor: next.nextCursor ?? '' }), { items: [], nextCursor: null });
  t.equal((await newest(log, 1))[0].id, 'render 299');
  const reopened = await RenderLog.open(folder, { warn });
  t.same(await newest(reopened, 100), await newest(log, 100));
  reopened.append(entryOf(workspace, 'after'));
  t.same(idsOf(await newest(reopened, 2)), ['after', 'render 299']);
});

t.test('reads pages while entries are added and files rotated, without losing or repeating one', async (t) => {
  const log = await RenderLog.open(t.testdir({}), { maxBytes: 3000, keep: 1000, warn });
  for (let i = 0; i < 300; i++) log.append(entryOf(workspace, `render ${i}`));
  await log.settled();
  let isOver = false;
  let added = 300;
  const adding = (async () => {
    while (!isOver && added < 1000) {
      for (let i = 0; i < 5; i++) log.append(entryOf(workspace, `render ${added++}`));
      await log.settled();
    }
  })();
  for (let round = 0; round < 5; round++) {
    const ids = idsOf((await allPages(log, 7)).items);
    const first = Number(ids[0].split(' ')[1]);
    t.same(
      ids,
      Array.from(ids, (_, i) => `render ${first - i}`),
    );
    t.equal(ids.at(-1), 'render 0');
  }
  isOver = true;
  await adding;
});

t.test('rejects a malformed cursor, and survives a forged one', async (t) => {
  const { log, entries } = await filledLog(t.testdir({}));
  for (const cursor of ['', 'x', '1.2', Buffer.from('1').toString('base64url'), 'MS4y=', 'é'])
    await t.rejects(log.list('ws_1', {}, { limit: 1, cursor }), { name: 'StoreError', code: 'invalid_cursor' }, cursor);
  const forge = (text: string) => Buffer.from(text).toString('base64url');
  t.same(await log.list('ws_1', {}, { limit: 5, cursor: forge('0.0') }), { items: [], nextCursor: null });
  t.same(await log.list('ws_1', {}, { limit: 5, cursor: forge('1.0') }), { items: [], nextCursor: null });
  const beyond = await log.list('ws_1', {}, { limit: 5, cursor: forge('999999999999.5') });
  t.same(beyond.items, entries.slice(0, 5));
  // In the middle of a line: the part of a line is skipped.
  const { items } = await log.list('ws_1', {}, { limit: 1, cursor: forge('1.700') });
  t.same(idsOf(items), ['render 1']);
});

// fault: 94
t.test('takes over the files of older versions, oldest first, also after a crash in between', async (t) => {
  const parent = t.testdir({ whole: {} });
  const whole = join(parent, 'whole');
  const names = ['renders.10.jsonl', 'renders.2.jsonl', 'renders.1.jsonl', 'renders.jsonl'];
  for (const [i, name] of names.entries()) {
    const { status: _status, warnings: _warnings, ...old } = entryOf(workspace, `render ${i}`);
    writeFileSync(join(whole, name), `${JSON.stringify(old)}\n`);
  }
  writeFileSync(join(whole, 'renders.txt'), '');
  for (let renamed = 0; renamed <= names.length; renamed++) {
    const folder = join(parent, `${renamed}`);
    cpSync(whole, folder, { recursive: true });
    for (const [i, name] of names.slice(0, renamed).entries()) {
      cpSync(join(folder, name), join(folder, `renders-00000${i + 1}.jsonl`));
      rmSync(join(folder, name));
    }
    const log = await RenderLog.open(folder, { warn });
    t.same(idsOf(await newest(log, 10)), ['render 3', 'render 2', 'render 1', 'render 0']);
    t.match(await newest(log, 1), [{ status: 'ok', warnings: 0 }], 'older entries were all successful');
    log.append(entryOf(workspace, 'new'));
    t.equal((await newest(log, 1))[0].id, 'new');
    const expected = [...names.map((_, i) => `renders-00000${i + 1}.jsonl`), 'renders.txt'];
    t.same(readdirSync(folder).sort(), expected);
  }
});

t.test('a list waits for the entries before it only, not for a log that never rests', async (t) => {
  let isOver = false;
  const log = await RenderLog.open(t.testdir({}), { warn });
  const keepBusy = (async () => {
    while (!isOver) {
      log.append(entryOf(other, 'other'));
      await new Promise(setImmediate);
    }
  })();
  log.append(entryOf(workspace, 'mine'));
  t.same(idsOf(await newest(log, 1)), ['mine']);
  isOver = true;
  await keepBusy;
  await log.settled();
});
