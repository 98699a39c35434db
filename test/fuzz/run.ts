// The fuzzing loop: derives each input from seed and number only; confirms, minimises and saves failures.
import { join } from 'node:path';
import { CORPUS, keep, minimise } from './corpus.js';
import type { Failure } from './judge.js';
import { createRandom } from './random.js';
import type { Seed, SeedOptions } from './seeds.js';
import { Statistics } from './statistics.js';
import { createSubject } from './subject.js';
import { TARGETS, type Target } from './targets.js';
import { Trials } from './trial.js';
import { startWatch } from './watch.js';

export interface FuzzOptions extends SeedOptions {
  readonly seed: string;
  /** Ends after so long, or so many inputs of each target, whichever comes first. */
  readonly seconds: number;
  readonly most?: number;
  /** The number of the first input. */
  readonly from?: number;
  /** All unless given. */
  readonly targets?: readonly string[];
  /** For one render. */
  readonly deadlineMs: number;
  readonly print: (line: string) => void;
  /** Whether failures are written into the corpus. */
  readonly keep: boolean;
}

/** Failures of one kind, with one first line, that are written down. */
const SAME = 2;
const MINIMISE_MS = 20_000;

/** Runs, and gives what it found. */
export async function fuzz(options: FuzzOptions): Promise<Statistics> {
  const { root, seed, seconds, most = Number.POSITIVE_INFINITY, from = 0, print } = options;
  const chosen = TARGETS.filter(({ name }) => options.targets?.includes(name) ?? true);
  const subject = createSubject(options);
  const trials = new Trials(root, subject);
  const statistics = new Statistics();
  const watch = startWatch();
  const seen = new Map<string, number>();
  const planted = await Promise.all(chosen.map(async (target) => ({ target, seeds: await target.seeds(options) })));
  await trials.prepare(chosen);
  const end = performance.now() + seconds * 1000;
  try {
    for (let number = from; number < from + most && performance.now() < end; number++) {
      for (const { target, seeds } of planted) {
        if (performance.now() > end) break;
        const input = inputOf(target, seeds, seed, number);
        watch.look(join(root, CORPUS, target.name, `still-${seed}-${number}.${target.extension}`), input);
        const verdict = await trials.run(target, input);
        statistics.add(target.name, number, verdict);
        if (verdict.failure) await report(target, input, number, verdict.failure);
      }
    }
  } finally {
    subject.renew();
    await watch.end();
  }
  statistics.processes = subject.started;
  return statistics;

  async function report(target: Target, input: Uint8Array, number: number, failure: Failure): Promise<void> {
    const signature = `${target.name} ${failure.kind} ${failure.detail.slice(0, 60).replace(/\d+/g, '0')}`;
    const count = (seen.get(signature) ?? 0) + 1;
    seen.set(signature, count);
    if (count > SAME) return;
    const fails = async (candidate: Uint8Array) => {
      subject.renew();
      return (await trials.run(target, candidate)).failure?.kind === failure.kind;
    };
    const alone = await fails(input);
    print(`${target.name} ${number}: ${failure.kind}${alone ? '' : ' (not when it comes alone)'}: ${failure.detail}`);
    const small = alone && failure.kind !== 'hang' ? await minimise(input, fails, MINIMISE_MS) : input;
    if (options.keep) print(`  ${keep(root, target, failure, `${seed}-${number}`, small)}, ${small.length} bytes`);
    print(`  npm run fuzz -- --seed ${seed} --target ${target.name} --only ${number}`);
  }
}

/** Mostly one change of one seed; now and then a change of a change. */
export function inputOf(target: Target, seeds: readonly Seed[], seed: string, number: number): Uint8Array {
  const random = createRandom(`${seed} ${target.name} ${number}`);
  const all = seeds.map(({ bytes }) => bytes);
  let input = random.pick(all);
  do input = target.mutate(random, input, all);
  while (random.oneIn(6));
  return input;
}
