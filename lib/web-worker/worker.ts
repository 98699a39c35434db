// The worker's script: renders what the page sends (client.ts), one payload after the other.
import {
  type CreateRendererOptions,
  createRenderer,
  type PixelResult,
  type Renderer,
  type RenderResult,
} from '../browser.js';
import { isWasmTrap, RenderError } from '../errors.js';
import type { Answer, Failure, Request } from './messages.js';

interface Scope {
  postMessage(answer: Answer, transfer: readonly ArrayBufferLike[]): void;
  onmessage: ((event: { readonly data: Request }) => void) | null;
}
const scope = globalThis as unknown as Scope;

let start: (() => Renderer) | undefined;
/** Of the renderer. */
let images: CreateRendererOptions['images'];
let current: { readonly id: number; readonly abort: AbortController } | undefined;

scope.onmessage = ({ data }) => {
  if (data.type === 'run') void run(data);
  else if (data.type === 'abort') {
    if (current?.id === data.id) current.abort.abort();
  } else {
    const { options } = data;
    images = options.images;
    let renderer: Renderer | undefined;
    // bad options fail each render
    start = () => {
      renderer ??= createRenderer(options);
      return renderer;
    };
  }
};

async function run({ id, kind, payload, options }: Extract<Request, { readonly type: 'run' }>): Promise<void> {
  const abort = new AbortController();
  current = { id, abort };
  scope.postMessage({ type: 'begun', id }, []);
  try {
    const given = { ...options, images: { ...images, ...options.images }, signal: abort.signal };
    const result = await start!()[kind](payload, given);
    const sent = 'bytes' in result ? { ...result, bytes: own(result.bytes) } : { ...result, data: own(result.data) };
    scope.postMessage({ type: 'result', id, result: sent }, [bufferOf(sent)]);
  } catch (error) {
    const isDamaged = isWasmTrap(error) || (error instanceof Error && isWasmTrap(error.cause));
    scope.postMessage({ type: 'failure', id, failure: failureOf(error), isDamaged }, []);
  }
}

/** The bytes in a buffer of their own, which can be moved. */
function own<Bytes extends Uint8Array | Uint8ClampedArray>(bytes: Bytes): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : (bytes.slice() as Bytes);
}

const bufferOf = (result: RenderResult | PixelResult): ArrayBufferLike =>
  'bytes' in result ? result.bytes.buffer : result.data.buffer;

function failureOf(error: unknown): Failure {
  if (error instanceof RenderError) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}
