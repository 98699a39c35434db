// The messages between a worker process and its parent. To the worker they go as values that V8 serializes, back as JSON.
import type { AssetDescription } from '../assets/inspect.js';
import type { AssetError, FetchedAsset } from '../assets/loader.js';
import type { FileFormat } from '../codecs/codec.js';
import type { FindingOptions } from '../contract/messages/findings.js';
import type { Strictness } from '../contract/messages/strictness.js';
import type { Detail, ErrorCode, Warning } from '../errors.js';
import type { FontReport } from '../fonts/report.js';
import type { UserFont } from '../fonts/user-fonts.js';
import type { DocumentPlace } from '../render/document.js';
import type { InspectedScene, Stage } from '../render.js';
import type { JobLimits, StageBegin } from '../stage-budget.js';
import type { Scene } from '../templates/scene.js';

/** The argument of a worker process that sets the size of its image cache; the number of bytes follows. */
export const IMAGE_CACHE_ARGUMENT = '--image-cache-bytes=';

/** The argument of a worker process that the kernel kills with its parent; others watch their parent themselves. */
export const KILLED_BY_KERNEL = '--killed-by-kernel';

/** Sent to a worker once, before its first job: the fonts beside the bundled ones. */
export interface FontsMessage {
  readonly kind: 'fonts';
  readonly fonts: readonly UserFont[];
}

/** A render. The parent has checked the scene; the worker does not check it again. */
export interface Job {
  readonly scene: Scene;
  /** Every asset of the scene by its URL, as the scene has it. */
  readonly assets: ReadonlyMap<string, FetchedAsset>;
  readonly watermark?: string | undefined;
  /** The warnings that fail the render; none if absent. */
  readonly strict?: Strictness | undefined;
  /** Whether the result's bytes are RGBA pixels with straight alpha instead of an encoded file. */
  readonly pixels?: boolean | undefined;
  /** Whether the result has the SHA-256 of its bytes. */
  readonly digest?: boolean | undefined;
  /** Whether the result has the SHA-256 of its pixels. */
  readonly pixelDigest?: boolean | undefined;
  /** The bytes of the result are then those that the scene adds to a document; absent for a picture or a whole document. */
  readonly place?: DocumentPlace | undefined;
  /** Pixels of one decoded image. */
  readonly maxPixels: number;
  /** What the findings of an inspection are measured by; without it, it has none. */
  readonly findings?: FindingOptions | undefined;
}

/** The inspection of a scene: a render's way up to painting. */
export type InspectJob = Pick<Job, 'scene' | 'assets' | 'maxPixels' | 'findings'>;

/** The check of a file that is to be stored as an asset (assets/inspect.ts). */
export interface AssetJob {
  readonly file: Uint8Array;
  /** Pixels of one decoded image. */
  readonly maxPixels: number;
}

export interface AssetMessage extends AssetJob {
  readonly kind: 'asset';
}

/** A look into a font file (fonts/report.ts). */
export interface FontJob {
  readonly file: Uint8Array;
  /** The text whose characters are looked up in it. */
  readonly text?: string | undefined;
}

export interface FontMessage extends FontJob {
  readonly kind: 'font';
}

/** A job as it is sent to a worker, which holds assets of earlier jobs. */
export interface JobMessage extends Omit<Job, 'assets'> {
  readonly kind: 'render' | 'inspect';
  /** The asset's digest, or the error for a missing one, by the key that replaces its URL in the layers. */
  readonly assets: ReadonlyMap<string, string | AssetError>;
  /** The assets that the worker does not hold, by digest. */
  readonly added: ReadonlyMap<string, Uint8Array>;
  /** Digests of the assets that the worker must not hold any longer than this job. */
  readonly dropped: readonly string[];
}

export interface JobResult {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, base64url; present when the job asks for a digest. */
  readonly sha256?: string;
  /** SHA-256 of the RGBA pixels (straight alpha, row by row), hex; present when the job asks for it. */
  readonly pixelsSha256?: string;
  readonly format: FileFormat;
  readonly width: number;
  readonly height: number;
  /** Pages of a document; 1 if absent. */
  readonly pages?: number;
  readonly warnings: readonly Warning[];
  /** Milliseconds that each stage took. */
  readonly stages?: readonly (readonly [Stage, number])[];
  /** The image is complete, but its process may be damaged: a fallback colour hides a WebAssembly trap. */
  readonly broken?: boolean;
}

export interface InspectJobResult extends InspectedScene, Pick<JobResult, 'stages' | 'broken'> {}

/** Each kind of job has its own. */
export type AnyResult = JobResult | InspectJobResult | AssetDescription | FontReport;

/** A RenderError as plain data. */
export interface JobFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly Detail[];
}

/** Tells the worker to leave the processor to others from now on. */
export interface BackgroundMessage {
  readonly kind: 'background';
  /** Number by which its priority becomes lower than now. */
  readonly niceness: number;
}

/** Sent to a worker once, before its first job: the limits of single stages of its jobs. */
export interface LimitsMessage {
  readonly kind: 'limits';
  readonly limits: JobLimits;
}

/** The messages that a worker gets. */
export type ParentMessage = FontsMessage | LimitsMessage | BackgroundMessage | JobMessage | AssetMessage | FontMessage;

/**
 * The messages that a worker sends: `ready` once; then for each job `begun`, and `result` (with a picture, if it drew one) or
 * `failure`.
 */
export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  /** A stage that can't be polled begins, and ends. */
  | { readonly kind: 'stage'; readonly begin: StageBegin }
  | { readonly kind: 'stageEnd' }
  /**
   * `memory` is the resident bytes of the process; `ms` and `cpuMs` are the milliseconds, and those of processor time, that the
   * job took.
   */
  | {
      readonly kind: 'result';
      readonly result: object;
      readonly memory: number;
      readonly ms: number;
      readonly cpuMs: number;
    }
  /** `broken` means that the process may be damaged (a WebAssembly trap, memory that ran out) and must be replaced. */
  | {
      readonly kind: 'failure';
      readonly failure: JobFailure;
      readonly broken: boolean;
      readonly memory: number;
      readonly ms: number;
      readonly cpuMs: number;
    };
