// The facts about a font in lists besides its names: the scripts that it covers, its main script first, its category and a
// sample text.
import type { FontCategory } from '../contract/api/fonts.js';
import { readCharacterMap } from '../text/opentype/cmap.js';
import { readTables } from '../text/opentype/data.js';
import { lowercase } from '../unicode/case-mapping.js';
import { DEFAULT_IGNORABLE, OTHER } from '../unicode/data.js';
import { hasProperty } from '../unicode/properties.js';
import {
  type Coverage,
  coverageOf,
  type HasCharacter,
  hasText,
  type LanguageTable,
  loadLanguages,
  SYMBOLS,
} from './languages.js';
import { isVariableFont } from './user-fonts.js';

/** Plain data, which is stored with a workspace's font. */
export interface Typeface {
  /** ISO 15924 codes, the main script first. */
  readonly scripts: readonly string[];
  readonly category: FontCategory;
  /** A short text in the main script. */
  readonly sample: string;
  /** Whether it has axes. */
  readonly isVariable: boolean;
}

/** Texts in common scripts: pangrams where they are short. Other scripts show the name of a language in itself. */
const SAMPLES: readonly (readonly [string, string])[] = [
  ...SYMBOLS,
  ['Latn', 'The quick brown fox jumps over the lazy dog'],
  ['Cyrl', 'Съешь же ещё этих мягких французских булок'],
  ['Grek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία'],
  ['Arab', 'نص حكيم له سر قاطع وذو شأن عظيم'],
  ['Hebr', 'דג סקרן שט בים מאוכזב'],
  ['Deva', 'हिन्दी मराठी नेपाली'],
  ['Beng', 'বাংলা অসমীয়া'],
  ['Orya', 'ଓଡ଼ିଆ'],
  ['Telu', 'తెలుగు'],
  ['Thai', 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า'],
  ['Jpan', 'いろはにほへと ちりぬるを'],
  ['Kore', '다람쥐 헌 쳇바퀴에 타고파'],
  ['Hans', '天地玄黄 宇宙洪荒'],
  ['Hant', '天地玄黃 宇宙洪荒'],
];

/** Scripts that families name in other words than Unicode does. */
const NAMES_IN_FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:JP|Japanese)\b/, 'Jpan'],
  [/\b(?:KR|Korean)\b/, 'Kore'],
  [/\b(?:SC|Simplified)\b/, 'Hans'],
  [/\b(?:TC|HK|Traditional)\b/, 'Hant'],
  [/\bOriya\b/, 'Orya'],
  [/\bBengali\b/, 'Beng'],
  [/\bEmoji\b/, 'Zsye'],
  [/\bSymbols\b/, 'Zsym'],
  [/\bMath\b/, 'Zmth'],
];

/** Scripts and a sample, from the characters of a font and the name of its family. */
export function describeCharacters(
  family: string,
  has: HasCharacter,
  table: LanguageTable,
): Pick<Typeface, 'scripts' | 'sample'> & Pick<Coverage, 'languages'> {
  const { languages, scripts } = coverageOf(has, table);
  const main = scripts.find((script) => isNamed(script, family, table)) ?? scripts[0];
  const ordered = main === undefined ? [] : [main, ...scripts.filter((script) => script !== main)];
  return { languages, scripts: ordered, sample: sampleOf(main, languages, has) };
}

/** Whether the family is named after the script, as Noto Sans Thai is. */
function isNamed(script: string, family: string, { scriptNames }: LanguageTable): boolean {
  const name = scriptNames.get(script);
  const named = name !== undefined && ` ${lowercase(family)} `.includes(` ${lowercase(name)} `);
  return named || NAMES_IN_FAMILIES.some(([pattern, named]) => named === script && pattern.test(family));
}

