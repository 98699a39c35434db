// text-transform: locale-independent Unicode case mapping (ß → SS, final sigma, titlecase digraphs).
import { lowercase, titlecase, uppercase } from '../unicode/case-mapping.js';
import { wordsOf } from '../unicode/words.js';

export type TextTransform = 'none' | 'uppercase' | 'lowercase' | 'capitalize';

/** Punctuation after which browsers start a new word inside a UAX #29 word: `foo.bar` → `Foo.Bar`. */
const WORD_PARTS = /(?<=[.:\ufe55\uff0e\uff1a])/;

export function transformText(text: string, transform: TextTransform): string {
  switch (transform) {
    case 'none':
      return text;
    case 'uppercase':
      return uppercase(text);
    case 'lowercase':
      return lowercase(text);
    case 'capitalize':
      return wordsOf(text)
        .flatMap((word) => word.split(WORD_PARTS))
        .map(capitalize)
        .join('');
  }
}

/** Capitalises a word with simple mappings, as browsers do: characters that would expand (ß, ŉ, ﬁ) are unchanged. */
function capitalize(word: string): string {
  const [first = ''] = word;
  return titlecase(first) + word.slice(first.length);
}
