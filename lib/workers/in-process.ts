// The pool's interface without processes, for hosts that forbid child processes. Renders run in the caller's own process:
// a render can't be interrupted while it paints, and it blocks the others.
import type { UserFont } from '../fonts/user-fonts.js';
import type { RenderPool } from './pool.js';
import { createCaches, runJob } from './run-job.js';

export function createLocalPool(userFonts?: readonly UserFont[]): RenderPool {
  const caches = createCaches(undefined, userFonts);
  return {
    async run(job, signal, { onStarted, onReleased } = {}) {
      try {
        signal.throwIfAborted();
        onStarted?.();
        return await runJob(job, caches, signal);
      } finally {
        onReleased?.();
      }
    },
    ready: () => Promise.resolve(),
    stats: () => ({ idle: 0, restarts: 0, pids: [] }),
    close: () => Promise.resolve(),
  };
}
