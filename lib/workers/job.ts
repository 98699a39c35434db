// One render as it travels to a render process and back: plain values that can be cloned, no function among them.
import type { OutputFormat } from '../codecs/codec.js';
import type { Detail, ErrorCode, Warning } from '../errors.js';
import type { Stage } from '../render.js';
import type { Scene } from '../templates/scene.js';

/** An asset as the parent fetched it, or why it could not be had. */
export type FetchedAsset =
  | { readonly bytes: Uint8Array }
  | { readonly code: 'asset_failed' | 'render_failed'; readonly message: string };

export interface Job {
  readonly scene: Scene;
  /** Every remote asset of the scene, by its URL as the scene has it. */
  readonly assets: ReadonlyMap<string, FetchedAsset>;
  readonly watermark: string | undefined;
  readonly maxBytes: number;
  readonly maxPixels: number;
}

export interface JobResult {
  readonly bytes: Uint8Array;
  readonly format: OutputFormat;
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly Warning[];
  /** Milliseconds that each stage took when it was drawn. */
  readonly stages?: readonly (readonly [Stage, number])[];
  /** The picture is whole, but the process that made it may be damaged: a WASM trap that a fallback colour hides. */
  readonly broken?: boolean;
}

/** A RenderError, as it crosses from process to process. */
export interface JobFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly Detail[];
}

/** What a render process says: that it is ready; then of each job that it takes it up, and how it ended. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  /** `memory`: the bytes that the process holds in all; `ms`: how long it took, in milliseconds. */
  | { readonly kind: 'result'; readonly result: JobResult; readonly memory: number; readonly ms: number }
  /** `broken`: the process may be damaged (a WASM trap, memory that ran out) and should be replaced. */
  | {
      readonly kind: 'failure';
      readonly failure: JobFailure;
      readonly broken: boolean;
      readonly memory: number;
      readonly ms: number;
    };
