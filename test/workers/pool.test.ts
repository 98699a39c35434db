// The pool of worker processes, with scripted and real workers: time limits, crashes, replacement, isolation.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { AssetFile } from '../../lib/assets/asset-file.js';
import { RenderError, ServiceError } from '../../lib/errors.js';
import { resolve } from '../../lib/templates/resolve.js';
import { createLocalPool } from '../../lib/workers/in-process.js';
import { createPool, type JobUsage, type PoolOptions, type RenderPool } from '../../lib/workers/pool.js';
import { makeCheckout } from '../checkout.js';
import { eventually } from '../eventually.js';
import { gsub, SQUARE, sfnt, trueType, u16 } from '../fonts/font-maker.js';
import { job } from './job.js';
import { warningsDuring } from './process-warnings.js';

const MEBIBYTE = 2 ** 20;
const scripted = new URL('../service/scripted.mjs', import.meta.url);

/** `running`: jobs that a worker runs, whether or not their caller still waits. */
function open(t: Test, options: Partial<PoolOptions> = {}): RenderPool & { lines: string[]; readonly running: number } {
  const lines: string[] = [];
  const pool = createPool({ workers: 1, entry: scripted, report: (line) => lines.push(line), ...options });
  t.teardown(async () => {
    pool.close();
    await eventually(() => pool.stats().pids.length === 0);
  });
  let running = 0;
  return {
    ...pool,
    lines,
    run(job, signal, listeners = {}) {
      running++;
      const onReleased = (usage?: JobUsage) => {
        running--;
        listeners.onReleased?.(usage);
      };
      return pool.run(job, signal, { ...listeners, onReleased });
    },
    get running() {
      return running;
    },
  };
}

/** Runs a script in a worker and returns its output. */
async function run(pool: RenderPool, script: string, signal = new AbortController().signal) {
  const result = await pool.run(job(script), signal);
  return new TextDecoder().decode(result.bytes.subarray(8));
}

const checkout = t.testdir();
makeCheckout(checkout);
/** The real worker, as built. */
const realEntry = pathToFileURL(join(checkout, 'dist/lib/worker.js'));

/** Whether a process runs; a zombie does not. */
function isRunning(pid: number): boolean {
  return isAlive(pid) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
const after = (ms: number, reason: unknown) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
};
const late = new RenderError('render_timeout', 'late');
const gone = new ServiceError('internal_error', 'gone');

// fault: 57
t.test('kills the worker of a job that exceeds its time limit, and runs the next job', async (t) => {
  const pool = open(t);
  await eventually(() => pool.stats().idle === 2);
  const before = pool.stats().pids;
  t.equal(before.length, 2, 'one more than may work');
  await t.rejects(run(pool, 'hang', after(50, late)), late);
  t.equal(await run(pool, 'sleep 0').then((pid) => before.includes(Number(pid))), true, 'the spare is warm');
  await eventually(() => pool.stats().pids.length === 2 && !pool.stats().pids.every((pid) => before.includes(pid)));
  t.equal(before.filter(isAlive).length, 1, 'the process is gone');
  t.equal(pool.running, 0);
  t.equal(pool.stats().restarts, 1);
});
t.test('ends a stage that overruns its processor time, and says where', async (t) => {
  const pool = open(t, { workers: 1, spares: 0, stageLimits: { decodeMs: 200, layoutMs: 200 } });
  const usages: (JobUsage | undefined)[] = [];
  const listeners = { onReleased: (usage?: JobUsage) => void usages.push(usage) };
  const { signal } = new AbortController();
  await t.rejects(pool.run(job('overrun layers[2].url'), signal, listeners), {
    code: 'render_timeout',
    message: 'layers[2].url: it took too long',
    details: [{ code: 'render_timeout', path: 'layers[2].url', message: 'it took too long' }],
  });
  await eventually(() => usages.length === 1);
  t.ok(usages[0]!.cpuMs > 500, `${usages[0]!.cpuMs} ms, whatever limit the process has named`);
  t.match(await run(pool, 'pid'), /^\d+$/, 'the next job runs');
});

