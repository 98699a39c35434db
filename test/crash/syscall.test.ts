// A store process that strace kills at, or makes fail, each system call on its files: the store opens again, and the balance
// includes all acknowledged operations, no rejected one, and only operations in flight besides; and a charge that is repeated
// with its idempotency key is made once.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { thisProcess } from '../../lib/store/embedded/process-identity.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openAdminStore } from '../../lib/store/open.js';
import { FORM, sample } from '../exhaustive.js';
import { buildChild } from './built.js';
import { CHARGER, ledgerOf } from './charger.js';
import { keyError, Ledger, linesError, repeatError } from './ledger.js';

const CALLS = [
  'openat',
  'write',
  'pwrite64',
  'writev',
  'fsync',
  'fdatasync',
  'rename',
  'renameat2',
  'link',
  'unlink',
  'close',
  'ftruncate',
  'copy_file_range',
].join();

const TABLE = [
  'workspaces.json',
  'workspaces.json.tmp',
  'workspaces.json.bak',
  'workspaces.json.bak.tmp',
  'idempotency-000001.bin',
];
/** Calls on these files, at start and stop, are tested in the exhaustive form only. */
const OTHERS =
  FORM === 'normal'
    ? []
    : ['lock', 'lock.takeover', 'templates.json', 'keys.json', 'brands.json', 'assets.json', 'operators.json'];

/**
 * The files that may remain in a folder. Temporary and claim files of locks are removed when they are old, a socket when
 * the next server starts, a temporary backup at the next write.
 */
const EXPECTED_FILES =
  /^((workspaces|keys|links|templates|brands|assets|operators|ledger|usage)\.json(\.bak(\.tmp)?)?|idempotency-\d+\.bin|control\.sock|lock\.([0-9a-f]{24}|takeover))$/;

/** Rounds of the child. In the normal form only the first two charges: one write, which makes every kind of call. */
const ROUNDS = FORM === 'normal' ? 0 : 3;

/** A system call in a run. */
interface Point {
  /** The `count`th call with this name on the store's files. */
  readonly name: string;
  readonly count: number;
}

const place = mkdtempSync(join(tmpdir(), 'platen-crash-'));
t.teardown(() => rmSync(place, { recursive: true, force: true }));
const seeded = join(place, 'seeded');
let workspaceId = '';
let otherId = '';
let runs = 0;

