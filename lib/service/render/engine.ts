// A checked request → a finished picture: its layers checked and its assets fetched here, its pixels made in a render
// process, or taken from those that were made before.

import { createAssets } from '../../assets/loader.js';
import { type AssetFailure, assetBytes, hasRemoteAssets, prefetch } from '../../assets/prefetch.js';
import type { OutputFormat } from '../../codecs/codec.js';
import type { RenderRequest } from '../../contract/request.js';
import { RenderError } from '../../errors.js';
import type { AllowAddress } from '../../net/address-policy.js';
import { createFetchCache } from '../../net/http-cache.js';
import type { Resolve } from '../../net/http-client.js';
import type { Stage } from '../../render.js';
import type { Settings } from '../../settings.js';
import { resolveRequest } from '../../templates/resolve.js';
import type { Scene } from '../../templates/scene.js';
import { deadline } from '../../workers/deadline.js';
import type { JobResult } from '../../workers/job.js';
import type { RenderPool } from '../../workers/pool.js';
import type { Admission, Permit } from '../admission/index.js';
import type { MemoryBudget } from '../admission/memory-budget.js';
import { createRenderCache } from './cache.js';
import { estimateBytes } from './estimate.js';

export interface EngineCall {
  /** Whose render it is. */
  readonly workspaceId: string;
  /** Drawn over the picture; none when absent. */
  readonly watermark: string | undefined;
  /** Milliseconds for the whole render, waiting and fetching included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told which assets could not be fetched, and why: for the log alone. */
  readonly onAssetFailure?: (failure: AssetFailure) => void;
  /** A place that was reserved before the request was read; its owner releases it. */
  readonly permit?: Permit | undefined;
}

/** What a render's time goes to: its files on their way, the line, and then the stages of its drawing. */
export type TimedStage = 'check' | 'fetch' | 'queue' | Stage;

/** Figures of now. */
export interface EngineStats {
  /** Renders under way, those that wait for their files or for a process included. */
  readonly inFlight: number;
  readonly assetCache: CacheStats;
  readonly renderCache: CacheStats;
}

export interface CacheStats {
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

export interface Engine {
  /** `record` is the template's, for a request that names one. Throws RenderError. */
  render(request: RenderRequest, record: unknown, options: EngineCall): Promise<JobResult>;
  /**
   * Reserves a place for a render whose size is not known yet: before a large body is read. Throws RenderError `overloaded`.
   */
  reserve(): Permit;
  /** Whether a render process answers. */
  isReady(): Promise<boolean>;
}

/** How long the health check waits for a render process that is starting, in milliseconds. */
const READY_MS = 5000;
const MEBIBYTE = 2 ** 20;
/** Bytes of web assets kept from request to request, for as long as their origins allow. */
const FETCHED_BYTES = 64 * MEBIBYTE;

export interface EngineOptions {
  readonly pool: RenderPool;
  readonly admission: Pick<Admission, 'reserve'>;
  readonly settings: Settings;
  readonly allowAddress: AllowAddress;
  /** Where files lie until their render is done. */
  readonly memoryBudget: MemoryBudget;
  readonly resolve: Resolve;
  /** Called with the milliseconds that each stage took. */
  readonly onStage?: (stage: TimedStage, format: OutputFormat, milliseconds: number) => void;
}

export function createEngine(parts: EngineOptions): Engine & { stats(): EngineStats } {
  const { pool, admission, settings, allowAddress, memoryBudget, resolve, onStage } = parts;
  const { MAX_LAYERS: maxLayers, ASSET_MAX_BYTES: maxBytes, ASSET_MAX_PIXELS: maxPixels } = settings;
  const mostAssets = Math.min(settings.RENDER_MEMORY_MB * MEBIBYTE, memoryBudget.bytes);
  const fetchCache = createFetchCache(FETCHED_BYTES);
  const renders = createRenderCache(settings.RENDER_CACHE_MB * MEBIBYTE, settings.RENDER_TIMEOUT_MS);
  const network = { allowAddress, fetchCache, resolve, reserveBody: () => memoryBudget.open() };
  const limits = { timeoutMs: settings.ASSET_TIMEOUT_MS, maxBytes, maxPixels, ...network };
  let inFlight = 0;

  async function render(request: RenderRequest, record: unknown, options: EngineCall): Promise<JobResult> {
    const { workspaceId, watermark, timeoutMs, signal, onAssetFailure } = options;
    const came = performance.now();
    const sources = createAssets(limits);
    const scene = resolveStored(request, record, sources.source);
    const checkMs = performance.now() - came;
    const { assetUrls } = scene;
    // a refused render fetches nothing; one that is in the cache needs no place, unless its assets must be fetched first
    const early =
      options.permit ??
      (hasRemoteAssets(assetUrls, sources) ? admission.reserve(estimateBytes(scene, [], maxPixels)) : undefined);
    const ending = deadline(timeoutMs, signal);
    const space = memoryBudget.open(mostAssets);
    try {
      const began = performance.now();
      const web = await prefetch(assetUrls, sources, { keep: space.reserve, failed: onAssetFailure }, ending.signal);
      if (web.size > 0) onStage?.('fetch', request.format, performance.now() - began);
      const job = { scene, assets: web, watermark, maxBytes, maxPixels };
      const key = renders.keyOf({ workspaceId, request, record, watermark, assets: web });
      const draw = async (end: AbortSignal) => {
        const bytes = estimateBytes(scene, await assetBytes(assetUrls, web, sources, end), maxPixels);
        const queued = performance.now();
        const leave = await (early ?? admission.reserve(bytes)).acquire(bytes, end);
        onStage?.('check', request.format, checkMs);
        onStage?.('queue', request.format, performance.now() - queued);
        const result = await pool.run(job, end, { onReleased: leave });
        for (const [stage, milliseconds] of result.stages ?? []) onStage?.(stage, result.format, milliseconds);
        return result;
      };
      return await renders.get(key, draw, ending.signal);
    } finally {
      early?.release();
      space.release();
      ending.clear();
    }
  }

  /** A saved template that can't be drawn (it has more layers than are allowed by now) is no fault of the request. */
  function resolveStored(request: RenderRequest, record: unknown, checkUrl: (url: string) => void): Scene {
    try {
      return resolveRequest(request, record, { maxLayers, checkUrl });
    } catch (error) {
      if (!(error instanceof RenderError) || error.code !== 'invalid_request') throw error;
      throw new RenderError('render_failed', error.message, { details: error.details, cause: error });
    }
  }

  return {
    stats: () => ({ inFlight, assetCache: statsOf(fetchCache), renderCache: statsOf(renders) }),
    async render(request, record, options) {
      inFlight++;
      try {
        return await render(request, record, options);
      } finally {
        inFlight--;
      }
    },
    reserve: () => admission.reserve(0),
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

function statsOf({ bytes, hits, misses }: CacheStats): CacheStats {
  return { bytes, hits, misses };
}
