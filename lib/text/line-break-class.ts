// Line breaking classes (UAX #14): splits text into characters with their combining marks, each with its class.
import { CLASS_RUNS, CLASSES, SIGNS, WIDTH_RUNS } from './line-break-data.js';

export type LineClass = (typeof CLASSES)[number];

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

/** A property table as runs of code points with the same value. */
interface RunTable {
  /** The first code point of each run. */
  readonly starts: Uint32Array;
  /** Each run's value, as one character. */
  readonly signs: readonly string[];
}

function unpack(packed: string): RunTable {
  const runs = packed.split(' ');
  const starts = new Uint32Array(runs.length);
  let next = 0;
  runs.forEach((run, i) => {
    starts[i] = next;
    next += run.length > 1 ? Number.parseInt(run.slice(1), 36) : 1;
  });
  return { starts, signs: runs.map((run) => run[0]) };
}

/** Looks up the code point's value by binary search. */
function lookUp({ starts, signs }: RunTable, codePoint: number): string {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= codePoint) low = middle;
    else high = middle - 1;
  }
  return signs[low];
}

let classRuns: RunTable | undefined;
let widthRuns: RunTable | undefined;
const cache = new Map<number, Pick<LineUnit, 'class' | 'isWide'>>();

function propertiesOf(codePoint: number): Pick<LineUnit, 'class' | 'isWide'> {
  let properties = cache.get(codePoint);
  if (!properties) {
    classRuns ??= unpack(CLASS_RUNS);
    widthRuns ??= unpack(WIDTH_RUNS);
    properties = {
      class: CLASSES[SIGNS.indexOf(lookUp(classRuns, codePoint))],
      isWide: lookUp(widthRuns, codePoint) === '+',
    };
    cache.set(codePoint, properties);
  }
  return properties;
}

/** Classes that combining marks do not attach to (LB9). */
const NO_MARKS: ReadonlySet<LineClass> = new Set(['BK', 'CR', 'LF', 'NL', 'SP', 'ZW']);

/** Splits `text` into units. `smallKana` is the class of small kana (CJ): NS for strict, ID for normal line breaking (LB1). */
export function lineUnits(text: string, smallKana: 'ID' | 'NS'): LineUnit[] {
  const units: LineUnit[] = [];
  let start = 0;
  for (const character of text) {
    const { class: original, isWide } = propertiesOf(character.codePointAt(0)!);
    const isMark = original === 'CM' || original === 'ZWJ';
    const endsInJoiner = original === 'ZWJ';
    const base = units.at(-1);
    if (isMark && base && !NO_MARKS.has(base.class)) base.endsInJoiner = endsInJoiner;
    else units.push({ class: isMark ? 'AL' : original === 'CJ' ? smallKana : original, start, isWide, endsInJoiner });
    start += character.length;
  }
  return units;
}
