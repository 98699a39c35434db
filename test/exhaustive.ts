// How many cases of a long list, and how many rounds of an endless one, a test tries:
//   npm test                                             a small fixed sample
//   npm run test:exhaustive                              every case; a minute of each endless one
//   npm run test:exhaustive -- --seconds 300 --seed 7    as much of both as fits into the time, drawn by the seed
// scripts/exhaustive.mjs starts the files that import this one. The same seed draws the same cases in the same order.

/** Numbers in [0, 1) that follow from `seed` alone (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number in [0, `below`). */
export const roll = (random: () => number, below: number): number => Math.floor(random() * below);

/** One of `choices`. */
export const pick = <Choice>(random: () => number, choices: readonly Choice[]): Choice =>
  choices[roll(random, choices.length)];

const { PLATEN_TEST_FORM: form, PLATEN_TEST_SECONDS, PLATEN_TEST_END, PLATEN_TEST_SEED } = process.env;

/** `normal`: npm test; `sample`: exhaustive tests for a limited time; `whole`: all of them. */
export const FORM = form === 'sample' || form === 'whole' ? form : 'normal';

export const SEED = Number(PLATEN_TEST_SEED ?? 1);

/** Longest duration of one list or loop, in seconds. */
const LOOP_SECONDS = Number(PLATEN_TEST_SECONDS ?? 60);
/** When the whole run should be over, in milliseconds of Date.now(). */
const END = Number(PLATEN_TEST_END ?? Number.POSITIVE_INFINITY);

/** Whether a loop lasts for a minute or longer: time for what takes that long in each round. */
export const LONG = FORM !== 'normal' && LOOP_SECONDS >= 60;

/** Tells whether the time of a loop that begins now is over. */
function timer(): () => boolean {
  const end = Math.min(END, Date.now() + LOOP_SECONDS * 1000);
  return () => Date.now() >= end;
}

/**
 * Seeds of rounds, one each: `short` of them in the normal form, else as many as the time allows, and at least `least`. What a
 * test asserts must hold after any number of rounds from `least` on: a slow machine makes no more.
 */
export function* rounds(short: number, least = 1): Generator<number> {
  const isOver = timer();
  for (let round = 0; FORM === 'normal' ? round < short : round < least || !isOver(); round++) {
    yield SEED * 1_000_003 + round;
  }
}

/**
 * Cases of a list: `short` of them in the normal form, all in the whole one, else at least one and as many as the time
 * allows, in an order that the seed draws.
 */
export function* sample<Case>(cases: readonly Case[], short: number): Generator<Case> {
  if (FORM === 'whole') {
    yield* cases;
    return;
  }
  const random = dice(SEED);
  const isOver = timer();
  const left = [...cases];
  for (let count = 0; left.length > 0; count++) {
    if (FORM === 'normal' ? count >= short : count > 0 && isOver()) return;
    const at = roll(random, left.length);
    yield left[at];
    left[at] = left[left.length - 1];
    left.pop();
  }
}

/** Parameters of a fast-check property that the normal form tries `short` times with the seed `fixed`. */
export function runs(short: number, fixed: number): { seed: number; numRuns: number } {
  if (FORM === 'normal') return { seed: fixed, numRuns: short };
  return { seed: SEED, numRuns: FORM === 'whole' ? 20 * short : short };
}
