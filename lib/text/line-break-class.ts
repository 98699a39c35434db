// Text → the units that UAX #14 breaks between: each character with the marks that cling to it, by its class.
import { CLASS_RUNS, CLASSES, SIGNS, WIDTH_RUNS } from './line-break-data.js';

export type LineClass = (typeof CLASSES)[number];

/** A character with what rule LB9 attaches to it. */
export interface LineUnit {
  /** A mark that has nothing to cling to is AL (LB10). */
  readonly class: LineClass;
  /** UTF-16 index. */
  readonly start: number;
  /** Whether East_Asian_Width is wide, fullwidth or halfwidth. */
  readonly wide: boolean;
  /** Whether it ends in a zero-width joiner. */
  joiner: boolean;
}

interface Runs {
  /** First code point of each run. */
  readonly starts: Uint32Array;
  readonly signs: readonly string[];
}

function unpack(packed: string): Runs {
  const runs = packed.split(' ');
  const starts = new Uint32Array(runs.length);
  let next = 0;
  runs.forEach((run, i) => {
    starts[i] = next;
    next += run.length > 1 ? Number.parseInt(run.slice(1), 36) : 1;
  });
  return { starts, signs: runs.map((run) => run[0]) };
}

/** The sign of the run that holds the code point, by binary search. */
function signOf({ starts, signs }: Runs, codePoint: number): string {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= codePoint) low = middle;
    else high = middle - 1;
  }
  return signs[low];
}

let classRuns: Runs | undefined;
let widthRuns: Runs | undefined;
const known = new Map<number, Pick<LineUnit, 'class' | 'wide'>>();

function propertiesOf(codePoint: number): Pick<LineUnit, 'class' | 'wide'> {
  let properties = known.get(codePoint);
  if (!properties) {
    classRuns ??= unpack(CLASS_RUNS);
    widthRuns ??= unpack(WIDTH_RUNS);
    properties = {
      class: CLASSES[SIGNS.indexOf(signOf(classRuns, codePoint))],
      wide: signOf(widthRuns, codePoint) === '+',
    };
    known.set(codePoint, properties);
  }
  return properties;
}

/** What no mark clings to. */
const ALONE: ReadonlySet<LineClass> = new Set(['BK', 'CR', 'LF', 'NL', 'SP', 'ZW']);

/** The units of `text`, in order. Small kana are of class `smallKana`: NS in strict setting, ID in normal (LB1). */
export function lineUnits(text: string, smallKana: 'ID' | 'NS'): LineUnit[] {
  const units: LineUnit[] = [];
  let start = 0;
  for (const character of text) {
    const { class: found, wide } = propertiesOf(character.codePointAt(0)!);
    const mark = found === 'CM' || found === 'ZWJ';
    const base = units.at(-1);
    if (mark && base && !ALONE.has(base.class)) base.joiner = found === 'ZWJ';
    else units.push({ class: mark ? 'AL' : found === 'CJ' ? smallKana : found, start, wide, joiner: found === 'ZWJ' });
    start += character.length;
  }
  return units;
}
