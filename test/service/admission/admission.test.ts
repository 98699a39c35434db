// Admission of renders: slots, memory, the lanes for small and large renders, and their queue.
import fc from 'fast-check';
import t from 'tap';
import { Admission, type Release } from '../../../lib/service/admission/index.js';

const ONE = { id: 'one', weight: 1 };
const SMALL = 10;
const MB = 2 ** 20;
const LARGE = 100 * MB;
const overloaded = { code: 'overloaded' };

/** Records the admitted renders by name, in their order. */
function watch(admission: Admission) {
  const entered: string[] = [];
  const leaves = new Map<string, Release>();
  return {
    entered,
    async enter(name: string, bytes: number, signal?: AbortSignal) {
      const leave = await enterAdmission(admission, bytes, signal);
      entered.push(name);
      leaves.set(name, leave);
    },
    async leave(name: string) {
      leaves.get(name)?.();
      await settle();
    },
  };
}

/** Reserves a place and waits for it, as a render without remote assets does. */
async function enterAdmission(admission: Admission, bytes: number, signal?: AbortSignal): Promise<Release> {
  return admission.reserve(ONE, bytes).acquire(bytes, signal);
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

t.test('starts renders of one class in FIFO order as slots become free', async (t) => {
  const admission = new Admission({ concurrency: 2, queue: 10, memoryBytes: 1000 });
  const { enter, leave, entered } = watch(admission);
  for (const name of ['a', 'b', 'c', 'd']) enter(name, SMALL);
  await settle();
  t.same(entered, ['a', 'b']);
  t.match(admission, { running: 2, queued: 2, memory: 20 });
  await leave('b');
  await leave('b');
  t.same(entered, ['a', 'b', 'c'], 'a place given back twice is one place');
  await leave('a');
  t.same(entered, ['a', 'b', 'c', 'd']);
  await leave('c');
  await leave('d');
  t.match(admission, { running: 0, queued: 0, memory: 0 });
});

t.test('rejects at once when the queue is full, and only then', async (t) => {
  for (const queue of [0, 1, 3]) {
    const admission = new Admission({ concurrency: 1, queue, memoryBytes: 1000 });
    const { enter, leave, entered } = watch(admission);
    for (let i = 0; i <= queue; i++) enter(String(i), SMALL);
    await t.rejects(enterAdmission(admission, SMALL), overloaded);
    await leave('0');
    if (queue > 0) enter('again', SMALL);
    await settle();
    t.equal(entered.length, queue > 0 ? 2 : 1);
    t.equal(admission.queued, Math.max(0, queue));
  }
});

// fault: 73
t.test('queues by memory when slots are free', async (t) => {
  const admission = new Admission({ concurrency: 9, queue: 9, memoryBytes: 100 });
  const { enter, leave, entered } = watch(admission);
  enter('a', 60);
  enter('b', 50);
  enter('c', 10);
  await settle();
  t.same(entered, ['a'], 'none overtakes one of its own kind');
  await leave('a');
  t.same(entered, ['a', 'b', 'c']);
});

// fault: 74
t.test('running large renders never block small ones', async (t) => {
  for (const places of [1, 2, 4]) {
    const admission = new Admission({ concurrency: places, queue: 99, memoryBytes: 1000 * MB });
    const { enter, leave, entered } = watch(admission);
    for (let i = 0; i < 9; i++) enter(`large ${i}`, LARGE);
    await settle();
    t.equal(entered.length, Math.max(1, places - 1), 'large ones leave a place');
    enter('small', SMALL);
    await settle();
    t.equal(entered.at(-1), 'small');
    await leave('small');
    enter('next', 64 * MB);
    await settle();
    t.equal(entered.at(-1), 'next');
    t.ok(admission.running <= places + 1);
  }
});

// fault: 74
t.test('large renders leave a quarter of the memory to small ones', async (t) => {
  const admission = new Admission({ concurrency: 9, queue: 99, memoryBytes: 800 * MB });
  const { enter, entered } = watch(admission);
  for (const name of ['a', 'b', 'c']) enter(name, 250 * MB);
  await settle();
  t.same(entered, ['a', 'b']);
  for (const name of ['d', 'e', 'f', 'g', 'h']) enter(name, 60 * MB);
  await settle();
  t.same(entered, ['a', 'b', 'd', 'e', 'f', 'g', 'h']);
});

t.test('a stream of small renders does not starve a large one', async (t) => {
  for (const bytes of [500 * MB, 900 * MB, 1000 * MB, 5000 * MB]) {
    const admission = new Admission({ concurrency: 20, queue: 99, memoryBytes: 1000 * MB });
    const { enter, leave, entered } = watch(admission);
    const names = Array.from({ length: 30 }, (_, i) => `small ${i}`);
    for (const name of names.slice(0, 20)) enter(name, 50 * MB);
    enter('large', bytes);
    for (const name of names.slice(20)) enter(name, 50 * MB);
    await settle();
    t.equal(entered.length, 20);
    for (const name of names.slice(0, 20)) await leave(name);
    t.ok(entered.includes('large'), `${bytes / MB} MB`);
  }
});

t.test('a render above the memory limit runs alone, beside small ones in their quarter', async (t) => {
  const admission = new Admission({ concurrency: 4, queue: 9, memoryBytes: 100 * MB });
  const { enter, leave, entered } = watch(admission);
  enter('small', 30 * MB);
  enter('giant', 500 * MB);
  enter('later', SMALL);
  await settle();
  t.same(entered, ['small']);
  await leave('small');
  t.same(entered, ['small', 'giant', 'later']);
  enter('large', 65 * MB);
  enter('more', 25 * MB - SMALL);
  enter('too much', 1);
  await settle();
  t.same(entered, ['small', 'giant', 'later', 'more']);
  await leave('giant');
  t.same(entered, ['small', 'giant', 'later', 'more', 'large', 'too much']);
});

t.test('renders above a tiny memory limit run one at a time', async (t) => {
  const admission = new Admission({ concurrency: 4, queue: 9, memoryBytes: 1 });
  const { enter, leave, entered } = watch(admission);
  enter('a', SMALL);
  enter('b', SMALL);
  await settle();
  t.same(entered, ['a']);
  await leave('a');
  t.same(entered, ['a', 'b']);
});

t.test('a cancelled entry frees its queue place and unblocks those behind it', async (t) => {
  const admission = new Admission({ concurrency: 4, queue: 2, memoryBytes: 100 * MB });
  const { enter, entered } = watch(admission);
  const gone = new AbortController();
  enter('small', 30 * MB);
  const giant = enter('giant', 500 * MB, gone.signal);
  enter('later', SMALL);
  await settle();
  t.same(entered, ['small']);
  await t.rejects(enterAdmission(admission, SMALL), overloaded);
  gone.abort(new Error('gone'));
  await t.rejects(giant, { message: 'gone' });
  await settle();
  t.same(entered, ['small', 'later']);
  t.match(admission, { running: 2, queued: 0 });
  await t.rejects(enterAdmission(admission, SMALL, AbortSignal.abort(new Error('long gone'))), {
    message: 'long gone',
  });
});

// fault: 73
t.test('property: slots and memory stay within their limits, and nothing starves', async () => {
  const size = fc.constantFrom(1, 30 * MB, 64 * MB, 65 * MB, 200 * MB, 390 * MB, 400 * MB, 900 * MB);
  const step = fc.record({ bytes: size, what: fc.constantFrom('enter', 'leave', 'abort') });
  const sum = (list: { bytes: number }[]) => list.reduce((total, { bytes }) => total + bytes, 0);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (places, steps) => {
      const memoryBytes = 400 * MB;
      const admission = new Admission({ concurrency: places, queue: 1000, memoryBytes });
      const inside: { bytes: number; leave: Release }[] = [];
      const waiting: AbortController[] = [];
      for (const { bytes, what } of steps) {
        if (what === 'enter') {
          const gone = new AbortController();
          waiting.push(gone);
          enterAdmission(admission, bytes, gone.signal).then(
            (leave) => inside.push({ bytes, leave }),
            () => {},
          );
        } else if (what === 'leave') inside.shift()?.leave();
        else waiting.shift()?.abort();
        await settle();
        const small = inside.filter((render) => render.bytes <= 64 * MB);
        const large = inside.filter((render) => render.bytes > 64 * MB);
        if (inside.length > places + (large.length > 0 ? 1 : 0)) return false;
        if (large.length > 1 && sum(large) > memoryBytes * 0.75) return false;
        if (sum(small) > Math.max(memoryBytes / 4, memoryBytes - sum(large))) return false;
        if (admission.memory !== sum(inside)) return false;
      }
      for (let i = 0; i < steps.length; i++) {
        inside.shift()?.leave();
        await settle();
      }
      return admission.running === 0 && admission.queued === 0 && admission.memory === 0;
    }),
    { numRuns: 200 },
  );
});
