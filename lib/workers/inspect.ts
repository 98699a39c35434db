// Checks one file in a render process of its own, for a command: a hostile file takes only that process down.
import type { AssetDescription } from '../assets/inspect.js';
import { deadline } from './deadline.js';
import { createPool, type PoolOptions } from './pool.js';

export interface InspectionOptions extends Pick<PoolOptions, 'entry' | 'argv'> {
  /** Pixels of one decoded image. */
  readonly maxPixels: number;
  /** Milliseconds, from when the process has started. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Starts that fail one after the other before the file is given up. */
const MAX_FAILED_STARTS = 5;

/**
 * Describes an image or a font (see inspectAsset). Throws RenderError: `invalid_request` for other files, `render_failed` when
 * the process ends on the file, `render_timeout`; or the signal's reason.
 */
export async function inspectInProcess(
  file: Uint8Array,
  { maxPixels, timeoutMs, signal, ...process }: InspectionOptions,
): Promise<AssetDescription> {
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
    return await pool.inspect({ file, maxPixels }, limit.signal, { onStarted: limit.resume });
  } finally {
    limit.clear();
    await pool.close();
  }
}
