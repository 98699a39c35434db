// The renders of one kind: those that wait, first come first; what those in flight take; and what the next one may expect.
import { AdaptiveQueueDelay, type QueueDelayLimits } from './adaptive-queue-delay.js';

export interface QueueEntry {
  readonly bytes: number;
  start(): void;
}

export interface BulkheadOptions {
  /** Renders that run side by side when nothing else does. */
  readonly concurrency: number;
  /**
   * A line of up to so many renders is not too long, whatever they are expected to take: as a rule; in a rush, where it
   * keeps every place busy; and while the lane is young.
   */
  readonly minQueue: { readonly normal: number; readonly overloaded: number; readonly warmup: number };
  /** Its first so many renders tell nothing of those to come: a server that has just begun takes ten times as long. */
  readonly warmupCount: number;
  readonly queueDelay: QueueDelayLimits;
  /** Milliseconds, never back. */
  readonly clock: () => number;
}

/** The weight of the newest render in what a render is expected to take. */
const EWMA_ALPHA = 1 / 8;

export class Bulkhead {
  readonly waiting: QueueEntry[] = [];
  running = 0;
  bytes = 0;
  /** Milliseconds from start to end, as the latest renders took; 0 before the first. */
  serviceTimeEwmaMs = 0;
  private ended = 0;
  private readonly queueDelay: AdaptiveQueueDelay;

  constructor(private readonly options: BulkheadOptions) {
    this.queueDelay = new AdaptiveQueueDelay(options.queueDelay, options.clock);
  }

  /** Whether a render was refused just now. */
  get isOverloaded(): boolean {
    return this.queueDelay.isOverloaded;
  }

  /**
   * Starts a render; gives what is to be called at its end, with the milliseconds that it took where that is known better
   * than by the clock here, and which gives them.
   */
  begin(bytes: number): (ms?: number) => number {
    this.running++;
    this.bytes += bytes;
    const { clock } = this.options;
    const began = clock();
    return (took = clock() - began) => {
      this.running--;
      this.bytes -= bytes;
      this.ended++;
      this.serviceTimeEwmaMs += (took - this.serviceTimeEwmaMs) * (this.serviceTimeEwmaMs === 0 ? 1 : EWMA_ALPHA);
      return took;
    };
  }

  /**
   * Whether the last of a line of so many would wait for too long, and is therefore refused; `slowdown`: how much longer
   * each takes than alone.
   */
  refuses(length: number, slowdown = 1): boolean {
    const { concurrency: abreast, minQueue: short, warmupCount: youth } = this.options;
    const allowed = this.ended < youth ? short.warmup : this.isOverloaded ? short.overloaded : short.normal;
    const expectedMs =
      this.ended === 0 ? Number.POSITIVE_INFINITY : (length * this.serviceTimeEwmaMs * slowdown) / abreast;
    const isTooLong = length > allowed && expectedMs > this.queueDelay.ms;
    if (isTooLong) this.queueDelay.recordRejection();
    return isTooLong;
  }
}
