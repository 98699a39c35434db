// Where the lines of a paragraph may end: UAX #14, and between words by dictionary in scripts written without blanks.
import { lineBreaks } from './line-break.js';
import { lineUnits } from './line-break-class.js';
import { wordsOf } from './segmentation.js';

/** Scripts whose words are not parted by blanks and for which there is a dictionary, with joiners within their words. */
const DICTIONARY_SCRIPT =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}][\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u200c\u200d]*/gu;

/** 1 at every UTF-16 index before which a line may be broken; never at 0 or at the end. */
export function breakOpportunities(text: string): Uint8Array {
  // small kana may begin a line, as in browsers: CSS `line-break: normal`
  const units = lineUnits(text, 'ID');
  const allowed = lineBreaks(text, units);
  const wordStarts = new Set<number>();
  for (const { 0: stretch, index } of text.matchAll(DICTIONARY_SCRIPT)) {
    let start = index;
    for (const word of wordsOf(stretch)) {
      wordStarts.add(start);
      start += word.length;
    }
  }
  if (wordStarts.size === 0) return allowed;
  // the dictionary has a say only where two letters meet: not about these scripts' digits, stops and marks
  units.forEach((unit, i) => {
    if (unit.class === 'SA' && units[i - 1]?.class === 'SA' && wordStarts.has(unit.start)) allowed[unit.start] = 1;
  });
  return allowed;
}
