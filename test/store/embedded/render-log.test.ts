// The render log of the embedded store: rotation, reading from the end, torn lines, full and slow disks.
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { RenderLog } from '../../../lib/store/embedded/render-log.js';
import { readLinesReverse } from '../../../lib/store/lines.js';
import { entryOf } from '../suite.js';

const workspace = { id: 'ws_1', name: 'one', plan: 'paid', balance: 0 } as const;
const other = { ...workspace, id: 'ws_2' };
const warn = () => undefined;

async function collectLines(path: string): Promise<string[]> {
  const lines = [];
  for await (const line of readLinesReverse(path)) lines.push(line);
  return lines;
}

// fault: 102
t.test('reads lines of any length from the end of a file', async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'lines');
  t.same(await collectLines(path), [], 'no file');
  const rows = [
    [''],
    ['a'],
    ['a', ''],
    ['', '', 'a', '', 'b', ''],
    ['ü'.repeat(70_000), 'x', 'ü'.repeat(65_535), '', 'y'.repeat(65_536), 'z'.repeat(65_535), ''],
    Array.from({ length: 30_000 }, (_, i) => `line ${i}`),
  ];
  for (const lines of rows) {
    writeFileSync(path, lines.join('\n'));
    t.same(await collectLines(path), lines.filter((line) => line !== '').reverse());
  }
});

// fault: 95
t.test('rotates files by size, deletes the oldest, and lists entries across files', async (t) => {
  const folder = t.testdir({});
  const log = new RenderLog(folder, { maxBytes: 2000, keep: 3, warn });
  for (let i = 0; i < 60; i++) {
    log.append(entryOf(i % 2 ? workspace : other, `render ${i}`));
    await log.settled();
  }
  const names = ['renders.1.jsonl', 'renders.2.jsonl', 'renders.jsonl'];
  t.same(readdirSync(folder).sort(), names);
  for (const name of names) t.ok(statSync(join(folder, name)).size < 2300, name);
  const listed = await log.list('ws_1', 100);
  t.ok(listed.length > 10 && listed.length < 30, `${listed.length} are left`);
  t.same(
    listed.map(({ id }) => id),
    listed.map((_, age) => `render ${59 - 2 * age}`),
  );
  t.equal((await log.list('ws_1', 3)).length, 3);
  t.same(await log.list('ws_', 3), [], 'ids are compared whole');
});

t.test('keeps a torn line apart from new entries, and skips lines that are not entries', async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'renders.jsonl');
  writeFileSync(path, `${JSON.stringify(entryOf(workspace, 'first'))}\n{"id":"torn","workspaceId":"ws_1"`);
  const log = new RenderLog(folder, { warn });
  log.append(entryOf(workspace, 'second'));
  await log.settled();
  appendFileSync(path, '\u0000\u0000\nnull\n"ws_1"\n{"workspaceId":["ws_1"]}\n[{"workspaceId":"ws_1"}]\n');
  t.same(
    (await log.list('ws_1', 10)).map(({ id }) => id),
    ['second', 'first'],
  );
  t.ok(readFileSync(path, 'utf8').includes('"ws_1"\n{"id":"second"'));
});

// fault: 95
t.test('a full disk loses entries with a warning and damages no other entries', async (t) => {
  const folder = t.testdir({});
  const warnings: string[] = [];
  let full = false;
  const log = new RenderLog(folder, {
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
  t.same(
    (await log.list('ws_1', 10)).map(({ id }) => id),
    ['last', 'first'],
  );
  t.match(warnings, [/1 entries of the render log are lost: ENOSPC/]);
});

t.test('append does not wait for a hanging disk, and the buffer is bounded', async (t) => {
  const warnings: string[] = [];
  let go: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    go = resolve;
  });
  let entries = 0;
  const log = new RenderLog(t.testdir({}), {
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
