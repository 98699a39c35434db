// UAX #9 for one paragraph: the level of every UTF-16 unit, and the order in which a line's runs are shown.
import bidiNamespace from 'bidi-js';

// the package's types describe a default export within the default export, which Node does not see
const bidi = (bidiNamespace as unknown as typeof bidiNamespace.default)();

export interface Levels {
  /** Of the paragraph, by its first strong character: 0 left to right, 1 right to left. */
  readonly base: number;
  /** One a UTF-16 unit; odd ones run from right to left. */
  readonly of: Uint8Array;
  /** Whether all are 0, the base too: as in most texts, and known before any is looked at. */
  readonly plain: boolean;
}

/** Nothing from the scripts that run right to left, and none of the marks that change direction. */
const PLAIN = /^[\0-\u058f\u0900-\u200d\u2010-\u2029\u2030-\u2065\u2070-\ud801\ue000-\ufb1c]*$/;

const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;

/** A character of the BMP of each bidi class that there is beyond it; none for L, which the package takes surrogates for. */
const OF_CLASS = new Map([
  ['R', '\u05d0'],
  ['AL', '\u0627'],
  ['EN', '1'],
  ['AN', '\u0660'],
  ['ET', '#'],
  ['NSM', '\u0300'],
  ['BN', '\u00ad'],
  ['ON', '!'],
]);

/** The package looks at surrogates one by one: an emoji would be a letter. Two others of its class stand in for the two. */
function standIn(character: string): string {
  // the package's table stands at Unicode 13: emoji since then are L to it, marks R
  let name = bidi.getBidiCharTypeName(character);
  if (character >= '\u{1f300}' && /\p{Extended_Pictographic}/u.test(character)) name = 'ON';
  else if (name === 'R' && /\p{Mn}/u.test(character)) name = 'NSM';
  const other = OF_CLASS.get(name);
  return other === undefined ? character : other + other;
}

/** The levels of a paragraph that holds no paragraph separator but at its end; `base` overrides the first strong character. */
export function bidiLevels(text: string, base?: number): Levels {
  if (base !== 1 && PLAIN.test(text)) return { base: 0, of: new Uint8Array(text.length), plain: true };
  const { levels, paragraphs } = bidi.getEmbeddingLevels(
    text.replace(ASTRAL, standIn),
    base === undefined ? 'auto' : base === 1 ? 'rtl' : 'ltr',
  );
  return { base: paragraphs[0]?.level ?? 0, of: levels, plain: false };
}

/** Blanks and marks that rule L1 puts at the paragraph's level at a line's end; save tabs, which it puts there anywhere. */
const TRAILING = /[ \p{Cc}\u00ad\u1680\u2000-\u200d\u2028-\u202e\u205f-\u206f\u3000\ufeff]/u;

/** Segment and paragraph separators (bidi classes S and B). */
const SEPARATORS = new Set('\t\v\x1f\n\r\x1c\x1d\x1e\x85\u2029');

/** The levels of the line [start, end) of a paragraph, once rule L1 has been applied to its blanks; index 0 is `start`. */
export function lineLevels(text: string, { base, of, plain }: Levels, start: number, end: number): Uint8Array {
  if (plain) return of.subarray(start, end);
  const levels = of.slice(start, end);
  let trailing = true;
  for (let i = end - 1; i >= start; i--) {
    if (SEPARATORS.has(text[i])) trailing = true;
    else if (!TRAILING.test(text[i])) trailing = false;
    if (trailing) levels[i - start] = base;
  }
  return levels;
}

/** Items in logical order → in visual order, from the left (UAX #9 rule L2): runs of each level and above are reversed. */
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
