// What the server itself holds of its requests, in bytes: bodies from their first byte to their answer, files from
// theirs to the end of their render, answers until their reader has them. What comes in is bounded; answers are paid for
// and always find room, and nothing more comes in until they have left.
import { RenderError } from '../../errors.js';

/** What one request, fetch or answer holds. */
export interface Reservation {
  /**
   * Takes room for bytes that come in. Throws RenderError: `asset_failed` when this space would hold more than it may,
   * `overloaded` when there is no room now.
   */
  readonly reserve: (bytes: number) => void;
  /** Takes room for an answer, be there room or not. */
  readonly forceReserve: (bytes: number) => void;
  /** Gives all of the room back, at the end; what arrives later is not counted. */
  readonly release: () => void;
}

export class MemoryBudget {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /** `bytes`: what may lie here, answers excepted. */
  constructor(readonly bytes: number) {}

  /** Bytes that lie here now. */
  get usedBytes(): number {
    return this.taken;
  }

  /** Whether answers that wait for their readers take what is meant for others. */
  get isExceeded(): boolean {
    return this.taken > this.bytes;
  }

  /** Throws RenderError `overloaded` when `bytes` more would find no room; takes nothing. */
  assertAvailable(bytes: number): void {
    // alone, it may come in whatever its size: it would never find more room
    if (this.taken > 0 && this.taken + bytes > this.bytes) {
      throw new RenderError('overloaded', 'too much is being sent and rendered; try again in a moment');
    }
  }

  /** Calls `listener` each time that something has left. */
  onRelease(listener: () => void): void {
    this.waiting.add(listener);
  }

  /** `most`: what may be kept in this space. */
  space(most = Number.POSITIVE_INFINITY): Reservation {
    let own = 0;
    let open = true;
    const add = (bytes: number) => {
      if (!open) return;
      own += bytes;
      this.taken += bytes;
    };
    return {
      reserve: (bytes) => {
        if (!open) return;
        if (own + bytes > most) {
          throw new RenderError('asset_failed', `the assets of this render are larger than ${most} bytes in all`);
        }
        // a piece of what is alone here comes in as well
        if (own < this.taken) this.assertAvailable(bytes);
        add(bytes);
      },
      forceReserve: add,
      release: () => {
        this.taken -= own;
        own = 0;
        if (!open) return;
        open = false;
        for (const listener of this.waiting) listener();
      },
    };
  }
}
