// Widths of parts of a paragraph at a size: letter spacing after every cluster, tab stops every eight blanks.
import type { Paragraph } from './paragraph.js';
import type { FontStack } from './stack.js';

export interface Metrics {
  /** Pixels an em. */
  readonly size: number;
  /** Pixels after every cluster. */
  readonly letterSpacing: number;
  /** Pixels from one tab stop to the next. */
  readonly tab: number;
}

/** Blanks a tab stop (CSS `tab-size`'s initial value). */
const TAB_BLANKS = 8;

export function metricsAt(stack: FontStack, size: number, letterSpacing: number): Metrics {
  const [blank] = stack.primary.shape(' ', 0, 1, { rightToLeft: false, script: 'Latn', ligatures: true });
  return { size, letterSpacing, tab: TAB_BLANKS * (blank.advance * size + letterSpacing) };
}

/** The width in pixels of [start, end) when it begins a line. */
export function widthOf(paragraph: Paragraph, metrics: Metrics, start: number, end: number): number {
  if (!paragraph.hasTabs) return plainWidth(paragraph, metrics, start, end);
  let width = 0;
  let from = start;
  for (let tab = paragraph.text.indexOf('\t', start); tab >= 0 && tab < end; tab = paragraph.text.indexOf('\t', from)) {
    width = afterTab(width + plainWidth(paragraph, metrics, from, tab), metrics);
    from = tab + 1;
  }
  return width + plainWidth(paragraph, metrics, from, end);
}

/** Where a tab at `x` pixels from the line's start leads: the next stop, or the one after when that is under half a blank off. */
export function afterTab(x: number, { tab }: Metrics): number {
  if (!(tab > 0)) return x;
  const next = (Math.floor(x / tab) + 1) * tab;
  return next - x < tab / TAB_BLANKS / 2 ? next + tab : next;
}

function plainWidth(
  { advanceBefore, clustersBefore }: Paragraph,
  metrics: Metrics,
  start: number,
  end: number,
): number {
  return (
    (advanceBefore[end] - advanceBefore[start]) * metrics.size +
    (clustersBefore[end] - clustersBefore[start]) * metrics.letterSpacing
  );
}
