// The store in a process of its own, killed by strace at every system call that touches its files, and failed at every
// one: the balance is what was acknowledged, a charge in flight besides; what was refused has not happened; it opens again.
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
import { Ledger } from './ledger.js';

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

const TABLE = ['workspaces.json', 'workspaces.json.tmp', 'workspaces.json.bak', 'workspaces.json.bak.tmp'];
/** Starting and stopping are tried in the exhaustive form. */
const OTHERS = FORM === 'normal' ? [] : ['lock', 'lock.takeover', 'templates.json', 'keys.json'];

/**
 * What may lie in a folder: drafts and claims of locks go when they are old, a socket when the next server starts, a second name of
 * the previous generation with the next write.
 */
const PASSING = /^((workspaces|keys|templates)\.json(\.bak(\.tmp)?)?|control\.sock|lock\.([0-9a-f]{24}|takeover))$/;

/** Rounds of the child. In the normal run none but the first two charges: one write, which makes every kind of call. */
const ROUNDS = FORM === 'normal' ? 0 : 3;

interface Point {
  /** The `count`th call of this name that touches the store's files. */
  readonly name: string;
  readonly count: number;
}

const place = mkdtempSync(join(tmpdir(), 'platen-crash-'));
t.teardown(() => rmSync(place, { recursive: true, force: true }));
const seeded = join(place, 'seeded');
let workspaceId = '';
let runs = 0;

/** Runs the child on a fresh copy of the folder; `inject` is strace's rule. */
async function run(inject?: string): Promise<{ folder: string; output: string; errors: string; log: string }> {
  const folder = join(place, `data-${runs++}`);
  cpSync(seeded, folder, { recursive: true });
  const log = `${folder}.log`;
  const paths = [folder, ...[...TABLE, ...OTHERS].map((name) => join(folder, name))].flatMap((path) => ['-P', path]);
  const rule = inject === undefined ? [] : ['-e', `inject=${inject}`];
  const traced = ['-f', '-qq', '-o', log, '-e', `trace=${CALLS}`, ...rule, ...paths];
  const child = spawn('strace', [...traced, process.execPath, 'child.js', folder, workspaceId, String(ROUNDS)], {
    cwd: place,
    // One thread makes all calls of the disk: the count is theirs alone, and the same in every run.
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

/** Every call on the store's files that a whole run makes, in its order. */
async function planOf(t: Test): Promise<Point[]> {
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

/** Does `work` for all, two at a time. */
async function each<Item>(items: Generator<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const take = async () => {
    for (const item of items) await work(item);
  };
  await Promise.all([take(), take()]);
}

/** Opens the folder as a server does after a crash, and gives its balance and what lies there. */
async function reopen(folder: string): Promise<{ balance: number; names: string[] }> {
  const admin = await openAdminStore(folder);
  await admin.grant(workspaceId, 2 ** 31);
  const { balance } = await admin.balance(workspaceId);
  await admin.close();
  const names = readdirSync(folder).filter((name) => !PASSING.test(name));
  rmSync(folder, { recursive: true });
  return { balance: balance - 2 ** 31, names };
}

const able = spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;

t.test('system calls', { skip: able ? false : 'strace is not there, or may not trace' }, async (t) => {
  buildChild(place, 'lib/store/open.ts', CHARGER);
  workspaceId = await seed(seeded);
  const points = await planOf(t);
  t.ok(points.length >= 12, `${points.length} calls`);

  // fault: 83
  await t.test('killed at every one', async (t) => {
    let kills = 0;
    let unheard = 0;
    await each(sample(points, points.length), async ({ name, count }) => {
      const { folder, output, log } = await run(`${name}:signal=SIGKILL:when=${count}`);
      const what = `${name} ${count}`;
      if (/killed by SIGKILL/.test(log)) kills++;
      else t.fail(`${what} was never reached: ${output}`);
      const ledger = ledgerOf(output);
      const { balance, names } = await reopen(folder);
      t.equal(ledger.faultAfterCrash(balance), undefined, what);
      const told = ledger.operations.reduce((sum, { seen, amount }) => sum + (seen === undefined ? 0 : amount), 0);
      if (ledger.happened(balance) !== told) unheard++;
      t.same(names, [], `${what}: nothing is left lying`);
    });
    if (FORM !== 'sample') t.ok(unheard > 0, 'some were charged and did not hear of it');
    t.comment(`kills: ${kills} of ${points.length} calls; ${unheard} left charges that nobody had heard of`);
  });

  // The model disk fails every call in the normal run; here one of each name does.
  const chosen =
    FORM !== 'normal'
      ? points
      : points.filter(({ name, count }, i) => !points.some((other, j) => j > i && other.name === name && count < 4));
  const codes = FORM === 'normal' ? ['EIO'] : ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];
  const cases = codes.flatMap((code) => chosen.map((point) => ({ ...point, code })));
  // fault: 84
  await t.test('each fails once', async (t) => {
    let refusals = 0;
    let failures = 0;
    await each(sample(cases, cases.length), async ({ name, count, code }) => {
      const { folder, output, errors } = await run(`${name}:error=${code}:when=${count}`);
      const what = `${code} at ${name} ${count}`;
      t.equal(errors, '', what);
      t.match(output, /^(opened\n.*closed|.*refused: [^\n]+)\n$/s, what);
      const ledger = ledgerOf(output);
      const balance = /^reads (\d+)$/m.exec(output)?.[1];
      const left = await reopen(folder);
      t.equal(ledger.faultAfterCrash(left.balance), undefined, what);
      if (balance !== undefined) t.equal(left.balance, Number(balance), `${what}: memory and disk agree`);
      failures++;
      if (/^x /m.test(output)) refusals++;
    });
    if (FORM !== 'sample') t.ok(refusals > 0, 'some were refused');
    t.comment(`failures: ${failures}, ${codes}; ${refusals} runs with refused charges`);
  });
});

/** Makes the folder with a workspace that a ledger can follow; gives its id. */
async function seed(folder: string): Promise<string> {
  const store = await openEmbeddedStore(folder);
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: new Ledger().start });
  await store.close();
  // A lock whose holder is gone: taking it over is interrupted as well.
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const dead = { ...thisProcess(), pid, token: 'dead', purpose: 'server' };
  if (FORM !== 'normal') writeFileSync(join(folder, 'lock'), JSON.stringify(dead));
  return id;
}
