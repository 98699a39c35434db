// `platen/worker`: renders in a module worker, off the page's thread. The worker is replaced when it hangs or fails.
import type { PixelResult, RenderResult } from '../browser.js';
import { RenderError } from '../errors.js';
import type { Answer, Failure, Kind, Request, SentOptions } from './messages.js';
import type { WorkerPixelOptions, WorkerRenderer, WorkerRendererOptions, WorkerRenderOptions } from './types.js';

export { type Detail, type ErrorCode, RenderError, type Warning } from '../errors.js';
export type * from './types.js';

/** Milliseconds beyond `timeoutMs` in which the worker's own time limit, which keeps the worker, may answer. */
const GRACE_MS = 500;
/** Milliseconds in which a worker takes up a render: its script may have to be downloaded. */
const START_MS = 60_000;

const WORKER_URL = "workerUrl must be the URL of worker.js in the package's folder dist/browser, of the page's origin";

/** What this file uses of the DOM's Worker. */
interface WebWorker {
  postMessage(request: Request, transfer?: readonly ArrayBuffer[]): void;
  terminate(): void;
  onmessage: ((event: { readonly data: Answer }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
}
declare const Worker: new (url: string | URL, options: { readonly type: 'module'; readonly name: string }) => WebWorker;
declare const location: { readonly href: string } | undefined;
declare const document: { readonly baseURI: string } | undefined;

interface Job {
  readonly id: number;
  readonly kind: Kind;
  readonly payload: unknown;
  readonly options: SentOptions;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (result: RenderResult | PixelResult) => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates a renderer whose worker starts with the first render. */
export function createWorkerRenderer(options: WorkerRendererOptions = {}): WorkerRenderer {
  if (typeof Worker === 'undefined') {
    throw new RenderError(
      'invalid_request',
      'platen/worker needs web workers; on Node, use createRenderer({ workers })',
    );
  }
  const { workerUrl, fontsUrl, wasmUrl, ...others } = options;
  // relative URLs start from the page, not from the worker's script
  const settings = {
    ...others,
    ...(fontsUrl !== undefined && { fontsUrl: absolute(fontsUrl) }),
    ...(wasmUrl !== undefined && { wasmUrl: absolute(wasmUrl) }),
  };
  const script = workerUrl ? absolute(workerUrl) : undefined;
  const { timeoutMs = 30_000 } = options;
  let worker: WebWorker | undefined;
  let running: Job | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  /** At most one of each kind. */
  const waiting = new Map<Kind, Job>();
  let lastId = 0;
  let closing: (() => void) | undefined;
  let closed: Promise<void> | undefined;

  function startWorker(): WebWorker {
    const started = script
      ? new Worker(script, { type: 'module', name: 'platen' })
      : // bundlers know this form
        new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'platen' });
    started.onmessage = ({ data }) => {
      if (started === worker && data.id === running?.id) receive(data, running);
    };
    started.onerror = (event) => {
      event.preventDefault();
      if (started !== worker) return;
      endWorker();
      const reason =
        event.message ||
        `its script could not be loaded: ${script ?? `worker.js, beside the module of platen/worker (${WORKER_URL})`}`;
      finish((job) => job.reject(new RenderError('render_failed', `the worker failed: ${reason}`)));
    };
    try {
      started.postMessage({ type: 'start', options: settings });
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

  function receive(answer: Answer, job: Job): void {
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
    const [job] = waiting.values();
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
      const { id, kind, payload } = job;
      worker.postMessage({ type: 'run', id, kind, payload, options: job.options }, job.transfer);
      watch(START_MS, `the worker did not start within ${START_MS} ms`);
    } catch (cause) {
      const { name, message: reason } = cause as Error;
      const message =
        worker || name === 'DataCloneError'
          ? `the payload and the options must be data, which can be sent to a worker: ${reason}`
          : `the worker can't be started (${WORKER_URL}): ${reason}`;
      finish(() => job.reject(new RenderError('invalid_request', message, { cause })));
    }
  }

  function enqueue<Result extends RenderResult | PixelResult>(
    kind: Kind,
    payload: unknown,
    { signal, transfer = [], ...others }: WorkerRenderOptions | WorkerPixelOptions = {},
  ): Promise<Result> {
    if (closed) return Promise.reject(new RenderError('render_failed', 'the renderer is closed'));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const settled = new AbortController();
    return new Promise<RenderResult | PixelResult>((resolve, reject) => {
      const job: Job = { id: ++lastId, kind, payload, options: others, transfer, resolve, reject };
      signal?.addEventListener(
        'abort',
        () => {
          reject(signal.reason);
          if (waiting.get(kind) === job) waiting.delete(kind);
          else if (running === job) worker?.postMessage({ type: 'abort', id: job.id });
        },
        { signal: settled.signal },
      );
      waiting.get(kind)?.reject(new DOMException('a later render replaced this one before it began', 'AbortError'));
      // at the end of the queue, where the latest belongs
      waiting.delete(kind);
      waiting.set(kind, job);
      next();
    }).finally(() => settled.abort()) as Promise<Result>;
  }

  function close(): Promise<void> {
    closed ??= new Promise((resolve) => {
      closing = resolve;
      next();
    });
    return closed;
  }

  return {
    render: (payload: unknown, given?: WorkerRenderOptions) => enqueue<RenderResult>('render', payload, given),
    renderToPixels: (payload: unknown, given?: WorkerPixelOptions) =>
      enqueue<PixelResult>('renderToPixels', payload, given),
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  } as WorkerRenderer;
}

function absolute(url: string | URL): string {
  const base =
    typeof document === 'undefined' ? (typeof location === 'undefined' ? undefined : location.href) : document.baseURI;
  return new URL(url, base).href;
}

function errorOf({ code, message, details }: Failure): Error {
  return code ? new RenderError(code, message, { ...(details && { details }) }) : new Error(message);
}
