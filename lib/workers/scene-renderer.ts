// Renders resolved scenes in a pool of worker processes, for the library and `render batch`: fetches the assets in the
// caller's process and limits the time. The service also has admission, so it combines these steps itself.
import type { Assets } from '../assets/loader.js';
import { prefetch, withInlineAssets } from '../assets/prefetch.js';
import { RenderError } from '../errors.js';
import type { UserFont } from '../fonts/user-fonts.js';
import { workerModule } from '../package-files.js';
import type { Scene } from '../templates/scene.js';
import { deadline } from './deadline.js';
import type { Job, JobResult } from './job.js';
import { createPool, type PoolOptions } from './pool.js';

/** Starts that fail one after the other (3 s in all) before renders fail. */
const MAX_FAILED_STARTS = 5;

export type SceneRendererOptions = Omit<PoolOptions, 'spares' | 'isLazy' | 'maxFailedStarts'>;

export interface SceneOptions extends Pick<Job, 'strict' | 'pixels' | 'maxPixels'> {
  /** Loads the scene's assets, in this process. */
  readonly assets: Assets;
  /** Milliseconds for fetching and rendering; the time that the job waits for a free process does not count. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SceneRenderer {
  /** Rejects with RenderError, `render_timeout` included, or with the signal's reason. */
  render(scene: Scene, options: SceneOptions): Promise<JobResult>;
  /** Lets the renders under way finish, then ends the processes. Later renders are rejected. */
  close(): Promise<void>;
}

/** Processes start when renders need them, and keep this process alive only while they render. */
export function createSceneRenderer(options: SceneRendererOptions): SceneRenderer {
  const pool = createPool({ ...options, spares: 0, isLazy: true, maxFailedStarts: MAX_FAILED_STARTS });
  const running = new Set<Promise<JobResult>>();
  let closed: Promise<void> | undefined;

  async function render(scene: Scene, { assets, timeoutMs, signal, ...rest }: SceneOptions) {
    const limit = deadline(timeoutMs, signal);
    try {
      const { assetUrls } = scene;
      const fetched = await prefetch(assetUrls, assets, {}, limit.signal);
      const all = await withInlineAssets(assetUrls, fetched, assets, limit.signal);
      limit.pause();
      return await pool.run({ scene, assets: all, ...rest }, limit.signal, { onStarted: limit.resume });
    } finally {
      limit.clear();
    }
  }

  return {
    async render(scene, sceneOptions) {
      if (closed) throw new RenderError('render_failed', 'the renderer is closed');
      const rendering = render(scene, sceneOptions);
      running.add(rendering);
      try {
        return await rendering;
      } finally {
        running.delete(rendering);
      }
    },
    close() {
      closed ??= Promise.allSettled(running).then(() => pool.close());
      return closed;
    },
  };
}

/**
 * The library's option `workers`: that many processes, which share out the bytes of the image cache; undefined for 0, which
 * renders in the caller's process. Throws RenderError `invalid_request` for anything but a whole number.
 */
export function createWorkers(
  workers: number,
  imageCacheBytes: number,
  userFonts?: Promise<readonly UserFont[]>,
): SceneRenderer | undefined {
  if (!Number.isSafeInteger(workers) || workers < 0) {
    throw new RenderError(
      'invalid_request',
      `workers: received ${String(workers)}, expected a whole number, at least 0`,
    );
  }
  if (workers === 0) return undefined;
  const report = (line: string) => process.emitWarning(line, 'PlatenWorkerWarning');
  return createSceneRenderer({
    workers,
    entry: workerModule(),
    imageCacheBytes: Math.floor(imageCacheBytes / workers),
    userFonts,
    report,
  });
}
