// What a runtime lacks for worker processes.

/** What this runtime does not do for worker processes; undefined if there is nothing: Bun ignores Node's `execArgv`. */
export const UNBOUNDED_WORKERS: string | undefined = process.versions.bun
  ? 'Bun does not limit the heap of render processes: serve payloads of strangers with Node'
  : undefined;
