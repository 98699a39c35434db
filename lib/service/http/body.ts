// Reads a request body up to a limit, or discards it so that the client can read the answer. Received bytes count against
// the memory budget; a declared length does not.
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.js';
import type { MemoryBudget, Owner, Reservation } from '../admission/memory-budget.js';

export class BodyReader {
  private wasRequested = false;
  private reservation: Reservation | undefined;

  /** `sendContinue` answers `100 Continue`; it is present if the client waits for it (`Expect: 100-continue`). */
  constructor(
    private readonly request: IncomingMessage,
    private readonly memoryBudget: MemoryBudget,
    private readonly sendContinue?: () => void,
  ) {}

  /** Declared length; undefined for a chunked body. */
  get declaredBytes(): number | undefined {
    const { headers } = this.request;
    return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
  }

  /** Whether the client still waits for `100 Continue`. */
  get isAwaitingContinue(): boolean {
    return this.sendContinue !== undefined && !this.wasRequested;
  }

  /** Whether part of the body has not been read. */
  get isUnread(): boolean {
    return !this.request.complete;
  }

  /**
   * Reads the whole body; it counts against the owner's share of the memory budget until `release`. Rejects, without reading
   * on, with RenderError `payload_too_large` beyond `maxBytes`, and `overloaded` when the owner has no room.
   */
  async read(maxBytes: number, owner: Owner): Promise<Uint8Array> {
    const { request, declaredBytes = 0 } = this;
    const truncated = () => new ServiceError('internal_error', 'the request was cut short');
    // the request may have been destroyed while the key was looked up; no further event would report that
    if (request.destroyed) throw truncated();
    const tooLarge = () => new ServiceError('payload_too_large', `the body is larger than ${maxBytes} bytes`);
    if (declaredBytes > maxBytes) throw tooLarge();
    this.memoryBudget.assertAvailable(owner, declaredBytes);
    const reservation = this.memoryBudget.open(owner);
    this.reservation = reservation;
    this.wasRequested = true;
    this.sendContinue?.();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const stop = () => {
        request.off('data', receive).off('end', end).off('error', fail).off('close', close);
        request.pause();
      };
      const receive = (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) return fail(tooLarge());
        try {
          reservation.reserve(chunk.length);
        } catch (error) {
          return fail(error as Error);
        }
        chunks.push(chunk);
      };
      const end = () => {
        stop();
        resolve(Buffer.concat(chunks));
      };
      const fail = (error: Error) => {
        stop();
        reject(error);
      };
      const close = () => fail(truncated());
      request.on('data', receive).on('end', end).on('error', fail).on('close', close);
    });
  }

  /** Releases the body's memory. */
  release(): void {
    this.reservation?.release();
  }

  /**
   * Discards the rest of the body for at most `milliseconds`, then closes the connection. Closing a connection with unread
   * bytes resets it, and the reset may reach the client before the answer.
   */
  async discard(milliseconds: number, gone: AbortSignal): Promise<void> {
    const { request } = this;
    if (request.complete || gone.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        request.off('end', done).off('close', done);
        gone.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(() => request.destroy(), milliseconds);
      request.on('end', done).on('close', done).resume();
      gone.addEventListener('abort', done);
    });
  }
}
