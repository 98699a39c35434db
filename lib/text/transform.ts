// text-transform: letters' case by Unicode's rules, without a locale (ß → SS, final sigma, titlecase digraphs).

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

const words = new Intl.Segmenter('und', { granularity: 'word' });

export function transformText(text: string, transform: TextTransform): string {
  switch (transform) {
    case 'none':
      return text;
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return Array.from(words.segment(text), ({ segment }) => capitalize(segment)).join('');
  }
}

/** Only the first letter changes; what expands, as ß or ﬁ do, keeps its rest in lower case. */
function capitalize(word: string): string {
  const [first = ''] = word;
  const upper = TITLECASE.get(first) ?? first.toUpperCase();
  const [head = '', ...rest] = upper;
  return head + rest.join('').toLowerCase() + word.slice(first.length);
}
