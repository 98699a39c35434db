// Who may render now: places and memory for the renders in flight, and a bounded line for the others. Small renders have
// a lane of their own, a share of the memory and a place that large ones never take; large ones wait for each other.
import { RenderError } from '../errors.js';

/** Up to this many bytes a render counts as small: a 2,000 × 2,000 canvas with a few photographs. */
const SMALL_BYTES = 64 * 2 ** 20;
/** The part of the memory that large renders leave free. */
const SMALL_SHARE = 1 / 4;

export interface AdmissionOptions {
  /** Renders that may run at once. */
  readonly places: number;
  /** Renders that may wait. */
  readonly queue: number;
  /** Bytes that the renders in flight may hold together; one that needs more runs alone. */
  readonly memoryBytes: number;
}

interface Waiting {
  readonly bytes: number;
  start(): void;
}

/** A place that was taken; give it back exactly once. */
export type Leave = () => void;

export class Admission {
  private readonly waiting: { small: Waiting[]; large: Waiting[] } = { small: [], large: [] };
  private bytesInFlight = 0;
  private smallRunning = 0;
  private largeRunning = 0;

  constructor(private readonly options: AdmissionOptions) {}

  get queued(): number {
    return this.waiting.small.length + this.waiting.large.length;
  }

  get running(): number {
    return this.smallRunning + this.largeRunning;
  }

  get memory(): number {
    return this.bytesInFlight;
  }

  /**
   * Waits for a place for a render that will hold `bytes`. Rejects with RenderError `overloaded` at once when the line is
   * full, and with the signal's reason when it aborts first.
   */
  enter(bytes: number, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    const small = bytes <= SMALL_BYTES;
    const line = small ? this.waiting.small : this.waiting.large;
    return new Promise<Leave>((resolve, reject) => {
      const entry: Waiting = {
        bytes,
        start: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve(this.occupy(bytes, small));
        },
      };
      const giveUp = () => {
        const index = line.indexOf(entry);
        if (index >= 0) line.splice(index, 1);
        reject(signal?.reason);
        // others may have waited behind it for the memory
        this.admit();
      };
      line.push(entry);
      this.admit();
      if (!line.includes(entry)) return;
      if (this.queued > this.options.queue) {
        line.splice(line.indexOf(entry), 1);
        reject(new RenderError('overloaded', 'too many renders are waiting; try again in a moment'));
        return;
      }
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private occupy(bytes: number, small: boolean): Leave {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.bytesInFlight -= bytes;
      if (small) this.smallRunning--;
      else this.largeRunning--;
      this.admit();
    };
  }

  /** Starts what can start, the first of each line first. */
  private admit(): void {
    for (const kind of ['large', 'small'] as const) {
      const line = this.waiting[kind];
      while (line.length > 0 && this.fits(line[0].bytes, kind)) {
        const entry = line.shift()!;
        this.bytesInFlight += entry.bytes;
        if (kind === 'small') this.smallRunning++;
        else this.largeRunning++;
        entry.start();
      }
    }
  }

  private fits(bytes: number, kind: 'small' | 'large'): boolean {
    const { places, memoryBytes } = this.options;
    // whatever its size, a render may run when nothing else does
    if (this.running === 0) return true;
    if (kind === 'large') {
      const most = memoryBytes * (1 - SMALL_SHARE);
      const alone = bytes > most && this.largeRunning === 0 && this.bytesInFlight + bytes <= memoryBytes;
      return this.largeRunning < Math.max(1, places - 1) && (alone || this.bytesInFlight + bytes <= most);
    }
    // a large render in flight never takes the last place from the small ones
    const open = places + (this.largeRunning > 0 ? 1 : 0);
    return this.running < open && this.bytesInFlight + bytes <= memoryBytes && !this.largeMustRunAlone();
  }

  /** A render that needs more than there is waits for the others to end, so none may start before it. */
  private largeMustRunAlone(): boolean {
    const [first] = this.waiting.large;
    return first !== undefined && first.bytes > this.options.memoryBytes;
  }
}
