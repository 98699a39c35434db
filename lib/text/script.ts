// Characters → scripts (ISO 15924), for cutting text into runs that shape alike.

const SCRIPTS: readonly (readonly [code: string, pattern: RegExp])[] = [
  ['Latn', /\p{Script=Latin}/u],
  ['Grek', /\p{Script=Greek}/u],
  ['Cyrl', /\p{Script=Cyrillic}/u],
  ['Arab', /\p{Script=Arabic}/u],
  ['Hebr', /\p{Script=Hebrew}/u],
  ['Deva', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Hani', /\p{Script=Han}/u],
  ['Hira', /\p{Script=Hiragana}/u],
  ['Kana', /\p{Script=Katakana}/u],
  ['Hang', /\p{Script=Hangul}/u],
  ['Beng', /\p{Script=Bengali}/u],
  ['Guru', /\p{Script=Gurmukhi}/u],
  ['Gujr', /\p{Script=Gujarati}/u],
  ['Orya', /\p{Script=Oriya}/u],
  ['Taml', /\p{Script=Tamil}/u],
  ['Telu', /\p{Script=Telugu}/u],
  ['Knda', /\p{Script=Kannada}/u],
  ['Mlym', /\p{Script=Malayalam}/u],
  ['Sinh', /\p{Script=Sinhala}/u],
  ['Laoo', /\p{Script=Lao}/u],
  ['Tibt', /\p{Script=Tibetan}/u],
  ['Mymr', /\p{Script=Myanmar}/u],
  ['Khmr', /\p{Script=Khmer}/u],
  ['Geor', /\p{Script=Georgian}/u],
  ['Armn', /\p{Script=Armenian}/u],
  ['Ethi', /\p{Script=Ethiopic}/u],
  ['Bopo', /\p{Script=Bopomofo}/u],
  ['Mong', /\p{Script=Mongolian}/u],
  ['Syrc', /\p{Script=Syriac}/u],
  ['Thaa', /\p{Script=Thaana}/u],
];

const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** A script of its own for text in none of the listed ones: HarfBuzz then looks for itself. */
export const OTHER = 'Zzzz';

/** The character's script; undefined for what takes its neighbour's: blanks, punctuation, marks, digits. */
export function scriptOf(character: string): string | undefined {
  if (character.length === 1) {
    const code = character.charCodeAt(0);
    if (code < 0xaa) {
      const lower = code | 0x20;
      return lower >= 0x61 && lower <= 0x7a ? 'Latn' : undefined;
    }
  }
  if (SHARED.test(character)) return undefined;
  return SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? OTHER;
}
