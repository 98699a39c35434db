// What a page and its worker send each other.
import type { PixelResult, RenderResult } from '../browser.js';
import type { Detail, ErrorCode } from '../errors.js';
import type { WorkerRendererOptions, WorkerRenderOptions } from './types.js';

export type Kind = 'render' | 'renderToPixels';

/** What structured cloning takes of a render's options. */
export type SentOptions = Omit<WorkerRenderOptions, 'signal' | 'transfer'>;

/** To the worker: `start` once, then one render at a time. */
export type Request =
  | { readonly type: 'start'; readonly options: Omit<WorkerRendererOptions, 'workerUrl'> }
  | {
      readonly type: 'run';
      readonly id: number;
      readonly kind: Kind;
      readonly payload: unknown;
      readonly options: SentOptions;
    }
  | { readonly type: 'abort'; readonly id: number };

/** An error as plain data; without a code, it is no RenderError. */
export interface Failure {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly details?: readonly Detail[];
}

/** From the worker: for each render `begun`, then `result` or `failure`. */
export type Answer =
  | { readonly type: 'begun'; readonly id: number }
  | { readonly type: 'result'; readonly id: number; readonly result: RenderResult | PixelResult }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly failure: Failure;
      /** Whether the worker may be damaged and is to be replaced. */
      readonly isDamaged: boolean;
    };
