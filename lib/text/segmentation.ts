// Grapheme and word segmentation (UAX #29) in linear time.
// Intl.Segmenter scans its whole text for every segment: 100,000 characters take over 15 s at once, and 0.1 s in windows.
// So the text is segmented in windows that start at confirmed boundaries.

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

// created on first use: creating both takes 7 ms, and most Latin texts need neither
let graphemeSegmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/**
 * Text in which every character is a cluster: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Han, kana and Hangul
 * without combining or joining characters. Measured: Arabic and Chinese take a hundredth of the segmenter's time.
 */
const SINGLE =
  /^[ -~\u00a0-\u02ff\u0386-\u0482\u048a-\u0556\u0561-\u0587\u05d0-\u05ea\u060b-\u060f\u061b\u061f-\u064a\u0660-\u066f\u0671-\u06d3\u06f0-\u06f9\u1e00-\u1eff\u2010-\u2027\u2030-\u203b\u20a0-\u20bf\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/;

/** Whether every UTF-16 unit of `text` is a grapheme cluster, by a fast check with false negatives. */
export function isSingle(text: string): boolean {
  return SINGLE.test(text);
}

/** The extended grapheme clusters of `text`. */
export function graphemesOf(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  graphemeSegmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segment(graphemeSegmenter, text, 1);
}

/** Viramas, which join a consonant to the next one: of Devanagari to Sinhala, Burmese and Khmer. */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]/;
const ENDS_IN_VIRAMA = new RegExp(`${VIRAMA.source}\\u200d?$`);
const LETTER = /^\p{L}/u;

/** The grapheme clusters of `text`, with conjuncts joined, since one face must show them. UAX #29 splits some, as in Tamil. */
export function conjunctsOf(text: string): string[] {
  const clusters = graphemesOf(text);
  if (!VIRAMA.test(text)) return clusters;
  const joined: string[] = [];
  clusters.forEach((cluster, i) => {
    if (i > 0 && ENDS_IN_VIRAMA.test(clusters[i - 1]) && LETTER.test(cluster)) joined[joined.length - 1] += cluster;
    else joined.push(cluster);
  });
  return joined;
}

/** The words of `text` and the text between them; by dictionary in scripts written without spaces. */
export function wordsOf(text: string): string[] {
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return segment(wordSegmenter, text, 4);
}
