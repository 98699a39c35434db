// Searches for inputs that take much processor time: mutates the dearest ones further, and lets texts grow.
import { createRandom, type Random } from './random.js';
import { inputOf } from './run.js';
import type { Seed, SeedOptions } from './seeds.js';
import { createSubject } from './subject.js';
import { TARGETS, type Target } from './targets.js';
import { Trials } from './trial.js';

/** An input by the numbers of its mutations: the first one starts from a seed file, each other one from the input before. */
export type Lineage = readonly number[];

export interface Cost {
  readonly target: string;
  readonly lineage: Lineage;
  /** Milliseconds of processor time, in the render process and in the server. */
  readonly cpuMs: number;
  /** 1 for an image, 0 for an error, which costs nothing. */
  readonly credits: number;
  readonly outcome: string;
  readonly bytes: number;
}

export interface CostOptions extends SeedOptions {
  readonly seed: string;
  readonly seconds: number;
  /** Inputs of each target at most. */
  readonly most?: number;
  readonly targets?: readonly string[];
  readonly deadlineMs: number;
  /** Number of each target's most expensive inputs that are mutated further. */
  readonly survivors?: number;
}

const SURVIVORS = 12;
const MAX_GROWN_BYTES = 3_000_000;
/** Formats whose parts may be repeated without a checksum or a length that then is wrong. */
const TEXTS = new Set(['json', 'template', 'svg', 'csv']);

/** Measures inputs until the time is over. Returns the dearest of each target, the dearest first. */
export async function searchCostly(options: CostOptions): Promise<Cost[]> {
  const { root, seed, seconds, most = Number.POSITIVE_INFINITY, survivors = SURVIVORS } = options;
  const subject = createSubject(options);
  const trials = new Trials(root, subject);
  const chosen = TARGETS.filter(({ name }) => options.targets?.includes(name) ?? true);
  const searched = await Promise.all(
    chosen.map(async (target) => ({ target, seeds: await target.seeds(options), dearest: [] as Cost[] })),
  );
  await trials.prepare(chosen);
  const end = performance.now() + seconds * 1000;
  try {
    for (let number = 0; number < most && performance.now() < end; number++) {
      for (const { target, seeds, dearest } of searched) {
        if (performance.now() > end) break;
        const random = createRandom(`${seed} ${target.name} parent ${number}`);
        const parent = random.oneIn(3) ? undefined : random.pick(dearest);
        const lineage = [...(parent?.lineage ?? []), number];
        const input = costlyInput(target, seeds, seed, lineage);
        const { outcome, cpuMs, failure } = await trials.run(target, input);
        const isImage = outcome === '200' && !failure;
        dearest.push({ target: target.name, lineage, cpuMs, credits: isImage ? 1 : 0, outcome, bytes: input.length });
        dearest.sort((one, other) => other.cpuMs - one.cpuMs);
        dearest.length = Math.min(dearest.length, survivors);
      }
    }
  } finally {
    subject.renew();
  }
  return searched.flatMap(({ dearest }) => dearest).sort((one, other) => other.cpuMs - one.cpuMs);
}

/** The input of a lineage; always the same. */
export function costlyInput(target: Target, seeds: readonly Seed[], seed: string, lineage: Lineage): Uint8Array {
  const all = seeds.map(({ bytes }) => bytes);
  const [first, ...others] = lineage;
  let input = inputOf(target, seeds, seed, first);
  for (const number of others) {
    const random = createRandom(`${seed} ${target.name} ${number}`);
    input = TEXTS.has(target.name) && random.oneIn(2) ? repeatPart(random, input) : target.mutate(random, input, all);
  }
  return input;
}

/** Repeats the content of a string, or any short part of the text, up to thousands of times. */
export function repeatPart(random: Random, input: Uint8Array): Uint8Array {
  const text = Buffer.from(input).toString();
  const strings = Array.from(text.matchAll(/"((?:[^"\\]|\\.)+)"/g), ({ index, 1: content }) => [
    index + 1,
    content.length,
  ]);
  const anywhere = random.below(text.length);
  const [start, length] =
    strings.length > 0 && random.oneIn(2) ? random.pick(strings) : [anywhere, 1 + random.below(64)];
  const part = text.slice(start, start + length);
  const times = Math.min(2 ** (1 + random.below(14)), Math.floor(MAX_GROWN_BYTES / (3 * Math.max(1, part.length))));
  const grown = Buffer.from(text.slice(0, start) + part.repeat(Math.max(1, times)) + text.slice(start + length));
  return Uint8Array.from(grown.length <= MAX_GROWN_BYTES ? grown : input);
}
