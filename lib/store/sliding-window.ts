// Limits each key to exactly `limit` requests in any 60 seconds: a sliding-window log that remembers every counted request
// until it leaves the window. The clock is monotonic, so the wall clock may jump. Idle keys use no memory.
import type { RateDecision } from './types.js';

/** Length of the window in milliseconds (docs/service.md#how-a-request-is-handled). */
export const WINDOW_MS = 60_000;
/** Tolerance for rounding errors in sums of clock readings, in milliseconds; far below any clock's resolution. */
const EPSILON_MS = 1e-6;

/** The times at which one key's counted requests leave the window, oldest first. Entries before `head` have left. */
interface RequestLog {
  expiries: number[];
  head: number;
}

/** The request logs of all keys. `clock` returns monotonic milliseconds. */
export class SlidingWindowLimiter {
  readonly #clock: () => number;
  /** Ordered by the last counted request: keys that have been idle longest come first. */
  readonly #logs = new Map<string, RequestLog>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#logs.size;
  }

  /** Counts one request of `keyId`, unless its window already contains `limit` requests. */
  count(keyId: string, limit: number): RateDecision {
    const now = this.#clock();
    this.#removeIdleKeys(now);
    const log = this.#logs.get(keyId) ?? { expiries: [], head: 0 };
    removeExpired(log, now);
    const { expiries, head } = log;
    const counted = expiries.length - head;
    if (counted >= limit) {
      // The next request is allowed when all but limit − 1 have left. The limit may have been higher before.
      return { allowed: false, limit, remaining: 0, resetMs: msUntil(expiries[expiries.length - limit], now) };
    }
    expiries.push(now + WINDOW_MS);
    this.#logs.delete(keyId);
    this.#logs.set(keyId, log);
    return { allowed: true, limit, remaining: limit - counted - 1, resetMs: msUntil(expiries[head], now) };
  }

  #removeIdleKeys(now: number): void {
    for (const [keyId, { expiries }] of this.#logs) {
      if (expiries[expiries.length - 1] > now + EPSILON_MS) return;
      this.#logs.delete(keyId);
    }
  }
}

function removeExpired(log: RequestLog, now: number): void {
  const { expiries } = log;
  while (log.head < expiries.length && expiries[log.head] <= now + EPSILON_MS) log.head++;
  // Removing entries moves the remaining ones, so wait until half have expired: O(1) amortized.
  if (log.head > 0 && log.head * 2 >= expiries.length) {
    expiries.splice(0, log.head);
    log.head = 0;
  }
}

/** Whole milliseconds from `now` until `time`, rounded up. */
function msUntil(time: number, now: number): number {
  return Math.ceil(time - now - EPSILON_MS);
}
