// Line boxes as in browsers (CSS 2.2 section 10.8; lengths in 1/64 px): the block's own font, and each span on the line in
// its font and at its height, all on one baseline.
import type { TextFont } from './measure.js';
import type { BaselineShift, SpanRange, TextSpan } from './spans.js';

export interface LineBox {
  /** Pixels. */
  readonly height: number;
  /** Pixels from its top to the baseline. */
  readonly ascent: number;
}

/** A multiple of each font's size, or pixels as text: `48px`. */
export type LineHeight = number | string;

/** The fonts of a text in one size, and what its line boxes depend on. */
export interface BlockFonts {
  /** The block's font: its line boxes are at least as high as this font's. */
  readonly root: TextFont;
  readonly spans: readonly TextSpan[];
  readonly lineHeight: LineHeight;
}

/** The extents of a font above and below its baseline, in whole pixels. */
export function extentsOf({ stack: { primary }, size }: TextFont): { ascent: number; descent: number } {
  return { ascent: Math.round(primary.ascent * size), descent: Math.round(primary.descent * size) };
}

/** The box of a font's text, with half the line's leading on each side. */
function inlineBox(font: TextFont, lineHeight: LineHeight): LineBox {
  const pixels = typeof lineHeight === 'number' ? font.size * lineHeight : Number.parseFloat(lineHeight);
  const height = Math.floor(pixels * 64) / 64;
  const { ascent, descent } = extentsOf(font);
  return { height, ascent: ascent + Math.floor((height - ascent - descent) / 2) };
}

/** A line of a paragraph, whose spans these are. */
interface Line {
  readonly spans: readonly SpanRange[];
  readonly range: { readonly start: number; readonly end: number };
}

/** Gives each line its box. The lines must follow each other. */
export function lineBoxer({ root, spans, lineHeight }: BlockFonts): (line: Line) => LineBox {
  const strut = inlineBox(root, lineHeight);
  const parts = spans.map((span): LineBox | undefined => {
    if (isRoot(span, root)) return undefined;
    const { height, ascent } = inlineBox(span, lineHeight);
    return { height, ascent: ascent + raiseOf(span.baselineShift, root.size) };
  });
  if (parts.every((part) => part === undefined)) return () => strut;
  let next = 0;
  return ({ spans: lineSpans, range: { start, end } }) => {
    if (start === 0) next = 0;
    let above = strut.ascent;
    let below = strut.height - strut.ascent;
    while (next < lineSpans.length && lineSpans[next].end <= start && lineSpans[next].end > lineSpans[next].start)
      next++;
    for (
      let i = next;
      i < lineSpans.length && (lineSpans[i].start < end || lineSpans[i].start === lineSpans[i].end);
      i++
    ) {
      const part = parts[lineSpans[i].span];
      if (!part) continue;
      above = Math.max(above, part.ascent);
      below = Math.max(below, part.height - part.ascent);
    }
    return { height: above + below, ascent: above };
  };
}

function isRoot(font: TextSpan, root: TextFont): boolean {
  return font.baselineShift === 0 && font.size === root.size && font.stack === root.stack;
}

/** Returns the pixels by which text is raised. `size` is the size of the block's font. */
export function raiseOf(shift: BaselineShift, size: number): number {
  if (shift === 'super') return size / 3 + 1;
  return shift === 'sub' ? -(size / 5 + 1) : shift;
}
