// Messages between a page and its worker.
import type { Detail, RenderErrorCode } from '../errors.js';

/** Messages to the worker: `start` once, then one job at a time. */
export type Request =
  | { readonly type: 'start'; readonly options: unknown }
  | { readonly type: 'run'; readonly id: number; readonly kind: string; readonly job: unknown }
  | { readonly type: 'abort'; readonly id: number };

/** An error as plain data; without a code, it is no RenderError. */
export interface WorkerFailure {
  readonly code?: RenderErrorCode;
  readonly message: string;
  readonly details?: readonly Detail[];
}

/** Messages from the worker: for each job `begun`, then `result` or `failure`. */
export type WorkerAnswer =
  | { readonly type: 'begun'; readonly id: number }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly failure: WorkerFailure;
      /** Whether the worker may be damaged and is to be replaced. */
      readonly isDamaged: boolean;
    };
