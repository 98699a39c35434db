// The options and methods of a renderer in a worker.
import type {
  CreateRendererOptions,
  Inspection,
  InspectOptions,
  Payload,
  PixelOptions,
  PixelResult,
  RenderOptions,
  RenderResult,
} from '../browser.js';
import type { AsyncDispose } from '../options.js';

/** All but functions, which a worker can't get. */
export interface WorkerRendererOptions extends Omit<CreateRendererOptions, 'fetch'> {
  /** The worker's script; by default the `worker.js` beside this module. */
  readonly workerUrl?: string | URL;
}

/** Inputs of a render in a worker besides the options of `render`. */
interface Sent {
  /** Images for this render alone, by the name that `memory:NAME` refers to, beside those of the renderer. */
  readonly images?: Readonly<Record<string, Uint8Array>>;
  /** Buffers of `images` that move to the worker instead of being copied: they are empty on this side afterwards. */
  readonly transfer?: readonly ArrayBuffer[];
}

export interface WorkerRenderOptions extends RenderOptions, Sent {}
export interface WorkerPixelOptions extends PixelOptions, Sent {}
export interface WorkerInspectOptions extends InspectOptions, Sent {}

/**
 * Renders in a worker, one payload after the other. Of the calls of one method that wait, only the latest is kept: the
 * promise of the one that it replaces is rejected with a DOMException `AbortError`.
 */
export interface WorkerRenderer extends Record<AsyncDispose, () => Promise<void>> {
  /** @throws RenderError with the `code` and the `details` of the error in the worker; `render_timeout` if it hangs. */
  render(payload: Payload, options?: WorkerRenderOptions): Promise<RenderResult>;
  /** RGBA with straight alpha, which `new ImageData(data, width)` takes. Throws as `render` does. */
  renderToPixels(payload: Payload, options?: WorkerPixelOptions): Promise<PixelResult>;
  /** Says what a render would draw, without drawing it. Throws as `render` does. */
  inspect(payload: Payload, options?: WorkerInspectOptions): Promise<Inspection>;
  /** Lets the renders under way finish, and ends the worker. Later renders are rejected. */
  close(): Promise<void>;
}

/** The part of a renderer's options that structured cloning accepts. */
export type SentRendererOptions = Omit<WorkerRendererOptions, 'workerUrl'>;

/** The methods that a worker runs. */
export type RenderMethod = 'render' | 'renderToPixels' | 'inspect';

/** A render as the worker gets it. */
export interface RenderJob {
  readonly payload: Payload;
  readonly options: Omit<WorkerRenderOptions, 'signal' | 'transfer'>;
}
