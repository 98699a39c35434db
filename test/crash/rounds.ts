// How long the crash tests go on, and by which dice: a few rounds in the normal run; with PLATEN_CRASH_SECONDS set
// (`npm run crash`) as many as fit into that time. The same seed gives the same rounds.

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

const seconds = Number(process.env.PLATEN_CRASH_SECONDS ?? 0);
const first = Number(process.env.PLATEN_CRASH_SEED ?? 1);

/** Whether this is the long form. */
export const LONG = seconds > 0;

/** Seeds, one a round: `short` of them in the normal run, as many as the time allows in the long one. */
export function* rounds(short: number): Generator<number> {
  const end = performance.now() + seconds * 1000;
  for (let round = 0; LONG ? performance.now() < end : round < short; round++) yield first * 1_000_003 + round;
}
