// A checked request → a finished picture: its layers checked and its assets fetched here, its pixels made in a render
// process, or taken from those that were made before.
import type { Resolve } from '../assets/fetch.js';
import { createFetchCache } from '../assets/fetched.js';
import type { AllowAddress } from '../assets/guard.js';
import { createAssets } from '../assets/loader.js';
import { checkScene } from '../check.js';
import type { OutputFormat } from '../codecs/codec.js';
import type { RenderRequest } from '../contract/request.js';
import { RenderError } from '../errors.js';
import type { Stage } from '../render.js';
import type { Settings } from '../settings.js';
import { resolveRequest } from '../templates/resolve.js';
import type { Resolved } from '../templates/scene.js';
import { deadline } from './deadline.js';
import { estimateBytes } from './estimate.js';
import type { JobResult } from './job.js';
import type { RenderPool } from './pool.js';
import { type AssetFailure, filesOf, namesWeb, prefetch } from './prefetch.js';
import { createRenderCache } from './renders.js';
import type { Shelf } from './shelf.js';

export interface EngineOptions {
  /** Whose render it is. */
  readonly workspaceId: string;
  /** Drawn over the picture; none when absent. */
  readonly watermark: string | undefined;
  /** Milliseconds for the whole render, waiting and fetching included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told which assets could not be fetched, and why: for the log alone. */
  readonly assetFailed?: (failure: AssetFailure) => void;
}

/** What a render's time goes to: its files on their way, the line, and then the stages of its drawing. */
export type TimedStage = 'fetch' | 'queue' | Stage;

/** Figures of now. */
export interface EngineFigures {
  /** Renders under way, those that wait for their files or for a process included. */
  readonly inFlight: number;
  readonly assetCache: CacheFigures;
  readonly renderCache: CacheFigures;
}

export interface CacheFigures {
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

export interface Engine {
  /** `record` is the template's, for a request that names one. Throws RenderError. */
  render(request: RenderRequest, record: unknown, options: EngineOptions): Promise<JobResult>;
  /** Throws RenderError `overloaded` when a render that is not kept would be refused now. */
  check(): void;
  /** Whether a render process answers. */
  isReady(): Promise<boolean>;
}

/** How long the health check waits for a render process that is starting, in milliseconds. */
const READY_MS = 1000;
const MEBIBYTE = 2 ** 20;
/** Bytes of web assets kept from request to request, for as long as their origins allow. */
const FETCHED_BYTES = 64 * MEBIBYTE;

export interface EngineParts {
  readonly pool: RenderPool;
  readonly settings: Settings;
  readonly allowAddress: AllowAddress;
  /** Where files lie until their render is done. */
  readonly shelf: Shelf;
  readonly resolve: Resolve;
  /** Told how many milliseconds each stage took, the wait for a process excepted: the pool tells that. */
  readonly timed?: (stage: TimedStage, format: OutputFormat, milliseconds: number) => void;
}

export function createEngine(parts: EngineParts): Engine & { figures(): EngineFigures } {
  const { pool, settings, allowAddress, shelf, resolve, timed } = parts;
  const { MAX_LAYERS: maxLayers, ASSET_MAX_BYTES: maxBytes, ASSET_MAX_PIXELS: maxPixels } = settings;
  // what waits for its assets counts too, and the spare process makes a place more
  const most = settings.RENDER_QUEUE + Math.max(1, settings.RENDER_WORKERS) + 1;
  const mostAssets = Math.min(settings.RENDER_MEMORY_MB * MEBIBYTE, shelf.bytes);
  const fetched = createFetchCache(FETCHED_BYTES);
  const renders = createRenderCache(settings.RENDER_CACHE_MB * MEBIBYTE, settings.RENDER_TIMEOUT_MS);
  const network = { allowAddress, fetched, resolve, arriving: () => shelf.space() };
  const limits = { timeoutMs: settings.ASSET_TIMEOUT_MS, maxBytes, maxPixels, ...network };
  let inFlight = 0;

  async function render(request: RenderRequest, record: unknown, options: EngineOptions): Promise<JobResult> {
    const { workspaceId, watermark, timeoutMs, signal, assetFailed } = options;
    const scene = resolveStored(request, record);
    const sources = createAssets(limits);
    const layers = checkScene(scene, sources);
    // what would be refused is not fetched for, and what is fetched for is not refused any more
    const checked = namesWeb(layers);
    const picture = { canvas: scene.canvas, format: scene.format, layers };
    if (checked) pool.check(estimateBytes(picture, [], maxPixels));
    const ending = deadline(timeoutMs, signal);
    const space = shelf.space(mostAssets);
    try {
      const began = performance.now();
      const web = await prefetch(layers, sources, { keep: space.keep, failed: assetFailed }, ending.signal);
      if (web.size > 0) timed?.('fetch', request.format, performance.now() - began);
      const job = { request, record, assets: web, watermark, maxLayers, maxBytes, maxPixels };
      const key = renders.keyOf({ workspaceId, request, record, watermark, assets: web });
      const draw = async (end: AbortSignal) => {
        const files = await filesOf(layers, web, sources, end);
        const result = await pool.run(job, estimateBytes(picture, files, maxPixels), end, checked);
        for (const [stage, milliseconds] of result.stages ?? []) timed?.(stage, result.format, milliseconds);
        return result;
      };
      return await renders.get(key, draw, ending.signal);
    } finally {
      space.clear();
      ending.clear();
    }
  }

  /** A saved template that can't be drawn (it has more layers than are allowed by now) is no fault of the request. */
  function resolveStored(request: RenderRequest, record: unknown): Resolved {
    try {
      return resolveRequest(request, record, maxLayers);
    } catch (error) {
      if (!(error instanceof RenderError) || error.code !== 'invalid_request') throw error;
      throw new RenderError('render_failed', error.message, { details: error.details, cause: error });
    }
  }

  return {
    figures: () => ({ inFlight, assetCache: figuresOf(fetched), renderCache: figuresOf(renders) }),
    async render(request, record, options) {
      if (inFlight >= most) throw new RenderError('overloaded', 'too many renders are waiting; try again in a moment');
      inFlight++;
      try {
        return await render(request, record, options);
      } finally {
        inFlight--;
      }
    },
    check: () => pool.check(0),
    isReady: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), READY_MS);
        pool
          .ready()
          .then(
            () => resolve(true),
            () => resolve(false),
          )
          .finally(() => clearTimeout(timer));
      }),
  };
}

function figuresOf({ bytes, hits, misses }: CacheFigures): CacheFigures {
  return { bytes, hits, misses };
}
