// Renders or inspects a checked request: resolves its scene and fetches its assets here, then works in a worker process or
// returns the cached render.

import { AssetFile } from '../../assets/asset-file.js';
import type { AssetDescription } from '../../assets/inspect.js';
import { type Assets, createAssets } from '../../assets/loader.js';
import { hasRemoteAssets, prefetch, withInlineAssets } from '../../assets/prefetch.js';
import { createConcurrencyLimiter } from '../../cache/concurrency-limiter.js';
import { createFetchCache } from '../../cache/http-cache.js';
import type { FileFormat } from '../../codecs/codec.js';
import type { Inspection } from '../../contract/api/inspection.js';
import type { RenderRequest } from '../../contract/api/request.js';
import { CodedError, RenderError } from '../../errors.js';
import type { MeasuredFinding } from '../../findings/rules.js';
import type { AllowAddress, Resolve } from '../../host.js';
import type { IconSet } from '../../icons/icon-set.js';
import { loadDataFor } from '../../load-data.js';
import { inspectionTimings } from '../../render/inspection.js';
import { sceneAlt } from '../../render/page-numbers.js';
import type { Stage } from '../../render.js';
import type { Settings } from '../../settings.js';
import type { CpuConsumer } from '../../store/usage-store.js';
import type { CheckUrl } from '../../templates/check-layers.js';
import { resolveRequest } from '../../templates/resolve.js';
import type { Scene } from '../../templates/scene.js';
import { type FontPlace, withFonts } from '../../templates/workspace-fonts.js';
import { type Deadline, deadline } from '../../workers/deadline.js';
import type { JobResult } from '../../workers/job.js';
import type { JobUsage, RenderPool } from '../../workers/pool.js';
import type { Admission, Permit, Release, Tenant } from '../admission/index.js';
import type { MemoryBudget, Reservation } from '../admission/memory-budget.js';
import { createRenderCache } from './cache.js';
import type { EngineCall, EngineImage, FetchedScene, FoundBrand, InspectCall, RunJob, SceneRequest } from './call.js';
import { createDocuments, type DocumentPlan, type DocumentRequest } from './document.js';
import { type EstimatedScene, estimateBytes, estimateLoadBytes } from './estimate.js';
import type { WorkspaceAssets } from './workspace-assets.js';

/** A request for one file. */
export interface FileCall extends Pick<EngineCall, 'timeoutMs' | 'signal' | 'onAssetFailure'> {
  readonly workspaceId: string | undefined;
  /** Who holds the file while it is fetched: the workspace, or an operator. */
  readonly owner: string;
}

