// Where the lines of a paragraph may end: UAX #14, and between words by dictionary in scripts written without blanks.
import LineBreaker from 'linebreak';

/** Scripts whose words are not parted by blanks and that UAX #14 leaves to a dictionary (class SA). */
const DICTIONARY_SCRIPT = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const words = new Intl.Segmenter('th', { granularity: 'word' });

/** 1 at every UTF-16 index before which a line may be broken; never at 0 or at the end. */
export function breakOpportunities(text: string): Uint8Array {
  const allowed = new Uint8Array(text.length + 1);
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) allowed[next.position] = 1;
  for (const { 0: stretch, index } of text.matchAll(DICTIONARY_SCRIPT)) {
    for (const word of words.segment(stretch)) if (word.index > 0) allowed[index + word.index] = 1;
  }
  allowed[0] = 0;
  allowed[text.length] = 0;
  return allowed;
}
