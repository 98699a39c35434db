// A render that never ends must not outlive the server that would have killed it. The process's own thread hears of
// nothing meanwhile, so a second one looks (30 ms at the start, 9 MiB).
import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 1000;

/** Kills this process soon after its parent is gone, whatever it is doing. */
export function exitWithParent(): void {
  const watch = `
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${LOOK_EVERY_MS});
  `;
  const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  const worker = new Worker(watch, { eval: true, env: {}, resourceLimits: limits });
  worker.on('error', (error) => console.error(error));
  worker.unref();
}