/** An inspection whose findings have changes that were not tried yet. */
export interface EngineInspection extends Omit<Inspection, 'findings'> {
  readonly findings?: readonly MeasuredFinding[];
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

/** Milliseconds of processor time of renders that failed, by the error that they rejected with. */
export const failureCpuMs = new WeakMap<object, number>();

/**
 * Milliseconds of processor time of the render that rejected with `error`; undefined when none ran or it is unknown. Only the
 * first call gets it: requests that share a render share its error, and the time is to be counted once.
 */
export function cpuMsOfFailure(error: object): number | undefined {
  const cpuMs = failureCpuMs.get(error);
  failureCpuMs.delete(error);
  return cpuMs;
}

/** An image that was rendered for this request alone, with the SHA-256 of its pixels and what its stages took. */
export interface VerifiedImage extends EngineImage {
  readonly pixelsSha256: string;
  readonly timings: readonly (readonly [TimedStage, number])[];
}

export interface Engine {
  /** Renders `request`. `record`: the saved template that it names. Rejects with RenderError. */
  render(request: RenderRequest, record: unknown, options: EngineCall): Promise<EngineImage>;
  /** Renders as `render` does, but never from the cache, and measures. */
  verify(request: RenderRequest, record: unknown, options: EngineCall): Promise<VerifiedImage>;
  /**
   * Inspects `request`: what `render` does up to painting, in the same queue and within the same limits, and never from the
   * cache of renders. Rejects with RenderError.
   */
  inspect(request: RenderRequest, record: unknown, options: InspectCall): Promise<EngineInspection>;
  /**
   * Checks a document, of which every page is checked before the first is rendered. Rejects with RenderError, whose details
   * have what is wrong with any page.
   */
  planDocument(request: DocumentRequest, call: InspectCall): Promise<DocumentPlan>;
  /**
   * The file that a layer of the workspace would get from `url`: with the same guard, cache and limits. Without a workspace,
   * files of the web alone. Rejects with RenderError: `render_failed` when `url` is no such URL, `asset_failed`, `overloaded`.
   */
  fetchAsset(url: string, options: FileCall): Promise<AssetFile>;
  /** Checks a file that is to be stored as an asset. Rejects with RenderError, `invalid_request` for a file of no use. */
  inspectAsset(
    file: Uint8Array,
    options: Pick<EngineCall, 'tenant' | 'keyId' | 'timeoutMs' | 'signal' | 'permit'>,
  ): Promise<AssetDescription>;
  /** Reserves a permit for a render of unknown size, before a large body is read. Throws RenderError `overloaded`. */
  reserve(tenant: Tenant): Permit;
  /** Rows of batches that render at once, of all batches together. */
  readonly batchConcurrency: number;
  /** Opens a reservation for pictures of the workspace that wait to be sent. */
  openReservation(workspaceId: string): Reservation;
  /** Whether a worker process answers. */
  isReady(): Promise<boolean>;
}

/** Milliseconds for which the health check waits for a worker process that is starting. */
const READY_TIMEOUT_MS = 5000;
const MEBIBYTE = 2 ** 20;
const NO_FONTS: ReadonlyMap<FontPlace, string> = new Map();
/** Bytes of a pixel with straight alpha, which its digest needs. */
const RGBA_BYTES = 4;
/** Files that are fetched at once for other purposes than a render. */
const MAX_FILE_FETCHES = 32;
/** An empty scene, for checking a single asset. */
const NO_SCENE: EstimatedScene = {
  canvas: { width: 1, height: 1, scale: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 0 } },
  format: 'png',
  layers: [],
};
/** Size of the HTTP cache, which keeps web assets as long as their origins allow. */
const FETCH_CACHE_BYTES = 64 * MEBIBYTE;

export interface EngineOptions {
  readonly pool: RenderPool;
  readonly admission: Pick<Admission, 'reserve' | 'acquireForBatch' | 'batchConcurrency' | 'isLight'>;
  readonly settings: Settings;
  readonly allowAddress: AllowAddress;
  /** Bounds the assets in memory until their render is done. */
  readonly memoryBudget: MemoryBudget;
  readonly resolve: Resolve;
  /** The pictures and fonts of workspaces; without them, `asset:` URLs are rejected. */
  readonly workspaceAssets?: WorkspaceAssets;
  /** Sets of icons beside the one of the package. */
  readonly icons?: readonly IconSet[] | undefined;
  /** Called with each stage of a render: when it began by `performance.now()`, and how long it took. */
  readonly onStage?: (stage: TimedStage, format: FileFormat, milliseconds: number, startedAt: number) => void;
  /** Called with the processor time of each job, and whom it was for. */
  readonly onCpu?: ((consumer: CpuConsumer, milliseconds: number) => void) | undefined;
  /** Runs the code that fetches assets, whose hosts must not learn of traces; by default, calls it directly. */
  readonly untraced?: (<Result>(run: () => Result) => Result) | undefined;
}

