// Idempotency keys and a wall clock that is wrong: what was charged is not charged again, and keys still expire.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { StoreClock } from '../../../../lib/store/embedded/idempotency/store-clock.js';
import { openEmbeddedStore } from '../../../../lib/store/embedded/store.js';
import type { Store, Workspace } from '../../../../lib/store/types.js';
import { addWorkspace, holdOf } from '../../suite.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const FINGERPRINT = '0'.repeat(64);

/** A folder whose store is opened, and closed, with a wall clock that the test sets; a monotonic clock runs beside it. */
async function createFolder(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'platen-clock-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const state = { wall: START, monotonic: 500, warnings: [] as string[] };
  let store: Store | undefined;
  let workspace: Workspace | undefined;
  /** Restarts the server; returns what the start-up warns of. */
  const restart = async () => {
    await store?.close();
    state.warnings = [];
    store = await openEmbeddedStore(folder, {
      now: () => new Date(state.wall),
      clock: () => state.monotonic,
      warn: (message) => void state.warnings.push(message),
    });
    workspace ??= await addWorkspace(store, 100);
    return state.warnings;
  };
  await restart();
  t.teardown(() => store?.close());
  return {
    folder,
    state,
    restart,
    /** Time passes while the server runs. */
    pass(milliseconds: number) {
      state.wall += milliseconds;
      state.monotonic += milliseconds;
    },
    /** Sends a request with this key: whether it is charged. */
    async isCharged(value: string): Promise<boolean> {
      const claim = await store!.claimIdempotencyKey({ keyId: 'key', value }, FINGERPRINT);
      if ('settled' in claim) return false;
      if (!('lease' in claim)) throw new Error('another request has the lease');
      await store!.settle(await holdOf(store!, workspace!), { lease: claim.lease, renderId: value });
      return true;
    },
  };
}

// before: a key that was settled was charged again when the clock was wrong by more than 24 hours at the next start
for (const days of [-1000, -10, -1.1, -0.9, -0.1, 1.1, 10, 1000]) {
  t.test(
    `charges no key again when the clock is wrong by ${days} days at a start, and is then corrected`,
    async (t) => {
      const { state, restart, pass, isCharged } = await createFolder(t);
      t.ok(await isCharged('before'));
      pass(HOUR);
      state.wall += days * DAY;
      const warnings = await restart();
      t.match(warnings, [days < 0 ? /^\S+: the clock went back by [\d.]+ (hours|days): / : /the clock went ahead by /]);
      t.equal(warnings.length, 1);
      t.notOk(await isCharged('before'));
      t.ok(await isCharged('while it is wrong'));
      pass(HOUR);
      t.notOk(await isCharged('while it is wrong'));
      state.wall -= days * DAY;
      const corrected = await restart();
      if (Math.abs(days) > 1) t.match(corrected, [days < 0 ? /the clock went ahead by / : /the clock went back by /]);
      for (const value of ['before', 'while it is wrong']) t.notOk(await isCharged(value), value);
      t.ok(await isCharged('after'));
      await restart();
      for (const value of ['before', 'while it is wrong', 'after']) t.notOk(await isCharged(value), value);
      t.same(state.warnings, [], 'the clock is right');
      pass(DAY + HOUR);
      for (const value of ['before', 'while it is wrong', 'after'])
        t.ok(await isCharged(value), `${value}: a day later`);
    },
  );

  t.test(`the same when the clock is set by ${days} days while the server runs`, async (t) => {
    const { state, pass, isCharged } = await createFolder(t);
    t.ok(await isCharged('before'));
    pass(HOUR);
    state.wall += days * DAY;
    t.notOk(await isCharged('before'));
    t.ok(await isCharged('while it is wrong'));
    pass(HOUR);
    state.wall -= days * DAY;
    for (const value of ['before', 'while it is wrong']) t.notOk(await isCharged(value), value);
    // a clock that is behind by less than a day is believed, so time may stand still for that long
    pass(2 * DAY);
    for (const value of ['before', 'while it is wrong']) t.ok(await isCharged(value), `${value}: later`);
  });
}

t.test('keys expire after a day in which the server was off, without a warning', async (t) => {
  const { state, restart, isCharged } = await createFolder(t);
  t.ok(await isCharged('a'));
  state.wall += DAY - 1;
  t.same(await restart(), []);
  t.notOk(await isCharged('a'));
  state.wall += 1;
  t.same(await restart(), []);
  t.ok(await isCharged('a'));
});

t.test('says nothing of a long pause after which no key is left', async (t) => {
  const { state, restart, pass, isCharged } = await createFolder(t);
  state.wall += 10 * DAY;
  t.same(await restart(), [], 'a folder that never had one');
  t.ok(await isCharged('a'));
  pass(DAY + HOUR);
  t.ok(await isCharged('b'));
  pass(DAY - HOUR);
  t.ok(await isCharged('a'));
  state.wall -= 5 * 60_000;
  t.match(await restart(), [/the clock went back by 0\.1 hours/]);
  state.wall -= 30_000;
  t.match(await restart(), [/the clock went back/], 'as long as it is so');
});

t.test('a folder of a version that stored no mark goes on from its latest record', async (t) => {
  const { folder, state, restart, isCharged } = await createFolder(t);
  t.ok(await isCharged('a'));
  const path = join(folder, 'workspaces.json');
  const withoutMark = async (wall: number) => {
    await restart();
    const { clock, checksum, ...file } = JSON.parse(readFileSync(path, 'utf8'));
    t.match(clock, { time: Number, wall: Number });
    t.match(checksum, String);
    writeFileSync(path, JSON.stringify(file));
    state.wall = wall;
    return await restart();
  };
  t.match(await withoutMark(START - 10 * DAY), [/the clock went back by 10\.0 days/]);
  t.notOk(await isCharged('a'));
});

t.test('the clock never goes back, and converts its times', (t) => {
  let wall = START;
  let monotonic = 0;
  const warn = () => undefined;
  const clock = new StoreClock(undefined, { folder: '', now: () => new Date(wall), clock: () => monotonic, warn });
  t.equal(clock.read(), START);
  let last = START;
  for (const [jump, passed] of [
    ...[[HOUR, HOUR] as const, [-HOUR, 5] as const, [-30 * DAY, 1000] as const, [60 * DAY, 1000] as const],
    ...[[-30 * DAY, 1000] as const, [3 * DAY, 3 * DAY] as const, [0, 0] as const, [-23 * HOUR, HOUR] as const],
  ]) {
    wall += jump;
    monotonic += passed;
    const time = clock.read();
    t.ok(time >= last && time <= last + Math.max(passed, DAY), `${jump}, ${passed}`);
    t.equal(clock.fromWall(clock.toWall(time)), time);
    const mark = clock.mark();
    t.equal(clock.toWall(mark.time), mark.wall);
    last = time;
  }
  t.end();
});
