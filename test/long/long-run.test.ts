// The frame of the long runs: an interrupted run goes on where it was, failures name their case, memory that grows is found,
// and the table of docs/reliability.md has what was recorded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { type Cases, doneOf, isFinished, progressLine, type RunState, readState, runCases } from './long-run.js';
import { growthOf, type Sample } from './memory.js';
import { type RecordedRun, readRuns, tableOf, withTable } from './record.js';
import { RUNS } from './runs.js';
import { seedOf } from './seed-of.js';

const newState = (count: number): RunState => ({
  run: 'kills',
  seed: 5,
  unit: 'kills',
  each: 2,
  count,
  next: 0,
  failures: 0,
  failed: [],
  totals: {},
  seconds: 0,
});

/** Cases that remember which of them ran. */
function recording(ran: number[], failing: readonly number[] = []): Cases {
  return {
    async run(index) {
      ran.push(index);
      return { failures: failing.includes(index) ? ['does not add up'] : [], totals: { charges: index } };
    },
    close: async () => [],
  };
}

t.test('an interrupted run goes on where it was, from the state on the disk', async (t) => {
  const path = join(t.testdir({}), 'out/long/kills.json');
  const ran: number[] = [];
  const lines: string[] = [];
  const options = { path, print: (line: string) => lines.push(line), printEveryMs: 0 };
  const first = newState(20);
  await runCases(first, recording(ran, [3]), { ...options, isOver: () => ran.length >= 4 });
  t.same(ran, [0, 1, 2, 3]);
  const second = readState(path)!;
  t.same(second, first);
  t.equal(isFinished(second), false);
  await runCases(second, recording(ran), { ...options, isOver: () => false });
  t.same(ran, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'no case is repeated or left out');
  const state = readState(path)!;
  t.ok(isFinished(state));
  t.match(state, { failures: 1, failed: [{ index: 3, message: 'does not add up' }], totals: { charges: 45 } });
  t.equal(doneOf(state), 20);
  t.ok(lines.includes('failed: does not add up\n  npm run long -- kills --seed 5 --only 3'));
  t.match(lines.at(-1), /^kills: 20 of 20 kills, [\d.]+ a second, 0 h 0 min left, 1 failures$/);
});

t.test('a killed run loses nothing that its state counts', async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'state.json');
  const script = join(folder, 'run.ts');
  const module = join(ROOT, 'test/long/long-run.ts');
  writeFileSync(
    script,
    `import { runCases } from ${JSON.stringify(module)};
    const state = ${JSON.stringify(newState(1e9))};
    const run = async (index) => { await new Promise((done) => setTimeout(done, 5)); return { failures: [], totals: { ran: 1, sum: index } }; };
    await runCases(state, { run, close: async () => [] }, { path: ${JSON.stringify(path)}, print: () => {}, isOver: () => false });`,
  );
  const loader = join(ROOT, 'test/loader/register.mjs');
  const child = spawn(process.execPath, ['--import', loader, script], { stdio: ['ignore', 'inherit', 'inherit'] });
  while (!existsSync(path)) await new Promise((done) => setTimeout(done, 20));
  await new Promise((done) => setTimeout(done, 100));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { next, totals } = readState(path)!;
  t.ok(next > 0);
  t.same(totals, { ran: next, sum: (next * (next - 1)) / 2 }, 'the totals are those of the cases before `next`');
});

t.test('a line of progress has the rate and the time left', (t) => {
  const state = { ...newState(10_000), next: 100 };
  const line = progressLine(state, 100, 50_000, 'server 100 MiB');
  t.equal(line, 'kills: 200 of 10000 kills, 2.0 a second, 1 h 22 min left, 0 failures, server 100 MiB');
  t.end();
});

t.test('seed and index decide a case', (t) => {
  t.equal(seedOf(5, 17), seedOf(5, 17));
  const seen = new Set<number>();
  for (let seed = 0; seed < 20; seed++) for (let index = 0; index < 500; index++) seen.add(seedOf(seed, index));
  t.equal(seen.size, 10_000, 'neighbours have no case in common');
  t.end();
});

t.test('finds memory that grows, and allows what varies', (t) => {
  const mebibyte = 2 ** 20;
  const series = (figure: (i: number) => number): Sample[] =>
    Array.from({ length: 100 }, (_, i) => ({ server: figure(i) * mebibyte, processes: 300 * mebibyte }));
  t.same(growthOf(series((i) => 150 + (i % 7) * 5)), []);
  t.same(growthOf(series((i) => (i < 25 ? 80 + i * 4 : 180))), [], 'the first quarter may grow');
  t.same(growthOf(series((i) => 150 + 2 * i)), ['memory of the server grew from 224 MiB to 324 MiB']);
  t.same(growthOf(series((i) => 150 + i).slice(0, 10)), [], 'too few samples');
  t.end();
});

t.test('docs/reliability.md has the table of docs/reliability-runs.json', (t) => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
  const runs = readRuns(ROOT);
  t.equal(withTable(page, runs), page, 'npm run long -- record writes it');
  const names = RUNS.map(({ name }) => name);
  for (const { run, seed, done, failures } of runs) {
    t.ok(names.includes(run), run);
    t.ok(Number.isSafeInteger(seed) && done > 0 && failures >= 0, `${run} ${seed}`);
  }
  t.equal(new Set(runs.map(({ run, seed }) => `${run} ${seed}`)).size, runs.length, 'a run and seed is there once');
  t.end();
});

t.test('the table adds up the counts of all seeds', (t) => {
  const entry = { run: 'kills', failures: 1, seconds: 1800, totals: { charges: 1500 } };
  const runs: RecordedRun[] = [
    { ...entry, seed: 5, done: 9000 },
    { ...entry, seed: 6, done: 200 },
  ];
  const row = tableOf(runs)
    .split('\n')
    .find((line) => line.includes('-- kills'));
  t.match(row, '| 9,200 of 10,000 kills in 1.0 h: 3,000 charges | 2 | 5, 6 |');
  t.match(tableOf(runs), '| 0 of 1,000,000 renders in 0.0 h | 0 | none yet |');
  t.end();
});