/** Runs the child on a fresh copy of the folder; `inject` is strace's injection rule. */
async function run(inject?: string): Promise<{ folder: string; output: string; errors: string; log: string }> {
  const folder = join(place, `data-${runs++}`);
  cpSync(seeded, folder, { recursive: true });
  const log = `${folder}.log`;
  const paths = [folder, ...[...TABLE, ...OTHERS].map((name) => join(folder, name))].flatMap((path) => ['-P', path]);
  const rule = inject === undefined ? [] : ['-e', `inject=${inject}`];
  const traced = ['-f', '-qq', '-o', log, '-e', `trace=${CALLS}`, ...rule, ...paths];
  const child = spawn('strace', [...traced, process.execPath, 'child.mjs', folder, workspaceId, String(ROUNDS)], {
    cwd: place,
    // A single thread for file system calls keeps their order the same in every run.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0', NODE_OPTIONS: '' },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return { folder, output, errors, log: readFileSync(log, 'utf8') };
}

/** All calls on the store's files in a run without faults, in order. */
async function findPoints(t: Test): Promise<Point[]> {
  const { output, errors, log } = await run();
  t.match(output, /closed\n$/, errors);
  const counts = new Map<string, number>();
  const points: Point[] = [];
  for (const [, name] of log.matchAll(/^\d+ +(\w+)\(/gm)) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    points.push({ name, count });
  }
  return points;
}

/** Does `work` for all items, two at a time. */
async function each<Item>(items: Generator<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const take = async () => {
    for (const item of items) await work(item);
  };
  await Promise.all([take(), take()]);
}

/**
 * Opens the folder after a crash, and repeats the charges that have keys; returns the balance before, the first error of a
 * key, and the names of unexpected files.
 */
async function reopen(folder: string, ledger: Ledger) {
  const admin = await openAdminStore(folder);
  await admin.grant(otherId, 1);
  const { balance } = await admin.balance(workspaceId);
  await admin.close();
  const store = await openEmbeddedStore(folder);
  const error =
    (await keyError(ledger, store, balance)) ??
    (await linesError(ledger, store, workspaceId, balance)) ??
    (await repeatError(ledger, store, workspaceId));
  await store.close();
  const unexpected = readdirSync(folder).filter((name) => !EXPECTED_FILES.test(name));
  rmSync(folder, { recursive: true });
  return { balance, error, unexpected };
}

const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;

t.test('system calls', { skip: canTrace ? false : 'strace is not installed or not allowed' }, async (t) => {
  buildChild(place, CHARGER);
  workspaceId = await seed(seeded);
  const points = await findPoints(t);
  t.ok(points.length >= 12, `${points.length} calls`);

  // fault: 83
  await t.test('survives a kill at every call', async (t) => {
    let kills = 0;
    let unacknowledged = 0;
    await each(sample(points, points.length), async ({ name, count }) => {
      const { folder, output, log } = await run(`${name}:signal=SIGKILL:when=${count}`);
      const what = `${name} ${count}`;
      if (/killed by SIGKILL/.test(log)) kills++;
      else t.fail(`${what} was not reached: ${output}`);
      const ledger = ledgerOf(output);
      const { balance, error, unexpected } = await reopen(folder, ledger);
      t.equal(ledger.errorAfterCrash(balance) ?? error, undefined, what);
      const acknowledged = ledger.operations.reduce(
        (sum, each) => sum + (each.seen === undefined ? 0 : each.amount),
        0,
      );
      if (ledger.happened(balance) !== acknowledged) unacknowledged++;
      t.same(unexpected, [], `${what}: no leftovers`);
    });
    if (FORM !== 'sample') t.ok(unacknowledged > 0, 'some charges happened without an acknowledgement');
    t.comment(`kills: ${kills} of ${points.length} calls; ${unacknowledged} left unacknowledged charges`);
  });

  // In the normal form only the last call of each name fails here; power.test.ts fails every call on a simulated disk.
  const chosen =
    FORM !== 'normal'
      ? points
      : points.filter(({ name, count }, i) => !points.some((other, j) => j > i && other.name === name && count < 4));
  const codes = FORM === 'normal' ? ['EIO'] : ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];
  const cases = codes.flatMap((code) => chosen.map((point) => ({ ...point, code })));
  // fault: 84
  await t.test('survives a failure of each call', async (t) => {
    let rejections = 0;
    let failures = 0;
    await each(sample(cases, cases.length), async ({ name, count, code }) => {
      const { folder, output, errors } = await run(`${name}:error=${code}:when=${count}`);
      const what = `${code} at ${name} ${count}`;
      t.equal(errors, '', what);
      t.match(output, /^(opened\n.*closed|.*refused: [^\n]+)\n$/s, what);
      const ledger = ledgerOf(output);
      const balance = /^reads (\d+)$/m.exec(output)?.[1];
      const left = await reopen(folder, ledger);
      t.equal(ledger.errorAfterCrash(left.balance) ?? left.error, undefined, what);
      if (balance !== undefined) t.equal(left.balance, Number(balance), `${what}: memory and disk agree`);
      failures++;
      if (/^x /m.test(output)) rejections++;
    });
    if (FORM !== 'sample') t.ok(rejections > 0, 'some operations were rejected');
    t.comment(`failures: ${failures}, ${codes}; ${rejections} runs with rejected operations`);
  });
});

/** Creates the folder with a workspace for a ledger, whose id it returns, and another one. */
async function seed(folder: string): Promise<string> {
  const store = await openEmbeddedStore(folder);
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: new Ledger().firstBalance });
  otherId = (await store.createWorkspace({ name: 'other', plan: 'paid', credits: 0 })).id;
  await store.close();
  // A lock whose holder has ended, so that the takeover is interrupted too.
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const dead = { ...thisProcess(), pid, token: 'dead', purpose: 'server' };
  if (FORM !== 'normal') writeFileSync(join(folder, 'lock'), JSON.stringify(dead));
  return id;
}
