// Text → grapheme clusters and words (UAX #29), in time that grows with the text's length alone.
// The platform's segmenter goes through all of its text for every segment: 100,000 characters at once take 15 s and
// more, in windows 0.1 s. So each window begins where a segment surely began.

/** UTF-16 units handed over at once. */
const WINDOW = 512;

/** The segments of `text`, in order; `doubtful` is how many at a window's end may come out otherwise with more text behind them. */
function segmentsOf(segmenter: Intl.Segmenter, text: string, doubtful: number): string[] {
  const segments: string[] = [];
  let start = 0;
  let window = WINDOW;
  while (start < text.length) {
    const end = wholeCharacters(text, start + window);
    const found = Array.from(segmenter.segment(text.slice(start, end)), ({ segment }) => segment);
    const sure = end < text.length ? found.slice(0, -doubtful) : found;
    for (const segment of sure) {
      segments.push(segment);
      start += segment.length;
    }
    window = sure.length > 0 ? WINDOW : 2 * window;
  }
  return segments;
}

/** `index`, or the one after it where that would part a surrogate pair. */
function wholeCharacters(text: string, index: number): number {
  return index < text.length && text.codePointAt(index - 1)! > 0xffff ? index + 1 : index;
}

// made when first asked for: the two take 7 ms to make, and most Latin texts need neither
let graphemeSegmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/**
 * Where every character is a cluster: letters and signs of Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Han, kana and
 * Hangul, and nothing that joins or clings. Measured: Arabic and Chinese are parted in a hundredth of the segmenter's time.
 */
const SINGLE =
  /^[ -~\u00a0-\u02ff\u0386-\u0482\u048a-\u0556\u0561-\u0587\u05d0-\u05ea\u060b-\u060f\u061b\u061f-\u064a\u0660-\u066f\u0671-\u06d3\u06f0-\u06f9\u1e00-\u1eff\u2010-\u2027\u2030-\u203b\u20a0-\u20bf\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/;

/** Whether every UTF-16 unit of `text` is a grapheme cluster, as far as can be told at a glance. */
export function isSingle(text: string): boolean {
  return SINGLE.test(text);
}

/** The extended grapheme clusters of `text`. */
export function graphemesOf(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  graphemeSegmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmentsOf(graphemeSegmenter, text, 1);
}

/** Signs that join a consonant to the next one: the viramas of Devanagari to Sinhala, of Burmese and Khmer. */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]/;
const ENDS_IN_VIRAMA = new RegExp(`${VIRAMA.source}\\u200d?$`);
const LETTER = /^\p{L}/u;

/** The grapheme clusters of `text`, those of a conjunct in one: what one face must show. UAX #29 parts some conjuncts, as Tamil's. */
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

/** The words of `text` and what lies between them; by dictionary in scripts written without blanks. */
export function wordsOf(text: string): string[] {
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return segmentsOf(wordSegmenter, text, 4);
}