// fault: 61
t.test('ends the layout of a short text in a font whose rules take long', async (t) => {
  const pool = open(t, { spares: 0, entry: realEntry, stageLimits: { decodeMs: 5000, layoutMs: 200 } });
  const times = 32_000;
  // one ligature that never matches, in a set that refers to it again and again
  const set = [times, ...Array<number>(times).fill(2 + 2 * times), 2, 4, 1, 1, 2];
  const font = sfnt({ ...trueType(SQUARE, SQUARE), GSUB: gsub([[4, u16(1, 8, 1, 14, 1, 1, 1, ...set)]]) });
  const url = 'data:font/ttf;base64,AAAA';
  const text = { type: 'text', text: 'a'.repeat(1900), x: 0, y: 0, width: 40, height: 40, customFontUrl: url };
  const { layers } = resolve({ canvas: { width: 2, height: 2 }, layers: [text] }, { maxLayers: 1, checkUrl: () => {} });
  const assets = new Map([[url, { file: new AssetFile(font), digest: 'rules' }]]);
  const slow = { ...job(''), assets, scene: { ...job('').scene, layers, origins: [{ path: 'layers[0]' }] } };
  await t.rejects(pool.run(slow, new AbortController().signal), {
    code: 'render_timeout',
    message: 'layers[0].text: layout took more than 0.2 s of processor time',
  });
  await eventually(() => pool.stats().restarts === 1);
});

// fault: 76
t.test('fails the job of a worker that dies, and replaces the worker', async (t) => {
  const pool = open(t);
  for (const script of ['die', 'kill']) {
    await t.rejects(run(pool, script), { code: 'render_failed', message: /exit code 7|SIGKILL/ });
    t.match(await run(pool, 'pid'), /^\d+$/);
  }
  const begun = join(t.testdir(), 'begun');
  const working = run(pool, `tell ${begun}`);
  await eventually(() => existsSync(begun));
  for (const pid of pool.stats().pids) process.kill(pid, 'SIGKILL');
  await t.rejects(working, { code: 'render_failed', message: /SIGKILL/ });
  t.match(await run(pool, 'pid'), /^\d+$/, 'even when all were killed at once');
  await eventually(() => pool.stats().pids.length === 2);
  t.equal(pool.running, 0);
});

t.test('rejects an aborted job at once, and kills its worker unless the job finishes soon', async (t) => {
  const pool = open(t);
  await pool.ready();
  const [first] = pool.stats().pids;
  await t.rejects(run(pool, 'sleep 100', after(20, gone)), gone);
  t.equal(pool.running, 1, 'its place is taken as long as it runs');
  await eventually(() => pool.running === 0);
  t.ok(pool.stats().pids.includes(first), 'it came to its end by itself');
  await t.rejects(run(pool, 'hang', after(20, gone)), gone);
  await eventually(() => pool.running === 0);
  t.equal(pool.stats().restarts, 1, 'it did not');
  const aborted = AbortSignal.abort(gone);
  await t.rejects(run(pool, 'pid', aborted), gone);
  t.equal(pool.running, 0);
});

// fault: 56
t.test('keeps the code and details of a failure, and replaces a worker after a WebAssembly trap', async (t) => {
  const pool = open(t);
  await pool.ready();
  const details = [{ code: 'asset_failed', path: 'layers[0]', message: 'no' }];
  const failure = { code: 'asset_failed', message: 'no', details };
  await t.rejects(run(pool, 'fail'), failure);
  t.equal(pool.stats().restarts, 0);
  await t.rejects(run(pool, 'trap'), failure);
  await eventually(() => pool.stats().restarts === 1);
  t.equal(pool.stats().restarts, 1);
  t.match(await run(pool, 'damage'), /^\d+$/, 'a trap that a fallback colour hides');
  await eventually(() => pool.stats().restarts === 2);
});

// fault: 77
t.test('replaces a worker that holds too much memory', async (t) => {
  const pool = open(t);
  const pid = Number(await run(pool, 'fat'));
  await eventually(() => !isAlive(pid));
  t.notOk(isAlive(pid));
  await run(pool, 'pid');
  t.equal(pool.stats().restarts, 1);
});

// fault: 77
t.test(
  'a worker frees the canvas of a huge image before its next job',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const pool = open(t, { entry: realEntry });
    await pool.ready();
    const canvas = { width: 8000, height: 8000, scale: 1, backgroundColor: { r: 0, g: 0, b: 255, a: 255 } };
    const giant = { ...job(''), scene: { ...job('').scene, canvas }, watermark: undefined };
    await pool.run(giant, new AbortController().signal);
    await eventually(() => pool.running === 0);
    t.equal(pool.stats().restarts, 0);
    const largest = () =>
      Math.max(
        ...pool.stats().pids.map((pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096),
      );
    // the engine gives pages back a little after it has collected
    await eventually(() => largest() < 200 * MEBIBYTE);
    t.ok(largest() < 200 * MEBIBYTE, `${largest() / MEBIBYTE} MiB`);
  },
);

