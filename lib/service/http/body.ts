// A request's body: read as far as it is allowed to go, or let go by unread, so that its client can read the answer.
// What has arrived of it is on the memoryBudget; a length that was only promised takes no room.
import type { IncomingMessage } from 'node:http';
import { RenderError } from '../../errors.js';
import type { MemoryBudget, Reservation } from '../admission/memory-budget.js';

export class BodyReader {
  private asked = false;
  private readonly space: Reservation;

  /** `invite` tells a client that waits for leave to send (`Expect: 100-continue`) that it may. */
  constructor(
    private readonly request: IncomingMessage,
    private readonly memoryBudget: MemoryBudget,
    private readonly sendContinue?: () => void,
  ) {
    this.space = memoryBudget.space();
  }

  /** What its length is said to be; undefined when it comes in chunks, until their end. */
  get declaredBytes(): number | undefined {
    const { headers } = this.request;
    return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
  }

  /** Whether the client still waits for leave to send, which it did not get. */
  get isAwaitingContinue(): boolean {
    return this.sendContinue !== undefined && !this.asked;
  }

  /** Whether there is more of the body than was read. */
  get isUnread(): boolean {
    return !this.request.complete;
  }

  /**
   * The whole body, which stays on the memoryBudget until `release`. Rejects with RenderError `payload_too_large` beyond
   * `maxBytes`, with `overloaded` when there is no room for it, and reads no further then.
   */
  async read(maxBytes: number): Promise<Uint8Array> {
    const { request, space, declaredBytes = 0 } = this;
    const cutShort = () => new RenderError('internal_error', 'the request was cut short');
    // its end may have passed while the key was looked up: nothing would tell of it again
    if (request.destroyed) throw cutShort();
    const tooLarge = () => new RenderError('payload_too_large', `the body is larger than ${maxBytes} bytes`);
    if (declaredBytes > maxBytes) throw tooLarge();
    this.memoryBudget.assertAvailable(declaredBytes);
    this.asked = true;
    this.sendContinue?.();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const stop = () => {
        request.off('data', take).off('end', end).off('error', fail).off('close', cut);
        request.pause();
      };
      const take = (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) return fail(tooLarge());
        try {
          space.reserve(chunk.length);
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
      const cut = () => fail(cutShort());
      request.on('data', take).on('end', end).on('error', fail).on('close', cut);
    });
  }

  /** The request is done with: what it holds may go. */
  release(): void {
    this.space.release();
  }

  /**
   * Lets the rest of the body pass, for `milliseconds` at most; who sends on is cut off then. A connection that is closed
   * with bytes unread is reset, and the reset may overtake the answer.
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
