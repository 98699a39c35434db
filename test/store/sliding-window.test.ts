// SlidingWindowLimiter against a model that never forgets a request, with a clock that the test sets.
import fc from 'fast-check';
import t from 'tap';
import { SlidingWindowLimiter } from '../../lib/store/sliding-window.js';

const MINUTE = 60_000;

// fault: 26
t.test('allows exactly the limit in any 60 seconds, like the model', async (t) => {
  const gap = fc.oneof(
    fc.constantFrom(0, 1, 59_999, MINUTE, 60_001, 0.1, 999.5),
    fc.double({ min: 0, max: 30_000, noNaN: true }),
    fc.integer({ min: 0, max: 20_000 }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.array(fc.tuple(gap, fc.constantFrom('a', 'b', 'c')), { maxLength: 120 }),
      (limit, start, requests) => {
        let now = start;
        const limiter = new SlidingWindowLimiter(() => now);
        const counted = new Map<string, number[]>([
          ['a', []],
          ['b', []],
          ['c', []],
        ]);
        for (const [wait, key] of requests) {
          now += wait;
          const times = counted.get(key)!;
          const inside = times.filter((time) => now - time < MINUTE - 1e-6);
          const decision = limiter.count(key, limit);
          if (decision.allowed !== inside.length < limit) return false;
          if (decision.allowed) times.push(now);
          const remaining = decision.allowed ? limit - inside.length - 1 : 0;
          if (decision.remaining !== remaining || decision.limit !== limit) return false;
          const oldest = decision.allowed ? (inside[0] ?? now) : inside[inside.length - limit];
          // resetMs is long enough, and less than a millisecond too long.
          const slack = now + decision.resetMs - (oldest + MINUTE);
          if (!(slack > -1e-5 && slack < 1) || !Number.isInteger(decision.resetMs)) return false;
        }
        return true;
      },
    ),
    { numRuns: 500 },
  );
  t.pass('500 schedules');
});

// fault: 26
t.test('allows a refused request after resetMs, but not one second earlier', async (t) => {
  let now = 123.456;
  const limiter = new SlidingWindowLimiter(() => now);
  for (let i = 0; i < 60; i++) {
    t.ok(limiter.count('key', 60).allowed);
    now += 7.7;
  }
  const refused = limiter.count('key', 60);
  t.match(refused, { allowed: false, remaining: 0 });
  const refusedAt = now;
  now = refusedAt + refused.resetMs - 1000;
  t.notOk(limiter.count('key', 60).allowed);
  now = refusedAt + refused.resetMs;
  t.ok(limiter.count('key', 60).allowed);
  t.notOk(limiter.count('key', 60).allowed, 'one request left the window, so one more was allowed');
});

t.test('applies a lowered limit to requests that were counted before', async (t) => {
  let now = 0;
  const limiter = new SlidingWindowLimiter(() => now);
  for (let i = 0; i < 10; i++, now += 1000) limiter.count('key', 10);
  const { allowed, resetMs } = limiter.count('key', 3);
  t.notOk(allowed);
  now += resetMs - 1;
  t.notOk(limiter.count('key', 3).allowed);
  now += 1;
  t.ok(limiter.count('key', 3).allowed);
});

// fault: 29
t.test('forgets idle keys', async (t) => {
  let now = 0;
  const limiter = new SlidingWindowLimiter(() => now);
  for (let i = 0; i < 10_000; i++, now += 50) limiter.count(`key ${i}`, 5);
  t.ok(limiter.size <= 1200, `${limiter.size} keys of the last minute`);
  now += MINUTE;
  limiter.count('one', 5);
  t.equal(limiter.size, 1);
});