// fault: 78, 99
t.test(
  'a worker inherits no environment, runs at a lower priority and is the first to be killed when memory runs out',
  async (t) => {
    process.env.PLATEN_TEST_SECRET = 'secret';
    const pool = open(t);
    const { env, proto, arguments: flags } = JSON.parse(await run(pool, 'env'));
    delete process.env.PLATEN_TEST_SECRET;
    // what the test runner adds to every process that is started
    const added = /^(_TAPJS_|NODE_OPTIONS$)/;
    const names = Object.keys(env).filter((name) => !added.test(name));
    t.same(names, ['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_']);
    t.equal(proto, false);
    t.match(flags.join(' '), /--max-old-space-size=\d+/);
    if (process.platform !== 'linux') return;
    for (const pid of pool.stats().pids) {
      t.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '900');
      t.ok(getPriority(pid) > getPriority(), 'its parent comes first');
    }
  },
);

t.test('jobs in the background share a process of low priority, which others leave to them', async (t) => {
  const pool = open(t, { workers: 2, spares: 0, entry: realEntry });
  const live = new AbortController().signal;
  await eventually(() => pool.stats().idle === 2);
  const priorities = () =>
    pool
      .stats()
      .pids.map((pid) => getPriority(pid))
      .sort((a, b) => a - b);
  const [usual] = priorities();
  for (let n = 0; n < 3; n++) {
    await pool.run({ ...job(''), watermark: 'Mark' }, live, { isBackground: true });
    await pool.run({ ...job(''), watermark: 'Mark' }, live);
  }
  const [first, second] = priorities();
  t.equal(first, usual, 'one process had none of them');
  t.ok(second > usual);
  // a process of low priority is better than none
  const both = [1, 2].map(() => pool.run({ ...job(''), watermark: 'Mark' }, live));
  t.equal((await Promise.all(both)).length, 2);
});

t.test('signals to the process group do not end a render', { skip: process.platform === 'win32' }, async (t) => {
  const pool = open(t, { entry: realEntry });
  const live = new AbortController().signal;
  await eventually(() => pool.stats().idle === 2);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'])
    for (const pid of pool.stats().pids) process.kill(pid, signal);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { bytes } = await pool.run({ ...job(''), watermark: 'Mark' }, live);
  t.equal(Buffer.from(bytes).toString('latin1', 1, 4), 'PNG');
  const url = 'data:image/png;base64,AAAA';
  const { layers } = resolve(
    { canvas: { width: 2, height: 2 }, layers: [{ type: 'image', id: 'a', x: 0, y: 0, width: 1, height: 1, url }] },
    { maxLayers: 1, checkUrl: () => {} },
  );
  const assets = new Map([[url, { file: new AssetFile(new Uint8Array(3)), digest: 'three zeros' }]]);
  const broken = { ...job(''), assets, scene: { ...job('').scene, layers, origins: [{ path: 'layers[0]' }] } };
  await t.rejects(pool.run(broken, live), {
    code: 'render_failed',
    details: [{ path: 'layers[0].url', layerId: 'a' }],
  });
  t.equal(pool.stats().restarts, 0);
  t.strictSame(pool.lines, [], 'no debugger is opened');
});

t.test(
  'a worker that never yields ends when its parent is killed',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const orphan = join(checkout, 'dist/modules/lib/workers/exit-with-parent.js');
    const child = join(checkout, 'hang.mjs');
    writeFileSync(
      child,
      `import { exitWithParent } from '${pathToFileURL(orphan)}';
     exitWithParent();
     setTimeout(() => { process.send('hangs'); for (;;); }, 200);`,
    );
    const parent = join(checkout, 'server.mjs');
    writeFileSync(
      parent,
      `import { fork } from 'node:child_process';
     const child = fork('${child}', { env: {} });
     child.once('message', () => console.log(child.pid));`,
    );
    const server = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(server.stdout, 'data');
    const pid = Number(line);
    t.ok(isRunning(pid));
    server.kill('SIGKILL');
    await eventually(() => !isRunning(pid));
    t.notOk(isRunning(pid));
  },
);

t.test('a job gives the same bytes in a worker and in the caller’s process', async (t) => {
  const pool = open(t, { entry: realEntry });
  const local = createLocalPool();
  await local.ready();
  const signal = new AbortController().signal;
  const [one, two, three] = await Promise.all([
    pool.run(job('Mark'), signal),
    pool.run(job('Mark'), signal),
    local.run(job('Mark'), signal),
  ]);
  t.ok(Buffer.from(one.bytes).equals(two.bytes));
  t.ok(Buffer.from(one.bytes).equals(three.bytes));
  t.match(three, { format: 'png', width: 2, height: 2, warnings: [] });
  await t.rejects(local.run(job('Mark'), AbortSignal.abort(late)), late);
  t.match(local.stats(), { restarts: 0, pids: [], processes: [] });
});

