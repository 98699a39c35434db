// Finds words and paragraphs of a text, and grapheme clusters if no picture says where they are.
import type { TextRange } from '../../document/text-style.js';

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Returns the word around an offset, or the text between two words. */
export function wordAt(text: string, offset: number): TextRange {
  const segments = words.segment(text);
  const found = segments.containing(offset);
  // behind the last character of a word, that word is meant
  const before = segments.containing(Math.min(offset, text.length) - 1);
  const segment = found?.isWordLike || !before?.isWordLike ? (found ?? before) : before;
  return segment ? { start: segment.index, end: segment.index + segment.segment.length } : { start: 0, end: 0 };
}

/** Returns the end of the next word, or the start of the previous one. */
export function wordEdge(text: string, offset: number, direction: -1 | 1): number {
  const edges: number[] = [];
  for (const { index, segment, isWordLike } of words.segment(text)) {
    if (isWordLike) edges.push(direction < 0 ? index : index + segment.length);
  }
  if (direction < 0) return edges.findLast((edge) => edge < offset) ?? 0;
  return edges.find((edge) => edge > offset) ?? text.length;
}

/** Returns the text between the line ends around an offset. */
export function paragraphAt(text: string, offset: number): TextRange {
  const end = text.indexOf('\n', offset);
  return { start: offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1, end: end < 0 ? text.length : end };
}
