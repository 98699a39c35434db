// How long the tests of many nodes go on, and by which dice: moments in the normal run, with PLATEN_NODES_SECONDS set
// (`npm run nodes`) that long each.
import { dice } from '../crash/rounds.js';

const seconds = Number(process.env.PLATEN_NODES_SECONDS ?? 0);

/** Whether this is the long form. */
export const LONG = seconds > 0;

/** Where no node is to be killed: a node of one process starts in a third of the processor time of one of three. */
export const WORKERS = { RENDER_WORKERS: LONG ? '1' : '0' };

/** The dice of one test. */
export const random = dice(Number(process.env.PLATEN_NODES_SEED ?? 1));

/** Numbers rounds: `short` of them in the normal run, as many as the time allows in the long one. */
export function* rounds(short: number): Generator<number> {
  const end = performance.now() + seconds * 1000;
  for (let round = 0; LONG ? performance.now() < end : round < short; round++) yield round;
}
