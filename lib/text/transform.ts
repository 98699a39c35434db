// text-transform: locale-independent Unicode case mapping (ß → SS, final sigma, titlecase digraphs).
import { wordsOf } from './segmentation.js';

export type TextTransform = 'none' | 'uppercase' | 'lowercase' | 'capitalize';

/** Digraphs with a separate titlecase character, by their upper- and lowercase forms (UnicodeData.txt). */
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

/** Punctuation after which browsers start a new word inside a UAX #29 word: `foo.bar` → `Foo.Bar`. */
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

/** The character's simple titlecase mapping, as in browsers: Georgian and characters that would expand (ß, ŉ, ﬁ) are unchanged. */
function titlecase(character: string): string {
  const digraph = TITLECASE.get(character);
  if (digraph) return digraph;
  if (/^[\p{Lt}\u10d0-\u10ff]/u.test(character)) return character;
  // letters with iota subscript, such as ᾳ, have a single titlecase character, 8 or 9 code points later
  if (/^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7]/.test(character)) {
    return String.fromCharCode(character.charCodeAt(0) + 8);
  }
  if (/^[\u1fb3\u1fc3\u1ff3]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 9);
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}
