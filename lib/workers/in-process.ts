// The pool's interface without processes, for hosts that forbid child processes. Renders run in the caller's own process:
// a render can't be interrupted while it paints, and it blocks the others.
import { inspectAsset } from '../assets/inspect.js';
import type { UserFont } from '../fonts/user-fonts.js';
import { processorTimeMs } from '../resources.js';
import type { JobListeners, RenderPool } from './pool.js';
import { createCaches, runInspectJob, runJob } from './run-job.js';

export function createLocalPool(userFonts?: readonly UserFont[]): RenderPool {
  const caches = createCaches(undefined, userFonts);
  const execute = async <Result>(
    work: () => Promise<Result>,
    signal: AbortSignal,
    { onStarted, onReleased }: JobListeners = {},
  ) => {
    let startedAt: { readonly ms: number; readonly cpuMs: number } | undefined;
    try {
      signal.throwIfAborted();
      startedAt = { ms: performance.now(), cpuMs: processorTimeMs() };
      onStarted?.();
      return await work();
    } finally {
      // what else this process does meanwhile counts, too
      onReleased?.(startedAt && { ms: performance.now() - startedAt.ms, cpuMs: processorTimeMs() - startedAt.cpuMs });
    }
  };
  return {
    run: (job, signal, listeners) => execute(() => runJob(job, caches, signal), signal, listeners),
    inspect: (job, signal, listeners) => execute(() => runInspectJob(job, caches, signal), signal, listeners),
    inspectAsset: ({ file, maxPixels }, signal, listeners) =>
      execute(() => inspectAsset(file, maxPixels), signal, listeners),
    takeProcess() {
      const own = { ...caches };
      const run: RenderPool['run'] = (job, signal, listeners) =>
        execute(() => runJob(job, own, signal), signal, listeners);
      return Promise.resolve({ run, release() {} });
    },
    ready: () => Promise.resolve(),
    stats: () => ({ idle: 0, restarts: 0, pids: [], processes: [] }),
    close: () => Promise.resolve(),
  };
}
