// The page's side of a worker that does one job after the other. Of the jobs of one kind that wait, only the latest is kept.
// The worker starts with the first job, and is replaced when it hangs or fails.
import { RenderError } from '../errors.js';
import type { Request, WorkerAnswer, WorkerFailure } from './messages.js';

/** Milliseconds beyond the time limit in which the worker's own limit, which keeps the worker, may answer. */
const GRACE_MS = 500;
/** Milliseconds in which a worker takes up a job: its script may have to be downloaded. */
const START_MS = 60_000;

/** The part of the DOM's Worker that this file uses. */
export interface WebWorker {
  postMessage(request: Request, transfer?: readonly ArrayBuffer[]): void;
  terminate(): void;
  onmessage: ((event: { readonly data: WorkerAnswer }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
}

export interface JobQueueOptions {
  readonly createWorker: () => WebWorker;
  /** The script, for messages. */
  readonly script: string;
  /** Possible reason, for messages, why the worker can't be started. */
  readonly hint: string;
  /** Options that the worker gets before its first job: data that can be cloned. */
  readonly options: unknown;
  /** Milliseconds for one job, from when the worker takes it up. */
  readonly timeoutMs: number;
}

export interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  /** Buffers of the job that move to the worker instead of being copied. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Whether all jobs that are not in the background come first. */
  readonly isBackground?: boolean;
}

export interface JobQueue {
  /**
   * Runs a job. Rejects with the RenderError in the worker, with `render_timeout` if it hangs, with the signal's reason, and
   * with a DOMException `AbortError` when a later job of the same kind took its place.
   */
  run(kind: string, job: unknown, options?: JobOptions): Promise<unknown>;
  /** Lets the waiting jobs finish, and ends the worker. Later jobs are rejected. */
  close(): Promise<void>;
}

interface Job {
  readonly id: number;
  readonly kind: string;
  readonly job: unknown;
  readonly transfer: readonly ArrayBuffer[];
  readonly isBackground: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export function createJobQueue({ createWorker, script, hint, options, timeoutMs }: JobQueueOptions): JobQueue {
  let worker: WebWorker | undefined;
  let running: Job | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  /** Waiting jobs, at most one of each kind. */
  const waiting = new Map<string, Job>();
  let lastId = 0;
  let closing: (() => void) | undefined;
  let closed: Promise<void> | undefined;

  function startWorker(): WebWorker {
    const started = createWorker();
    started.onmessage = ({ data }) => {
      if (started === worker && data.id === running?.id) receive(data, running);
    };
    started.onerror = (event) => {
      event.preventDefault();
      if (started !== worker) return;
      endWorker();
      const reason = event.message || `its script could not be loaded: ${script}`;
      finish((job) => job.reject(new RenderError('render_failed', `the worker failed: ${reason}`)));
    };
    try {
      started.postMessage({ type: 'start', options });
    } catch (error) {
      started.terminate();
      throw error;
    }
    return started;
  }

  function endWorker(): void {
    worker?.terminate();
    worker = undefined;
  }

  function watch(milliseconds: number, message: string): void {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      endWorker();
      finish((job) => job.reject(new RenderError('render_timeout', message)));
    }, milliseconds);
  }

  function receive(answer: WorkerAnswer, job: Job): void {
    if (answer.type === 'begun') watch(timeoutMs + GRACE_MS, `the render took longer than ${timeoutMs} ms`);
    else if (answer.type === 'result') finish(() => job.resolve(answer.result));
    else {
      if (answer.isDamaged) endWorker();
      finish(() => job.reject(errorOf(answer.failure)));
    }
  }

  /** Settles the running job and begins the next one. */
  function finish(settle: (job: Job) => void): void {
    clearTimeout(watchdog);
    const job = running;
    running = undefined;
    if (job) settle(job);
    next();
  }

  function next(): void {
    if (running) return;
    const jobs = [...waiting.values()];
    const job = jobs.find(({ isBackground }) => !isBackground) ?? jobs[0];
    if (!job) {
      if (closing) {
        endWorker();
        closing();
      }
      return;
    }
    waiting.delete(job.kind);
    running = job;
    try {
      worker ??= startWorker();
      worker.postMessage({ type: 'run', id: job.id, kind: job.kind, job: job.job }, job.transfer);
      watch(START_MS, `the worker did not start within ${START_MS} ms`);
    } catch (cause) {
      const { name, message: reason } = cause as Error;
      const message =
        worker || name === 'DataCloneError'
          ? `the payload and the options must be data, which can be sent to a worker: ${reason}`
          : `the worker can't be started (${hint}): ${reason}`;
      finish((failed) => failed.reject(new RenderError('invalid_request', message, { cause })));
    }
  }

  return {
    run(kind, job, { signal, transfer = [], isBackground = false } = {}) {
      if (closed) return Promise.reject(new RenderError('render_failed', 'the renderer is closed'));
      if (signal?.aborted) return Promise.reject(signal.reason);
      const settled = new AbortController();
      return new Promise<unknown>((resolve, reject) => {
        const added: Job = { id: ++lastId, kind, job, transfer, isBackground, resolve, reject };
        signal?.addEventListener(
          'abort',
          () => {
            reject(signal.reason);
            if (waiting.get(kind) === added) waiting.delete(kind);
            else if (running === added) worker?.postMessage({ type: 'abort', id: added.id });
          },
          { signal: settled.signal },
        );
        waiting.get(kind)?.reject(new DOMException('a later render replaced this one before it began', 'AbortError'));
        // at the end of the queue, where the latest belongs
        waiting.delete(kind);
        waiting.set(kind, added);
        next();
      }).finally(() => settled.abort());
    },
    close() {
      closed ??= new Promise((resolve) => {
        closing = resolve;
        next();
      });
      return closed;
    },
  };
}

function errorOf({ code, message, details }: WorkerFailure): Error {
  return code ? new RenderError(code, message, { ...(details && { details }) }) : new Error(message);
}
