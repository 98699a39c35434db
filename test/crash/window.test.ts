// The rate limiter against an oracle on random schedules with clocks that jump forward: exactly the limit in any 60 seconds,
// and a Retry-After that is long enough but not a second too long.
import t from 'tap';
import { rateLimited } from '../../lib/service/checks.js';
import { SlidingWindowLimiter } from '../../lib/store/sliding-window.js';
import { dice, pick, roll, rounds } from '../exhaustive.js';

const MINUTE = 60_000;
/** Tolerance for rounding errors in sums of clock readings, in milliseconds. */
const EPSILON_MS = 1e-6;

/** A random pause between two requests: bursts, the exact edges of the window, and jumps as after a suspend. */
function pause(random: () => number): number {
  switch (roll(random, 10)) {
    case 0:
    case 1:
    case 2:
      return 0;
    case 3:
      return pick(random, [1, 999, 1000, 1001, 59_999, MINUTE, 60_001, 0.25]);
    case 4:
      return random() < 0.02 ? 3_600_000 + roll(random, 1e8) : roll(random, 70_000);
    case 5:
      return random() * 20_000;
    default:
      return roll(random, 2000);
  }
}

/** Runs one random schedule; returns the first error, if any. */
function runSchedule(seed: number, counts: { requests: number; refused: number }): string | undefined {
  const random = dice(seed);
  // Up to four months after boot.
  let now = random() < 0.5 ? random() * 1e4 : roll(random, 1e10);
  const limiter = new SlidingWindowLimiter(() => now);
  const limit = random() < 0.7 ? 1 + roll(random, 5) : 1 + roll(random, 60);
  const keys = Array.from({ length: 1 + roll(random, 3) }, (_, i) => ({ id: `key ${i}`, allowed: [] as number[] }));
  for (let left = 5 + roll(random, 40 + limit); left > 0; left--) {
    now += pause(random);
    const { id, allowed } = pick(random, keys);
    const within = (moment: number) => allowed.filter((time) => moment - time < MINUTE - EPSILON_MS).length;
    const before = within(now);
    const decision = limiter.count(id, limit);
    counts.requests++;
    if (decision.allowed !== before < limit) return `${decision.allowed} with ${before} of ${limit}`;
    if (decision.allowed) {
      allowed.push(now);
      if (decision.remaining !== limit - before - 1) return `${decision.remaining} remaining`;
      continue;
    }
    counts.refused++;
    const { retryAfter } = rateLimited(decision);
    if (!Number.isInteger(retryAfter) || retryAfter < 1 || retryAfter > 60) return `Retry-After: ${retryAfter}`;
    if (within(now + retryAfter * 1000) >= limit) return `Retry-After: ${retryAfter} is not enough`;
    if (within(now + (retryAfter - 1) * 1000) < limit) return `Retry-After: ${retryAfter} is too long`;
    if (random() < 0.7) continue;
    // One second before Retry-After the request is refused and not counted; after it the request is allowed.
    const refusedAt = now;
    now = refusedAt + (retryAfter - 1) * 1000;
    if (limiter.count(id, limit).allowed) return 'allowed a second early';
    now = refusedAt + retryAfter * 1000;
    if (!limiter.count(id, limit).allowed) return 'refused after Retry-After';
    allowed.push(now);
  }
  for (const { allowed } of keys) {
    for (let i = limit; i < allowed.length; i++) {
      if (allowed[i] - allowed[i - limit] < MINUTE - EPSILON_MS) return `${limit + 1} within 60 seconds`;
    }
  }
  return undefined;
}

// fault: 26
t.test('allows exactly the limit in any 60 seconds on random schedules', async (t) => {
  const counts = { requests: 0, refused: 0 };
  let schedules = 0;
  for (const seed of rounds(20_000)) {
    const error = runSchedule(seed, counts);
    if (error !== undefined) t.fail(`schedule ${seed}: ${error}`);
    schedules++;
  }
  t.ok(counts.refused > schedules / 2, 'many were refused');
  t.comment(`schedules: ${schedules}; ${JSON.stringify(counts)}`);
});
