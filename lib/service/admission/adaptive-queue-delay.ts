// The longest queue delay that admission accepts, adapted to load: seconds for a burst, which passes, and a moment in a
// lasting overload, where waiting would add latency to every request and throughput to none. The limit shrinks by as much
// time as the overload lasts, and grows back at the same pace once it is over.

export interface QueueDelayLimits {
  /** Milliseconds of expected wait that are accepted at first, and in a lasting overload. */
  readonly maxMs: number;
  readonly minMs: number;
}

/** The overload is over when nothing has been rejected for this many milliseconds. */
const OVERLOAD_COOLDOWN_MS = 1000;

export class AdaptiveQueueDelay {
  private limitMs: number;
  private updatedAt: number;
  private overloadedUntil = Number.NEGATIVE_INFINITY;

  /** `clock` returns monotonic milliseconds. */
  constructor(
    private readonly limits: QueueDelayLimits,
    private readonly clock: () => number,
  ) {
    this.limitMs = limits.maxMs;
    this.updatedAt = clock();
  }

  /** The current limit in milliseconds. */
  get ms(): number {
    this.update();
    return this.limitMs;
  }

  /** Whether a render was rejected within the cooldown. */
  get isOverloaded(): boolean {
    return this.clock() < this.overloadedUntil;
  }

  recordRejection(): void {
    this.update();
    this.overloadedUntil = this.updatedAt + OVERLOAD_COOLDOWN_MS;
  }

  /** Subtracts the overloaded time since the last update, then adds the calm time. */
  private update(): void {
    const { maxMs, minMs } = this.limits;
    const now = this.clock();
    const overloadedMs = Math.max(0, Math.min(now, this.overloadedUntil) - this.updatedAt);
    const calmMs = now - this.updatedAt - overloadedMs;
    this.limitMs = Math.min(maxMs, Math.max(minMs, this.limitMs - overloadedMs) + calmMs);
    this.updatedAt = now;
  }
}
