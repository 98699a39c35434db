// npm run long -- decoders|kills|nodes|renders [--count N] [--seed S] [--seconds T] [--resume | --new] [--only INDEX]
//   --resume      goes on where an interrupted run was; --new drops it
//   --seconds T   stops after so long; the run can be resumed
//   --only INDEX  runs one case again
// npm run long -- record    writes what all runs in out/long counted into docs/reliability-runs.json and docs/reliability.md
// The state of a run is in out/long/NAME.json. A finished run is recorded by itself. Exits with 1 after a failure.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../checkout.js';
import { addResult, doneOf, isFinished, type RunState, readState, runCases, saveState } from './long-run.js';
import { record } from './record.js';
import { RUNS } from './runs.js';

/** Milliseconds that the processes of an interrupted run have to end. */
const CLOSE_MS = 15_000;

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(2);
}

function wholeNumber(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) fail(`--${option}: received ${text}, expected a whole number`);
  return value;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    resume: { type: 'boolean', default: false },
    new: { type: 'boolean', default: false },
  },
});
if (positionals[0] === 'record') {
  for (const { name } of RUNS) {
    const state = readState(join(ROOT, 'out/long', `${name}.json`));
    if (state && state.next > 0) record(ROOT, state);
  }
  process.exit(0);
}
const run = RUNS.find(({ name }) => name === positionals[0]);
if (!run || positionals.length > 1) {
  fail(
    `received ${positionals.join(' ') || 'no run'}, expected one of ${RUNS.map(({ name }) => name).join(', ')}, record`,
  );
}
const path = join(ROOT, 'out/long', `${run.name}.json`);

if (values.only !== undefined) {
  const index = wholeNumber(values.only, 'only');
  const cases = await run.open(wholeNumber(values.seed ?? fail('--only needs --seed'), 'seed'));
  const { failures, totals } = await cases.run(index);
  const late = await cases.close();
  console.log(JSON.stringify({ failures: [...failures, ...late], totals }, undefined, 2));
  process.exit(failures.length + late.length > 0 ? 1 : 0);
}

const state = prepareState();
const cases = await run.open(state.seed);
let isClosing = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isClosing) process.exit(130);
    isClosing = true;
    // The case that runs is dropped, and run again after --resume: its processes may have received the signal too.
    const frozen = structuredClone(state);
    saveState(path, frozen);
    console.log(`stopped at ${doneOf(frozen)} ${frozen.unit}; go on with: npm run long -- ${frozen.run} --resume`);
    setTimeout(() => process.exit(130), CLOSE_MS).unref();
    void cases.close().finally(() => process.exit(130));
  });
}
const end = values.seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + Number(values.seconds) * 1000;
const isOver = () => isClosing || performance.now() >= end;
await runCases(state, cases, { path, print: (line) => console.log(line), isOver });
if (!isClosing) {
  const last = Math.max(0, state.next - 1);
  const failures = await cases.close();
  addResult(state, last, { failures });
  for (const message of failures) console.log(`failed: ${message}`);
  saveState(path, state);
  if (isFinished(state)) record(ROOT, state);
  console.log(`${run.name}: ${doneOf(state)} ${run.unit}, seed ${state.seed}, ${state.failures} failures`);
  process.exit(state.failures > 0 ? 1 : 0);
}

function prepareState(): RunState {
  const { name, unit, each, count } = run!;
  const old = readState(path);
  const isUnfinished = old !== undefined && !isFinished(old);
  if (values.resume) {
    if (!old) fail(`${path} has no run to resume`);
    if (values.seed !== undefined && Number(values.seed) !== old.seed) fail(`the run to resume has seed ${old.seed}`);
    if (old.each !== each)
      fail(`the run to resume has ${old.each} ${unit} in a case, now there are ${each}: add --new`);
    if (values.count !== undefined) old.count = wholeNumber(values.count, 'count');
    return old;
  }
  if (isUnfinished && !values.new) {
    fail(`${path} has an unfinished run, ${doneOf(old)} of ${old.count}: add --resume to go on, or --new to drop it`);
  }
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber(values.seed, 'seed');
  const wanted = values.count === undefined ? count : wholeNumber(values.count, 'count');
  return { run: name, seed, unit, each, count: wanted, next: 0, failures: 0, failed: [], totals: {}, seconds: 0 };
}
