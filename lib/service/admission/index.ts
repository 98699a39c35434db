// Who may render now: places and memory for the renders in flight, and a bounded line for the others. Small renders
// have a lane of their own, a share of the memory and a place that large ones never take; large ones wait for each other.
// Who could only come in too late is refused at once, and in a rush that lasts whoever would wait for more than a moment.
import { RenderError } from '../../errors.js';
import type { QueueDelayLimits } from './adaptive-queue-delay.js';
import { Bulkhead, type QueueEntry } from './bulkhead.js';
import type { MemoryBudget } from './memory-budget.js';

/** Up to this many bytes a render counts as small: a 2,000 × 2,000 canvas with a few photographs. */
const SMALL_BYTES = 64 * 2 ** 20;
/** The part of the memory that is kept for small renders; a large one that needs the rest runs alone but for them. */
const SMALL_SHARE = 1 / 4;
/** The part of the places' time that large renders get in a rush of small ones. */
const LARGE_TIME_SHARE = 1 / 4;

export interface AdmissionOptions {
  /** Renders that may run at once; one more when a large one is among them. */
  readonly concurrency: number;
  /** Renders that may wait. */
  readonly queue: number;
  /** Bytes that the renders in flight may hold together, one that needs more excepted. */
  readonly memoryBytes: number;
  /** What the server itself holds of its requests: of the same memory. */
  readonly memoryBudget?: MemoryBudget;
  /** How long a render may be expected to wait; without end unless given. */
  readonly queueDelay?: QueueDelayLimits;
  /** Milliseconds after which one that was let into the line all the same is refused; without end unless given. */
  readonly maxWaitMs?: number | undefined;
  /** Milliseconds, never back; the system's unless given. */
  readonly clock?: () => number;
}

/**
 * The lines that are never too long, and how long each is young: of small renders for so many places, and of large ones,
 * which may have to go one by one. 32 clients that each wait for their answer are no rush.
 */
const smallLine = (places: number) => ({
  minQueue: { normal: Math.max(32, 8 * places), overloaded: 4 * places, warmup: Number.POSITIVE_INFINITY },
  warmupCount: 32 * places,
});
const LARGE_LINE = { minQueue: { normal: 4, overloaded: 1, warmup: 16 }, warmupCount: 4 };
const UNLIMITED: QueueDelayLimits = { maxMs: Number.POSITIVE_INFINITY, minMs: Number.POSITIVE_INFINITY };

function refusal(): RenderError {
  return new RenderError('overloaded', 'too many renders are waiting; try again in a moment');
}

/** Releases a running render's place and memory. `ms`: its service time by the worker's clock, which no busy server inflates. */
export type Release = (ms?: number) => void;

/**
 * One render's way through admission: its place in the queue from `reserve` on, then its place and memory among those
 * that run. Reserved once, acquired once, released once.
 */
export interface Permit {
  /**
   * Waits until a render of `bytes` may start; the permit then belongs to the running render, which calls the function
   * returned here when it has ended. Rejects with RenderError `overloaded` when the render turns out to be large and too
   * many large ones wait, or after `maxWaitMs`; and with the signal's reason when that aborts first.
   */
  acquire(bytes: number, signal?: AbortSignal): Promise<Release>;
  /** Gives up a permit that was not acquired; otherwise, and when called again, does nothing. */
  release(): void;
}

export class Admission {
  private readonly small: Bulkhead;
  private readonly large: Bulkhead;
  private readonly concurrency: number;
  private readonly clock: () => number;
  /** From when on a large render may start in a rush of small ones. */
  private largeFrom = 0;
  private permits = 0;

  constructor(private readonly options: AdmissionOptions) {
    const { memoryBudget, queueDelay = UNLIMITED, clock = () => performance.now() } = options;
    const concurrency = Math.max(1, options.concurrency);
    this.small = new Bulkhead({ concurrency, ...smallLine(concurrency), queueDelay, clock });
    this.large = new Bulkhead({ concurrency: 1, ...LARGE_LINE, queueDelay, clock });
    this.concurrency = concurrency;
    this.clock = clock;
    memoryBudget?.onRelease(() => this.admit());
  }

  get queued(): number {
    return this.small.waiting.length + this.large.waiting.length;
  }

  get running(): number {
    return this.small.running + this.large.running;
  }

  get memory(): number {
    return this.small.bytes + this.large.bytes;
  }

  /** Renders that hold a permit and are not queued yet: their assets are still being fetched. */
  get reserved(): number {
    return this.permits;
  }

