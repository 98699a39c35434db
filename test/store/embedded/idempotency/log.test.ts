// Segment files of settled idempotency keys: commits, crashes between them, damage, failing disks, and 24 hours of a clock.
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, promises, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { FileSystem } from '../../../../lib/store/embedded/durable-file.js';
import { IdempotencyLog, KEPT_MS } from '../../../../lib/store/embedded/idempotency/log.js';
import {
  encodeRecord,
  type IdempotencyRecord,
  RECORD_BYTES,
} from '../../../../lib/store/embedded/idempotency/record.js';
import { SegmentIndex } from '../../../../lib/store/embedded/idempotency/segment-index.js';
import { digestOf } from '../../../../lib/store/idempotency-key.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

const digest = (name: string) => createHash('sha256').update(name).digest();

/** A log in `folder` with a clock that the test sets, and the header that a commit would have written. */
function createLogs(folder: string) {
  const state = { now: START, committed: undefined as unknown, warnings: [] as string[] };
  const record = (name: string, more: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
    digest: digest(name),
    fingerprint: digest(`body of ${name}`).toString('hex'),
    renderId: `render of ${name}`,
    creditsCost: 1,
    time: state.now,
    ...more,
  });
  return {
    state,
    record,
    open: (files: FileSystem = promises) =>
      IdempotencyLog.open(state.committed, {
        files,
        folder,
        now: () => new Date(state.now),
        warn: (message) => state.warnings.push(message),
      }),
    async settle(log: IdempotencyLog, ...names: string[]) {
      const prepared = await log.prepare(names.map((name) => encodeRecord(record(name))));
      state.committed = prepared.segments;
      prepared.commit();
    },
  };
}

const segmentFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('idempotency-'))
    .sort();

t.test('finds committed records, also after it is opened again', async (t) => {
  const folder = t.testdir({});
  const { state, record, open, settle } = createLogs(folder);
  const log = await open();
  t.equal(await log.find(digest('a')), undefined);
  await settle(log, 'a', 'b');
  await settle(log, 'c');
  const odd = record('odd', { templateVersion: 4_000_000_000, creditsCost: 0.000001, renderId: 'ü'.repeat(19) });
  const prepared = await log.prepare([encodeRecord(odd)]);
  t.equal(await log.find(digest('odd')), undefined, 'not before its commit');
  state.committed = prepared.segments;
  prepared.commit();
  t.same(segmentFiles(folder), ['idempotency-000001.bin'], 'one file');
  const again = await open();
  for (const each of [log, again]) {
    const { digest: _digest, time: _time, ...expected } = record('b');
    t.strictSame(await each.find(digest('b')), expected);
    const { digest: _odd, time: _now, ...settled } = odd;
    t.strictSame(await each.find(digest('odd')), settled);
    t.equal(await each.find(digest('none')), undefined);
    t.equal(each.size.records, 4);
  }
  t.same(state.warnings, []);
  await log.close();
  await again.close();
});

t.test('rejects a record that does not fit', async (t) => {
  const { record } = createLogs(t.testdir({}));
  t.throws(() => encodeRecord(record('a', { renderId: 'x'.repeat(40) })), RangeError);
  t.throws(() => encodeRecord(record('a', { renderId: 'x'.repeat(37), brandVersion: 1 })), RangeError);
  t.throws(() => encodeRecord(record('a', { brandVersion: 2 ** 24 })), RangeError);
  t.throws(() => encodeRecord(record('a', { fingerprint: 'f' })), RangeError);
});

t.test('tells keys apart whose API key and value are joined alike', async (t) => {
  t.notSame(digestOf({ keyId: 'a', value: 'bc' }), digestOf({ keyId: 'ab', value: 'c' }));
  t.same(digestOf({ keyId: 'a', value: 'b' }), digestOf({ keyId: 'a', value: 'b' }));
});

