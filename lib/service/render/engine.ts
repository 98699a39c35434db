// Renders a checked request: resolves its scene and fetches its assets here, then renders in a worker process or returns the
// cached result.

import { AssetFile } from '../../assets/asset-file.js';
import type { AssetDescription } from '../../assets/inspect.js';
import { createAssets } from '../../assets/loader.js';
import { type AssetFailure, hasRemoteAssets, prefetch, withInlineAssets } from '../../assets/prefetch.js';
import { createFetchCache } from '../../cache/http-cache.js';
import type { OutputFormat } from '../../codecs/codec.js';
import type { RenderRequest } from '../../contract/api/request.js';
import { RenderError } from '../../errors.js';
import type { AllowAddress, Resolve } from '../../host.js';
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
import { type EstimatedScene, estimateBytes } from './estimate.js';
import { type WorkspaceAssets, withFonts } from './workspace-assets.js';

export interface EngineCall {
  readonly workspaceId: string;
  /** Text drawn over the image; undefined for none. */
  readonly watermark: string | undefined;
  /** Time limit for the whole render, queueing and fetching included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for assets that could not be fetched; for the log only. */
  readonly onAssetFailure?: (failure: AssetFailure) => void;
  /** A permit that was reserved before the body was read; the caller releases it. */
  readonly permit?: Permit | undefined;
}

/** Stages that are timed: those of the service, then those of the worker. */
export type TimedStage = 'check' | 'fetch' | 'queue' | Stage;

export interface EngineStats {
  /** Renders in progress, including those that wait for assets or for a worker. */
  readonly inFlight: number;
  readonly assetCache: CacheStats;
  readonly renderCache: CacheStats;
}

export interface CacheStats {
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/** A finished image with the SHA-256 of its bytes (base64url). */
export type RenderedImage = JobResult & { readonly sha256: string };

export interface Engine {
  /** Renders `request`. `record`: the saved template that it names. Rejects with RenderError. */
  render(request: RenderRequest, record: unknown, options: EngineCall): Promise<RenderedImage>;
  /** Checks a file that is to be stored as an asset. Rejects with RenderError, `invalid_request` for a file of no use. */
  inspect(file: Uint8Array, options: Pick<EngineCall, 'timeoutMs' | 'signal' | 'permit'>): Promise<AssetDescription>;
  /** Reserves a permit for a render of unknown size, before a large body is read. Throws RenderError `overloaded`. */
  reserve(): Permit;
  /** Whether a worker process answers. */
  isReady(): Promise<boolean>;
}

/** How long the health check waits for a worker process that is starting. */
const READY_TIMEOUT_MS = 5000;
const MEBIBYTE = 2 ** 20;
const NO_FONTS: ReadonlyMap<number, string> = new Map();
/** What an asset is checked without. */
const NO_SCENE: EstimatedScene = {
  canvas: { width: 1, height: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 0 } },
  format: 'png',
  layers: [],
};
/** Size of the HTTP cache, which keeps web assets as long as their origins allow. */
const FETCH_CACHE_BYTES = 64 * MEBIBYTE;

export interface EngineOptions {
  readonly pool: RenderPool;
  readonly admission: Pick<Admission, 'reserve'>;
  readonly settings: Settings;
  readonly allowAddress: AllowAddress;
  /** Bounds the assets in memory until their render is done. */
  readonly memoryBudget: MemoryBudget;
  readonly resolve: Resolve;
  /** The pictures and fonts of workspaces; `asset:` URLs are rejected unless given. */
  readonly workspaceAssets?: WorkspaceAssets;
  /** Called with the duration of each stage. */
  readonly onStage?: (stage: TimedStage, format: OutputFormat, milliseconds: number) => void;
}

