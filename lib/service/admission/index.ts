// Admission control: concurrency slots and memory for the renders in flight, and a bounded queue for the others. Small
// renders have a bulkhead of their own, with a share of the memory and a slot that large ones never take; large ones wait
// for each other. A render that would wait too long is rejected at once; in a lasting overload "too long" is a moment.
// The rows of batches wait as long as it takes: they get at most half of the slots, and none while other renders wait.
import { RenderError } from '../../errors.js';
import type { QueueDelayLimits } from './adaptive-queue-delay.js';
import { Bulkhead, type QueueEntry } from './bulkhead.js';
import type { MemoryBudget } from './memory-budget.js';

/** A render of up to this many bytes is small: a 2,000 × 2,000 canvas with a few photographs. */
const SMALL_BYTES = 64 * 2 ** 20;
/** Share of the memory that is reserved for small renders; a large one that needs all the rest runs beside them alone. */
const SMALL_SHARE = 1 / 4;
/** Share of the slots' time that large renders get while small ones are overloaded. */
const LARGE_TIME_SHARE = 1 / 4;

export interface AdmissionOptions {
  /** Renders that run at once; one more when a large one is among them. */
  readonly concurrency: number;
  /** Renders that may wait. */
  readonly queue: number;
  /** Memory of the renders in flight, in bytes. A render that needs more runs alone. */
  readonly memoryBytes: number;
  /** Memory that the server itself holds for its requests; counts against `memoryBytes`. */
  readonly memoryBudget?: MemoryBudget;
  /** Longest expected wait; unlimited unless given. */
  readonly queueDelay?: QueueDelayLimits;
  /** A queued render is rejected after this many milliseconds; unlimited unless given. */
  readonly maxWaitMs?: number | undefined;
  /** Monotonic milliseconds; `performance.now` unless given. */
  readonly clock?: () => number;
}

/**
 * Queue limits of small renders, for this many slots, and of large ones, which may have to run one by one. 32 clients that
 * each wait for their answer are no overload.
 */
const smallQueue = (concurrency: number) => ({
  minQueue: { normal: Math.max(32, 8 * concurrency), overloaded: 4 * concurrency, warmup: Number.POSITIVE_INFINITY },
  warmupCount: 32 * concurrency,
});
const LARGE_QUEUE = { minQueue: { normal: 4, overloaded: 1, warmup: 16 }, warmupCount: 4 };
const UNLIMITED: QueueDelayLimits = { maxMs: Number.POSITIVE_INFINITY, minMs: Number.POSITIVE_INFINITY };

function overloaded(): RenderError {
  return new RenderError('overloaded', 'too many renders are waiting; try again in a moment');
}

/** Releases a running render's slot and memory. `ms`: its service time by the worker's clock, which server load does not inflate. */
export type Release = (ms?: number) => void;

/**
 * One render's way through admission: a queue place from `reserve` on, then a slot and memory while it runs. Reserved
 * once, acquired once, released once.
 */
export interface Permit {
  /**
   * Waits until a render of `bytes` may start. The caller calls the returned function when the render has ended. Rejects
   * with RenderError `overloaded` when the render turns out to be large and too many large ones wait, or after `maxWaitMs`;
   * with the signal's reason when that aborts first.
   */
  acquire(bytes: number, signal?: AbortSignal): Promise<Release>;
  /** Returns a permit that was not acquired; otherwise, and when called again, does nothing. */
  release(): void;
}

export class Admission {
  private readonly small: Bulkhead;
  private readonly large: Bulkhead;
  private readonly concurrency: number;
  private readonly clock: () => number;
  /** When the next large render may start while small ones are overloaded. */
  private nextLargeAt = 0;
  private reservedCount = 0;
  /** Rows of batches that wait, each in the bulkhead that it will run in, first come first served. */
  private readonly batchWaiting: (QueueEntry & { readonly bulkhead: Bulkhead })[] = [];
  private batchRunningCount = 0;