t.test('ignores what was not committed, and overwrites it after a restart', async (t) => {
  const folder = t.testdir({});
  const { record, open, settle } = createLogs(folder);
  const log = await open();
  await settle(log, 'a');
  // Killed after the records were written and before workspaces.json was.
  await log.prepare([encodeRecord(record('b')), encodeRecord(record('c'))]);
  await log.close();
  writeFileSync(join(folder, 'idempotency-000009.bin'), encodeRecord(record('d')));
  const again = await open();
  t.same(segmentFiles(folder), ['idempotency-000001.bin'], 'a segment that is not listed is removed');
  for (const name of ['b', 'c', 'd']) t.equal(await again.find(digest(name)), undefined, name);
  await settle(again, 'e');
  t.match(await again.find(digest('a')), { renderId: 'render of a' });
  t.match(await again.find(digest('e')), { renderId: 'render of e' });
  await again.close();
  const third = await open();
  for (const name of ['a', 'e']) t.match(await third.find(digest(name)), { renderId: `render of ${name}` });
  for (const name of ['b', 'c', 'd']) t.equal(await third.find(digest(name)), undefined, name);
  await third.close();
});

t.test('never writes to a segment again whose commit may have failed', async (t) => {
  const folder = t.testdir({});
  const { record, open, settle } = createLogs(folder);
  const log = await open();
  await settle(log, 'a');
  await log.prepare([encodeRecord(record('failed'))]);
  await settle(log, 'b');
  await log.prepare([encodeRecord(record('failed too'))]);
  await settle(log, 'c');
  for (const name of ['a', 'b', 'c']) t.match(await log.find(digest(name)), { renderId: `render of ${name}` });
  for (const name of ['failed', 'failed too']) t.equal(await log.find(digest(name)), undefined, name);
  await log.close();
  t.equal(segmentFiles(folder).length, 3);
  const again = await open();
  t.equal(again.size.records, 3);
  for (const name of ['failed', 'failed too']) t.equal(await again.find(digest(name)), undefined, name);
  await again.close();
});

t.test('a write that fails at any call leaves the committed records, and the next one succeeds', async (t) => {
  for (const failing of ['open', 'write', 'sync', 'folder'] as const) {
    const folder = t.testdir({});
    const { record, open, settle } = createLogs(folder);
    let isOn = false;
    const fail = (call: string) => {
      if (isOn && call === failing) throw Object.assign(new Error('EIO: made to fail'), { code: 'EIO' });
    };
    const files = {
      ...promises,
      open: async (path: string, flags: string, mode?: number) => {
        if (path !== folder) fail('open');
        const handle = await promises.open(path, flags, mode);
        return Object.assign(Object.create(handle), {
          write: (bytes: Buffer, ...rest: [number, number, number]) => {
            fail('write');
            // As the system may: fewer bytes than requested.
            return handle.write(bytes, rest[0], Math.min(rest[1], 100), rest[2]);
          },
          read: handle.read.bind(handle),
          sync: async () => {
            await handle.sync();
            fail(path === folder ? 'folder' : 'sync');
          },
          close: () => handle.close(),
        });
      },
    } as unknown as FileSystem;
    const log = await open(files);
    // A new segment each: the folder is synced, too.
    isOn = true;
    await t.rejects(log.prepare([encodeRecord(record('failed'))]), { code: 'EIO' }, failing);
    isOn = false;
    await settle(log, 'a', 'b');
    isOn = true;
    if (failing === 'write' || failing === 'sync')
      await t.rejects(log.prepare([encodeRecord(record('failed'))]), { code: 'EIO' });
    isOn = false;
    await settle(log, 'c');
    await log.close();
    const again = await open();
    for (const each of [log, again]) {
      for (const name of ['a', 'b', 'c']) t.match(await each.find(digest(name)), { renderId: `render of ${name}` });
      t.equal(await each.find(digest('failed')), undefined);
    }
    await again.close();
  }
});

t.test('keeps records for 24 hours, and removes whole segments afterwards', async (t) => {
  const folder = t.testdir({});
  const { state, open, settle } = createLogs(folder);
  let log = await open();
  for (let hour = 0; hour < 60; hour++) {
    state.now = START + hour * HOUR;
    await settle(log, `first ${hour}`);
    state.now += HOUR / 2;
    await settle(log, `second ${hour}`);
    if (hour % 7 === 0) {
      await log.close();
      log = await open();
    }
  }
  state.now = START + 59 * HOUR + HOUR / 2;
  for (let hour = 0; hour < 60; hour++) {
    for (const [half, name] of ['first', 'second'].entries()) {
      const age = state.now - (START + hour * HOUR + (half * HOUR) / 2);
      const found = await log.find(digest(`${name} ${hour}`));
      t.equal(found !== undefined, age < KEPT_MS, `${name} ${hour}, ${age / HOUR} hours old`);
    }
  }
  await log.close();
  t.ok(segmentFiles(folder).length <= 25, `${segmentFiles(folder).length} files`);
  t.ok(log.size.records <= 50, `${log.size.records} records`);
  // A key can be settled again after 24 hours, while its old record is still there.
  const again = await open();
  t.equal(await again.find(digest('second 35')), undefined);
  await settle(again, 'second 35');
  t.match(await again.find(digest('second 35')), { renderId: 'render of second 35' });
  await again.close();
  t.same(state.warnings, []);
});

