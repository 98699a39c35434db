// Runs the program as one of its own worker processes. As one script, the program starts in half of the time that the
// modules take, and opens one file instead of a hundred.

export { WORKER_VARIABLE } from '../workers/job.js';

/** The first argument of a worker process. */
export const WORKER_ARGUMENT = 'render-worker';

/** Starts a worker if `argument` asks for one: the process then runs until its parent ends. */
export function startWorker(argument: string | undefined): boolean {
  if (argument !== WORKER_ARGUMENT) return false;
  // if the module can't be loaded, the process ends and its standard error says why
  void import('../workers/child.js');
  return true;
}

/** The options of a pool whose workers run `program`; without one, they run the package's own module. */
export function workersOf(program: string | undefined): { entry?: string; argv?: readonly string[] } {
  return program === undefined ? {} : { entry: program, argv: [WORKER_ARGUMENT] };
}

/** What this runtime does not do for worker processes; undefined if there is nothing: Bun ignores Node's `execArgv`. */
export const UNBOUNDED_WORKERS: string | undefined = process.versions.bun
  ? 'Bun does not limit the heap of render processes: serve payloads of strangers with Node'
  : undefined;