  constructor(private readonly options: AdmissionOptions) {
    const { memoryBudget, queueDelay = UNLIMITED, clock = () => performance.now() } = options;
    const concurrency = Math.max(1, options.concurrency);
    this.small = new Bulkhead({ concurrency, ...smallQueue(concurrency), queueDelay, clock });
    this.large = new Bulkhead({ concurrency: 1, ...LARGE_QUEUE, queueDelay, clock });
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

  /** Permits that are not queued yet: their bodies or assets are still arriving. */
  get reserved(): number {
    return this.reservedCount;
  }

  /**
   * Reserves a queue place for a render that needs at least `minBytes`. Throws RenderError `overloaded` when the queue is
   * full or the render would wait too long. A render that is admitted here is not rejected later for the queue's length.
   */
  reserve(minBytes: number): Permit {
    const bulkhead = this.bulkheadOf(minBytes);
    // counts permits that are not queued yet; a large render beside small ones adds a slot
    const isFull = this.reservedCount + this.queued + this.running > this.options.queue + this.concurrency;
    if (isFull || this.mustReject(bulkhead, minBytes)) throw overloaded();
    this.reservedCount++;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.reservedCount--;
      isHeld = false;
    };
    return {
      release,
      acquire: async (bytes, signal) => {
        release();
        signal?.throwIfAborted();
        const actual = this.bulkheadOf(bytes);
        if (actual !== bulkhead && this.mustReject(actual, bytes)) throw overloaded();
        return this.enqueue(actual, bytes, signal);
      },
    };
  }

  /** Rows of batches that wait for a slot, and that run. */
  get batches(): { readonly queued: number; readonly running: number } {
    return { queued: this.batchWaiting.length, running: this.batchRunningCount };
  }

  /** Slots that the rows of all batches may have at once: half of them. */
  get batchConcurrency(): number {
    return Math.max(1, Math.floor(this.concurrency / 2));
  }

