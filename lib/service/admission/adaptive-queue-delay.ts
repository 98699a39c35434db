// How long a render may be expected to wait. A burst may wait for seconds, since it passes. In a rush that lasts everybody
// would wait for as long, and nothing more would be drawn for it: there a moment is enough. A rush is what goes on being
// refused: patience goes as fast as it lasts, and comes back as fast when it is over.

export interface QueueDelayLimits {
  /** Milliseconds that a render may be expected to wait, at first and in a rush that lasts. */
  readonly maxMs: number;
  readonly minMs: number;
}

/** A rush is over when nobody has been refused for so long, in milliseconds. */
const OVERLOAD_COOLDOWN_MS = 1000;

export class AdaptiveQueueDelay {
  private left: number;
  private noted: number;
  private rushUntil = Number.NEGATIVE_INFINITY;

  /** `clock`: milliseconds, never back. */
  constructor(
    private readonly limits: QueueDelayLimits,
    private readonly clock: () => number,
  ) {
    this.left = limits.maxMs;
    this.noted = clock();
  }

  /** Milliseconds, now. */
  get ms(): number {
    this.note();
    return this.left;
  }

  /** Whether somebody was refused just now. */
  get isOverloaded(): boolean {
    return this.clock() < this.rushUntil;
  }

  /** To be called when somebody is refused. */
  recordRejection(): void {
    this.note();
    this.rushUntil = this.noted + OVERLOAD_COOLDOWN_MS;
  }

  /** Takes off the rush and adds the rest that there was since the last note. */
  private note(): void {
    const { maxMs: most, minMs: least } = this.limits;
    const now = this.clock();
    const rush = Math.max(0, Math.min(now, this.rushUntil) - this.noted);
    const rest = now - this.noted - rush;
    this.left = Math.min(most, Math.max(least, this.left - rush) + rest);
    this.noted = now;
  }
}
