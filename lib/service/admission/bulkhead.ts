// The renders of one size class: its FIFO queue, the resources of those in flight, and the expected wait of the next one.
import { AdaptiveQueueDelay, type QueueDelayLimits } from './adaptive-queue-delay.js';

export interface QueueEntry {
  readonly bytes: number;
  start(): void;
}

export interface BulkheadOptions {
  /** Renders of this class that run at once when no others do. */
  readonly concurrency: number;
  /**
   * A queue up to this long is accepted whatever the expected wait: normally, in an overload (enough to keep every slot
   * busy), and during warmup.
   */
  readonly minQueue: { readonly normal: number; readonly overloaded: number; readonly warmup: number };
  /** Renders before the measured service time is trusted: on a cold server they take ten times as long. */
  readonly warmupCount: number;
  readonly queueDelay: QueueDelayLimits;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Weight of the newest render in the moving average of the service time. */
const EWMA_ALPHA = 1 / 8;

export class Bulkhead {
  readonly waiting: QueueEntry[] = [];
  running = 0;
  bytes = 0;
  /** Moving average of the service time; 0 before the first render has ended. */
  serviceTimeEwmaMs = 0;
  private completed = 0;
  private readonly queueDelay: AdaptiveQueueDelay;

  constructor(private readonly options: BulkheadOptions) {
    this.queueDelay = new AdaptiveQueueDelay(options.queueDelay, options.clock);
  }

  /** Whether a render was rejected recently. */
  get isOverloaded(): boolean {
    return this.queueDelay.isOverloaded;
  }

  /**
   * Starts a render. Returns the function to call at its end, which returns the service time; `ms` replaces the time
   * measured here when the worker measured it more precisely.
   */
  begin(bytes: number): (ms?: number) => number {
    this.running++;
    this.bytes += bytes;
    const { clock } = this.options;
    const startedAt = clock();
    return (serviceMs = clock() - startedAt) => {
      this.running--;
      this.bytes -= bytes;
      this.completed++;
      this.serviceTimeEwmaMs += (serviceMs - this.serviceTimeEwmaMs) * (this.serviceTimeEwmaMs === 0 ? 1 : EWMA_ALPHA);
      return serviceMs;
    };
  }

  /**
   * Whether the last entry of a queue of `length` would wait too long; records the rejection if so. `slowdown`: factor by
   * which each render takes longer than alone.
   */
  rejects(length: number, slowdown = 1): boolean {
    const { concurrency, minQueue, warmupCount } = this.options;
    const isWarmingUp = this.completed < warmupCount;
    const allowed = isWarmingUp ? minQueue.warmup : this.isOverloaded ? minQueue.overloaded : minQueue.normal;
    const expectedMs =
      this.completed === 0 ? Number.POSITIVE_INFINITY : (length * this.serviceTimeEwmaMs * slowdown) / concurrency;
    const isTooLong = length > allowed && expectedMs > this.queueDelay.ms;
    if (isTooLong) this.queueDelay.recordRejection();
    return isTooLong;
  }
}
