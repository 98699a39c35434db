// Derives keys from passwords in a separate thread, which yields processor time to renders and all other threads.
import type { ScryptOptions } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * The thread's priority, as in nice(1): the lowest. While all cores render, a hash takes seconds instead of a third of one; at
 * the server's priority, renders take up to half as long again while sign-ins fail.
 */
const NICENESS = 19;
/** The thread ends when it has been idle for this long, because it takes some 10 MiB. */
const IDLE_MS = 30_000;
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

// On Linux alone, priorities belong to threads.
const SCRIPT = `
  const { scryptSync } = require('node:crypto');
  const os = require('node:os');
  const { parentPort } = require('node:worker_threads');
  try {
    if (process.platform === 'linux') os.setPriority(${NICENESS});
  } catch {
    // The system does not allow it.
  }
  parentPort.on('message', ({ password, salt, length, parameters }) => {
    parentPort.postMessage(scryptSync(password, salt, length, parameters));
  });
`;

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/** Runs scrypt. The caller waits for one call before it makes the next. */
export async function deriveInThread(
  password: string,
  salt: Buffer,
  length: number,
  parameters: ScryptOptions,
): Promise<Buffer> {
  clearTimeout(idle);
  thread ??= new Worker(SCRIPT, { eval: true, env: {}, resourceLimits: LIMITS });
  thread.ref();
  thread.postMessage({ password, salt, length, parameters });
  try {
    // rejects if the thread fails
    const [key] = await once(thread, 'message');
    thread.unref();
    idle = setTimeout(endThread, IDLE_MS).unref();
    return Buffer.from(key);
  } catch (error) {
    endThread();
    throw error;
  }
}

function endThread(): void {
  void thread?.terminate();
  thread = undefined;
}
