// Bidirectional text (UAX #9) for one paragraph: embedding levels per UTF-16 unit, and the visual order of a line's runs.
import bidiNamespace, { type Bidi } from 'bidi-js';
import { BIDI_CLASS } from '../unicode/data.js';
import { lookupOf } from '../unicode/table.js';

// for Node, the package's types declare a default export inside the default export, which does not exist
const bidi = (bidiNamespace as unknown as () => Bidi)();

/** The character that mirrors a bracket or the like in right-to-left text; null for other characters. */
export const getMirroredCharacter = (character: string): string | null => bidi.getMirroredCharacter(character);

export interface Levels {
  /** The paragraph's level, from its first strong character: 0 left to right, 1 right to left. */
  readonly base: number;
  /** The level of each UTF-16 unit; odd levels run right to left. */
  readonly byUnit: Uint8Array;
  /** Whether all levels are 0, including the base: true for most texts, and cheap to detect. */
  readonly isAllLtr: boolean;
}

/** Text without characters of right-to-left scripts and without directional formatting characters. */
const ALL_LTR = /^[\0-\u058f\u0900-\u200d\u2010-\u2029\u2030-\u2065\u2070-\ud801\ue000-\ufb1c]*$/;

const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;

const classOf = lookupOf(BIDI_CLASS);

/** A BMP character for each bidi class of supplementary characters; none for L, the class that the package gives surrogates. */
const REPRESENTATIVES = new Map<string, string>([
  ['R', '\u05d0'],
  ['AL', '\u0627'],
  ['EN', '1'],
  ['AN', '\u0660'],
  ['ET', '#'],
  ['NSM', '\u0300'],
  ['BN', '\u00ad'],
  ['ON', '!'],
]);

/**
 * Replaces a supplementary character by two BMP characters of its bidi class: the package classifies each surrogate
 * separately and would treat an emoji as a letter. Its data are of Unicode 13.
 */
function replaceAstral(character: string): string {
  const replacement = REPRESENTATIVES.get(classOf(character.codePointAt(0)!));
  return replacement === undefined ? character : replacement + replacement;
}

/** The levels of one paragraph (no paragraph separator except at its end); `base` overrides the first strong character. */
export function bidiLevels(text: string, base?: number): Levels {
  if (base !== 1 && ALL_LTR.test(text)) return { base: 0, byUnit: new Uint8Array(text.length), isAllLtr: true };
  const { levels, paragraphs } = bidi.getEmbeddingLevels(
    text.replace(ASTRAL, replaceAstral),
    base === undefined ? 'auto' : base === 1 ? 'rtl' : 'ltr',
  );
  return { base: paragraphs[0]?.level ?? base ?? 0, byUnit: levels, isAllLtr: false };
}

/** Whitespace and format characters that rule L1 resets to the paragraph's level at a line's end; separators are reset anywhere. */
const TRAILING = /[ \u00ad\u1680\u2000-\u200d\u2028-\u202e\u205f-\u206f\u3000\ufeff]|[^ -~\u00a0-\uffff]/;

/** Segment and paragraph separators (bidi classes S and B). */
const SEPARATORS = new Set('\t\v\x1f\n\r\x1c\x1d\x1e\x85\u2029');

/** The levels of the line [start, end) of a paragraph after rule L1; index 0 is `start`. */
export function lineLevels(text: string, { base, byUnit, isAllLtr }: Levels, start: number, end: number): Uint8Array {
  if (isAllLtr) return byUnit.subarray(start, end);
  const levels = byUnit.slice(start, end);
  let isTrailing = true;
  for (let i = end - 1; i >= start; i--) {
    if (SEPARATORS.has(text[i])) isTrailing = true;
    else if (!TRAILING.test(text[i])) isTrailing = false;
    if (isTrailing) levels[i - start] = base;
  }
  return levels;
}

/** Reorders items from logical to visual order, left to right (UAX #9 rule L2): reverses the runs of each level and above. */
export function visualOrder<T extends { readonly level: number }>(items: readonly T[]): T[] {
  const order = [...items];
  let highest = 0;
  let lowestOdd = Number.MAX_SAFE_INTEGER;
  for (const { level } of items) {
    highest = Math.max(highest, level);
    lowestOdd = Math.min(lowestOdd, level | 1);
  }
  for (let level = highest; level >= lowestOdd; level--) {
    for (let start = 0; start < order.length; start++) {
      if (order[start].level < level) continue;
      let end = start;
      while (end < order.length && order[end].level >= level) end++;
      for (let low = start, high = end - 1; low < high; low++, high--) {
        [order[low], order[high]] = [order[high], order[low]];
      }
      start = end;
    }
  }
  return order;
}
