// Line breaking classes (UAX #14): splits text into characters with their combining marks, each with its class.
import { LINE_BREAK, WIDE } from '../unicode/data.js';
import { lookupOf, type Word } from '../unicode/table.js';

export type LineClass = Word<typeof LINE_BREAK.values>;

/** A character with the combining marks that rule LB9 attaches to it. */
export interface LineUnit {
  /** AL for a mark without a base character (LB10). */
  readonly class: LineClass;
  /** UTF-16 index. */
  readonly start: number;
  /** Whether East_Asian_Width is wide, fullwidth or halfwidth. */
  readonly isWide: boolean;
  /** Whether it ends in a zero-width joiner. */
  endsInJoiner: boolean;
}

const classOf: (codePoint: number) => LineClass = lookupOf(LINE_BREAK);
const isWide = lookupOf(WIDE);

/** Classes that combining marks do not attach to (LB9). */
const NO_MARKS: ReadonlySet<LineClass> = new Set(['BK', 'CR', 'LF', 'NL', 'SP', 'ZW']);

/** Splits `text` into units. `smallKana` is the class of small kana (CJ): NS for strict, ID for normal line breaking (LB1). */
export function lineUnits(text: string, smallKana: 'ID' | 'NS'): LineUnit[] {
  const units: LineUnit[] = [];
  let start = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    const original = classOf(codePoint);
    const isMark = original === 'CM' || original === 'ZWJ';
    const endsInJoiner = original === 'ZWJ';
    const base = units.at(-1);
    if (isMark && base && !NO_MARKS.has(base.class)) base.endsInJoiner = endsInJoiner;
    else {
      const resolved = isMark ? 'AL' : original === 'CJ' ? smallKana : original;
      units.push({ class: resolved, start, isWide: isWide(codePoint), endsInJoiner });
    }
    start += character.length;
  }
  return units;
}
