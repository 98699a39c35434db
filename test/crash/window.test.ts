// The rate limiter against an oracle that counts every request anew, over random schedules on clocks that jump ahead:
// never more than the limit in any sixty seconds, never fewer when more would fit, and a Retry-After that is enough and
// no second too long.
import t from 'tap';
import { rateLimited } from '../../lib/service/checks.js';
import { SlidingWindowLimiter } from '../../lib/store/embedded/sliding-window.js';
import { dice, pick, roll, rounds } from '../exhaustive.js';

const MINUTE = 60_000;
/** Clock readings are sums: two that mean the same moment may differ by less than this, in milliseconds. */
const DUST = 1e-6;

/** A pause between two requests: bursts, the window's very edges, and jumps such as a machine makes that slept. */
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

/** One schedule; what is wrong with it, if anything. */
function faultOf(seed: number, counts: { requests: number; refused: number }): string | undefined {
  const random = dice(seed);
  // Up to four months after the machine's start.
  let now = random() < 0.5 ? random() * 1e4 : roll(random, 1e10);
  const windows = new SlidingWindowLimiter(() => now);
  const limit = random() < 0.7 ? 1 + roll(random, 5) : 1 + roll(random, 60);
  const keys = Array.from({ length: 1 + roll(random, 3) }, (_, i) => ({ id: `key ${i}`, allowed: [] as number[] }));
  for (let left = 5 + roll(random, 40 + limit); left > 0; left--) {
    now += pause(random);
    const { id, allowed } = pick(random, keys);
    const within = (moment: number) => allowed.filter((time) => moment - time < MINUTE - DUST).length;
    const before = within(now);
    const decision = windows.count(id, limit);
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
    // Whoever does as told gets in; a second earlier, refused without being counted.
    const told = now;
    now = told + (retryAfter - 1) * 1000;
    if (windows.count(id, limit).allowed) return 'let in a second early';
    now = told + retryAfter * 1000;
    if (!windows.count(id, limit).allowed) return 'refused after the time that it was told';
    allowed.push(now);
  }
  for (const { allowed } of keys) {
    for (let i = limit; i < allowed.length; i++) {
      if (allowed[i] - allowed[i - limit] < MINUTE - DUST) return `${limit + 1} within sixty seconds`;
    }
  }
  return undefined;
}

// fault: 26
t.test('random schedules', async (t) => {
  const counts = { requests: 0, refused: 0 };
  let schedules = 0;
  for (const seed of rounds(20_000)) {
    const fault = faultOf(seed, counts);
    if (fault !== undefined) t.fail(`schedule ${seed}: ${fault}`);
    schedules++;
  }
  t.ok(counts.refused > schedules / 2, 'many were refused');
  t.comment(`schedules: ${schedules}; ${JSON.stringify(counts)}`);
});
