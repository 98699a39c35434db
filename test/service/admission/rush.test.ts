// The length of the render queue in bursts, lasting overload, closed-loop load and mixes of small and large renders,
// simulated millisecond by millisecond.
import t from 'tap';
import { ServiceError } from '../../../lib/errors.js';
import { Admission } from '../../../lib/service/admission/index.js';
import { createWorld, FLAT } from '../world.js';
import { drawn, longest, ONE, simulate } from './simulate.js';

const MB = 2 ** 20;
const GIANT = 100 * MB;
const SMALL = 1;
const overloaded = { code: 'overloaded' };

t.test('queues a burst for up to 1.5 s and rejects the rest at once', async (t) => {
  const { come, pass, season, ended, admission } = simulate(() => 20);
  await season();
  for (let i = 0; i < 400; i++) come(SMALL);
  await pass(1);
  t.equal(drawn(ended).length + admission.queued, 152, 'two that run, and 150 that wait for 10 ms each');
  await pass(3000);
  t.equal(drawn(ended).length, 152);
  t.equal(longest(drawn(ended)), 1500);
  t.equal(longest(ended.filter(({ refused }) => refused)), 0);
});

t.test('queues the first burst of a cold server without limit', async (t) => {
  const { come, pass, ended, admission } = simulate(() => 200, { queue: 256 });
  come(SMALL);
  await pass(200);
  for (let i = 0; i < 258; i++) come(SMALL);
  await pass(1);
  t.equal(admission.queued, 256);
  await pass(26_000);
  t.equal(drawn(ended).length, 259);
});

// fault: 75
t.test('in a lasting overload the wait is short, every slot stays busy, and it recovers', async (t) => {
  const { come, pass, season, ended, now } = simulate(() => 20);
  await season();
  const began = now();
  await pass(10_000, () => come(SMALL));
  const late = ended.filter(({ came }) => came > began + 3000);
  t.ok(drawn(late).length >= 690, `${drawn(late).length} of 700 that can be drawn`);
  t.ok(longest(drawn(late)) <= 110, `${longest(drawn(late))} ms`);
  t.equal(longest(late.filter(({ refused }) => refused)), 0);
  await pass(1000 + 1500);
  ended.length = 0;
  for (let i = 0; i < 152; i++) come(SMALL);
  await pass(2000);
  t.equal(drawn(ended).length, 152, 'a burst finds its patience again');
});

t.test('slots stay busy in an overload of slow renders', async (t) => {
  const { come, pass, season, ended, now } = simulate(() => 1000);
  await season();
  const began = now();
  await pass(40_000, (time) => time % 50 === 0 && come(SMALL));
  const late = ended.filter(({ came }) => came > began + 20_000);
  t.ok(drawn(late).length >= 30, `${drawn(late).length} of 40`);
  t.ok(longest(drawn(late)) <= 5000, `four for each place: ${longest(drawn(late))} ms`);
});

t.test('never rejects 32 closed-loop clients, however slow the renders', async (t) => {
  for (const ms of [5, 150, 1000]) {
    const { come, pass, season, ended } = simulate(() => ms);
    await season();
    let isOpen = true;
    const clients = Array.from({ length: 32 }, async () => {
      while (isOpen && (await come(SMALL)));
      return isOpen;
    });
    await pass(100 * ms);
    isOpen = false;
    await pass(40 * ms);
    t.same(new Set(await Promise.all(clients)), new Set([false]), `${ms} ms`);
    t.ok(ended.length > 200, `${ended.length} drawn`);
  }
});

// fault: 75
t.test('large renders get their share of the time in an overload of small ones, and neither starves', async (t) => {
  for (const places of [1, 2, 4, 8]) {
    const { come, pass, season, ended, now } = simulate((bytes) => (bytes === GIANT ? 200 : 20), {
      concurrency: places,
    });
    await season();
    for (let i = 0; i < 4; i++) {
      come(GIANT);
      await pass(200);
    }
    const began = now();
    await pass(12_000, (time) => {
      for (let i = 0; i < places; i++) come(SMALL);
      if (time % 40 === 0) come(GIANT);
    });
    const late = drawn(ended.filter(({ came }) => came > began + 4000));
    const giants = late.filter(({ bytes }) => bytes === GIANT);
    const share = (giants.length * 200) / (8000 * places);
    t.ok(share > 0.1 && share < 0.3, `${places} places: ${share}`);
    t.ok(longest(giants) <= 3 * 800, `${longest(giants)} ms`);
    t.ok(late.length - giants.length > 250 * places, `${late.length - giants.length} small ones`);
  }
});

