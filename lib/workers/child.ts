// A render process: takes one job at a time from its parent and answers it. Untrusted bytes are only ever decoded here.
import { createImageCache } from '../assets/image-cache.js';
import { isWasmTrap, RenderError } from '../errors.js';
import { createFontRegistry } from '../fonts/registry.js';
import { exitWithParent } from './exit-with-parent.js';
import type { ChildMessage, Job } from './job.js';
import { runJob } from './run-job.js';

/** Bytes of decoded pictures kept from job to job. */
const CACHE_BYTES = 64 * 2 ** 20;

/**
 * Its memory is looked at after one of so many jobs, to ask the system took a twentieth of the time of text cards; and
 * after each with a picture of so many pixels.
 */
const LOOK_EVERY = 16;
const LARGE_PIXELS = 2 ** 20;
/**
 * When it has grown by so much, what is garbage is given back before the next job: the canvas of a giant would lie there
 * until the engine needs room. A new process in its place costs ten times as long, and its first renders are slow.
 */
const GROWTH = 96 * 2 ** 20;
let jobs = 0;
let memory = residentNow();
let rssAfterGc = memory;

const warmth = { typefaces: createFontRegistry(), cache: createImageCache(CACHE_BYTES) };

function say(message: ChildMessage): void {
  process.send?.(message);
}

/** 0 where the system does not tell: Linux without /proc. The process is then replaced by the number of its jobs alone. */
function residentNow(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

/** Resident bytes, as they were when they were last looked at. */
function residentBytes(pixels: number): number {
  if (jobs++ % LOOK_EVERY !== 0 && pixels < LARGE_PIXELS) return memory;
  memory = residentNow();
  if (memory > rssAfterGc + GROWTH) {
    globalThis.gc?.();
    memory = residentNow();
    rssAfterGc = memory;
  }
  return memory;
}

process.on('message', async (job: Job) => {
  const began = performance.now();
  const took = () => performance.now() - began;
  say({ kind: 'begun' });
  try {
    const result = await runJob(job, warmth);
    const memory = residentBytes(result.width * result.height);
    say({ kind: 'result', result, memory, ms: took() });
  } catch (error) {
    if (!(error instanceof RenderError)) console.error(error);
    const failure =
      error instanceof RenderError
        ? { code: error.code, message: error.message, details: error.details }
        : { code: 'render_failed' as const, message: 'the render engine failed on this payload', details: [] };
    say({ kind: 'failure', failure, broken: isBroken(error), memory: residentBytes(LARGE_PIXELS), ms: took() });
  }
});

/** A trap in WebAssembly or memory that ran out may leave damage behind, whatever error it was reported as. */
function isBroken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RangeError || isWasmTrap(cause)) return true;
    if (!(cause instanceof RenderError) && cause.cause === undefined && cause === error) return true;
  }
  return false;
}

// a parent that is gone needs no pictures, nor one that never ends
process.on('disconnect', () => process.exit(0));
exitWithParent();
// Ctrl-C goes to the whole group, a terminal's end and a service manager's SIGTERM too; the parent decides when its renders
// end. The others would open a debugger and end the process.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
  if (process.platform !== 'win32' || !name.startsWith('SIGUSR')) process.on(name, () => {});
}

say({ kind: 'ready' });
