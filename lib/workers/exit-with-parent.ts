// Ends a worker process whose parent is gone, even in the middle of a render that never ends.
import { Worker } from 'node:worker_threads';

const POLL_MS = 1000;

/**
 * Kills this process soon after its parent is gone. The main thread does not see the closed channel while it renders, so a
 * thread polls the parent's process id (30 ms at the start, 9 MiB).
 */
export function exitWithParent(): void {
  const watch = `
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${POLL_MS});
  `;
  const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  const worker = new Worker(watch, { eval: true, env: {}, resourceLimits: limits });
  worker.on('error', (error) => console.error(error));
  worker.unref();
}