t.test('large renders on their own run one at a time, and some may queue', async (t) => {
  const { come, pass, ended } = simulate(() => 1000);
  for (let i = 0; i < 32; i++) come(GIANT);
  await pass(1);
  t.equal(ended.filter(({ refused }) => refused).length, 15, 'at first 16 may wait, whatever they take');
  await pass(17_000);
  t.equal(drawn(ended).length, 17);
  for (let i = 0; i < 5; i++) {
    come(GIANT);
    await pass(1000);
  }
  ended.length = 0;
  for (let i = 0; i < 20; i++) come(GIANT);
  await pass(10_000);
  t.equal(drawn(ended).length, 5);
});

// fault: 75
t.test(
  'while renders are refused, a large body is not read; a small one is, since its picture may be kept',
  async (t) => {
    const world = await createWorld(t);
    const { key, ...caller } = await world.caller({ credits: 5 });
    const large = JSON.stringify({ ...FLAT, padding: 'x'.repeat(100_000) });
    t.equal((await world.ask({ key, body: large })).status, 200);
    world.engine.reserve = () => {
      throw new ServiceError('overloaded', 'too many');
    };
    // it would be 400 if it were parsed
    for (const body of [large, '{'.repeat(100_000)]) {
      const { status, headers, json } = await world.ask({ key, body });
      t.match({ status, json }, { status: 503, json: { code: 'overloaded' } });
      t.equal(headers.get('retry-after'), '1');
    }
    t.equal((await world.ask({ key, body: FLAT })).status, 200);
    t.equal((await world.ask({ key, body: 'x'.repeat(11_000_000) })).status, 413, 'too large is too large');
    t.equal((await world.ask({ body: large })).status, 401);
    t.equal(await world.balance({ key, ...caller }), 3);
  },
);

t.test('later requests do not displace a reservation', async (t) => {
  const { admission, come, pass, season } = simulate(() => 20);
  await season();
  const permit = admission.reserve(ONE, SMALL);
  for (let i = 0; i < 400; i++) come(SMALL);
  await pass(1);
  t.throws(() => admission.reserve(ONE, SMALL), overloaded);
  t.doesNotThrow(() => admission.reserve(ONE, GIANT).release(), 'large renders have a queue of their own');
  let started = false;
  const acquired = permit.acquire(SMALL).then((leave) => {
    started = true;
    leave();
  });
  await pass(1600);
  t.ok(started);
  await acquired;
  permit.release();
  t.equal(admission.reserved, 0);
});

t.test('rejects a reservation that turns out to be large when the queue of large renders is too long', async (t) => {
  const { admission, come, pass } = simulate(() => 1000);
  come(GIANT);
  await pass(1001);
  for (let i = 0; i < 40; i++) come(GIANT);
  await pass(1);
  t.throws(() => admission.reserve(ONE, GIANT), overloaded);
  await t.rejects(admission.reserve(ONE, SMALL).acquire(GIANT), overloaded);
  t.equal(admission.reserved, 0);
});

t.test('reservations fill the queue, so only as many requests fetch assets as renders may wait', async (t) => {
  const admission = new Admission({ concurrency: 2, queue: 3, memoryBytes: 2 ** 30 });
  const permits = Array.from({ length: 6 }, () => admission.reserve(ONE, 1));
  t.throws(() => admission.reserve(ONE, 1), overloaded);
  permits[0].release();
  permits[0].release();
  t.equal(admission.reserved, 5);
  admission.reserve(ONE, 1);
  t.throws(() => admission.reserve(ONE, 1), overloaded);
});

t.test('rejects a render that has waited too long; reports a full queue before the wait', async (t) => {
  const admission = new Admission({ concurrency: 1, queue: 2, memoryBytes: 2 ** 30, maxWaitMs: 30 });
  const leave = await admission.reserve(ONE, 1).acquire(1);
  const waiting = admission.reserve(ONE, 1).acquire(1);
  const another = admission.reserve(ONE, 1).acquire(1);
  t.throws(() => admission.reserve(ONE, 1), overloaded);
  await Promise.all([t.rejects(waiting, overloaded), t.rejects(another, overloaded)]);
  t.match(admission, { running: 1, queued: 0 });
  leave();
  (await admission.reserve(ONE, 1).acquire(1))();
  t.match(admission, { running: 0, queued: 0, memory: 0, reserved: 0 });
});
