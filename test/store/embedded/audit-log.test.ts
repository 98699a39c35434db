// The audit log of the embedded store: durable before it resolves, failures, torn lines, rotation.
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { Mutex } from '../../../lib/store/embedded/durable-file.js';
import { type AuditLogOptions, openAuditLog } from '../../../lib/store/embedded/operators/audit-log.js';

const entry = (action: string) => ({ actor: { kind: 'command' }, action }) as const;

/** The log of `folder`, and its warnings. */
async function open(folder: string, options: Partial<AuditLogOptions> = {}) {
  const warnings: string[] = [];
  const log = await openAuditLog(folder, {
    now: () => new Date('2026-11-22T10:00:00.000Z'),
    warn: (message) => warnings.push(message),
    mutex: new Mutex(),
    ...options,
  });
  const actions = async () => (await log.listAudit({}, { limit: 200 })).items.map(({ action }) => action);
  return { log, warnings, actions };
}

t.test('an entry is in the file, which is private, when the call resolves', async (t) => {
  const folder = t.testdir({});
  const { log } = await open(folder);
  await Promise.all(['one', 'two', 'three'].map((action) => log.appendAudit(entry(action))));
  const path = join(folder, 'audit-000001.jsonl');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  t.same(
    lines.map((line) => JSON.parse(line).action),
    ['one', 'two', 'three'],
  );
  if (process.platform !== 'win32') t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test('keeps a torn line apart from new entries, and skips lines that are not entries', async (t) => {
  const folder = t.testdir({});
  const first = await open(folder);
  await first.log.appendAudit(entry('first'));
  appendFileSync(join(folder, 'audit-000001.jsonl'), '{"id":"a"}\nnull\n{"id":"audit_torn","action":"to');
  const again = await open(folder);
  await again.log.appendAudit(entry('second'));
  t.same(await again.actions(), ['second', 'first']);
});

t.test('rejects an entry that can’t be written, and goes on with the next', async (t) => {
  const folder = t.testdir({});
  let isFull = false;
  const append = async (path: string, text: string) => {
    await appendFile(path, isFull ? text.slice(0, 20) : text);
    if (isFull) throw new Error('ENOSPC: no space left');
  };
  const { log, warnings, actions } = await open(folder, { append });
  await log.appendAudit(entry('before'));
  isFull = true;
  await t.rejects(log.appendAudit(entry('lost')), { name: 'ServiceError', code: 'storage_unavailable' });
  t.same(warnings, ['the audit log can’t be written: ENOSPC: no space left']);
  isFull = false;
  await log.appendAudit(entry('after'));
  t.same(await actions(), ['after', 'before']);
});

t.test('writes nothing once another process may own the folder', async (t) => {
  const folder = t.testdir({});
  const assertLocked = async () => Promise.reject(new Error('the lock is lost'));
  const { log } = await open(folder, { assertLocked });
  await t.rejects(log.appendAudit(entry('late')), { code: 'storage_unavailable' });
  t.same(readdirSync(folder), []);
});

t.test('rotates files by size, deletes the oldest, and lists across files', async (t) => {
  const folder = t.testdir({});
  const { log, actions } = await open(folder, { maxBytes: 500, keep: 3 });
  for (let n = 0; n < 40; n++) await log.appendAudit(entry(`n.${n}`));
  const names = readdirSync(folder);
  t.equal(names.length, 3);
  const found = await actions();
  t.ok(found.length > 8 && found.length < 20, `${found.length} are left`);
  t.same(
    found,
    found.map((_, age) => `n.${39 - age}`),
  );
});
