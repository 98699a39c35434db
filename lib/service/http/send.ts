// Sends an answer at the client's pace. Until it is sent it counts against the memory budget; slow clients are dropped.
import type { ServerResponse } from 'node:http';
import type { MemoryBudget } from '../admission/memory-budget.js';
import type { Answer } from '../request.js';
import { onceOrAborted } from './connections.js';

/** How slow a client may read. */
export interface ReaderLimits {
  /** A client gets this long for any answer, plus the time that the bytes it has read take at `minBytesPerSecond`. */
  readonly answerMs: number;
  readonly minBytesPerSecond: number;
  /** The limit for any answer. */
  readonly maxAnswerMs: number;
}

/** Bytes written at a time: small enough that progress can be observed. */
const CHUNK_BYTES = 256 * 1024;
/** A JSON answer contains the image twice, as base64; the memory that it holds is this share of its length. */
const JSON_MEMORY_RATIO = 3 / 8;

/**
 * Writes the head of `answer` and, unless `isHead`, its body. Resolves when the system has taken all of it, when `gone`
 * aborts, or when the client was dropped. Awaits `beforeEnd` before it ends the response.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  options: {
    readonly isHead: boolean;
    readonly limits: ReaderLimits;
    readonly memoryBudget: MemoryBudget;
    readonly gone: AbortSignal;
    readonly beforeEnd: () => Promise<void>;
  },
): Promise<void> {
  const { isHead, limits, memoryBudget, gone, beforeEnd } = options;
  const reservation = memoryBudget.open();
  const isBinary = answer.body instanceof Uint8Array;
  reservation.forceReserve(isBinary ? answer.length : Math.ceil(answer.length * JSON_MEMORY_RATIO));
  const timeout = new SlowClientTimeout(limits, () => response.destroy());
  try {
    // the answer to a pipelined request gets its socket after the answers before it
    if (!response.socket) await onceOrAborted(response, 'socket', gone);
    if (gone.aborted || response.destroyed) return;
    timeout.start();
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.cookies) response.setHeader('Set-Cookie', answer.cookies);
    if (answer.status !== 204 && answer.status !== 304) response.setHeader('Content-Length', answer.length);
    response.writeHead(answer.status);
    response.flushHeaders();
    if (!isHead) {
      for (const chunk of chunksOf(answer.body)) {
        if (gone.aborted || response.destroyed) return;
        if (chunk.length > 0 && !response.write(chunk)) await onceOrAborted(response, 'drain', gone);
        timeout.sentBytes += chunk.length;
      }
    }
    await beforeEnd();
    if (gone.aborted) return;
    response.end();
    if (!response.writableFinished) await onceOrAborted(response, 'finish', gone);
  } finally {
    timeout.clear();
    reservation.release();
  }
}

function* chunksOf(body: Answer['body']): Generator<Uint8Array | string> {
  if (!(body instanceof Uint8Array)) yield* body;
  else for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
}

/** Drops a client that has read too little for the time that has passed. */
class SlowClientTimeout {
  /** Bytes that the client, or the system on its behalf, has taken. */
  sentBytes = 0;
  private startedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: ReaderLimits,
    private readonly drop: () => void,
  ) {}

  start(): void {
    this.startedAt = performance.now();
    this.check();
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private check(): void {
    const { answerMs, minBytesPerSecond, maxAnswerMs } = this.limits;
    const allowedMs = Math.min(maxAnswerMs, answerMs + (this.sentBytes / minBytesPerSecond) * 1000);
    const leftMs = this.startedAt + allowedMs - performance.now();
    if (leftMs > 0) this.timer = setTimeout(() => this.check(), Math.ceil(leftMs)).unref();
    else this.drop();
  }
}