t.test('damaged and missing records cost a warning, and no others', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => `key ${i}`);
  type Damage = (path: string) => unknown;
  const damages: [string, number[], Damage][] = [
    ['a flipped bit', [7], (path) => flip(path, 7 * RECORD_BYTES + 70)],
    ['a flipped bit in the digest', [3], (path) => flip(path, 3 * RECORD_BYTES)],
    ['truncated', [10, 11, 12, 13, 14, 15, 16, 17, 18, 19], (path) => truncateSync(path, 10 * RECORD_BYTES + 5)],
    ['zeros', [4, 5, 6, 7], (path) => writeFileSync(path, readFileSync(path).fill(0, 4 * RECORD_BYTES, 1024))],
    ['empty', names.map((_, i) => i), (path) => truncateSync(path, 0)],
    ['missing', names.map((_, i) => i), (path) => rmSync(path)],
    ['garbage behind', [], (path) => appendFileSync(path, randomBytes(1000))],
  ];
  for (const [what, lost, damage] of damages) {
    const folder = t.testdir({});
    const { state, open, settle } = createLogs(folder);
    const log = await open();
    await settle(log, ...names);
    await log.close();
    damage(join(folder, 'idempotency-000001.bin'));
    const again = await open();
    for (const [i, name] of names.entries())
      t.equal((await again.find(digest(name))) === undefined, lost.includes(i), `${what}: ${name}`);
    const warning = `idempotency-000001.bin: ${lost.length} of 20 records are damaged or missing; their keys can be charged once more`;
    t.strictSame(state.warnings, lost.length > 0 ? [join(folder, warning)] : [], what);
    await settle(again, 'next');
    await again.close();
    const third = await open();
    t.match(await third.find(digest('next')), { renderId: 'render of next' }, what);
    await third.close();
  }
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] ^= 4;
  writeFileSync(path, bytes);
}

t.test('removes no segment when the header’s list is malformed', async (t) => {
  const folder = t.testdir({});
  const { state, open, settle } = createLogs(folder);
  const log = await open();
  await settle(log, 'a');
  await log.close();
  for (const odd of [null, {}, [null], [{ segment: 0, bytes: 0 }], [{ segment: 1, bytes: 100 }], [{ segment: 1 }]]) {
    state.committed = odd;
    state.warnings = [];
    const again = await open();
    t.match(state.warnings, [/does not list its idempotency records/]);
    await again.close();
    t.same(segmentFiles(folder), ['idempotency-000001.bin']);
  }
});

t.test('confirms a match of the index by the whole digest', async (t) => {
  const { state, record, open } = createLogs(t.testdir({}));
  const log = await open();
  const twin = Buffer.from(digest('a'));
  twin[31] ^= 1;
  const prepared = await log.prepare([encodeRecord(record('a'))]);
  prepared.commit();
  state.committed = prepared.segments;
  t.equal(log.candidates(twin).length, 1);
  t.equal(await log.find(twin), undefined);
  t.equal(log.candidates(digest('b')).length, 0);
  await log.close();
});

t.test('the index finds each of many records, and only these', async (t) => {
  const index = new SegmentIndex();
  const digests = Array.from({ length: 5000 }, (_, i) => digest(`${i}`));
  for (const [i, each] of digests.entries()) if (i % 3 !== 0) index.add(i, each);
  index.add(5000, digests[1]);
  for (const [i, each] of digests.entries())
    t.same(index.candidates(each), i % 3 === 0 ? [] : i === 1 ? [1, 5000] : [i]);
  t.ok(index.bytes / 5001 < 30, `${index.bytes / 5001} bytes for each record`);
});