export function createEngine(options: EngineOptions): Engine & { stats(): EngineStats } {
  const { pool, admission, settings, allowAddress, memoryBudget, resolve, workspaceAssets, onStage } = options;
  const { MAX_LAYERS: maxLayers, ASSET_MAX_BYTES: maxBytes, ASSET_MAX_PIXELS: maxPixels } = settings;
  const maxAssetBytes = Math.min(settings.RENDER_MEMORY_MB * MEBIBYTE, memoryBudget.bytes);
  const fetchCache = createFetchCache(FETCH_CACHE_BYTES);
  const renders = createRenderCache(settings.RENDER_CACHE_MB * MEBIBYTE, settings.RENDER_TIMEOUT_MS);
  const network = { allowAddress, fetchCache, resolve, reserveBody: () => memoryBudget.open() };
  const limits = { timeoutMs: settings.ASSET_TIMEOUT_MS, maxBytes, maxPixels, ...network };
  let inFlight = 0;

  async function render(request: RenderRequest, record: unknown, call: EngineCall): Promise<RenderedImage> {
    const { workspaceId, watermark, timeoutMs, signal, onAssetFailure } = call;
    const startedAt = performance.now();
    const assets = createAssets({
      ...limits,
      ...(workspaceAssets && { readAsset: (id, end) => workspaceAssets.read(workspaceId, id, end) }),
    });
    const resolved = resolveStored(request, record, assets.source);
    const checkMs = performance.now() - startedAt;
    const timeLimit = deadline(timeoutMs, signal);
    const reservation = memoryBudget.open(maxAssetBytes);
    let earlyPermit = call.permit;
    try {
      const fonts = (await workspaceAssets?.findFonts(workspaceId, resolved)) ?? NO_FONTS;
      const assetUrls = [...new Set([...resolved.assetUrls, ...fonts.values()])];
      // a permit before fetching, so that a rejected render fetches nothing; without such assets a cache hit needs none
      if (hasRemoteAssets(assetUrls, assets)) earlyPermit ??= admission.reserve(estimateBytes(resolved, [], maxPixels));
      const fetchStartedAt = performance.now();
      const fetched = await prefetch(
        assetUrls,
        assets,
        { keep: reservation.reserve, failed: onAssetFailure },
        timeLimit.signal,
      );
      if (fetched.size > 0) onStage?.('fetch', request.format, performance.now() - fetchStartedAt);
      // a font that was deleted since it was found counts as unknown
      const scene = withFonts(resolved, fonts, (url) => 'file' in fetched.get(url)!);
      const key = renders.keyOf({ workspaceId, request, record, watermark, assets: fetched });
      const renderNow = async (end: AbortSignal) => {
        const all = await withInlineAssets(assetUrls, fetched, assets, end);
        const files = [...all.values()].flatMap((asset) => ('file' in asset ? [asset.file] : []));
        const bytes = estimateBytes(scene, files, maxPixels);
        const queuedAt = performance.now();
        const release = await (earlyPermit ?? admission.reserve(bytes)).acquire(bytes, end);
        onStage?.('check', request.format, checkMs);
        onStage?.('queue', request.format, performance.now() - queuedAt);
        const job = { scene, assets: all, watermark, maxPixels, digest: true };
        const result = await pool.run(job, end, { onReleased: release });
        for (const [stage, milliseconds] of result.stages ?? []) onStage?.(stage, result.format, milliseconds);
        return result;
      };
      // present, because the job asks for the digest
      return (await renders.get(key, renderNow, timeLimit.signal)) as RenderedImage;
    } finally {
      earlyPermit?.release();
      reservation.release();
      timeLimit.clear();
    }
  }

  async function inspect(file: Uint8Array, call: Parameters<Engine['inspect']>[1]): Promise<AssetDescription> {
    const timeLimit = deadline(call.timeoutMs, call.signal);
    const end = timeLimit.signal;
    try {
      const bytes = estimateBytes(NO_SCENE, [new AssetFile(file)], maxPixels);
      const onReleased = await (call.permit ?? admission.reserve(bytes)).acquire(bytes, end);
      return await pool.inspect({ file, maxPixels }, end, { onReleased });
    } finally {
      timeLimit.clear();
    }
  }

  /** A saved template that is invalid now (say, above a lowered MAX_LAYERS) fails the render: the request is valid. */
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
    inspect,
    reserve: () => admission.reserve(0),
    isReady: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), READY_TIMEOUT_MS);
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
