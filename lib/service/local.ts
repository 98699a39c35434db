// Renders in the server's own process, for hosts that forbid child processes: the same line, without the wall around it.
// A render that never ends can't be stopped here, and one that runs blocks the others.
import { createImageCache } from '../assets/cache.js';
import { createTypefaces } from '../assets/typefaces.js';
import { Admission, type AdmissionOptions } from './admission.js';
import type { PoolOptions, RenderPool } from './pool.js';
import { runJob } from './run.js';

/** Bytes of decoded pictures kept from job to job. */
const CACHE_BYTES = 64 * 2 ** 20;

export function createLocalPool(options: Omit<AdmissionOptions, 'places'> & Pick<PoolOptions, 'waited'>): RenderPool {
  const admission = new Admission({ ...options, places: 1 });
  const warmth = { typefaces: createTypefaces(), cache: createImageCache(CACHE_BYTES) };
  return {
    async run(job, bytes, signal, checked) {
      const came = performance.now();
      const leave = await admission.enter(bytes, signal, checked);
      options.waited?.(performance.now() - came, job);
      try {
        return await runJob(job, warmth, signal);
      } finally {
        leave();
      }
    },
    check: (bytes) => admission.check(bytes),
    ready: () => Promise.resolve(),
    stats: () => ({
      running: admission.running,
      queued: admission.queued,
      memoryBytes: admission.memory,
      idle: 0,
      restarts: 0,
      pids: [],
    }),
    close() {},
  };
}
