// The worker's side of a job queue (job-queue.ts): does what the page sends, one job after the other.
import { isWasmTrap, RenderError } from '../errors.js';
import type { Request, WorkerAnswer, WorkerFailure } from './messages.js';

interface Scope {
  postMessage(answer: WorkerAnswer, transfer: readonly ArrayBufferLike[]): void;
  onmessage: ((event: { readonly data: Request }) => void) | null;
}

/** A result whose buffers move to the page. */
export interface Done {
  readonly result: unknown;
  readonly transfer?: readonly ArrayBufferLike[];
}

export interface JobHandlers {
  /** Called once, before the first job. */
  start(options: unknown): void;
  run(kind: string, job: unknown, signal: AbortSignal): Promise<Done>;
}

export function serveJobs({ start, run }: JobHandlers): void {
  const scope = globalThis as unknown as Scope;
  let current: { readonly id: number; readonly abort: AbortController } | undefined;

  async function answer({ id, kind, job }: Extract<Request, { readonly type: 'run' }>): Promise<void> {
    const abort = new AbortController();
    current = { id, abort };
    scope.postMessage({ type: 'begun', id }, []);
    try {
      const { result, transfer = [] } = await run(kind, job, abort.signal);
      scope.postMessage({ type: 'result', id, result }, transfer);
    } catch (error) {
      const isDamaged = isWasmTrap(error) || (error instanceof Error && isWasmTrap(error.cause));
      scope.postMessage({ type: 'failure', id, failure: failureOf(error), isDamaged }, []);
    }
  }

  scope.onmessage = ({ data }) => {
    if (data.type === 'run') void answer(data);
    else if (data.type === 'start') start(data.options);
    else if (current?.id === data.id) current.abort.abort();
  };
}

/** Returns the bytes in a separate buffer, which can be moved. */
export function own<Bytes extends Uint8Array | Uint8ClampedArray>(bytes: Bytes): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : (bytes.slice() as Bytes);
}

function failureOf(error: unknown): WorkerFailure {
  if (error instanceof RenderError) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}
