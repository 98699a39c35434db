// Canonical decomposition of a character by one step, and composition of two (Unicode 17, section 3.11). Hangul syllables,
// which follow from their code points, are not among them.
import { DECOMPOSITIONS, EXCLUSIONS } from './shaping-data.js';
import { lookupOf } from './table.js';

export interface Decomposition {
  readonly first: number;
  /** 0 if a single character replaces another. */
  readonly second: number;
}

const isExcluded = lookupOf(EXCLUSIONS);
let decompositions: ReadonlyMap<number, Decomposition> | undefined;
let compositions: ReadonlyMap<number, number> | undefined;

function readDecompositions(): Map<number, Decomposition> {
  let codePoint = 0;
  return new Map(
    DECOMPOSITIONS.split(' ').map((entry) => {
      const [distance, first, second = 0] = entry.split(',').map((number) => Number.parseInt(number, 36));
      codePoint += distance;
      return [codePoint, { first, second }];
    }),
  );
}

/** Returns the decomposition of a character; undefined if it has none. */
export function decompose(codePoint: number): Decomposition | undefined {
  if (codePoint < 0xc0) return undefined;
  decompositions ??= readDecompositions();
  return decompositions.get(codePoint);
}

const pairKey = (first: number, second: number) => first * 0x110000 + second;

/** The character that the two compose to; undefined if there is none. */
export function compose(first: number, second: number): number | undefined {
  decompositions ??= readDecompositions();
  compositions ??= new Map(
    Array.from(decompositions)
      .filter(([codePoint, parts]) => parts.second > 0 && !isExcluded(codePoint))
      .map(([codePoint, parts]) => [pairKey(parts.first, parts.second), codePoint]),
  );
  return compositions.get(pairKey(first, second));
}
