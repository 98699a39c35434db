// A checked request → a finished picture: its layers checked and its assets fetched here, its pixels made in a render
// process.

import type { AllowAddress } from '../assets/guard.js';
import { createAssets } from '../assets/loader.js';
import { checkScene } from '../check.js';
import type { RenderRequest } from '../contract/request.js';
import { RenderError } from '../errors.js';
import type { Settings } from '../settings.js';
import { resolveRequest } from '../templates/resolve.js';
import { estimateBytes } from './estimate.js';
import type { JobResult } from './job.js';
import type { RenderPool } from './pool.js';
import { prefetch } from './prefetch.js';

export interface EngineOptions {
  /** Drawn over the picture; none when absent. */
  readonly watermark: string | undefined;
  /** Milliseconds for the whole render, waiting and fetching included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** `record` is the template's, for a request that names one. Throws RenderError. */
  render(request: RenderRequest, record: unknown, options: EngineOptions): Promise<JobResult>;
  /** Whether a render process answers. */
  isReady(): Promise<boolean>;
}

/** How long the health check waits for a render process that is starting, in milliseconds. */
const READY_MS = 1000;

export function createEngine(pool: RenderPool, settings: Settings, allowAddress: AllowAddress): Engine {
  const most = settings.RENDER_QUEUE + Math.max(1, settings.RENDER_WORKERS);
  let inFlight = 0;

  async function render(request: RenderRequest, record: unknown, options: EngineOptions): Promise<JobResult> {
    const { watermark, timeoutMs, signal } = options;
    const began = performance.now();
    const { MAX_LAYERS: maxLayers, ASSET_MAX_BYTES: maxBytes, ASSET_MAX_PIXELS: maxPixels } = settings;
    const scene = resolveRequest(request, record, maxLayers);
    const sources = createAssets({ timeoutMs: settings.ASSET_TIMEOUT_MS, maxBytes, maxPixels, allowAddress });
    const layers = checkScene(scene, sources);
    const late = AbortSignal.timeout(timeoutMs);
    const assets = await prefetch(layers, sources, AbortSignal.any([signal, late])).catch((error) => {
      if (error !== late.reason) throw error;
      throw new RenderError('render_timeout', `the render took longer than ${timeoutMs} ms`);
    });
    const job = { request, record, assets, watermark, maxLayers, maxBytes, maxPixels };
    const left = timeoutMs - (performance.now() - began);
    return pool.run(job, estimateBytes(scene.canvas, assets, maxPixels), left, signal);
  }

  return {
    async render(request, record, options) {
      // what waits for its assets counts too: it holds memory as well
      if (inFlight >= most) throw new RenderError('overloaded', 'too many renders are waiting; try again in a moment');
      inFlight++;
      try {
        return await render(request, record, options);
      } finally {
        inFlight--;
      }
    },
    isReady: () =>
      Promise.race([
        pool.ready().then(
          () => true,
          () => false,
        ),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), READY_MS).unref()),
      ]),
  };
}
