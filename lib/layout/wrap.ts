// Greedy line wrapping, as browsers do for `white-space: pre-wrap; overflow-wrap: break-word`.
import type { LineMeasurer } from './measure.js';

/** The range of a paragraph that one line shows. */
export interface LineRange {
  readonly start: number;
  /** Includes the spaces that hang at the line's end. */
  readonly end: number;
  /** Excludes them. */
  readonly inkEnd: number;
  /** Pixels from start to inkEnd, with the hyphen if one is shown. */
  readonly width: number;
  /** Whether the line ends at a soft hyphen, which is then shown. */
  readonly hasHyphen: boolean;
  /** Whether the line ends inside a word. */
  readonly isMidWord: boolean;
}

/** Spaces that hang at the end of a wrapped line and don't count: spaces, tabs and wider spaces, but no no-break spaces. */
const HANGING = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;
const SOFT_HYPHEN = '\u00ad';

export interface WrapOptions {
  /** Pixels; Infinity for `white-space: pre`. */
  readonly available: number;
  /** Pixels. */
  readonly hyphenWidth: number;
}

export function wrapParagraph(measurer: LineMeasurer, options: WrapOptions): LineRange[] {
  const { text, breakBefore } = measurer.paragraph;
  // with `white-space: pre` the paragraph is one line
  if (options.available === Infinity) return [lineOf(measurer, 0, text.length, options, false)];
  const lines: LineRange[] = [];
  let start = 0;
  let next = 0;
  // find the widest line from each start; `next` is the first untried break opportunity, so that none is searched twice
  do {
    let best: LineRange | undefined;
    for (;;) {
      if (next <= start) next = nextOpportunity(breakBefore, start);
      const line = lineOf(measurer, start, next, options, false);
      if (!fits(line.width, options.available)) break;
      best = line;
      if (next === text.length) break;
      next = nextOpportunity(breakBefore, next);
    }
    best ??= text.length === 0 ? lineOf(measurer, 0, 0, options, false) : breakWord(measurer, start, options);
    lines.push(best);
    start = best.end;
  } while (start < text.length);
  return lines;
}

/** The first index after `index` where a line may end, at the latest the text's end. */
function nextOpportunity(breakBefore: Uint8Array, index: number): number {
  const found = breakBefore.indexOf(1, index + 1);
  return found < 0 ? breakBefore.length - 1 : found;
}

/** Breaks an overlong word: as many clusters as fit, at least one, and the spaces after them. */
function breakWord(measurer: LineMeasurer, start: number, options: WrapOptions): LineRange {
  const { text, wordBreak, breakBefore } = measurer.paragraph;
  let end = start;
  for (let next = start + 1; next <= text.length; next++) {
    if (wordBreak[next] === 0) continue;
    const width = measurer.width(start, next);
    if (end > start && !fits(width, options.available)) break;
    // a break after a soft hyphen also needs room for the hyphen
    const hyphenWidth = text[next - 1] === SOFT_HYPHEN ? options.hyphenWidth : 0;
    if (end === start || hyphenWidth === 0 || fits(width + hyphenWidth, options.available)) end = next;
  }
  while (end < text.length && HANGING.test(text[end])) end++;
  return lineOf(measurer, start, end, options, end < text.length && breakBefore[end] === 0);
}

function lineOf(
  measurer: LineMeasurer,
  start: number,
  end: number,
  { hyphenWidth, available }: WrapOptions,
  isMidWord: boolean,
): LineRange {
  const { text } = measurer.paragraph;
  const hasHyphen = end < text.length && text[end - 1] === SOFT_HYPHEN;
  if (end === text.length) {
    // spaces at a paragraph's end hang only when they don't fit
    const width = measurer.width(start, end);
    if (fits(width, available)) return { start, end, inkEnd: end, width, hasHyphen, isMidWord };
  }
  let inkEnd = end;
  while (inkEnd > start && HANGING.test(text[inkEnd - 1])) inkEnd--;
  const width = measurer.width(start, inkEnd) + (hasHyphen ? hyphenWidth : 0);
  return { start, end, inkEnd, width, hasHyphen, isMidWord };
}

/** Whether a line fits, as browsers decide: in 64ths of a pixel, the line's width rounded up and the box's down. */
export function fits(width: number, available: number): boolean {
  return Math.ceil(width * 64 - 1e-6) <= Math.floor(available * 64 + 1e-6);
}
