// What the engine is called with, and what it answers.
import type { AssetFailure } from '../../assets/prefetch.js';
import type { CpuConsumer } from '../../store/usage-store.js';
import type { JobResult } from '../../workers/job.js';
import type { Permit, Tenant } from '../admission/index.js';
import type { RenderLane } from './cache.js';

export interface EngineCall extends Pick<CpuConsumer, 'keyId'> {
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
export type InspectCall = Omit<EngineCall, 'watermark'>;

/** A finished image with the SHA-256 of its bytes (base64url). */
export type EngineImage = JobResult & {
  readonly sha256: string;
  /** Milliseconds of processor time that a render process spent on this request; absent when none drew for it. */
  readonly cpuMs?: number;
};
