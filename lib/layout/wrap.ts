// Greedy line wrapping, as browsers do for `white-space: pre-wrap; overflow-wrap: break-word`.
import type { LineMeasurer } from './measure.js';
import type { Paragraph } from './paragraph.js';

/** The range of a paragraph that one line shows. */
export interface LineRange {
  readonly start: number;
  /** Includes the spaces that hang at the line's end. */
  readonly end: number;
  /** Excludes them. */
  readonly inkEnd: number;
  /** Pixels from start to inkEnd, with the hyphen if one is shown. */
  readonly width: number;
  /** Whether the line ends in a hyphen that is shown: at a soft hyphen, or where a word is hyphenated. */
  readonly hasHyphen: boolean;
  /** Whether the line ends inside a word. */
  readonly isMidWord: boolean;
}

/** Spaces that hang at the end of a wrapped line and don't count: spaces, tabs and wider spaces, but no no-break spaces. */
const HANGING = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;
const SOFT_HYPHEN = '\u00ad';

/** The area of a paragraph's lines. */
export interface LineArea {
  /** Pixels; Infinity for `white-space: pre`. */
  readonly available: number;
  /** Part of it that the paragraph's last line may use. */
  readonly last: number;
  /** Pixels that all lines but the first have less. */
  readonly indent: number;
}

export function wrapParagraph(measurer: LineMeasurer, area: LineArea): LineRange[] {
  const lines: LineRange[] = [];
  eachLine(measurer, area, (line) => lines.push(line) > 0);
  return lines;
}

/** Passes the lines to `visit` until it returns false. Returns whether it never did. */
export function eachLine(
  measurer: LineMeasurer,
  { available, last, indent }: LineArea,
  visit: (line: LineRange) => boolean,
): boolean {
  const { text, breakBefore } = measurer.paragraph;
  // `white-space: pre` makes the paragraph one line
  if (available === Infinity) return visit(lineOf(measurer, 0, text.length, available, false));
  let start = 0;
  let next = 0;
  // find the widest line from each start; `next` is the first untried break opportunity, so that none is searched twice
  do {
    let best: LineRange | undefined;
    for (;;) {
      if (next <= start) next = nextOpportunity(breakBefore, start);
      const room = (next === text.length ? last : available) - (start > 0 ? indent : 0);
      const line = lineOf(measurer, start, next, room, false);
      if (!fits(line.width, room)) break;
      best = line;
      if (next === text.length) break;
      next = nextOpportunity(breakBefore, next);
    }
    const less = start > 0 ? indent : 0;
    best ??=
      text.length === 0
        ? lineOf(measurer, 0, 0, last, false)
        : breakWord(measurer, start, available - less, last - less);
    if (!visit(best)) return false;
    start = best.end;
  } while (start < text.length);
  return true;
}

/** Largest number of lines that browsers balance. */
export const MAX_BALANCED_LINES = 10;

/**
 * The lines of the least width that takes no more of them and breaks no word, of about the same width for that reason. Longer
 * paragraphs, and those with a word that is too long, are returned as they are. `lines`: those in `available` pixels.
 */
export function balanceLines(
  measurer: LineMeasurer,
  lines: LineRange[],
  available: number,
  indent: number,
): LineRange[] {
  if (lines.length < 2 || lines.length > MAX_BALANCED_LINES || lines.some(({ isMidWord }) => isMidWord)) return lines;
  let best = lines;
  let low = 0;
  let high = Math.floor(available * 64);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const narrower: LineRange[] = [];
    const area = { available: middle / 64, last: middle / 64, indent };
    const isBalanced = eachLine(measurer, area, (line) => narrower.push(line) <= lines.length && !line.isMidWord);
    if (isBalanced) {
      best = narrower;
      high = middle;
    } else low = middle + 1;
  }
  if (best === lines) return lines;
  // spaces at the end hang only where the text's own width has no room for them
  const { start, end, isMidWord } = best[best.length - 1];
  return [...best.slice(0, -1), lineOf(measurer, start, end, available - indent, isMidWord)];
}

/** A line for each part that no line breaks: as narrow as lines can be without breaking words. */
export function unbreakableParts(measurer: LineMeasurer): LineRange[] {
  const { text, breakBefore } = measurer.paragraph;
  const parts: LineRange[] = [];
  for (let start = 0; start < text.length; ) {
    const end = nextOpportunity(breakBefore, start);
    parts.push(lineOf(measurer, start, end, 0, false));
    start = end;
  }
  return parts;
}

/** The first index after `index` where a line may end, at the latest the text's end. */
function nextOpportunity(breakBefore: Uint8Array, index: number): number {
  const found = breakBefore.indexOf(1, index + 1);
  return found < 0 ? breakBefore.length - 1 : found;
}

/** Breaks an overlong word: as many clusters as fit, at least one, and the spaces after them. */
function breakWord(measurer: LineMeasurer, start: number, available: number, last: number): LineRange {
  const { text, wordBreak, breakBefore } = measurer.paragraph;
  let end = start;
  for (let next = start + 1; next <= text.length; next++) {
    if (wordBreak[next] === 0) continue;
    const width = measurer.width(start, next);
    if (end > start && !fits(width, next === text.length ? last : available)) break;
    // a break that shows a hyphen also needs room for it
    const hyphenWidth = showsHyphen(measurer.paragraph, next) ? measurer.hyphenWidth(next - 1) : 0;
    if (end === start || hyphenWidth === 0 || fits(width + hyphenWidth, available)) end = next;
  }
  while (end < text.length && HANGING.test(text[end])) end++;
  return lineOf(measurer, start, end, available, end < text.length && breakBefore[end] === 0);
}

function lineOf(measurer: LineMeasurer, start: number, end: number, available: number, isMidWord: boolean): LineRange {
  const { text } = measurer.paragraph;
  const hasHyphen = showsHyphen(measurer.paragraph, end);
  if (end === text.length) {
    // spaces at a paragraph's end hang only when they don't fit
    const width = measurer.width(start, end);
    if (fits(width, available)) return { start, end, inkEnd: end, width, hasHyphen, isMidWord };
  }
  let inkEnd = end;
  while (inkEnd > start && HANGING.test(text[inkEnd - 1])) inkEnd--;
  const width = measurer.width(start, inkEnd) + (hasHyphen ? measurer.hyphenWidth(end - 1) : 0);
  return { start, end, inkEnd, width, hasHyphen, isMidWord };
}

/** Whether a line that ends before `end` shows a hyphen. */
function showsHyphen({ text, hyphenBefore }: Paragraph, end: number): boolean {
  return end < text.length && (text[end - 1] === SOFT_HYPHEN || hyphenBefore?.[end] === 1);
}

/** Whether a line fits, as browsers decide: in 64ths of a pixel, the line's width rounded up and the box's down. */
export function fits(width: number, available: number): boolean {
  return roundUp(width) <= Math.floor(available * 64 + 1e-6) / 64;
}

/** The least width, in 64ths of a pixel, that a line of `width` pixels fits. */
export function roundUp(width: number): number {
  return Math.ceil(width * 64 - 1e-6) / 64;
}
