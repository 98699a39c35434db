// The metrics about render processes: busy time, memory and processor time, and labels that can't grow without end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { trackBusyTime } from '../../../lib/service/metrics/busy-time.js';
import { createUsageReader, PROC, type ServerUsage } from '../../../lib/service/metrics/process-usage.js';
import { createMetrics, LabelLimiter } from '../../../lib/service/metrics/prometheus.js';
import type { Job } from '../../../lib/workers/job.js';
import type { JobListeners, RenderPool } from '../../../lib/workers/pool.js';
import { eventually } from '../../eventually.js';

t.test('busy time counts each job from its start to its release', async (t) => {
  let now = 0;
  const running: JobListeners[] = [];
  const bare = {
    run: (_job: Job, _signal: AbortSignal, listeners: JobListeners) => void running.push(listeners),
  } as unknown as RenderPool;
  const { pool, busy } = trackBusyTime(bare, () => now);
  const { signal } = new AbortController();
  const released: (number | undefined)[] = [];
  const run = () => void pool.run({} as Job, signal, { onReleased: (usage) => void released.push(usage?.cpuMs) });
  run();
  run();
  run();
  now = 1000;
  t.same(busy(), { jobs: 0, seconds: 0 }, 'jobs that wait keep no process busy');
  const [first, second, third] = running;
  first.onStarted?.();
  now = 3000;
  second.onStarted?.();
  second.onStarted?.();
  t.same(busy(), { jobs: 2, seconds: 2 }, 'a second start is the same job');
  now = 4000;
  first.onReleased?.({ cpuMs: 7 });
  third.onReleased?.();
  now = 9000;
  t.same(busy(), { jobs: 1, seconds: 9 });
  second.onReleased?.();
  now = 99_000;
  t.same(busy(), { jobs: 0, seconds: 9 });
  t.same(released, [7, undefined, undefined], 'listeners of the caller hear of it as before');
});

t.test('the values of a label are bounded', (t) => {
  const limiter = new LabelLimiter(2);
  t.same(
    ['a', 'b', 'c', 'a', 'b', 'd'].map((value) => limiter.limit(value)),
    ['a', 'b', 'other', 'a', 'b', 'other'],
  );
  t.end();
});

function createTestMetrics() {
  const caches = { bytes: 0, hits: 0, misses: 0 };
  return createMetrics({
    pool: { stats: () => ({ idle: 0, restarts: 0, pids: [], processes: [] }) },
    admission: { running: 0, queued: 0, reserved: 0, memory: 0, batches: { queued: 0, running: 0 } },
    engine: { stats: () => ({ inFlight: 0, assetCache: caches, renderCache: caches }) },
    memoryBudget: { usedBytes: 0 },
    memoryLimit: 1,
    slots: 2,
    busy: () => ({ jobs: 1, seconds: 12 }),
  });
}

t.test('processor time is counted by workspace and key, up to a number of series', async (t) => {
  const metrics = createTestMetrics();
  metrics.cpu({ workspaceId: 'ws_a', keyId: 'key_a' }, 1500);
  metrics.cpu({ workspaceId: 'ws_a', keyId: 'key_a' }, 500);
  metrics.cpu({ workspaceId: 'ws_a', keyId: undefined }, 250);
  for (let i = 0; i < 5000; i++) metrics.cpu({ workspaceId: 'ws_a', keyId: `key_${i}` }, 1);
  for (let i = 0; i < 5000; i++) metrics.cpu({ workspaceId: `ws_${i}`, keyId: `key_b${i}` }, 1);
  const text = await metrics.text();
  const series = [...text.matchAll(/^platen_render_cpu_seconds_total\{workspace="(\w+)",key="(\w+)"\} (\S+)$/gm)];
  const value = (workspace: string, key: string) =>
    Number(series.find(([, w, k]) => w === workspace && k === key)?.[3]);
  t.equal(value('ws_a', 'key_a'), 2);
  t.equal(value('ws_a', 'none'), 0.25);
  t.equal(new Set(series.map(([, workspace]) => workspace)).size, 201);
  t.ok(series.length <= 1000 + 2 * 201, `${series.length} series`);
  const sum = series.reduce((total, [, , , seconds]) => total + Number(seconds), 0);
  t.ok(Math.abs(sum - (2 + 0.25 + 10)) < 1e-6, 'nothing is lost');
  t.match(text, /^platen_render_slots 2$/m);
  t.match(text, /^platen_render_processes_busy 1$/m);
  t.match(text, /^platen_render_busy_seconds_total 12$/m);
});

const statsOf = (...processes: { pid: number; memory: number; workMs: number }[]) => ({
  stats: () => ({ idle: 0, restarts: 0, pids: [], processes }),
});

t.test('without /proc, a pool is known by what its processes report, and the total never falls', async (t) => {
  const silent = { usage: async () => undefined, endedSeconds: async () => undefined };
  const state = { processes: [{ pid: 10, memory: 100, workMs: 2000 }] };
  const read = createUsageReader({ stats: () => ({ idle: 0, restarts: 0, pids: [], ...state }) }, silent);
  t.same(await read(), { processes: new Map([[0, { residentBytes: 100, cpuSeconds: 2 }]]), cpuSeconds: 2 });
  state.processes.push({ pid: 11, memory: 50, workMs: 500 });
  t.equal((await read()).cpuSeconds, 2.5);
  state.processes.shift();
  const { processes, cpuSeconds } = await read();
  t.same([...processes.keys()], [1], 'a process keeps its number');
  t.equal(cpuSeconds, 2.5, 'what the first one took is still in the total');
  state.processes.push({ pid: 12, memory: 1, workMs: 100 });
  t.same([...(await read()).processes.keys()].sort(), [0, 1], 'a new process gets the number that is free');
});

t.test('a process that ends between two readings does not make the total fall', async (t) => {
  const usages = new Map<number, ServerUsage>([[10, { residentBytes: 1, cpuSeconds: 5 }]]);
  let ended = 0;
  const table = { usage: async (pid: number) => usages.get(pid), endedSeconds: async () => ended };
  const read = createUsageReader(statsOf({ pid: 10, memory: 0, workMs: 0 }), table);
  t.equal((await read()).cpuSeconds, 5);
  usages.delete(10);
  t.equal((await read()).cpuSeconds, 5);
  ended = 5.5;
  t.equal((await read()).cpuSeconds, 5.5);
});

t.test('/proc knows the memory and the time of a process, and the time of those that ended', async (t) => {
  if (process.platform !== 'linux') return void t.comment('there is no /proc');
  const endedBefore = (await PROC.endedSeconds()) ?? 0;
  const busyLoop =
    'const end = Date.now() + 300; while (process.cpuUsage().user < 3e5 && Date.now() < end + 9e3); process.send(1); setInterval(() => {}, 1e6)';
  const child = spawn(process.execPath, ['-e', busyLoop], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'message');
  const usage = await PROC.usage(child.pid ?? 0);
  t.ok((usage?.cpuSeconds ?? 0) >= 0.25 && (usage?.cpuSeconds ?? 0) < 60, `${usage?.cpuSeconds} s`);
  t.ok((usage?.residentBytes ?? 0) > 10e6 && (usage?.residentBytes ?? 0) < 10e9, `${usage?.residentBytes} bytes`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.equal(await PROC.usage(child.pid ?? 0), undefined);
  await eventually(async () => ((await PROC.endedSeconds()) ?? 0) - endedBefore >= 0.25);
});
