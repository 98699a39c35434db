// Characters before they become glyphs: their properties, clusters, decomposition and the order of their marks. Follows
// HarfBuzz, which prefers composed characters that the font has and else decomposes them.

import { compose, decompose } from '../../unicode/composition.js';
import { graphemesOf } from '../../unicode/graphemes.js';
import { SHAPING } from '../../unicode/shaping-data.js';
import { lookupOf } from '../../unicode/table.js';
import { type Item, mergeClusters } from './buffer.js';
import type { CharacterMap } from './cmap.js';

const lookUp = lookupOf(SHAPING);

const COMBINING_CLASS = 0xff;
const IS_MARK = 0x100;
const IS_NONSPACING = 0x200;
const IS_DECIMAL = 0x400;
const IS_TRANSPARENT = 0x800;
const JOINING_SHIFT = 12;

export const isDecimal = (codePoint: number) => (lookUp(codePoint) & IS_DECIMAL) !== 0;
export const isMarkCharacter = (codePoint: number) => (lookUp(codePoint) & IS_MARK) !== 0;
export const isTransparent = (codePoint: number) => (lookUp(codePoint) & IS_TRANSPARENT) !== 0;
/** 0 for a character that joins to none, 1 to the one before it, 2 to the one after, 3 to both. */
export const joiningOf = (codePoint: number) => lookUp(codePoint) >> JOINING_SHIFT;

/** Orders marks so that fonts can place them: Hebrew points, Arabic shadda, Thai and Lao vowels. */
const MODIFIED_CLASSES = new Map([
  [10, 22],
  [11, 15],
  [12, 16],
  [13, 17],
  [14, 23],
  [15, 18],
  [16, 19],
  [17, 20],
  [18, 21],
  [19, 14],
  [20, 24],
  [21, 12],
  [22, 25],
  [23, 13],
  [24, 10],
  [25, 11],
  [27, 28],
  [28, 29],
  [29, 30],
  [30, 31],
  [31, 32],
  [32, 33],
  [33, 27],
  [84, 0],
  [91, 0],
  [103, 3],
  [129, 129],
  [130, 132],
  [132, 131],
]);

function combiningClassOf(codePoint: number): number {
  const own = lookUp(codePoint) & COMBINING_CLASS;
  return MODIFIED_CLASSES.get(own) ?? own;
}

export function isIgnorable(codePoint: number): boolean {
  return (
    codePoint === 0xad ||
    codePoint === 0x34f ||
    codePoint === 0x61c ||
    codePoint === 0x17b4 ||
    codePoint === 0x17b5 ||
    (codePoint >= 0x180b && codePoint <= 0x180f) ||
    (codePoint >= 0x200b && codePoint <= 0x200f) ||
    (codePoint >= 0x202a && codePoint <= 0x202e) ||
    (codePoint >= 0x2060 && codePoint <= 0x206f) ||
    isSelector(codePoint) ||
    codePoint === 0xfeff ||
    (codePoint >= 0xfff0 && codePoint <= 0xfff8) ||
    (codePoint >= 0x1d173 && codePoint <= 0x1d17a) ||
    (codePoint >= 0xe0000 && codePoint <= 0xe0fff)
  );
}

