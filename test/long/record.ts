// Records the counts of the long runs: docs/reliability-runs.json has an entry for each run and seed, from which the table in
// docs/reliability.md is written.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { doneOf, type RunState } from './long-run.js';
import { RUNS } from './runs.js';

export interface RecordedRun {
  readonly run: string;
  readonly seed: number;
  readonly done: number;
  readonly failures: number;
  readonly seconds: number;
  readonly totals: Readonly<Record<string, number>>;
}

const RUNS_FILE = 'docs/reliability-runs.json';
const PAGE = 'docs/reliability.md';
const START = '<!-- long runs: written by npm run long -- record -->';
const END = '<!-- end of the long runs -->';

export const readRuns = (root: string): RecordedRun[] => JSON.parse(readFileSync(join(root, RUNS_FILE), 'utf8'));

/** Adds the run, or replaces what was recorded of it before, and writes the table. */
export function record(root: string, { run, seed, failures, seconds, totals, ...state }: RunState): void {
  const entry = { run, seed, done: doneOf(state), failures, seconds: Math.round(seconds), totals };
  const others = readRuns(root).filter((other) => other.run !== run || other.seed !== seed);
  const order = (name: string) => RUNS.findIndex((each) => each.name === name);
  const all = [...others, entry].sort((a, b) => order(a.run) - order(b.run) || a.seed - b.seed);
  writeFileSync(join(root, RUNS_FILE), `${JSON.stringify(all, null, 2)}\n`);
  const page = readFileSync(join(root, PAGE), 'utf8');
  writeFileSync(join(root, PAGE), withTable(page, all));
}

/** The page with the table of these runs. */
export function withTable(page: string, runs: readonly RecordedRun[]): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the table of long runs`);
  return `${page.slice(0, start)}${START}\n\n${tableOf(runs)}\n\n${page.slice(end)}`;
}

/** Writes a line for each long run, with the counts of all its seeds added up. */
export function tableOf(runs: readonly RecordedRun[]): string {
  const rows = RUNS.map(({ name, unit, count, does }) => {
    const own = runs.filter(({ run }) => run === name);
    const sum = (figure: (run: RecordedRun) => number) => own.reduce((total, run) => total + figure(run), 0);
    const totals = new Map<string, number>();
    for (const run of own) {
      for (const [key, value] of Object.entries(run.totals)) totals.set(key, (totals.get(key) ?? 0) + value);
    }
    const done = sum((run) => run.done);
    const share = done >= count ? '' : ` of ${grouped(count)}`;
    const details = [...totals].map(([key, value]) => `${grouped(value)} ${key}`).join(', ');
    const seeds = own.map(({ seed }) => seed).join(', ') || 'none yet';
    const hours = (sum((run) => run.seconds) / 3600).toFixed(1);
    return `| \`npm run long -- ${name}\` | ${does} | ${grouped(done)}${share} ${unit} in ${hours} h${details && `: ${details}`} | ${sum((run) => run.failures)} | ${seeds} |`;
  });
  return ['| command | case | counted | failures | seeds |', '|---|---|---|---|---|', ...rows].join('\n');
}

const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
