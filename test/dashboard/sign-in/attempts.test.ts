// Guesses of passwords are limited; the test moves the clock.
import t from 'tap';
import { Attempts } from '../../../lib/dashboard/sign-in/attempts.js';

/** A clock that jumps over every sleep. */
function testClock() {
  const clock = {
    time: 1e6,
    slept: [] as number[],
    now: () => clock.time,
    async sleep(milliseconds: number) {
      clock.slept.push(milliseconds);
      clock.time += milliseconds;
    },
  };
  return clock;
}

const fail = async () => undefined;
const succeed = async () => 'in';

// fault: 101
t.test('an account that fails waits twice as long each time, up to a minute', async (t) => {
  const clock = testClock();
  const attempts = new Attempts(clock);
  const refused = (name: string) =>
    attempts.run(name, fail).then(
      () => undefined,
      ({ code, retryAfter }) => [code, retryAfter],
    );
  for (let i = 0; i < 3; i++) t.equal(await refused('ada'), undefined, 'people mistype');
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) {
    const [code, seconds] = (await refused('ada')) as [string, number];
    t.equal(code, 'too_many_attempts');
    waits.push(seconds);
    clock.time += seconds * 1000 - 1;
    t.ok(await refused('ada'), 'a millisecond less is too early');
    clock.time += 1;
    t.equal(await refused('ada'), undefined, 'Retry-After is enough');
  }
  t.same(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  t.equal(await attempts.run('bob', succeed), 'in', 'others are not locked out');
  clock.time += 60_000;
  t.equal(await attempts.run('ada', succeed), 'in', 'nor is the account for good');
  t.equal(await refused('ada'), undefined, 'a success forgets the failures');
});

t.test('failures start at most once a second in all; successes delay nobody', async (t) => {
  const clock = testClock();
  const attempts = new Attempts(clock);
  const starts: number[] = [];
  const noted = (result: string | undefined) => async () => {
    starts.push(clock.time - 1e6);
    clock.time += 300;
    return result;
  };
  for (const name of ['a', 'b', 'c']) await attempts.run(name, noted(undefined));
  await attempts.run('d', noted('in'));
  await attempts.run('e', noted('in'));
  t.same(starts, [0, 1000, 2000, 3000, 3300]);
});

t.test('beyond a few that wait, attempts are refused at once and not run', async (t) => {
  const attempts = new Attempts(testClock());
  let ran = 0;
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      attempts.run(`name ${i}`, async () => {
        ran++;
        return undefined;
      }),
    ),
  );
  t.equal(ran, 5);
  const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  t.same(refused, Array(15).fill('busy'));
  t.equal(await attempts.run('ada', succeed), 'in', 'later ones are let in again');
});

t.test('attempts that wait together do not escape the delay of their account', async (t) => {
  const attempts = new Attempts(testClock());
  const settled = await Promise.allSettled(Array.from({ length: 5 }, () => attempts.run('ada', fail)));
  const codes = settled.map((result) => (result.status === 'rejected' ? result.reason.code : 'ran'));
  t.same(codes.slice(0, 3), ['ran', 'ran', 'ran']);
  t.ok(codes.includes('too_many_attempts'));
});

t.test('remembers a bounded number of names', async (t) => {
  const attempts = new Attempts(testClock());
  for (let i = 0; i < 11_000; i++) await attempts.run(`name ${i}`, fail);
  t.equal(attempts.size, 10_000);
});

t.test('an attempt that breaks is no failure, and blocks nobody', async (t) => {
  const attempts = new Attempts(testClock());
  for (let i = 0; i < 10; i++)
    await t.rejects(
      attempts.run('ada', () => Promise.reject(new Error('no disk'))),
      /no disk/,
    );
  t.equal(await attempts.run('ada', succeed), 'in');
});
