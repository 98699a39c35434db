// Admission of the rows of batches: at most half of the slots, and none while single renders wait.
import t from 'tap';
import { Admission, type Release } from '../../../lib/service/admission/index.js';

const ONE = { id: 'one', weight: 1 };
const SMALL = 10;
const settle = () => new Promise((resolve) => setImmediate(resolve));

function watch(admission: Admission) {
  const entered: string[] = [];
  const leaves = new Map<string, Release>();
  const note = (name: string) => (release: Release) => {
    entered.push(name);
    leaves.set(name, release);
  };
  const never = new AbortController().signal;
  return {
    entered,
    row: (name: string, signal = never, bytes = SMALL) =>
      admission.acquireForBatch(ONE, bytes, signal).then(note(name)),
    single: (name: string) => void admission.reserve(ONE, SMALL).acquire(SMALL).then(note(name)),
    async leave(name: string) {
      leaves.get(name)?.();
      await settle();
    },
  };
}

t.test('rows get half of the slots, first come first served', async (t) => {
  const admission = new Admission({ concurrency: 5, queue: 10, memoryBytes: 1000 });
  t.equal(admission.batchConcurrency, 2);
  const { row, single, leave, entered } = watch(admission);
  for (const name of ['a', 'b', 'c']) void row(name);
  await settle();
  t.same(entered, ['a', 'b']);
  t.same(admission.batches, { queued: 1, running: 2 });
  t.match(admission, { running: 2, queued: 0, memory: 20 });
  for (const name of ['1', '2', '3']) single(name);
  await settle();
  t.same(entered, ['a', 'b', '1', '2', '3'], 'single renders get the others');
  await leave('a');
  t.same(entered.at(-1), 'c');
  for (const size of [1, 2, 3]) {
    t.equal(new Admission({ concurrency: size, queue: 1, memoryBytes: 1 }).batchConcurrency, 1);
  }
});

t.test('rows give way to single renders that wait', async (t) => {
  const admission = new Admission({ concurrency: 2, queue: 10, memoryBytes: 1000 });
  const { row, single, leave, entered } = watch(admission);
  for (const name of ['1', '2']) single(name);
  void row('a');
  void row('b');
  single('3');
  await settle();
  t.same(entered, ['1', '2']);
  await leave('1');
  t.same(entered, ['1', '2', '3']);
  await leave('2');
  t.same(entered, ['1', '2', '3', 'a']);
  single('4');
  await leave('3');
  t.same(entered, ['1', '2', '3', 'a', '4']);
  await leave('4');
  t.same(entered.at(-1), '4', 'one row at a time has half of two slots');
  await leave('a');
  t.same(entered.at(-1), 'b');
});

t.test('a row that is given up leaves its place', async (t) => {
  const admission = new Admission({ concurrency: 1, queue: 10, memoryBytes: 1000 });
  const { row, leave, entered } = watch(admission);
  const leaving = new AbortController();
  void row('a');
  const given = row('b', leaving.signal);
  void row('c');
  await settle();
  leaving.abort(new Error('left'));
  await t.rejects(given, { message: 'left' });
  t.same(admission.batches, { queued: 1, running: 1 });
  await leave('a');
  await leave('a');
  t.same(entered, ['a', 'c']);
  await leave('c');
  t.same(admission.batches, { queued: 0, running: 0 });
  await t.rejects(row('d', leaving.signal), { message: 'left' });
});

t.test('a row that needs much memory waits for it', async (t) => {
  const admission = new Admission({ concurrency: 4, queue: 10, memoryBytes: 100 });
  const { row, single, leave, entered } = watch(admission);
  single('1');
  void row('a', undefined, 95);
  await settle();
  t.same(entered, ['1']);
  await leave('1');
  t.same(entered, ['1', 'a']);
});
