// Ends truncated text with an ellipsis.

import type { CheckTime } from '../stage-budget.js';
import { spanAt, type WrappedLine } from './line.js';
import type { BlockFonts } from './line-box.js';
import { LineMeasurer } from './measure.js';
import { type SpanRange, styledParagraph } from './spans.js';
import { fits } from './wrap.js';

/** Ends truncated text. */
export const ELLIPSIS = '\u2026';

/** Ends the line with an ellipsis in the style of its last span: removes trailing spaces, then clusters until it fits. */
export function ellipsize(
  { measurer, start, spans: ranges, range, indent }: WrappedLine,
  fonts: BlockFonts,
  width: number,
  check: CheckTime,
): WrappedLine {
  const available = width - indent;
  const { paragraph, tab } = measurer;
  const { wordBreak, levels, text } = paragraph;
  const previousBreak = (index: number) => {
    do index--;
    while (index > range.start && wordBreak[index] === 0);
    return index;
  };
  let end = range.start + text.slice(range.start, range.end).trimEnd().length;
  // don't shape text that can't fit, even if truncation makes the last glyphs an em narrower
  const slack = fonts.spans.reduce((most, { size }) => Math.max(most, size), 0);
  while (end > range.start && measurer.width(range.start, end) > available + slack) end = previousBreak(end);
  for (;;) {
    const visibleText = text.slice(range.start, end) + ELLIPSIS;
    check(visibleText.length);
    const spans = cut(ranges, range.start, end, visibleText.length);
    const truncated = styledParagraph(visibleText, spans, fonts.spans, undefined, levels.base);
    const sized = truncated.fonts.map((span) => fonts.spans[span]);
    const cutMeasurer = new LineMeasurer(truncated.paragraph, sized, tab, spans);
    const cutWidth = cutMeasurer.width(0, visibleText.length);
    if (end <= range.start || fits(cutWidth, available)) {
      return {
        measurer: cutMeasurer,
        start: start + range.start,
        spans,
        range: {
          start: 0,
          end: visibleText.length,
          inkEnd: visibleText.length,
          width: cutWidth,
          hasHyphen: false,
          isMidWord: false,
        },
        indent,
        sourceEnd: end - range.start,
      };
    }
    end = previousBreak(end);
  }
}

/** The spans of the text from `start` to `end`; the last one extends to `length`. */
function cut(ranges: readonly SpanRange[], start: number, end: number, length: number): SpanRange[] {
  const visibleRanges = ranges
    .filter((each) => each.start < end && each.end > start)
    .map((each) => ({
      ...each,
      start: Math.max(0, each.start - start),
      end: Math.min(end, each.end) - start,
      before: each.start < start ? undefined : each.before,
      after: each.end > end ? undefined : each.after,
    }));
  const last = visibleRanges.pop() ?? { span: spanAt(ranges, start) };
  return [...visibleRanges, { ...last, start: visibleRanges.at(-1)?.end ?? 0, end: length }];
}