export function createEngine(options: EngineOptions): Engine & { stats(): EngineStats } {
  const { pool, admission, settings, allowAddress, memoryBudget, resolve, workspaceAssets, onStage, onCpu } = options;
  const { icons } = options;
  const { untraced = (run) => run() } = options;
  const {
    MAX_LAYERS: maxLayers,
    MAX_EXPANDED_LAYERS: maxExpandedLayers,
    ASSET_MAX_BYTES: maxBytes,
    ASSET_MAX_PIXELS: maxPixels,
  } = settings;
  const maxAssetBytes = Math.min(settings.RENDER_MEMORY_MB * MEBIBYTE, memoryBudget.bytes);
  const fetchCache = createFetchCache(FETCH_CACHE_BYTES);
  const renders = createRenderCache(settings.RENDER_CACHE_MB * MEBIBYTE, settings.RENDER_TIMEOUT_MS);
  const limits = { timeoutMs: settings.ASSET_TIMEOUT_MS, maxBytes, maxPixels, allowAddress, fetchCache, resolve };
  let inFlight = 0;

  const limitFileFetches = createConcurrencyLimiter(MAX_FILE_FETCHES);

  /** The assets that a render, or a request for one file, of the workspace may load; the owner holds the bytes that arrive. */
  function assetsOf(workspaceId: string | undefined, owner: string): Assets {
    const owned = { ...limits, reserveBody: () => memoryBudget.open(owner) };
    if (!workspaceAssets || workspaceId === undefined) return createAssets(owned);
    return createAssets({ ...owned, readAsset: (id, end) => workspaceAssets.read(workspaceId, id, end) });
  }

  /** Resolves the request and fetches its assets, then calls `use`: within the limits of the call on time and memory. */
  async function withScene<Result>(
    { resolve: resolveScene, call, estimate }: SceneRequest,
    use: (fetched: FetchedScene) => Promise<Result>,
  ): Promise<Result> {
    const { tenant, timeoutMs, signal, onAssetFailure, permit, lane = 'single' } = call;
    const startedAt = performance.now();
    const { id: workspaceId } = tenant;
    const assets = assetsOf(workspaceId, workspaceId);
    const resolved = await resolveScene(assets.source);
    const checkMs = performance.now() - startedAt;
    const timeLimit = deadline(timeoutMs, signal);
    const reservation = memoryBudget.open(workspaceId, maxAssetBytes);
    let earlyPermit = permit;
    try {
      const fonts = (await workspaceAssets?.findFonts(workspaceId, resolved)) ?? NO_FONTS;
      const assetUrls = [...new Set([...resolved.assetUrls, ...fonts.values()])];
      // a permit before fetching, so that a rejected render fetches nothing; without such assets a cache hit needs none
      if (lane === 'single' && hasRemoteAssets(assetUrls, assets)) {
        earlyPermit ??= admission.reserve(tenant, estimate(resolved, [], maxPixels));
      }
      const fetchStartedAt = performance.now();
      const listener = { keep: reservation.reserve, failed: onAssetFailure };
      const fetched = await untraced(() => prefetch(assetUrls, assets, listener, timeLimit.signal));
      const fetchMs = performance.now() - fetchStartedAt;
      // a font that was deleted since it was found counts as unknown
      const scene = withFonts(resolved, fonts, (url) => 'file' in fetched.get(url)!);
      const waitForSlot = async (bytes: number, limit: Deadline) => {
        if (lane === 'single')
          return await (earlyPermit ?? admission.reserve(tenant, bytes)).acquire(bytes, limit.signal);
        limit.pause();
        const release = await admission.acquireForBatch(tenant, bytes, limit.signal);
        limit.resume();
        return release;
      };
      const admit: FetchedScene['admit'] = async (limit, extraBytes = 0) => {
        const end = limit.signal;
        const all = await withInlineAssets(assetUrls, fetched, assets, end);
        const files = [...all.values()].flatMap((asset) => ('file' in asset ? [asset.file] : []));
        const bytes = estimate(scene, files, maxPixels) + extraBytes;
        const queuedAt = performance.now();
        const release = await waitForSlot(bytes, limit);
        return { job: { scene, assets: all, maxPixels }, release, queuedAt, queueMs: performance.now() - queuedAt };
      };
      return await use({ scene, fetched, startedAt, checkMs, fetchStartedAt, fetchMs, limit: timeLimit, admit });
    } finally {
      earlyPermit?.release();
      reservation.release();
      timeLimit.clear();
    }
  }

  /**
   * Runs one job, and counts its processor time for the workspace and the key, also when it fails. Returns the time with the
   * result.
   */
  async function counted<Result>(
    { tenant, keyId, signal }: Pick<EngineCall, 'tenant' | 'keyId' | 'signal'>,
    release: Release,
    run: (onReleased: (usage?: JobUsage) => void) => Promise<Result>,
  ): Promise<[Result, number | undefined]> {
    let onUsage: (cpuMs: number | undefined) => void;
    const used = new Promise<number | undefined>((resolve) => {
      onUsage = resolve;
    });
    const onReleased = (usage?: JobUsage) => {
      release(usage);
      if (usage) onCpu?.({ workspaceId: tenant.id, keyId }, usage.cpuMs);
      onUsage(usage?.cpuMs);
    };
    try {
      return [await run(onReleased), await used];
    } catch (error) {
      // the process ends at once, unless it may finish a job whose client has left
      const cpuMs = signal.aborted ? undefined : await used;
      if (cpuMs !== undefined) failureCpuMs.set(error as object, cpuMs);
      throw error;
    }
  }

  /** Runs a render's job, and calls `timed` with its stages. */
  async function runTimed(
    { startedAt, checkMs, limit, admit }: FetchedScene,
    call: EngineCall,
    timed: (stage: TimedStage, milliseconds: number, startedAt: number) => void,
    extraBytes: number,
    run: Parameters<RunJob>[2],
  ): ReturnType<RunJob> {
    const { job, release, queuedAt, queueMs } = await admit(limit, extraBytes);
    timed('check', checkMs, startedAt);
    timed('queue', queueMs, queuedAt);
    const [result, cpuMs] = await counted(call, release, (onReleased) => run(job, limit.signal, onReleased));
    // the process reports durations; the last stage has ended about now
    let stageStartedAt = performance.now() - stagesMs(result);
    for (const [stage, milliseconds] of result.stages ?? []) {
      timed(stage, milliseconds, stageStartedAt);
      stageStartedAt += milliseconds;
    }
    return { result, cpuMs };
  }

  /**
   * Renders an image. With `measure`, which gets the duration of each stage, the image is not cached, and has the digest of its
   * pixels.
   */
  function render(
    request: RenderRequest,
    record: unknown,
    call: EngineCall,
    measure?: (stage: TimedStage, milliseconds: number) => void,
  ): Promise<EngineImage> {
    const { tenant, watermark, lane } = call;
    const timed = (stage: TimedStage, milliseconds: number, startedAt: number) => {
      onStage?.(stage, request.format, milliseconds, startedAt);
      measure?.(stage, milliseconds);
    };
    return withScene(
      { resolve: (checkUrl) => resolveStored(request, record, call.brand, checkUrl), call, estimate: estimateBytes },
      async (found) => {
        const { scene, fetched, fetchStartedAt, fetchMs, limit: timeLimit } = found;
        if (fetched.size > 0) timed('fetch', fetchMs, fetchStartedAt);
        const key = measure
          ? undefined
          : renders.keyOf({
              ...{ workspaceId: tenant.id, request, record, watermark, assets: fetched },
              brandVersion: call.brand?.version,
            });
        let cpuMs: number | undefined;
        const renderNow = async (limit: Deadline) => {
          const digests = { digest: true, pixelDigest: measure !== undefined };
          const extraBytes = measure ? digestBytes(scene) : 0;
          const { result, cpuMs: usedMs } = await runTimed(
            { ...found, limit },
            call,
            timed,
            extraBytes,
            (job, end, onReleased) =>
              pool.run({ ...job, watermark, ...digests }, end, {
                onReleased,
                // on the same cores, those who have used little come first
                isBackground: lane === 'batch' || !admission.isLight(tenant),
                owner: tenant.id,
              }),
          );
          cpuMs = usedMs;
          return result;
        };
        if (call.onDraw && !renders.has(key, lane)) await call.onDraw();
        // the render has a separate deadline, which does not count the wait of a batch
        if (lane === 'batch') timeLimit.pause();
        // the image has its digest, because the job asks for it
        const drawn = (await renders.get(key, renderNow, timeLimit, lane)) as JobResult & Pick<EngineImage, 'sha256'>;
        const image = { ...drawn, alt: sceneAlt(scene) };
        return cpuMs === undefined ? image : { ...image, cpuMs };
      },
    );
  }

  function inspectScene(sceneRequest: Omit<SceneRequest, 'estimate'>): Promise<EngineInspection> {
    const { call } = sceneRequest;
    return withScene({ ...sceneRequest, estimate: estimateLoadBytes }, async ({ checkMs, fetchMs, limit, admit }) => {
      const { job, release } = await admit(limit);
      const [result] = await counted(call, release, (onReleased) =>
        pool.inspect({ ...job, findings: call.findings }, limit.signal, { onReleased, owner: call.tenant.id }),
      );
      const { stages = [], broken: _, ...inspected } = result;
      const { load = 0, layout = 0 } = Object.fromEntries(stages) as Partial<Record<Stage, number>>;
      return { ...inspected, timings: inspectionTimings({ check: checkMs, load: fetchMs + load, layout }) };
    });
  }

  const planDocument = createDocuments({
    pool,
    admission,
    settings,
    withScene,
    inspectScene,
    resolve: resolveStored,
    checkUrlOf: ({ tenant: { id } }) => assetsOf(id, id).source,
    estimate: estimateBytes,
    runJob: (found, call, run) => runTimed(found, call, (stage, ms, at) => onStage?.(stage, 'pdf', ms, at), 0, run),
  });

  async function fetchAsset(url: string, call: FileCall): Promise<AssetFile> {
    const assets = assetsOf(call.workspaceId, call.owner);
    if (!hasRemoteAssets([url], assets)) {
      throw new RenderError('render_failed', 'expected an http: or https: URL, or asset: and the id of an asset');
    }
    const timeLimit = deadline(call.timeoutMs, call.signal);
    const reservation = memoryBudget.open(call.owner);
    try {
      const listener = { keep: reservation.reserve, failed: call.onAssetFailure };
      const fetched = await limitFileFetches(() => untraced(() => prefetch([url], assets, listener, timeLimit.signal)));
      const asset = fetched.get(url)!;
      if ('file' in asset) return asset.file;
      throw new RenderError(asset.code, asset.message);
    } finally {
      reservation.release();
      timeLimit.clear();
    }
  }

  async function inspectAsset(
    file: Uint8Array,
    call: Parameters<Engine['inspectAsset']>[1],
  ): Promise<AssetDescription> {
    const timeLimit = deadline(call.timeoutMs, call.signal);
    const end = timeLimit.signal;
    try {
      const bytes = estimateBytes(NO_SCENE, [new AssetFile(file)], maxPixels);
      const release = await (call.permit ?? admission.reserve(call.tenant, bytes)).acquire(bytes, end);
      const [description] = await counted(call, release, (onReleased) =>
        pool.inspectAsset({ file, maxPixels }, end, { onReleased, owner: call.tenant.id }),
      );
      return description;
    } finally {
      timeLimit.clear();
    }
  }

  /** A saved template that is invalid now (say, above a lowered MAX_LAYERS) fails the render: the request is valid. */
  async function resolveStored(
    request: RenderRequest,
    record: unknown,
    found: FoundBrand | undefined,
    checkUrl: CheckUrl,
  ): Promise<Scene> {
    const brand = found?.record;
    const { locale } = request;
    const variables = request.kind === 'template' ? request.variables : undefined;
    await loadDataFor(record ?? request, { locale, variables, brand });
    try {
      return resolveRequest(request, record, { maxLayers, maxExpandedLayers, brand, icons, checkUrl });
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'invalid_request') throw error;
      throw new RenderError('render_failed', error.message, { details: error.details, cause: error });
    }
  }

  /** Counts a render in progress. */
  async function inProgress<Result>(run: () => Promise<Result>): Promise<Result> {
    inFlight++;
    try {
      return await run();
    } finally {
      inFlight--;
    }
  }

  return {
    stats: () => ({ inFlight, assetCache: statsOf(fetchCache), renderCache: statsOf(renders) }),
    render: (request, record, call) => inProgress(() => render(request, record, call)),
    inspect: (request, record, call) =>
      inProgress(() =>
        inspectScene({
          resolve: (checkUrl) => resolveStored(request, record, call.brand, checkUrl),
          call,
        }),
      ),
    planDocument,
    async verify(request, record, call) {
      const timings: [TimedStage, number][] = [];
      const measure = (stage: TimedStage, milliseconds: number) => void timings.push([stage, milliseconds]);
      const image = await inProgress(() => render(request, record, call, measure));
      // present, because a measured render asks for it
      return { ...image, pixelsSha256: image.pixelsSha256!, timings };
    },
    fetchAsset,
    inspectAsset,
    reserve: (tenant) => admission.reserve(tenant, 0),
    batchConcurrency: admission.batchConcurrency,
    openReservation: (workspaceId) => memoryBudget.open(workspaceId),
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

/** Memory for the pixels that the digest of an image is made of. */
function digestBytes({ canvas: { width, height } }: EstimatedScene): number {
  return width * height * RGBA_BYTES;
}

/** Milliseconds of all stages that a render process reports. */
function stagesMs({ stages = [] }: Pick<JobResult, 'stages'>): number {
  return stages.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
}

function statsOf({ bytes, hits, misses }: CacheStats): CacheStats {
  return { bytes, hits, misses };
}
