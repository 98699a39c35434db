// Conjuncts, and word segmentation (UAX #29) in linear time.
// Intl.Segmenter scans its whole text for every segment: 100,000 characters take over 15 s at once, and 0.1 s in windows.
// So the text is segmented in windows that start at confirmed boundaries.
import { LETTER } from '../unicode/data.js';
import { graphemesOf } from '../unicode/graphemes.js';
import { hasProperty } from '../unicode/properties.js';

/** UTF-16 units per window. */
const WINDOW_UNITS = 512;

/** Segments `text`. `lookahead`: how many segments at a window's end may still change when more text follows. */
function segment(segmenter: Intl.Segmenter, text: string, lookahead: number): string[] {
  const segments: string[] = [];
  let start = 0;
  let window = WINDOW_UNITS;
  while (start < text.length) {
    const end = skipSurrogate(text, start + window);
    const found = Array.from(segmenter.segment(text.slice(start, end)), (data) => data.segment);
    const confirmed = end < text.length ? found.slice(0, -lookahead) : found;
    for (const part of confirmed) {
      segments.push(part);
      start += part.length;
    }
    window = confirmed.length > 0 ? WINDOW_UNITS : 2 * window;
  }
  return segments;
}

/** `index`, or the next index when `index` would split a surrogate pair. */
function skipSurrogate(text: string, index: number): number {
  return index < text.length && text.codePointAt(index - 1)! > 0xffff ? index + 1 : index;
}

// created on first use: it takes 3 ms, and most texts need no words
let wordSegmenter: Intl.Segmenter | undefined;

/** Viramas, which join a consonant to the next one: of Devanagari to Sinhala, Burmese and Khmer. */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]/;
const ENDS_IN_VIRAMA = new RegExp(`${VIRAMA.source}\\u200d?$`);

/** The grapheme clusters of `text`, with conjuncts joined, since one face must show them. UAX #29 splits some, as in Tamil. */
export function conjunctsOf(text: string): string[] {
  const clusters = graphemesOf(text);
  if (!VIRAMA.test(text)) return clusters;
  const joined: string[] = [];
  clusters.forEach((cluster, i) => {
    if (i > 0 && ENDS_IN_VIRAMA.test(clusters[i - 1]) && hasProperty(cluster.codePointAt(0)!, LETTER))
      joined[joined.length - 1] += cluster;
    else joined.push(cluster);
  });
  return joined;
}

/** The words of `text` and the text between them; by dictionary in scripts written without spaces. */
export function wordsOf(text: string): string[] {
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return segment(wordSegmenter, text, 4);
}