  /**
   * Waits until a row of a batch, of `bytes`, may start; the caller calls the returned function when its render has ended.
   * It is never rejected for waiting: its batch asks for few rows at a time. Rejects with the signal's reason.
   */
  async acquireForBatch(bytes: number, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    return await new Promise<Release>((resolve, reject) => {
      const bulkhead = this.bulkheadOf(bytes);
      const giveUp = () => {
        this.batchWaiting.splice(this.batchWaiting.indexOf(entry), 1);
        reject(signal.reason);
        // rows behind it may fit now
        this.admit();
      };
      const entry = {
        bytes,
        bulkhead,
        start: () => {
          signal.removeEventListener('abort', giveUp);
          this.batchRunningCount++;
          const release = this.occupy(bulkhead, bytes, () => this.batchRunningCount--);
          resolve(release);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.batchWaiting.push(entry);
      this.admit();
    });
  }

  private mustReject(bulkhead: Bulkhead, bytes: number): boolean {
    const { length } = bulkhead.waiting;
    if (length === 0 && this.fits(bulkhead, bytes)) return false;
    return this.queued >= this.options.queue || (length > 0 && this.rejects(bulkhead, length + 1));
  }

  private enqueue(bulkhead: Bulkhead, bytes: number, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise<Release>((resolve, reject) => {
      let hasStarted = false;
      const entry: QueueEntry = {
        bytes,
        start: () => {
          hasStarted = true;
          stopWaiting();
          resolve(this.occupy(bulkhead, bytes));
        },
      };
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        stopWaiting();
        bulkhead.waiting.splice(bulkhead.waiting.indexOf(entry), 1);
        reject(signal?.aborted ? signal.reason : overloaded());
        // entries behind it may fit now
        this.admit();
      };
      bulkhead.waiting.push(entry);
      this.admit();
      if (hasStarted) return;
      const { maxWaitMs } = this.options;
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private bulkheadOf(bytes: number): Bulkhead {
    return bytes <= SMALL_BYTES ? this.small : this.large;
  }

  /** `onEnd`: called once, before the room goes to the next render. */
  private occupy(bulkhead: Bulkhead, bytes: number, onEnd?: () => void): Release {
    const end = bulkhead.begin(bytes);
    const isThrottled = bulkhead === this.large && this.small.isOverloaded;
    const expectedMs = bulkhead.serviceTimeEwmaMs;
    if (isThrottled) this.nextLargeAt = this.clock() + expectedMs * this.slowdown;
    let isReleased = false;
    return (ms) => {
      if (isReleased) return;
      isReleased = true;
      const serviceMs = end(ms);
      onEnd?.();
      if (isThrottled) this.nextLargeAt += (serviceMs - expectedMs) * this.slowdown;
      this.admit();
    };
  }

  /** While small renders are overloaded: milliseconds from one large render's start to the next, per millisecond of its service time. */
  private get slowdown(): number {
    return 1 / (LARGE_TIME_SHARE * this.concurrency);
  }

  /** Whether large renders have used up their share of the time while small ones are overloaded. */
  private get isLargeThrottled(): boolean {
    return this.small.isOverloaded && this.clock() < this.nextLargeAt;
  }

  private rejects(bulkhead: Bulkhead, length: number): boolean {
    return bulkhead.rejects(length, bulkhead === this.large && this.small.isOverloaded ? this.slowdown : 1);
  }

  /** Starts every queued render that fits, in FIFO order per bulkhead. */
  private admit(): void {
    for (const bulkhead of [this.large, this.small]) {
      while (bulkhead.waiting.length > 0 && this.fits(bulkhead, bulkhead.waiting[0].bytes))
        bulkhead.waiting.shift()!.start();
    }
    while (this.batchWaiting.length > 0 && this.fitsBatch(this.batchWaiting[0])) this.batchWaiting.shift()!.start();
  }

  private fitsBatch({ bulkhead, bytes }: { readonly bulkhead: Bulkhead; readonly bytes: number }): boolean {
    if (this.queued > 0 || this.batchRunningCount >= this.batchConcurrency) return false;
    return this.fits(bulkhead, bytes);
  }

  private fits(bulkhead: Bulkhead, bytes: number): boolean {
    const { small, large, concurrency } = this;
    const { memoryBudget } = this.options;
    // its answer would only wait behind those that exceed the budget already
    if (memoryBudget?.isExceeded) return false;
    if (bulkhead === large && this.isLargeThrottled && small.running + small.waiting.length > 0) return false;
    // a render of any size may run alone
    if (this.running === 0) return true;
    if (bulkhead === large) {
      const hasMemory = large.running === 0 || large.bytes + bytes <= this.memoryBytes * (1 - SMALL_SHARE);
      const hasSlot = this.running <= concurrency && large.running < Math.max(1, concurrency - 1);
      return hasMemory && hasSlot && small.bytes <= this.smallBudget(large.bytes + bytes);
    }
    // a large render in flight never takes the last slot from small ones
    if (large.running > 0) return this.running <= concurrency && small.bytes + bytes <= this.smallBudget(large.bytes);
    // later small renders must not starve a large one that waits for memory
    const reservedForLarge = this.isLargeThrottled ? 0 : (large.waiting.at(0)?.bytes ?? 0);
    return small.running < concurrency && small.bytes + bytes <= this.smallBudget(reservedForLarge);
  }

  /** Memory of all renders in flight: what the server itself holds is subtracted, up to half. */
  private get memoryBytes(): number {
    const { memoryBytes, memoryBudget } = this.options;
    return memoryBytes - Math.min(memoryBudget?.usedBytes ?? 0, memoryBytes / 2);
  }

  /** Memory of small renders beside large ones of `largeBytes`: at least their share, so that one giant can't block them. */
  private smallBudget(largeBytes: number): number {
    const { memoryBytes } = this;
    return Math.max(memoryBytes - largeBytes, memoryBytes * SMALL_SHARE);
  }
}
