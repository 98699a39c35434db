// A limitation of runtimes for worker processes.

/** The feature for worker processes that this runtime lacks; undefined if it lacks none: Bun ignores Node's `execArgv`. */
export const UNBOUNDED_WORKERS: string | undefined = process.versions.bun
  ? 'Bun does not limit the heap of render processes: serve payloads of strangers with Node'
  : undefined;
