// The needs of scripts beyond the default: tags in the font, features, Arabic joining, Thai and Lao vowels, Hangul.
import { asciiLowercase } from '../../unicode/ascii.js';
import { type Item, markUnsafe, mergeClusters } from './buffer.js';
import { createItem, isTransparent, joiningOf } from './characters.js';
import type { CharacterMap } from './cmap.js';

/** Scripts whose syllables must be reordered, and others with special rules. */
const UNSUPPORTED = new Set(
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Mong Syrc Nkoo Adlm Rohg Mand Phag'.split(' '),
);

export const isSupportedScript = (script: string) => !UNSUPPORTED.has(script);

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr']);

export const isRightToLeftScript = (script: string | undefined) => script !== undefined && RIGHT_TO_LEFT.has(script);

const SCRIPT_TAGS = new Map([
  ['Hira', 'kana'],
  ['Laoo', 'lao '],
]);

/** The tags under which a layout table may have the script, the best first. */
export function scriptTags(script: string | undefined): string[] {
  const own = script === undefined ? [] : [SCRIPT_TAGS.get(script) ?? asciiLowercase(script)];
  return [...own, 'DFLT', 'dflt', 'latn'];
}

/** A feature, whether it applies to all glyphs, and how its lookups treat joiners. */
export interface FeatureUse {
  readonly tag: string;
  /** Applies only to the items that have its bit. */
  readonly isSelective?: boolean;
  /** Joiners break its sequences. */
  readonly keepsJoiners?: boolean;
  /** 1 if absent. */
  readonly value?: number;
}

const COMMON: readonly FeatureUse[] = ['abvm', 'blwm', 'ccmp', 'locl', 'mark', 'mkmk', 'rlig'].map((tag) => ({ tag }));
const HORIZONTAL: readonly FeatureUse[] = ['calt', 'clig', 'curs', 'dist', 'kern', 'liga', 'rclt'].map((tag) => ({
  tag,
}));

/** The forms of Arabic letters, in the order of their lookups. */
export const ARABIC_FORMS = ['isol', 'fina', 'medi', 'init'] as const;
const manual = (tag: string): FeatureUse => ({ tag, keepsJoiners: true });

/** The features of a script in stages: the lookups of one stage run in the order of the font. */
export function featureStages(script: string | undefined, rightToLeft: boolean): FeatureUse[][] {
  const direction: FeatureUse[] = rightToLeft
    ? [{ tag: 'rtla' }, { tag: 'rtlm', isSelective: true }]
    : [{ tag: 'ltra' }, { tag: 'ltrm' }];
  const fractions = ['frac', 'numr', 'dnom'].map((tag) => ({ tag, isSelective: true }));
  const start = [{ tag: 'rvrn' }];
  if (script !== 'Arab') {
    const jamo = script === 'Hang' ? ['ljmo', 'vjmo', 'tjmo'].map((tag) => ({ tag, isSelective: true })) : [];
    return [start, [...direction, ...fractions, ...jamo, ...COMMON, ...HORIZONTAL]];
  }
  const others = [...COMMON, ...HORIZONTAL].filter(({ tag }) => !ARABIC_STAGED.has(tag));
  return [
    start,
    [...direction, ...fractions, { tag: 'stch' }],
    [manual('ccmp'), manual('locl')],
    ...ARABIC_FORMS.map((tag) => [{ tag, isSelective: true, keepsJoiners: true }]),
    [manual('rlig')],
    [manual('calt')],
    [manual('rclt'), manual('liga'), manual('clig'), manual('mset'), ...others],
  ];
}

const ARABIC_STAGED = new Set(['ccmp', 'locl', 'rlig', 'calt', 'rclt', 'liga', 'clig']);

type ArabicForm = (typeof ARABIC_FORMS)[number];

/** The form of each Arabic letter, by the letters that it joins, also in the text around [start, end). */
export function arabicForms(
  items: readonly Item[],
  text: string,
  start: number,
  end: number,
): (ArabicForm | undefined)[] {
  const forms: (ArabicForm | undefined)[] = new Array(items.length).fill(undefined);
  const before = neighbour([...text.slice(Math.max(0, start - CONTEXT), start)].reverse());
  let joins = before !== undefined && (joiningOf(before) & 2) !== 0;
  let previous: number | undefined;
  items.forEach(({ codePoint }, i) => {
    if (isTransparent(codePoint)) return;
    const joining = joiningOf(codePoint);
    if (joins && (joining & 1) !== 0) {
      forms[i] = 'fina';
      if (previous !== undefined) {
        forms[previous] = forms[previous] === 'fina' ? 'medi' : 'init';
        markUnsafe(items, previous, i + 1);
      }
    } else if (joining !== 0) forms[i] = 'isol';
    joins = (joining & 2) !== 0;
    previous = i;
  });
  const after = neighbour([...text.slice(end, end + CONTEXT)]);
  if (joins && previous !== undefined && after !== undefined && (joiningOf(after) & 1) !== 0) {
    forms[previous] = forms[previous] === 'fina' ? 'medi' : 'init';
  }
  return forms;
}

/** Characters around the text that are looked at, in UTF-16 units. */
const CONTEXT = 10;

