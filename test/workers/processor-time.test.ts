// Processor time of worker processes: by job, and the limits of stages that can't be polled.
import t from 'tap';
import { ProcessorTime, processorTimeOf } from '../../lib/workers/processor-time.js';
import { StageWatch } from '../../lib/workers/stage-watch.js';
import { eventually } from '../eventually.js';

t.test(
  'counts short jobs as the process says, at most the time that passed, and long ones as the system says',
  async (t) => {
    let now = 0;
    let used: number | undefined = 500;
    const time = new ProcessorTime(
      () => used,
      () => now,
    );
    const job = (elapsedMs: number, usedMs: number, claimedMs?: number) => {
      time.beginJob();
      now += elapsedMs;
      if (used !== undefined) used += usedMs;
      return time.endJob(claimedMs);
    };
    time.start();
    t.equal(job(20, 15, 15), 15);
    t.equal(job(20, 15, 99), 20, 'no more than passed');
    t.equal(job(100, 90, 90), 85, 'what was charged too much is given back');
    for (let i = 0; i < 10; i++) job(20, 20, 0);
    t.equal(job(100, 100, 0), 300, 'what was kept back is charged');
    t.equal(job(100, 100), 100, 'a process that ended');
    used = undefined;
    t.equal(job(100, 0, 60), 60, 'where the system does not say');
    t.equal(job(100, 0), 100);
  },
);

t.test('counts a job whose process is killed', async (t) => {
  let now = 0;
  let used: number | undefined = 0;
  const time = new ProcessorTime(
    () => used,
    () => now,
  );
  time.start();
  time.beginJob();
  now = 8000;
  used = 5000;
  time.beforeKill();
  used = undefined;
  t.equal(time.endJob(), 5000);
});

t.test('reads the processor time of a process', { skip: process.platform !== 'linux' }, async (t) => {
  const before = processorTimeOf(process.pid)!;
  const end = process.cpuUsage().user + 100_000;
  while (process.cpuUsage().user < end);
  const used = processorTimeOf(process.pid)! - before;
  t.ok(used >= 80 && used < 2000, `${used} ms`);
  t.equal(processorTimeOf(2 ** 22 + 1), undefined);
  t.equal(processorTimeOf(undefined), undefined);
});

t.test('reports a stage that overruns its processor time, not one that waits or has ended', async (t) => {
  const overrun: string[] = [];
  let used = 0;
  const watch = new StageWatch(
    () => used,
    ({ detail }) => overrun.push(detail.path),
  );
  const begin = (path: string) =>
    watch.begin({ stage: 'svg', detail: { code: 'render_timeout', path, message: 'late' }, limitMs: 120 });
  begin('ended');
  watch.end();
  begin('replaced');
  begin('waits');
  await new Promise((resolve) => setTimeout(resolve, 400));
  t.same(overrun, []);
  used = 120;
  await eventually(() => overrun.length > 0);
  t.same(overrun, ['waits']);
});
