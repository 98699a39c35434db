// A long run: cases in the order of their index, each decided by seed and index alone. The state is on the disk after each
// case, so an interrupted run goes on where it was.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The result of a case. */
export interface CaseResult {
  readonly failures: readonly string[];
  /** Numbers that are added up over the cases. */
  readonly totals?: Readonly<Record<string, number>>;
}

/** Something that runs cases, opened for one process. */
export interface Cases {
  run(index: number): Promise<CaseResult>;
  /** Returns a text to print beside the progress. */
  remark?(): string;
  /** Ends all processes; returns failures that show only over many cases. */
  close(): Promise<readonly string[]>;
}

export interface RunState {
  readonly run: string;
  readonly seed: number;
  /** Unit that is counted, such as `kills`. */
  readonly unit: string;
  /** Units of one case. */
  readonly each: number;
  /** Number of units that the run is to reach. */
  count: number;
  /** The index of the first case that has not been run. */
  next: number;
  failures: number;
  /** The first failures, each with the index that repeats it. */
  failed: { index: number; message: string }[];
  totals: Record<string, number>;
  /** Seconds for which cases ran. */
  seconds: number;
}

const MAX_FAILED = 50;
const SAVE_EVERY_MS = 500;

export function readState(path: string): RunState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces the file at once: a kill leaves the old state or the new one. */
export function saveState(path: string, state: RunState): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

export const doneOf = ({ next, each }: Pick<RunState, 'next' | 'each'>): number => next * each;
export const isFinished = (state: RunState): boolean => doneOf(state) >= state.count;

/** Adds a result to the state; `index` is the case that it is from. */
export function addResult(state: RunState, index: number, { failures, totals = {} }: CaseResult): void {
  state.failures += failures.length;
  for (const message of failures) if (state.failed.length < MAX_FAILED) state.failed.push({ index, message });
  for (const [name, value] of Object.entries(totals)) state.totals[name] = (state.totals[name] ?? 0) + value;
}

export interface RunOptions {
  readonly path: string;
  readonly print: (line: string) => void;
  /** Whether to stop before the next case. */
  readonly isOver: () => boolean;
  readonly now?: () => number;
  /** Milliseconds between two lines of progress. */
  readonly printEveryMs?: number;
}

/** Runs cases from `state.next` until all are done or `isOver`; keeps the state and its file up to date. */
export async function runCases(state: RunState, cases: Cases, options: RunOptions): Promise<void> {
  const { path, print, isOver, now = () => performance.now(), printEveryMs = 10_000 } = options;
  const first = state.next;
  const began = now();
  const before = state.seconds;
  let saved = began;
  let printed = began;
  while (!isFinished(state) && !isOver()) {
    const index = state.next;
    const known = state.failed.length;
    const result = await cases.run(index);
    addResult(state, index, result);
    state.next = index + 1;
    state.seconds = before + (now() - began) / 1000;
    for (const { message } of state.failed.slice(known)) {
      print(`failed: ${message}\n  npm run long -- ${state.run} --seed ${state.seed} --only ${index}`);
    }
    if (now() - saved >= SAVE_EVERY_MS || isFinished(state)) {
      saveState(path, state);
      saved = now();
    }
    if (now() - printed >= printEveryMs || isFinished(state)) {
      print(progressLine(state, (state.next - first) * state.each, now() - began, cases.remark?.()));
      printed = now();
    }
  }
  saveState(path, state);
}

/** Done, rate, time left and failures. */
export function progressLine(state: RunState, lately: number, ms: number, remark?: string): string {
  const rate = lately / Math.max(ms / 1000, 0.001);
  const left = Math.max(0, state.count - doneOf(state)) / Math.max(rate, 0.001);
  const time = `${Math.floor(left / 3600)} h ${Math.round((left % 3600) / 60)} min left`;
  const parts = [
    `${state.run}: ${doneOf(state)} of ${state.count} ${state.unit}`,
    `${rate.toFixed(1)} a second`,
    time,
    `${state.failures} failures`,
  ];
  return [...parts, ...(remark === undefined ? [] : [remark])].join(', ');
}