function sampleOf(script: string | undefined, languages: Coverage['languages'], has: HasCharacter): string {
  const texts = SAMPLES.filter(([of]) => of === script).map(([, text]) => text);
  const names = languages.filter((language) => language.script === script).map(({ ownName }) => ownName);
  const candidates = [...texts, ...names];
  return candidates.find((text) => text !== '' && hasText(has, text)) ?? firstCharacters(has);
}

/** Characters that show what a font without a script has. */
const MAX_FIRST_CHARACTERS = 12;
/** Past the last private use character of the basic plane and the planes in use. */
const SAMPLED_END = 0x20000;
/** Digits and punctuation come last: many fonts of symbols have them too. */
const LETTERS_START = 0xa1;

function firstCharacters(has: HasCharacter): string {
  const found: number[] = [];
  const collect = (start: number, end: number) => {
    for (let codePoint = start; codePoint < end && found.length < MAX_FIRST_CHARACTERS; codePoint++) {
      const isInvisible = hasProperty(codePoint, OTHER) || hasProperty(codePoint, DEFAULT_IGNORABLE);
      if (!isInvisible && has(codePoint)) found.push(codePoint);
    }
  };
  collect(LETTERS_START, SAMPLED_END);
  collect(0x21, LETTERS_START);
  return String.fromCodePoint(...found);
}

/** Reads a sanitized font. */
export async function describeTypeface(family: string, sfnt: Uint8Array): Promise<Typeface> {
  const { scripts, sample } = describeCharacters(family, charactersOf(sfnt), await loadLanguages());
  return { scripts, sample, category: categoryOf(sfnt, scripts), isVariable: isVariableFont(sfnt) };
}

/** The characters of a sanitized font. */
export function charactersOf(sfnt: Uint8Array): HasCharacter {
  const { glyph } = readCharacterMap(readTables(sfnt).get('cmap'));
  return (codePoint) => glyph(codePoint) > 0;
}

/** OS/2 panose, byte by byte: the kind of family, its serifs, and its proportion (OpenType 1.9 "OS/2"). */
const PANOSE = 32;
const [TEXT, HANDWRITTEN, DECORATIVE, PICTORIAL] = [2, 3, 4, 5];
const MONOSPACED = 9;
const FIRST_SERIF = 2;
const FIRST_SANS_SERIF = 11;
const LAST_SANS_SERIF = 15;
/** The class of OS/2 sFamilyClass: IBM's classes of typefaces. */
const FAMILY_CLASSES = new Map<number, FontCategory>([
  ...[1, 2, 3, 4, 5, 7].map((serifs): [number, FontCategory] => [serifs, 'serif']),
  [8, 'sans-serif'],
  [9, 'display'],
  [10, 'handwriting'],
  [12, 'symbol'],
]);

/** The category that the font gives itself; `other` if it gives none. */
export function categoryOf(sfnt: Uint8Array, scripts: readonly string[]): FontCategory {
  if (scripts.length > 0 && scripts.every((script) => /^Z/.test(script))) return 'symbol';
  const tables = readTables(sfnt);
  const os2 = tables.get('OS/2');
  const isFixedPitch = (tables.get('post')?.u32(12) ?? 0) !== 0;
  const [kind, serifs, , proportion] = [0, 1, 2, 3].map((at) => os2?.u8(PANOSE + at) ?? 0);
  if (isFixedPitch || (kind === TEXT && proportion === MONOSPACED)) return 'monospace';
  if (kind === HANDWRITTEN) return 'handwriting';
  if (kind === DECORATIVE) return 'display';
  if (kind === PICTORIAL) return 'symbol';
  if (kind === TEXT && serifs >= FIRST_SANS_SERIF && serifs <= LAST_SANS_SERIF) return 'sans-serif';
  if (kind === TEXT && serifs >= FIRST_SERIF && serifs < FIRST_SANS_SERIF) return 'serif';
  return FAMILY_CLASSES.get((os2?.u16(30) ?? 0) >> 8) ?? 'other';
}
