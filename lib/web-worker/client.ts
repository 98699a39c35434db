// `platen/worker`: renders in a module worker, off the page's thread. The worker is replaced when it hangs or fails.
import type { Inspection, Payload, PixelResult, RenderResult } from '../browser.js';
import { RenderError } from '../errors.js';
import { normalizeOptions } from '../normalize-options.js';
import { createJobQueue, type WebWorker } from './job-queue.js';
import type {
  RenderJob,
  RenderMethod,
  SentRendererOptions,
  WorkerInspectOptions,
  WorkerPixelOptions,
  WorkerRenderer,
  WorkerRendererOptions,
  WorkerRenderOptions,
} from './types.js';

export { type Detail, RenderError, type RenderErrorCode, type Warning } from '../errors.js';
export type {
  WorkerInspectOptions,
  WorkerPixelOptions,
  WorkerRenderer,
  WorkerRendererOptions,
  WorkerRenderOptions,
} from './types.js';

const WORKER_URL = "workerUrl must be the URL of worker.js in the package's folder dist/browser, of the page's origin";

declare const Worker: new (url: string | URL, options: { readonly type: 'module'; readonly name: string }) => WebWorker;
declare const location: { readonly href: string } | undefined;
declare const document: { readonly baseURI: string } | undefined;

/**
 * Creates a renderer whose worker starts with the first render.
 * @example
 * const renderer = createWorkerRenderer();
 * const { data, width } = await renderer.renderToPixels({ canvas: { width: 400, height: 200 }, layers: [] });
 * canvas.getContext('2d').putImageData(new ImageData(data, width), 0, 0);
 */
export function createWorkerRenderer(options: WorkerRendererOptions = {}): WorkerRenderer {
  if (typeof Worker === 'undefined') {
    throw new RenderError(
      'invalid_request',
      'platen/worker needs web workers; on Node, use createRenderer({ workers })',
    );
  }
  const { workerUrl, fontsUrl, wasmUrl, timeoutMs = 30_000, ...others } = normalizeOptions(options);
  // relative URLs start from the page, not from the worker's script
  const sent: SentRendererOptions = {
    ...others,
    timeoutMs,
    ...(fontsUrl !== undefined && { fontsUrl: absolute(fontsUrl) }),
    ...(wasmUrl !== undefined && { wasmUrl: absolute(wasmUrl) }),
  };
  const script = workerUrl ? absolute(workerUrl) : undefined;
  const queue = createJobQueue({
    createWorker: () =>
      script
        ? new Worker(script, { type: 'module', name: 'platen' })
        : // bundlers know this form
          new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'platen' }),
    script: script ?? `worker.js, beside the module of platen/worker (${WORKER_URL})`,
    hint: WORKER_URL,
    options: sent,
    timeoutMs,
  });
  const run = (
    kind: RenderMethod,
    payload: Payload,
    { signal, transfer, ...callOptions }: WorkerRenderOptions | WorkerPixelOptions | WorkerInspectOptions = {},
  ) =>
    queue.run(kind, { payload, options: callOptions } satisfies RenderJob, { signal, ...(transfer && { transfer }) });
  const { close } = queue;
  return {
    render: (payload: Payload, callOptions?: WorkerRenderOptions) =>
      run('render', payload, callOptions) as Promise<RenderResult>,
    renderToPixels: (payload: Payload, callOptions?: WorkerPixelOptions) =>
      run('renderToPixels', payload, callOptions) as Promise<PixelResult>,
    inspect: (payload: Payload, callOptions?: WorkerInspectOptions) =>
      run('inspect', payload, callOptions) as Promise<Inspection>,
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  } as WorkerRenderer;
}

function absolute(url: string | URL): string {
  const base =
    typeof document === 'undefined' ? (typeof location === 'undefined' ? undefined : location.href) : document.baseURI;
  return new URL(url, base).href;
}