function isSelector(codePoint: number): boolean {
  return (codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
}

export function createItem(codePoint: number, cluster: number): Item {
  const bits = codePoint < 0x80 ? 0 : lookUp(codePoint);
  return {
    codePoint,
    glyph: 0,
    cluster,
    mask: 0,
    unsafeToBreak: false,
    combiningClass: bits === 0 ? 0 : combiningClassOf(codePoint),
    isMark: (bits & IS_MARK) !== 0,
    isNonspacing: (bits & IS_NONSPACING) !== 0,
    isIgnorable: codePoint >= 0x80 && isIgnorable(codePoint),
    continues: false,
    props: 0,
    ligature: 0,
    component: 0,
    components: 0,
    space: 0,
    advance: 0,
    offsetX: 0,
    offsetY: 0,
    chain: 0,
    attachment: undefined,
  };
}

/** The characters of [start, end), those of a grapheme cluster in one cluster. */
export function itemsOf(text: string, start: number, end: number): Item[] {
  const items: Item[] = [];
  const part = text.slice(start, end);
  let at = start;
  for (const grapheme of graphemesOf(part)) {
    const first = at;
    for (const character of grapheme) {
      const codePoint = character.codePointAt(0)!;
      const isLone = codePoint >= 0xd800 && codePoint <= 0xdfff;
      const item = createItem(isLone ? 0xfffd : codePoint, first);
      item.continues = at > first;
      // prepended characters, Hangul jamo and conjuncts are clusters for the cursor, not for shaping
      if (item.continues && !continuesCluster(codePoint, items[items.length - 1].codePoint)) {
        item.continues = false;
        item.cluster = at;
      } else if (item.continues) item.cluster = items[items.length - 1].cluster;
      items.push(item);
      at += character.length;
    }
  }
  return items;
}

const ZERO_WIDTH_JOINER = 0x200d;

/** Whether a character that continues a grapheme cluster continues a cluster of glyphs. */
function continuesCluster(codePoint: number, before: number): boolean {
  return (
    isMarkCharacter(codePoint) ||
    codePoint === ZERO_WIDTH_JOINER ||
    (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff) ||
    (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) ||
    codePoint === 0xff9e ||
    codePoint === 0xff9f ||
    (codePoint >= 0xe0020 && codePoint <= 0xe007f) ||
    before === ZERO_WIDTH_JOINER
  );
}

/** Spaces by their width: parts of an em, or another character's width. */
export const SPACES: ReadonlyMap<number, number | 'digit' | 'period' | 'narrow' | 'space' | 'mathematical'> = new Map<
  number,
  number | 'digit' | 'period' | 'narrow' | 'space' | 'mathematical'
>([
  [0xa0, 'space'],
  [0x2000, 2],
  [0x2001, 1],
  [0x2002, 2],
  [0x2003, 1],
  [0x2004, 3],
  [0x2005, 4],
  [0x2006, 6],
  [0x2007, 'digit'],
  [0x2008, 'period'],
  [0x2009, 5],
  [0x200a, 16],
  [0x202f, 'narrow'],
  [0x205f, 'mathematical'],
  [0x3000, 1],
]);

const SPACE = 0x20;
const NON_BREAKING_HYPHEN = 0x2011;
const HYPHEN = 0x2010;

/** Marks in a row that are put in order. */
const MAX_MARKS = 32;

/**
 * Gives every item its glyph, composing and decomposing characters for which the font has none. `reorder` may move the
 * sorted marks of [start, end).
 */
export function mapCharacters(
  items: readonly Item[],
  map: CharacterMap,
  reorder?: (items: Item[], start: number, end: number) => void,
): Item[] {
  const mapped: Item[] = [];
  let hasMarks = false;
  for (let i = 0; i < items.length; ) {
    let end = i + 1;
    while (end < items.length && items[end].isMark) end++;
    if (end - i > 1) hasMarks = true;
    const isSimple = end - i === 1;
    const hasSelector = items.slice(i + 1, end).some(({ codePoint }) => isSelector(codePoint));
    for (; i < end; i++) {
      const next = items[i + 1];
      if (hasSelector && i + 1 < end && isSelector(next.codePoint)) {
        const glyph = map.variation(items[i].codePoint, next.codePoint);
        if (glyph !== undefined) {
          items[i].glyph = glyph;
          mapped.push(items[i]);
          i++;
        } else addDecomposed(items[i], map, true, mapped);
      } else addDecomposed(items[i], map, isSimple || hasSelector, mapped);
    }
  }
  if (!hasMarks) return mapped;
  for (let i = 0; i < mapped.length; ) {
    if (mapped[i].combiningClass === 0) {
      i++;
      continue;
    }
    let end = i + 1;
    while (end < mapped.length && mapped[end].combiningClass !== 0) end++;
    if (end - i <= MAX_MARKS) {
      sortMarks(mapped, i, end);
      reorder?.(mapped, i, end);
    }
    i = end;
  }
  return recompose(mapped, map);
}

/** Sorts by combining class; items that change places share a cluster. */
function sortMarks(items: Item[], start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    let to = i;
    while (to > start && items[to - 1].combiningClass > items[i].combiningClass) to--;
    if (to === i) continue;
    mergeClusters(items, to, i + 1);
    items.splice(to, 0, ...items.splice(i, 1));
  }
}

function addDecomposed(item: Item, map: CharacterMap, isShort: boolean, mapped: Item[]): void {
  const { codePoint } = item;
  const own = map.glyph(codePoint);
  const parts = isShort && own > 0 ? undefined : decomposeFully(codePoint, map, isShort);
  if (!parts) {
    item.glyph = own || replacementOf(item, map);
    mapped.push(item);
    return;
  }
  for (const part of parts) {
    const partItem = createItem(part, item.cluster);
    const continues = item.continues || part !== parts[0];
    mapped.push(Object.assign(partItem, { continues, mask: item.mask, glyph: map.glyph(part) }));
  }
}

/** The glyph of a character that stands for one that the font lacks; 0 if there is none. */
function replacementOf(item: Item, map: CharacterMap): number {
  if (SPACES.has(item.codePoint) && map.glyph(SPACE) > 0) {
    item.space = item.codePoint;
    return map.glyph(SPACE);
  }
  return item.codePoint === NON_BREAKING_HYPHEN ? map.glyph(HYPHEN) : 0;
}

/** The parts of a character, all of which the font has; undefined if there are none. */
function decomposeFully(codePoint: number, map: CharacterMap, isShort: boolean): number[] | undefined {
  const parts = decompose(codePoint);
  if (!parts || (parts.second > 0 && map.glyph(parts.second) === 0)) return undefined;
  const rest = parts.second > 0 ? [parts.second] : [];
  const hasFirst = map.glyph(parts.first) > 0;
  if (isShort && hasFirst) return [parts.first, ...rest];
  const further = decomposeFully(parts.first, map, isShort);
  if (further) return [...further, ...rest];
  return hasFirst ? [parts.first, ...rest] : undefined;
}

/** Composes base characters and marks to characters that the font has. */
function recompose(items: readonly Item[], map: CharacterMap): Item[] {
  const composed: Item[] = [];
  let starter = 0;
  for (const item of items) {
    const before = composed[composed.length - 1];
    const isBlocked =
      composed.length === 0 || (starter !== composed.length - 1 && before.combiningClass >= item.combiningClass);
    if (item.isMark && !isBlocked) {
      const base = composed[starter];
      const character = compose(base.codePoint, item.codePoint);
      const glyph = character === undefined ? 0 : map.glyph(character);
      if (character !== undefined && glyph > 0) {
        composed.push(item);
        mergeClusters(composed, starter, composed.length);
        composed.pop();
        const replacement = createItem(character, base.cluster);
        Object.assign(replacement, { glyph, mask: base.mask, continues: base.continues });
        composed[starter] = replacement;
        continue;
      }
    }
    composed.push(item);
    if (item.combiningClass === 0) starter = composed.length - 1;
  }
  return composed;
}
