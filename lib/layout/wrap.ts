// Paragraph + width → lines: greedy, as browsers break them under `white-space: pre-wrap; overflow-wrap: break-word`.
import type { LineMeasurer } from './measure.js';

/** A line's part of its paragraph. */
export interface LineRange {
  readonly start: number;
  /** With the blanks that hang at its end. */
  readonly end: number;
  /** Without them. */
  readonly inkEnd: number;
  /** Pixels from start to inkEnd, with the hyphen where one shows. */
  readonly width: number;
  /** Whether the line ends at a soft hyphen, which then shows. */
  readonly hyphen: boolean;
  /** Whether a word had to be broken to end it. */
  readonly midWord: boolean;
}

/** Blanks that hang at the end of a wrapped line and count for nothing: spaces, tabs and the wider kin, not no-break ones. */
const HANGING = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;
const SOFT_HYPHEN = '\u00ad';

export interface WrapOptions {
  /** Pixels; Infinity for `white-space: pre`. */
  readonly available: number;
  /** Pixels that a hyphen takes. */
  readonly hyphenWidth: number;
}

export function wrapParagraph(ruler: LineMeasurer, options: WrapOptions): LineRange[] {
  const { text, breakBefore } = ruler.paragraph;
  // `white-space: pre` needs no search
  if (options.available === Infinity) return [lineOf(ruler, 0, text.length, options, false)];
  const lines: LineRange[] = [];
  let start = 0;
  let next = 0;
  // the widest line of each start; `next` is the first opportunity not tried yet, so that none is looked for twice
  do {
    let best: LineRange | undefined;
    for (;;) {
      if (next <= start) next = nextOpportunity(breakBefore, start);
      const line = lineOf(ruler, start, next, options, false);
      if (!fits(line.width, options.available)) break;
      best = line;
      if (next === text.length) break;
      next = nextOpportunity(breakBefore, next);
    }
    best ??= text.length === 0 ? lineOf(ruler, 0, 0, options, false) : brokenWord(ruler, start, options);
    lines.push(best);
    start = best.end;
  } while (start < text.length);
  return lines;
}

/** The first index after `index` where a line may end: the text's end if nowhere else. */
function nextOpportunity(breakBefore: Uint8Array, index: number): number {
  const found = breakBefore.indexOf(1, index + 1);
  return found < 0 ? breakBefore.length - 1 : found;
}

/** As many clusters as fit, at least one, then the blanks that follow. */
function brokenWord(ruler: LineMeasurer, start: number, options: WrapOptions): LineRange {
  const { text, wordBreak, breakBefore } = ruler.paragraph;
  let end = start;
  for (let next = start + 1; next <= text.length; next++) {
    if (wordBreak[next] === 0) continue;
    const width = ruler.width(start, next);
    if (end > start && !fits(width, options.available)) break;
    // no room for the hyphen that would show
    const hyphen = text[next - 1] === SOFT_HYPHEN ? options.hyphenWidth : 0;
    if (end === start || hyphen === 0 || fits(width + hyphen, options.available)) end = next;
  }
  while (end < text.length && HANGING.test(text[end])) end++;
  return lineOf(ruler, start, end, options, end < text.length && breakBefore[end] === 0);
}

function lineOf(
  ruler: LineMeasurer,
  start: number,
  end: number,
  { hyphenWidth, available }: WrapOptions,
  midWord: boolean,
): LineRange {
  const { text } = ruler.paragraph;
  const hyphen = end < text.length && text[end - 1] === SOFT_HYPHEN;
  if (end === text.length) {
    // blanks at a paragraph's end only hang when they don't fit
    const width = ruler.width(start, end);
    if (fits(width, available)) return { start, end, inkEnd: end, width, hyphen, midWord };
  }
  let inkEnd = end;
  while (inkEnd > start && HANGING.test(text[inkEnd - 1])) inkEnd--;
  const width = ruler.width(start, inkEnd) + (hyphen ? hyphenWidth : 0);
  return { start, end, inkEnd, width, hyphen, midWord };
}

/** Browsers compare in 64ths of a pixel, the line's width rounded up and the box's down. */
export function fits(width: number, available: number): boolean {
  return Math.ceil(width * 64 - 1e-6) <= Math.floor(available * 64 + 1e-6);
}