  /**
   * Reserves a place for a render that will hold at least `minBytes`. Throws RenderError `overloaded` when the queue is
   * full or the render would wait too long. What is admitted here is not refused later for the length of the queue.
   */
  reserve(minBytes: number): Permit {
    const lane = this.laneOf(minBytes);
    const { queue, concurrency: places } = this.options;
    // what waits for its assets counts too, and a large render beside small ones makes a place more
    const isFull = this.permits + this.queued + this.running > queue + Math.max(1, places);
    if (isFull || this.mustRefuse(lane, minBytes)) throw refusal();
    this.permits++;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.permits--;
      isHeld = false;
    };
    return {
      release,
      acquire: async (bytes, signal) => {
        release();
        signal?.throwIfAborted();
        const actual = this.laneOf(bytes);
        if (actual !== lane && this.mustRefuse(actual, bytes)) throw refusal();
        return this.enqueue(actual, bytes, signal);
      },
    };
  }

  private mustRefuse(lane: Bulkhead, bytes: number): boolean {
    const { length } = lane.waiting;
    if (length === 0 && this.fits(lane, bytes)) return false;
    return this.queued >= this.options.queue || (length > 0 && this.refuses(lane, length + 1));
  }

  private enqueue(lane: Bulkhead, bytes: number, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise<Release>((resolve, reject) => {
      let started = false;
      const entry: QueueEntry = {
        bytes,
        start: () => {
          started = true;
          leaveLine();
          resolve(this.occupy(lane, bytes));
        },
      };
      let timer: NodeJS.Timeout | undefined;
      const leaveLine = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        leaveLine();
        lane.waiting.splice(lane.waiting.indexOf(entry), 1);
        reject(signal?.aborted ? signal.reason : refusal());
        // others may have waited behind it
        this.admit();
      };
      lane.waiting.push(entry);
      this.admit();
      if (started) return;
      const { maxWaitMs } = this.options;
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private laneOf(bytes: number): Bulkhead {
    return bytes <= SMALL_BYTES ? this.small : this.large;
  }

  private occupy(lane: Bulkhead, bytes: number): Release {
    const end = lane.begin(bytes);
    const takesRation = lane === this.large && this.small.isOverloaded;
    const expectedMs = lane.serviceTimeEwmaMs;
    if (takesRation) this.largeFrom = this.clock() + expectedMs * this.slowdown;
    let left = false;
    return (ms) => {
      if (left) return;
      left = true;
      const took = end(ms);
      if (takesRation) this.largeFrom += (took - expectedMs) * this.slowdown;
      this.admit();
    };
  }

  /** In a rush of small renders, the time from one large render to the next for each millisecond that it takes. */
  private get slowdown(): number {
    return 1 / (LARGE_TIME_SHARE * this.concurrency);
  }

  /** Whether no large render may start for now, since small ones wait and large ones have had their part of the time. */
  private get isLargeThrottled(): boolean {
    return this.small.isOverloaded && this.clock() < this.largeFrom;
  }

  private refuses(lane: Bulkhead, length: number): boolean {
    return lane.refuses(length, lane === this.large && this.small.isOverloaded ? this.slowdown : 1);
  }

  /** Starts what can start, the first of each lane first. */
  private admit(): void {
    for (const lane of [this.large, this.small]) {
      while (lane.waiting.length > 0 && this.fits(lane, lane.waiting[0].bytes)) lane.waiting.shift()!.start();
    }
  }

  private fits(lane: Bulkhead, bytes: number): boolean {
    const { small, large } = this;
    const { concurrency: places, memoryBudget } = this.options;
    // another answer would only wait behind those that are there
    if (memoryBudget?.isExceeded) return false;
    if (lane === large && this.isLargeThrottled && small.running + small.waiting.length > 0) return false;
    // whatever its size, a render may run when nothing else does
    if (this.running === 0) return true;
    if (lane === large) {
      const share = large.running === 0 || large.bytes + bytes <= this.memoryBytes * (1 - SMALL_SHARE);
      const place = this.running <= places && large.running < Math.max(1, places - 1);
      return share && place && small.bytes <= this.smallBudget(large.bytes + bytes);
    }
    // a large render in flight never takes the last place from the small ones
    if (large.running > 0) return this.running <= places && small.bytes + bytes <= this.smallBudget(large.bytes);
    // and one that waits for small ones to end is not kept waiting by those that come after it
    const reservedForLarge = this.isLargeThrottled ? 0 : (large.waiting.at(0)?.bytes ?? 0);
    return small.running < places && small.bytes + bytes <= this.smallBudget(reservedForLarge);
  }

  /** What renders may hold in all, beside what the server holds of their requests. */
  private get memoryBytes(): number {
    const { memoryBytes, memoryBudget } = this.options;
    return memoryBytes - Math.min(memoryBudget?.usedBytes ?? 0, memoryBytes / 2);
  }

  /** What small renders may hold beside large ones of so many bytes: at the least their share, or one giant stops all. */
  private smallBudget(largeBytes: number): number {
    const { memoryBytes } = this;
    return Math.max(memoryBytes - largeBytes, memoryBytes * SMALL_SHARE);
  }
}
