// What the engine is called with and answers, and the scenes on their way through it.
import type { FetchedAsset } from '../../assets/loader.js';
import type { AssetFailure } from '../../assets/prefetch.js';
import type { CpuConsumer } from '../../store/usage-store.js';
import type { CheckUrl } from '../../templates/check-layers.js';
import type { Brand } from '../../templates/data/data.js';
import type { Scene } from '../../templates/scene.js';
import type { Deadline } from '../../workers/deadline.js';
import type { InspectJob, JobResult } from '../../workers/job.js';
import type { JobUsage } from '../../workers/pool.js';
import type { Permit, Release, Tenant } from '../admission/index.js';
import type { RenderLane } from './cache.js';
import type { estimateBytes } from './estimate.js';

/** A version of a workspace's brand. */
export interface FoundBrand {
  readonly record: Brand;
  readonly version: number;
}

export interface EngineCall extends Pick<CpuConsumer, 'keyId'> {
  /** The brand of the workspace, whose tokens the render takes; undefined for none. */
  readonly brand?: FoundBrand | undefined;
  /** The workspace, whose assets and cached renders the call may use, and its weight. */
  readonly tenant: Tenant;
  /** Text drawn over the image; undefined for none. */
  readonly watermark: string | undefined;
  /** Time limit for the whole render, queueing and fetching included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for assets that could not be fetched; for the log only. */
  readonly onAssetFailure?: (failure: AssetFailure) => void;
  /** Called before the image is drawn, but not when it is cached or being drawn. If it rejects, so does the render. */
  readonly onDraw?: (() => Promise<void>) | undefined;
  /** A permit that was reserved before the body was read; the caller releases it. */
  readonly permit?: Permit | undefined;
  /** `batch` marks a row of a batch, which waits for single renders; its time limit does not count the wait. */
  readonly lane?: RenderLane | undefined;
}

/** An inspection paints nothing, so it has no watermark. */
export type InspectCall = Omit<EngineCall, 'watermark'> & Pick<InspectJob, 'findings'>;

/** A finished image with the SHA-256 of its bytes (base64url). */
export type EngineImage = JobResult & {
  readonly sha256: string;
  /** What the image shows, in words. */
  readonly alt: string;
  /** Milliseconds of processor time that a render process spent on this request; absent when none drew for it. */
  readonly cpuMs?: number;
};

/** A scene to resolve, and the estimate of the memory that it takes. */
export interface SceneRequest {
  readonly resolve: (checkUrl: CheckUrl) => Promise<Scene>;
  readonly call: InspectCall & Pick<EngineCall, 'lane'>;
  readonly estimate: typeof estimateBytes;
}

/** Runs a render's job within the limits of the call, and reports on it. `cpuMs` is the processor time of its process. */
export type RunJob = (
  fetched: FetchedScene,
  call: EngineCall,
  run: (job: InspectJob, end: AbortSignal, onReleased: (usage?: JobUsage) => void) => Promise<JobResult>,
) => Promise<{ readonly result: JobResult; readonly cpuMs: number | undefined }>;

/** A scene whose assets are fetched. */
export interface FetchedScene {
  readonly scene: Scene;
  /** The fetched assets, without those of `data:` URLs. */
  readonly fetched: ReadonlyMap<string, FetchedAsset>;
  /** Start of the checks and of the fetches by `performance.now()`, and their durations in milliseconds. */
  readonly startedAt: number;
  readonly checkMs: number;
  readonly fetchStartedAt: number;
  readonly fetchMs: number;
  /** The time limit of the call. */
  readonly limit: Deadline;
  /** Waits for a slot and memory, with `extraBytes`. Whoever runs the job calls `release` when no process works on it. */
  admit(
    limit: Deadline,
    extraBytes?: number,
  ): Promise<{
    readonly job: InspectJob;
    readonly release: Release;
    readonly queuedAt: number;
    readonly queueMs: number;
  }>;
}
