// An answer → its client, as fast as that reads. While it waits it lies on the memoryBudget; who reads too slowly is dropped.
import type { ServerResponse } from 'node:http';
import type { MemoryBudget } from '../admission/memory-budget.js';
import type { Answer } from '../request.js';
import { onceOrAborted } from './connections.js';

/** Milliseconds, unless it says otherwise. */
export interface ReaderLimits {
  /** A reader gets this long for any answer, and as much more as what it took needs at `slowestReader` bytes a second. */
  readonly answer: number;
  readonly slowestReader: number;
  /** No answer is held for longer. */
  readonly longest: number;
}

/** Bytes that are handed over at a time: as small as the time that they take can be told. */
const PIECE = 256 * 1024;
/** A picture stands in a JSON answer twice, as base64: what is held is that much of the answer's length. */
const HELD_OF_JSON = 3 / 8;

/**
 * Writes the head of `answer` and, unless `isHead`, its body. Resolves when the system has all of it, when the client is
 * `gone`, or when it was dropped. `between` is waited for before the response is ended.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  options: {
    readonly isHead: boolean;
    readonly limits: ReaderLimits;
    readonly memoryBudget: MemoryBudget;
    readonly gone: AbortSignal;
    readonly between: () => Promise<void>;
  },
): Promise<void> {
  const { isHead, limits, memoryBudget, gone, between } = options;
  const space = memoryBudget.space();
  space.forceReserve(answer.body instanceof Uint8Array ? answer.length : Math.ceil(answer.length * HELD_OF_JSON));
  const patience = new SlowClientTimeout(limits, () => response.destroy());
  try {
    // of pipelined requests, an answer waits for those before it
    if (!response.socket) await onceOrAborted(response, 'socket', gone);
    if (gone.aborted || response.destroyed) return;
    patience.begin();
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.status !== 204) response.setHeader('Content-Length', answer.length);
    response.writeHead(answer.status);
    response.flushHeaders();
    if (!isHead) {
      for (const piece of piecesOf(answer.body)) {
        if (gone.aborted || response.destroyed) return;
        if (piece.length > 0 && !response.write(piece)) await onceOrAborted(response, 'drain', gone);
        patience.sent += piece.length;
      }
    }
    await between();
    if (gone.aborted) return;
    response.end();
    if (!response.writableFinished) await onceOrAborted(response, 'finish', gone);
  } finally {
    patience.end();
    space.release();
  }
}

function* piecesOf(body: Answer['body']): Generator<Uint8Array | string> {
  if (!(body instanceof Uint8Array)) yield* body;
  else for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE);
}

/** Gives a reader up when it has taken too little for the time that went by. */
class SlowClientTimeout {
  /** Bytes that the reader, or the system for it, has taken. */
  sent = 0;
  private began = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: ReaderLimits,
    private readonly giveUp: () => void,
  ) {}

  begin(): void {
    this.began = performance.now();
    this.look();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private look(): void {
    const { answer, slowestReader, longest } = this.limits;
    const until = this.began + Math.min(longest, answer + (this.sent / slowestReader) * 1000);
    const left = until - performance.now();
    if (left > 0) this.timer = setTimeout(() => this.look(), Math.ceil(left)).unref();
    else this.giveUp();
  }
}
