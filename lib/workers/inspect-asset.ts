// Checks one file in a separate render process, for a command: a hostile file takes only that process down.
import type { AssetDescription } from '../assets/inspect.js';
import type { FontReport } from '../fonts/report.js';
import { deadline } from './deadline.js';
import { createPool, type JobListeners, type PoolOptions, type ProcessPool } from './pool.js';

export interface ProcessOptions extends Pick<PoolOptions, 'entry'> {
  /** Milliseconds, from when the process has started. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface InspectionOptions extends ProcessOptions {
  /** Pixels of one decoded image. */
  readonly maxPixels: number;
}

/** Starts that fail one after the other before the file is given up. */
const MAX_FAILED_STARTS = 5;

/**
 * Describes an image or a font (see inspectAsset). Throws RenderError: `invalid_request` for other files, `render_failed` when
 * the process ends on the file, `render_timeout`; or the signal's reason.
 */
export function inspectInProcess(
  file: Uint8Array,
  { maxPixels, ...options }: InspectionOptions,
): Promise<AssetDescription> {
  return inProcess(options, (pool, ...limits) => pool.inspectAsset({ file, maxPixels }, ...limits));
}

/** Reports on a font (see reportFont). Throws as `inspectInProcess` does, with `render_failed` for other files. */
export function reportFontInProcess(
  file: Uint8Array,
  text: string | undefined,
  options: ProcessOptions,
): Promise<FontReport> {
  return inProcess(options, (pool, ...limits) => pool.reportFont({ file, text }, ...limits));
}

async function inProcess<Result>(
  { timeoutMs, signal, ...process }: ProcessOptions,
  run: (pool: ProcessPool, signal: AbortSignal, listeners: JobListeners) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({
    workers: 1,
    spares: 0,
    isLazy: true,
    maxFailedStarts: MAX_FAILED_STARTS,
    // what goes wrong is in the error
    report: () => {},
    ...process,
  });
  const limit = deadline(timeoutMs, signal);
  limit.pause();
  try {
    return await run(pool, limit.signal, { onStarted: limit.resume });
  } finally {
    limit.clear();
    await pool.close();
  }
}
