// The text of a layer: spans, each in its own font, split into paragraphs at line ends. A plain text is one span.
import type { CheckTime } from '../stage-budget.js';
import type { TextFont } from './measure.js';
import type { FontRange, Paragraph } from './paragraph.js';
import { fontKey, shapeCached } from './shape-cache.js';

/**
 * Raises or lowers text, as CSS vertical-align: by a part of the block's font size, by pixels, up, or to a height of the block's
 * font or of the line.
 */
export type BaselineShift = 'super' | 'sub' | 'text-top' | 'text-bottom' | 'middle' | 'top' | 'bottom' | number;

export interface TextSpan extends TextFont {
  readonly text: string;
  readonly baselineShift: BaselineShift;
  /** Pixels at its start and at its end, which are those of the inline boxes that start and end with it; 0 without. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The part of a paragraph that a span has. */
export interface SpanRange {
  readonly start: number;
  readonly end: number;
  /** The index of the span. */
  readonly span: number;
  /** The span's own, where the range has its start, and its end. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface StyledParagraph {
  /** Its start in the text. */
  readonly start: number;
  readonly paragraph: Paragraph;
  /** The first span that has each font of the paragraph's runs, by `Run.font`. */
  readonly fonts: readonly number[];
  /** Spans in logical order; the span of a line end is included even if it has no other character of the paragraph. */
  readonly spans: readonly SpanRange[];
}

/** Line ends, as in browsers. */
export const LINE_ENDS = /\r\n|[\n\r\u2028\u2029\f\v\u0085]/g;

/** A paragraph of one character takes some 10 µs. */
const STEPS_PER_PARAGRAPH = 10;

/** The paragraphs of the spans, shaped. Neighbours in one font on one baseline are shaped together. `direction`: their base level. `spans`: one at least. */
export function paragraphsOf(
  spans: readonly TextSpan[],
  direction?: number,
  check: CheckTime = () => {},
): StyledParagraph[] {
  const text = spans.length === 1 ? spans[0].text : spans.map((span) => span.text).join('');
  const all = rangesOf(spans);
  const keys = new Map<unknown, string>();
  const keyOf: typeof fontKey = (font) => {
    const key = keys.get(font) ?? fontKey(font);
    keys.set(font, key);
    return key;
  };
  const paragraphs: StyledParagraph[] = [];
  let first = 0;
  const add = (start: number, end: number, next: number) => {
    while (first + 1 < all.length && all[first].end <= start) first++;
    const own: SpanRange[] = [];
    for (let i = first; i < all.length && (all[i].start < next || own.length === 0); i++) {
      const { start: from, end: to, span } = all[i];
      const { before, after } = spans[span];
      own.push({
        start: Math.max(0, from - start),
        end: Math.min(end, to) - start,
        span,
        ...(before && from >= start && { before }),
        ...(after && to <= end && { after }),
      });
    }
    paragraphs.push({ start, ...styledParagraph(text.slice(start, end), own, spans, keyOf, direction, check) });
    check(STEPS_PER_PARAGRAPH + end - start);
  };
  let start = 0;
  for (const { index, 0: lineEnd } of text.matchAll(LINE_ENDS)) {
    add(start, index, index + lineEnd.length);
    start = index + lineEnd.length;
  }
  // as in browsers, a final line feed does not start another line
  if (start < text.length || start === 0) add(start, text.length, text.length);
  return paragraphs;
}

/** Returns the range of each span with text; the first span of a text without any. */
function rangesOf(spans: readonly TextSpan[]): SpanRange[] {
  const ranges: SpanRange[] = [];
  let end = 0;
  spans.forEach(({ text }, span) => {
    const start = end;
    end += text.length;
    if (end > start) ranges.push({ start, end, span });
  });
  return ranges.length > 0 ? ranges : [{ start: 0, end: 0, span: 0 }];
}

/** Shapes `text` in the fonts of its spans. `direction` sets the base level. */
export function styledParagraph(
  text: string,
  ranges: readonly SpanRange[],
  spans: readonly TextSpan[],
  keyOf = fontKey,
  direction?: number,
  check?: CheckTime,
): Omit<StyledParagraph, 'start'> {
  const fonts: number[] = [];
  const fontRanges: FontRange[] = [];
  for (const { end, span } of ranges) {
    const font = spans[span];
    const last = spans[fonts[fonts.length - 1]];
    if (last && areShapedTogether(last, font)) fontRanges[fontRanges.length - 1] = { end, font: last };
    else {
      fonts.push(span);
      fontRanges.push({ end, font });
    }
  }
  return { paragraph: shapeCached(text, fontRanges, keyOf, direction, check), fonts, spans: ranges };
}

/**
 * Whether both spans are shaped together: as in browsers (CSS Text 3 section 7.3), raised or lowered text is shaped apart from
 * its neighbours.
 */
function areShapedTogether(one: TextSpan, other: TextSpan): boolean {
  const isSameFont = one.stack === other.stack && one.size === other.size && one.letterSpacing === other.letterSpacing;
  const isApart = one.after || other.before;
  return isSameFont && !isApart && one.baselineShift === 0 && other.baselineShift === 0;
}
