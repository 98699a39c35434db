// The sliding window against a model that remembers everything, on a clock that the test moves.
import fc from 'fast-check';
import t from 'tap';
import { SlidingWindowLimiter } from '../../../lib/store/embedded/sliding-window.js';

const MINUTE = 60_000;

// fault: 26
t.test('exactly the limit in any sixty seconds, as a model that forgets nothing counts', async (t) => {
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
        const windows = new SlidingWindowLimiter(() => now);
        const counted = new Map<string, number[]>([
          ['a', []],
          ['b', []],
          ['c', []],
        ]);
        for (const [wait, key] of requests) {
          now += wait;
          const times = counted.get(key)!;
          const inside = times.filter((time) => now - time < MINUTE - 1e-6);
          const decision = windows.count(key, limit);
          if (decision.allowed !== inside.length < limit) return false;
          if (decision.allowed) times.push(now);
          const remaining = decision.allowed ? limit - inside.length - 1 : 0;
          if (decision.remaining !== remaining || decision.limit !== limit) return false;
          const oldest = decision.allowed ? (inside[0] ?? now) : inside[inside.length - limit];
          // Sufficient, and tight to the millisecond.
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
t.test('who waits as long as told gets in, and not a second earlier', async (t) => {
  let now = 123.456;
  const windows = new SlidingWindowLimiter(() => now);
  for (let i = 0; i < 60; i++) {
    t.ok(windows.count('key', 60).allowed);
    now += 7.7;
  }
  const refused = windows.count('key', 60);
  t.match(refused, { allowed: false, remaining: 0 });
  const told = now;
  now = told + refused.resetMs - 1000;
  t.notOk(windows.count('key', 60).allowed);
  now = told + refused.resetMs;
  t.ok(windows.count('key', 60).allowed);
  t.notOk(windows.count('key', 60).allowed, 'one left, so one came in');
});

t.test('the limit may be lowered: all above it must leave', async (t) => {
  let now = 0;
  const windows = new SlidingWindowLimiter(() => now);
  for (let i = 0; i < 10; i++, now += 1000) windows.count('key', 10);
  const { allowed, resetMs } = windows.count('key', 3);
  t.notOk(allowed);
  now += resetMs - 1;
  t.notOk(windows.count('key', 3).allowed);
  now += 1;
  t.ok(windows.count('key', 3).allowed);
});

// fault: 29
t.test('silent keys take no memory', async (t) => {
  let now = 0;
  const windows = new SlidingWindowLimiter(() => now);
  for (let i = 0; i < 10_000; i++, now += 50) windows.count(`key ${i}`, 5);
  t.ok(windows.size <= 1200, `${windows.size} keys of the last minute`);
  now += MINUTE;
  windows.count('one', 5);
  t.equal(windows.size, 1);
});
