// Bounds the bytes that the server process itself holds for its requests: bodies from their first byte to their answer,
// assets from theirs to the end of their render, answers until the client has read them. Incoming data is bounded; answers
// are already paid for and always get room, and nothing more is accepted until they have been sent.
import { RenderError } from '../../errors.js';

/** The bytes that one request, fetch or answer holds. */
export interface Reservation {
  /**
   * Reserves room for incoming bytes. Throws RenderError: `asset_failed` when this reservation would exceed its own limit,
   * `overloaded` when the budget has no room now.
   */
  readonly reserve: (bytes: number) => void;
  /** Reserves room unconditionally, for an answer; the budget may be exceeded. */
  readonly forceReserve: (bytes: number) => void;
  /** Releases everything, for good: later reservations are ignored. */
  readonly release: () => void;
}

export class MemoryBudget {
  private used = 0;
  private readonly releaseListeners = new Set<() => void>();

  /** `bytes`: the limit; answers may exceed it. */
  constructor(readonly bytes: number) {}

  get usedBytes(): number {
    return this.used;
  }

  /** Whether answers that wait for their clients exceed the budget. */
  get isExceeded(): boolean {
    return this.used > this.bytes;
  }

  /** Throws RenderError `overloaded` when `bytes` more would exceed the budget; reserves nothing. */
  assertAvailable(bytes: number): void {
    // a single holder is accepted whatever its size: it would never find more room
    if (this.used > 0 && this.used + bytes > this.bytes) {
      throw new RenderError('overloaded', 'too much is being sent and rendered; try again in a moment');
    }
  }

  /** Calls `listener` after each release. */
  onRelease(listener: () => void): void {
    this.releaseListeners.add(listener);
  }

  /** Opens an empty reservation of at most `maxBytes`. */
  open(maxBytes = Number.POSITIVE_INFINITY): Reservation {
    let own = 0;
    let isOpen = true;
    const add = (bytes: number) => {
      if (!isOpen) return;
      own += bytes;
      this.used += bytes;
    };
    return {
      reserve: (bytes) => {
        if (!isOpen) return;
        if (own + bytes > maxBytes) {
          throw new RenderError('asset_failed', `the assets of this render are larger than ${maxBytes} bytes in all`);
        }
        // the only holder may grow without bound
        if (own < this.used) this.assertAvailable(bytes);
        add(bytes);
      },
      forceReserve: add,
      release: () => {
        this.used -= own;
        own = 0;
        if (!isOpen) return;
        isOpen = false;
        for (const listener of this.releaseListeners) listener();
      },
    };
  }
}
