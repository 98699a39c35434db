// text-transform: letters' case by Unicode's rules, without a locale (ß → SS, final sigma, titlecase digraphs).
import { wordsOf } from './segmentation.js';

export type TextTransform = 'none' | 'uppercase' | 'lowercase' | 'capitalize';

/** The digraphs whose titlecase is a letter of its own, by their upper- and lower-case forms (UnicodeData.txt). */
const TITLECASE = new Map([
  ['Ǆ', 'ǅ'],
  ['ǆ', 'ǅ'],
  ['Ǉ', 'ǈ'],
  ['ǉ', 'ǈ'],
  ['Ǌ', 'ǋ'],
  ['ǌ', 'ǋ'],
  ['Ǳ', 'ǲ'],
  ['ǳ', 'ǲ'],
]);

/** Signs after which browsers begin a new word where UAX #29 sees one word: `foo.bar` → `Foo.Bar`. */
const WORD_PARTS = /(?<=[.:\ufe55\uff0e\uff1a])/;

export function transformText(text: string, transform: TextTransform): string {
  switch (transform) {
    case 'none':
      return text;
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return wordsOf(text)
        .flatMap((word) => word.split(WORD_PARTS))
        .map(capitalize)
        .join('');
  }
}

function capitalize(word: string): string {
  const [first = ''] = word;
  return titlecase(first) + word.slice(first.length);
}

/** The character's simple titlecase, as browsers take it: what would expand (ß, ŉ, ﬁ) and Georgian stay as they are. */
function titlecase(character: string): string {
  const digraph = TITLECASE.get(character);
  if (digraph) return digraph;
  if (/^[\p{Lt}\u10d0-\u10ff]/u.test(character)) return character;
  // ᾳ and its kin have a titlecase of one letter, eight further on or in a place of its own
  if (/^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7]/.test(character)) {
    return String.fromCharCode(character.charCodeAt(0) + 8);
  }
  if (/^[\u1fb3\u1fc3\u1ff3]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 9);
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}