t.test('retries a worker that can’t be started, with backoff, while jobs wait until their time limit', async (t) => {
  const nowhere = open(t, { entry: new URL('../service/nowhere.mjs', import.meta.url) });
  await t.rejects(nowhere.ready());
  await t.rejects(run(nowhere, 'pid', after(300, late)), late);
  t.match(nowhere.lines.join('\n'), /nowhere\.mjs/);
  await eventually(() => nowhere.stats().restarts >= 2);

  const { execPath } = process;
  process.execPath = '/nowhere/node';
  const unstarted = open(t);
  await t.rejects(unstarted.ready());
  process.execPath = execPath;
  t.match(await run(unstarted, 'pid'), /^\d+$/, 'as soon as it can be started, renders are done');
});

t.test('a closed pool rejects new, waiting and running jobs at once', async (t) => {
  const pool = open(t);
  const running = [run(pool, 'sleep 60000'), run(pool, 'sleep 60000')];
  await eventually(() => pool.running === 2);
  const waiting = run(pool, 'pid');
  const expected = { code: 'overloaded', message: /shutting down/ };
  const all = Promise.all([...running, waiting].map((job) => t.rejects(job, expected)));
  const { pids } = pool.stats();
  pool.close();
  await all;
  await t.rejects(run(pool, 'pid'), expected);
  await eventually(() => !pids.some(isAlive));
  t.same(pids.filter(isAlive), []);
  await t.rejects(pool.ready());
});

t.test('runs each of many concurrent jobs once, in a bounded number of processes', async (t) => {
  const warnings = warningsDuring(t);
  const pool = open(t, { workers: 2 });
  const pids = await Promise.all(Array.from({ length: 40 }, () => run(pool, 'sleep 2')));
  t.same(warnings, [], 'waiting jobs are no leak of listeners');
  t.ok(new Set(pids).size <= 3);
  t.equal(pool.running, 0);
  t.equal(pool.stats().restarts, 0);
});

t.test('kills a worker that does not start in time, and tries again', async (t) => {
  const folder = t.testdir({ short: '' });
  const shortage = join(folder, 'short');
  const entry = join(folder, 'worker.mjs');
  writeFileSync(
    entry,
    `import { existsSync } from 'node:fs';
     if (existsSync(${JSON.stringify(shortage)})) await new Promise(() => setInterval(() => {}, 1000));
     await import(${JSON.stringify(scripted.href)});`,
  );
  const pool = open(t, { entry, startMs: 2000 });
  const drawn = run(pool, 'pid');
  await eventually(() => pool.stats().restarts >= 1);
  t.match(pool.lines[0], /it has not started within 2000 ms/);
  rmSync(shortage);
  t.match(await drawn, /^\d+$/, 'who waited is served');
});

t.test('a worker that can’t measure its memory renders', async (t) => {
  const unseen = join(checkout, 'unseen.mjs');
  // as Linux does without /proc
  writeFileSync(
    unseen,
    `process.memoryUsage.rss = () => { throw new Error('ENOENT: no such file or directory, uv_resident_set_memory'); };
     await import('${realEntry}');`,
  );
  const pool = open(t, { entry: pathToFileURL(unseen) });
  const { bytes } = await pool.run({ ...job(''), watermark: 'Mark' }, new AbortController().signal);
  t.equal(Buffer.from(bytes).toString('latin1', 1, 4), 'PNG');
  t.equal(pool.stats().restarts, 0);
});

t.test('a process is replaced if its document is left without its last page', async (t) => {
  const pool = createPool({ workers: 1, spares: 0, report: () => {} });
  t.teardown(() => pool.close());
  const { scene, ...rest } = job('');
  const pageJob = (isFirst: boolean, isLast: boolean) => ({
    ...rest,
    watermark: undefined,
    scene: { ...scene, format: 'pdf' as const },
    place: { document: undefined, numbers: { page: isFirst ? 1 : 2, pages: 2 }, isFirst, isLast },
  });
  const { signal } = new AbortController();
  const whole = await pool.takeProcess(undefined, signal);
  await whole.run(pageJob(true, false), signal);
  await whole.run(pageJob(false, true), signal);
  whole.release();
  t.equal(pool.stats().restarts, 0);
  const left = await pool.takeProcess(undefined, signal);
  await left.run(pageJob(true, false), signal);
  left.release();
  await eventually(() => pool.stats().restarts === 1);
  t.equal(pool.stats().restarts, 1);
});