function neighbour(characters: readonly string[]): number | undefined {
  return characters.map((character) => character.codePointAt(0)!).find((codePoint) => !isTransparent(codePoint));
}

/** Arabic marks that combine with the letter before other marks do (Unicode's UTR #53). */
const MODIFIER_MARKS = new Set([
  0x654, 0x655, 0x658, 0x6dc, 0x6e3, 0x6e7, 0x6e8, 0x8ca, 0x8cb, 0x8cd, 0x8ce, 0x8cf, 0x8d3, 0x8f3,
]);

export function reorderArabicMarks(items: Item[], first: number, end: number): void {
  let start = first;
  let i = first;
  for (const [combiningClass, moved] of [
    [220, 22],
    [230, 26],
  ]) {
    while (i < end && items[i].combiningClass < combiningClass) i++;
    if (i === end) return;
    if (items[i].combiningClass > combiningClass) continue;
    let j = i;
    while (j < end && items[j].combiningClass === combiningClass && MODIFIER_MARKS.has(items[j].codePoint)) j++;
    if (i === j) continue;
    mergeClusters(items, start, j);
    const marks = items.splice(i, j - i);
    for (const mark of marks) mark.combiningClass = moved;
    items.splice(start, 0, ...marks);
    start += marks.length;
    i = j;
  }
}

/** The Hangul syllables of leading consonants, vowels and trailing consonants (Unicode, section 3.12). */
const SYLLABLES = 0xac00;
const LEADING = 0x1100;
const VOWELS = 0x1161;
/** The code point before the first trailing consonant. */
const TRAILING = 0x11a7;
const VOWEL_COUNT = 21;
const TRAILING_COUNT = 28;

const isLeading = (c: number) => (c >= 0x1100 && c <= 0x115f) || (c >= 0xa960 && c <= 0xa97c);
const isVowel = (c: number) => (c >= 0x1160 && c <= 0x11a7) || (c >= 0xd7b0 && c <= 0xd7c6);
const isTrailing = (c: number) => (c >= 0x11a8 && c <= 0x11ff) || (c >= 0xd7cb && c <= 0xd7fb);

/** Composes jamo to syllables that the font has; else they get the features of their places, in one cluster. */
export function composeSyllables(items: readonly Item[], map: CharacterMap, bitOf: (tag: string) => number): Item[] {
  const composed: Item[] = [];
  for (let i = 0; i < items.length; ) {
    const [first, second, third] = [0, 1, 2].map((k) => items[i + k]?.codePoint ?? 0);
    const start = composed.length;
    const isSyllable = first >= SYLLABLES && first < SYLLABLES + 11_172;
    const isOpen = isSyllable && (first - SYLLABLES) % TRAILING_COUNT === 0;
    const hasVowel = isLeading(first) && isVowel(second);
    const count = hasVowel ? (isTrailing(third) ? 3 : 2) : isOpen && isTrailing(second) ? 2 : 1;
    if (count === 1) {
      composed.push(items[i++]);
      continue;
    }
    const base = hasVowel ? SYLLABLES + ((first - LEADING) * VOWEL_COUNT + second - VOWELS) * TRAILING_COUNT : first;
    const last = hasVowel ? third : second;
    const syllable = base + (count === 3 || !hasVowel ? last - TRAILING : 0);
    const isModern = !hasVowel || (first <= 0x1112 && second >= VOWELS && second <= 0x1175);
    const hasTrailing = count === 3 || !hasVowel;
    const isComposable = isModern && (!hasTrailing || (last > TRAILING && last <= 0x11c2)) && map.glyph(syllable) > 0;
    composed.push(...items.slice(i, i + count));
    markUnsafe(composed, start, composed.length);
    if (hasVowel || isComposable) mergeClusters(composed, start, composed.length);
    if (isComposable) {
      const { cluster, mask } = composed[start];
      composed.splice(start, count, Object.assign(createItem(syllable, cluster), { mask }));
    } else if (hasVowel) {
      const tags = ['ljmo', 'vjmo', 'tjmo'];
      for (let k = 0; k < count; k++) composed[start + k].mask |= bitOf(tags[k]);
    }
    i += count;
  }
  return composed;
}

/** Thai and Lao: the vowel AM is a circle above, which goes before the tone marks, and a vowel after. */
export function splitSaraAm(items: readonly Item[]): Item[] {
  const split: Item[] = [];
  for (const item of items) {
    if (item.codePoint !== 0xe33 && item.codePoint !== 0xeb3) {
      split.push(item);
      continue;
    }
    const circle = createItem(item.codePoint + 0x1a, item.cluster);
    const vowel = createItem(item.codePoint - 1, item.cluster);
    circle.continues = true;
    let at = split.length;
    while (at > 0 && isAboveBase(split[at - 1].codePoint)) at--;
    split.splice(at, 0, circle);
    split.push(vowel);
    if (at < split.length - 2) mergeClusters(split, at, split.length);
    else if (at > 0) mergeClusters(split, at - 1, split.length);
  }
  return split;
}

function isAboveBase(codePoint: number): boolean {
  const thai = codePoint & ~0x80;
  return (thai >= 0xe34 && thai <= 0xe37) || (thai >= 0xe47 && thai <= 0xe4e) || thai === 0xe31 || thai === 0xe3b;
}
