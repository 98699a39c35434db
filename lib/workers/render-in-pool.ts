// Renders a resolved scene in a worker process, for the library and `render batch`: their one limit is time, and they have
// no admission. The service has its own order of steps (service/render/engine.ts).
import type { Assets, FetchedAsset } from '../assets/loader.js';
import { prefetch } from '../assets/prefetch.js';
import type { Scene } from '../templates/scene.js';
import { deadline } from './deadline.js';
import type { Job, JobResult } from './job.js';
import type { RenderPool } from './pool.js';

export interface PoolRenderOptions extends Pick<Job, 'strict' | 'maxBytes' | 'maxPixels'> {
  /** Fetches the scene's assets, in this process. */
  readonly assets: Assets;
  /** Milliseconds for fetching and rendering; the time that the job waits for a free process does not count. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the assets when they have been fetched. */
  readonly onFetched?: (assets: ReadonlyMap<string, FetchedAsset>) => void;
}

/** Rejects with RenderError, `render_timeout` included, or with the signal's reason. */
export async function renderInPool(pool: RenderPool, scene: Scene, options: PoolRenderOptions): Promise<JobResult> {
  const { assets, strict, maxBytes, maxPixels, timeoutMs, signal, onFetched } = options;
  const limit = deadline(timeoutMs, signal);
  try {
    const fetched = await prefetch(scene.assetUrls, assets, {}, limit.signal);
    onFetched?.(fetched);
    limit.pause();
    const job = { scene, assets: fetched, strict, maxBytes, maxPixels };
    return await pool.run(job, limit.signal, { onStarted: limit.resume });
  } finally {
    limit.clear();
  }
}
