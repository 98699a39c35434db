// Renders and inspects resolved scenes in a pool of worker processes, for the library and `platen batch`: fetches the assets in the
// caller's process and limits the time. The service also has admission, so it combines these steps itself.
import type { Assets } from '../assets/loader.js';
import { prefetch, withInlineAssets } from '../assets/prefetch.js';
import { RenderError } from '../errors.js';
import type { UserFont } from '../fonts/user-fonts.js';
import { workerModule } from '../package-files.js';
import type { DocumentPlace } from '../render/document.js';
import type { Scene } from '../templates/scene.js';
import { deadline } from './deadline.js';
import type { InspectJob, InspectJobResult, Job, JobResult } from './job.js';
import { createPool, type JobListeners, type PoolOptions } from './pool.js';

/** Starts that fail one after the other (3 s in all) before renders fail. */
const MAX_FAILED_STARTS = 5;

export type SceneRendererOptions = Omit<PoolOptions, 'spares' | 'isLazy' | 'maxFailedStarts'>;

export interface SceneOptions extends Pick<Job, 'maxPixels'> {
  /** Loads the scene's assets, in this process. */
  readonly assets: Assets;
  /** Milliseconds for fetching and rendering; the time that the job waits for a free process does not count. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SceneRenderer {
  /** Rejects with RenderError, `render_timeout` included, or with the signal's reason. */
  render(scene: Scene, options: SceneOptions & Pick<Job, 'strict' | 'pixels'>): Promise<JobResult>;
  /** `load` among the stages includes fetching. Rejects as `render` does. */
  inspect(scene: Scene, options: SceneOptions & Pick<Job, 'findings'>): Promise<InspectJobResult>;
  /** Takes a process for the scenes of one document. Rejects with the signal's reason when that aborts first. */
  openDocument(signal: AbortSignal | undefined): Promise<SceneDocument>;
  /** Lets the renders under way finish, then ends the processes. Later renders are rejected. */
  close(): Promise<void>;
}

/** A document that a process writes. */
export interface SceneDocument {
  /** Adds a scene. Rejects as `SceneRenderer.render` does. */
  add(
    scene: Scene,
    options: SceneOptions & Pick<Job, 'strict'> & { readonly place: DocumentPlace },
  ): Promise<JobResult>;
  /** Gives the process back. */
  close(): void;
}

/** Processes start when renders need them, and keep this process alive only while they render. */
export function createSceneRenderer(options: SceneRendererOptions): SceneRenderer {
  const pool = createPool({ ...options, spares: 0, isLazy: true, maxFailedStarts: MAX_FAILED_STARTS });
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** Fetches the scene's assets and calls `work`, unless the renderer is closed, which waits for it. */
  async function run<Result>(
    scene: Scene,
    { assets, timeoutMs, maxPixels, signal }: SceneOptions,
    work: (job: InspectJob, end: AbortSignal, listeners: JobListeners, fetchMs: number) => Promise<Result>,
  ): Promise<Result> {
    if (closed) throw new RenderError('render_failed', 'the renderer is closed');
    const limit = deadline(timeoutMs, signal);
    const fetchAndWork = async () => {
      const startedAt = performance.now();
      const { assetUrls } = scene;
      const fetched = await prefetch(assetUrls, assets, {}, limit.signal);
      const all = await withInlineAssets(assetUrls, fetched, assets, limit.signal);
      const fetchMs = performance.now() - startedAt;
      limit.pause();
      return await work({ scene, assets: all, maxPixels }, limit.signal, { onStarted: limit.resume }, fetchMs);
    };
    const working = fetchAndWork();
    running.add(working);
    try {
      return await working;
    } finally {
      running.delete(working);
      limit.clear();
    }
  }

  return {
    render: (scene, { strict, pixels, ...rest }) =>
      run(scene, rest, (job, end, listeners) => pool.run({ ...job, strict, pixels }, end, listeners)),
    async openDocument(signal = new AbortController().signal) {
      if (closed) throw new RenderError('render_failed', 'the renderer is closed');
      const process = await pool.takeProcess(undefined, signal);
      return {
        add: (scene, { strict, place, ...rest }) =>
          run(scene, rest, (job, end, listeners) => process.run({ ...job, strict, place }, end, listeners)),
        close: process.release,
      };
    },
    inspect: (scene, { findings, ...sceneOptions }) =>
      run(scene, sceneOptions, async (job, end, listeners, fetchMs) => {
        const { stages = [], ...inspected } = await pool.inspect({ ...job, findings }, end, listeners);
        const added = stages.map(([stage, ms]) => [stage, stage === 'load' ? ms + fetchMs : ms] as const);
        return { ...inspected, stages: added };
      }),
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
