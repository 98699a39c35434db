// Sends an answer at the client's pace. Until it is sent it counts against its owner's share of the memory budget, unless all
// requests share its bytes; slow clients are dropped.
import type { ServerResponse } from 'node:http';
import type { MemoryBudget, Owner } from '../admission/memory-budget.js';
import { type Answer, type AnswerStream, isStream } from '../request.js';
import { onceOrAborted } from './connections.js';

/** Limits on slow readers. */
export interface ReaderLimits {
  /** A client gets this long for any answer, plus the time that the bytes it has read take at `minBytesPerSecond`. */
  readonly answerMs: number;
  readonly minBytesPerSecond: number;
  /** The limit for any answer. */
  readonly maxAnswerMs: number;
}

/** Bytes written at a time: small enough that progress can be observed. */
const CHUNK_BYTES = 256 * 1024;
/**
 * Milliseconds between the empty lines that a client which has closed its side gets while the next line of a stream is awaited.
 * The first one makes the system of a client that is gone answer with a reset, which the second one finds: within a second.
 */
const LINE_PROBE_MS = 400;
/** A JSON answer contains the image twice, as base64; the memory that it holds is this share of its length. */
const JSON_MEMORY_RATIO = 3 / 8;

/**
 * Writes the head of `answer` and, unless `isHead`, its body. Resolves with the bytes of the body that were written, when the
 * system has taken all of it, when `gone` aborts, or when the client was dropped. Awaits `beforeEnd` before it ends the
 * response. What makes a stream reserves its own memory. Rejects when a stream fails, part of the answer has been sent then,
 * and with RenderError `overloaded` when callers without a valid key hold too much.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  options: {
    readonly isHead: boolean;
    readonly limits: ReaderLimits;
    readonly memoryBudget: MemoryBudget;
    readonly owner: Owner;
    readonly gone: AbortSignal;
    readonly beforeEnd: () => Promise<void>;
  },
): Promise<number> {
  const { isHead, limits, memoryBudget, owner, gone, beforeEnd } = options;
  const { body, length, isShared = false } = answer;
  const reservation = memoryBudget.open(owner);
  if (length !== undefined && !isShared && !isHead && !isStream(body)) {
    reservation.forceReserve(body instanceof Uint8Array ? length : Math.ceil(length * JSON_MEMORY_RATIO));
  }
  const timeout = new SlowClientTimeout(limits, () => response.destroy());
  let writtenBytes = 0;
  try {
    if (gone.aborted || response.destroyed) return 0;
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.cookies) response.setHeader('Set-Cookie', answer.cookies);
    if (length !== undefined && answer.status !== 204 && answer.status !== 304) {
      response.setHeader('Content-Length', length);
    }
    if (isStream(body)) {
      // its clock runs only while bytes wait for the client
      response.writeHead(answer.status);
      response.flushHeaders();
      writtenBytes = await writeStream(response, body, gone, timeout);
      if (gone.aborted || response.destroyed) return writtenBytes;
      timeout.resume();
    } else {
      timeout.resume(limits.maxAnswerMs);
      response.writeHead(answer.status);
      response.flushHeaders();
      if (!isHead) {
        for (const chunk of chunksOf(body)) {
          if (gone.aborted || response.destroyed) return writtenBytes;
          if (chunk.length > 0 && !response.write(chunk)) await onceOrAborted(response, 'drain', gone);
          timeout.sentBytes += chunk.length;
          writtenBytes += chunk.length;
        }
      }
    }
    await beforeEnd();
    if (gone.aborted) return writtenBytes;
    response.end();
    if (!response.writableFinished) await onceOrAborted(response, 'finish', gone);
    return writtenBytes;
  } finally {
    timeout.clear();
    reservation.release();
  }
}

/** Asks for the next chunk only when the client has room for it. Returns the bytes that were written. */
async function writeStream(
  response: ServerResponse,
  body: AnswerStream,
  gone: AbortSignal,
  timeout: SlowClientTimeout,
): Promise<number> {
  let unsent = 0;
  let writtenBytes = 0;
  // empty lines mean nothing between lines of JSON; an archive has no such place
  let canProbe = response.getHeader('Content-Type') === 'application/x-ndjson';
  const isLines = canProbe;
  const probe = setInterval(() => {
    if (canProbe && unsent === 0 && response.socket?.readableEnded && !gone.aborted) response.write('\n');
  }, LINE_PROBE_MS).unref();
  try {
    for await (const whole of body) {
      for (const chunk of typeof whole === 'string' ? [whole] : chunksOf(whole)) {
        if (gone.aborted || response.destroyed) return writtenBytes;
        if (chunk.length === 0) continue;
        writtenBytes += chunk.length;
        canProbe = isLines && typeof chunk === 'string' && chunk.endsWith('\n');
        if (unsent++ === 0) timeout.resume();
        const hasRoom = response.write(chunk, () => {
          timeout.sentBytes += chunk.length;
          if (--unsent === 0) timeout.pause();
        });
        if (!hasRoom) await onceOrAborted(response, 'drain', gone);
      }
      if (gone.aborted || response.destroyed) return writtenBytes;
    }
  } catch (error) {
    // the stream ends because its client has left
    if (!gone.aborted) throw error;
  } finally {
    clearInterval(probe);
  }
  return writtenBytes;
}

function* chunksOf(body: Uint8Array | Iterable<string>): Generator<Uint8Array | string> {
  if (!(body instanceof Uint8Array)) yield* body;
  else for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
}

/** Drops a client that has read too little for the time in which bytes waited for it. */
class SlowClientTimeout {
  /** Bytes that the client, or the system on its behalf, has taken. */
  sentBytes = 0;
  private usedMs = 0;
  private resumedAt: number | undefined;
  private maxMs = Number.POSITIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: ReaderLimits,
    private readonly drop: () => void,
  ) {}

  /** Starts the clock, or lets it go on. `maxMs`: the limit for all of the answer. */
  resume(maxMs = this.maxMs): void {
    this.maxMs = maxMs;
    if (this.resumedAt !== undefined) return;
    this.resumedAt = performance.now();
    this.check();
  }

  pause(): void {
    if (this.resumedAt !== undefined) this.usedMs += performance.now() - this.resumedAt;
    this.resumedAt = undefined;
    clearTimeout(this.timer);
  }

  clear(): void {
    this.pause();
  }

  private check(): void {
    const { answerMs, minBytesPerSecond } = this.limits;
    const allowedMs = Math.min(this.maxMs, answerMs + (this.sentBytes / minBytesPerSecond) * 1000);
    const leftMs = allowedMs - this.usedMs - (performance.now() - (this.resumedAt ?? performance.now()));
    if (leftMs > 0) this.timer = setTimeout(() => this.check(), Math.ceil(leftMs)).unref();
    else this.drop();
  }
}
