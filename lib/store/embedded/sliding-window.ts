// Requests per key → at most `limit` in any 60 seconds, exactly: every counted request is remembered until it leaves
// the window. The clock is monotonic, so the wall clock may jump; keys that fall silent take no memory.
import type { RateDecision } from '../types.js';

/** Length of the window in milliseconds (CONTRACT "Limits"). */
export const WINDOW_MS = 60_000;
/** Rounding of sums of clock readings, in milliseconds: far below any clock's tick. */
const EPSILON_MS = 1e-6;

/** One key's counted requests as the times at which they leave the window, oldest first, from `head` on. */
interface RequestLog {
  leaving: number[];
  head: number;
}

/** The windows of all keys. `clock` gives milliseconds that never run backwards. */
export class SlidingWindowLimiter {
  readonly #clock: () => number;
  /** Ordered by the last counted request: the silent ones stand first. */
  readonly #trails = new Map<string, RequestLog>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#trails.size;
  }

  /** Counts one request of `keyId`, unless `limit` requests are in its window already. */
  count(keyId: string, limit: number): RateDecision {
    const now = this.#clock();
    this.#forgetSilent(now);
    const trail = this.#trails.get(keyId) ?? { leaving: [], head: 0 };
    dropLeft(trail, now);
    const { leaving, head } = trail;
    const counted = leaving.length - head;
    if (counted >= limit) {
      // Room comes when all but limit − 1 have left; the limit may have been higher when they were counted.
      return { allowed: false, limit, remaining: 0, resetMs: wait(leaving[leaving.length - limit], now) };
    }
    leaving.push(now + WINDOW_MS);
    this.#trails.delete(keyId);
    this.#trails.set(keyId, trail);
    return { allowed: true, limit, remaining: limit - counted - 1, resetMs: wait(leaving[head], now) };
  }

  #forgetSilent(now: number): void {
    for (const [keyId, { leaving }] of this.#trails) {
      if (leaving[leaving.length - 1] > now + EPSILON_MS) return;
      this.#trails.delete(keyId);
    }
  }
}

function dropLeft(trail: RequestLog, now: number): void {
  const { leaving } = trail;
  while (trail.head < leaving.length && leaving[trail.head] <= now + EPSILON_MS) trail.head++;
  // Moving the rest to the front costs its length: done when as many have left as remain, it is free on average.
  if (trail.head > 0 && trail.head * 2 >= leaving.length) {
    leaving.splice(0, trail.head);
    trail.head = 0;
  }
}

/** Whole milliseconds from `now` until `time` has come. */
function wait(time: number, now: number): number {
  return Math.ceil(time - now - EPSILON_MS);
}
