// Renders in the server's own process, for hosts that forbid child processes: the same line, without the wall around it.
// A render that never ends can't be stopped here, and one that runs blocks the others.
import { createImageCache } from '../assets/image-cache.js';
import { createFontRegistry } from '../fonts/registry.js';
import type { RenderPool } from './pool.js';
import { runJob } from './run-job.js';

/** Bytes of decoded pictures kept from job to job. */
const CACHE_BYTES = 64 * 2 ** 20;

export function createLocalPool(): RenderPool {
  const warmth = { typefaces: createFontRegistry(), cache: createImageCache(CACHE_BYTES) };
  return {
    async run(job, signal, onReleased) {
      try {
        signal.throwIfAborted();
        return await runJob(job, warmth, signal);
      } finally {
        onReleased?.();
      }
    },
    ready: () => Promise.resolve(),
    stats: () => ({ idle: 0, restarts: 0, pids: [] }),
    close() {},
  };
}
