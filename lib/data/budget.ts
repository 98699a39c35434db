// Bounds of the expressions of one render. They are counted, so that the same payload ends the same way on every machine.
import { ExpressionError } from './error.js';

/** Maximum steps of all expressions: nodes that are evaluated, entries that are visited, characters by the sixteen. */
export const MAX_STEPS = 1_000_000;
/** Maximum characters of all texts that expressions make. */
export const MAX_CHARACTERS = 4_000_000;
/** Maximum entries of a list. */
export const MAX_ENTRIES = 10_000;

/** Characters that count as one step. */
const CHARACTERS_PER_STEP = 16;

export class Budget {
  #steps = MAX_STEPS;
  #characters = MAX_CHARACTERS;

  /** Throws ExpressionError when there are no more steps. */
  step(at: number, count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) {
      throw new ExpressionError(at, `the expressions take more than ${MAX_STEPS} steps, expected fewer`, true);
    }
  }

  /** Counts a text that is read. */
  read(at: number, text: string): void {
    this.step(at, 1 + Math.ceil(text.length / CHARACTERS_PER_STEP));
  }

  /** Counts a text before it is made. */
  make(at: number, length: number): void {
    this.#characters -= length;
    this.step(at, Math.ceil(length / CHARACTERS_PER_STEP));
    if (this.#characters < 0) {
      throw new ExpressionError(
        at,
        `the expressions make more than ${MAX_CHARACTERS} characters, expected fewer`,
        true,
      );
    }
  }

  /** Checks the length of a list before it is made. */
  list(at: number, length: number): void {
    this.step(at, length);
    if (length > MAX_ENTRIES) {
      throw new ExpressionError(at, `the list has ${length} entries, expected at most ${MAX_ENTRIES}`, true);
    }
  }
}
