// Line boxes as in browsers (CSS 2.2 section 10.8; lengths in 1/64 px): the block's own font, and each span on the line in
// its font and at its height, all on one baseline.
import type { Face } from '../text/face.js';
import type { LineMeasurer, TextFont } from './measure.js';
import type { BaselineShift, SpanRange, TextSpan } from './spans.js';

export interface LineBox {
  /** Pixels. */
  readonly height: number;
  /** Pixels from its top to the baseline. */
  readonly ascent: number;
}

/** A multiple of each font's size, pixels as text (`48px`), or `normal`: what each font used says. */
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
  return faceExtents(primary, size);
}

function faceExtents(face: Face, size: number): { ascent: number; descent: number } {
  return { ascent: Math.round(face.ascent * size), descent: Math.round(face.descent * size) };
}

/** The box of a face's text, with half the line's leading on each side. */
function inlineBox(face: Face, size: number, lineHeight: LineHeight): LineBox {
  const { ascent, descent } = faceExtents(face, size);
  const height = heightOf(lineHeight, size, ascent + descent + Math.round(face.lineGap * size));
  return { height, ascent: ascent + Math.floor((height - ascent - descent) / 2) };
}

function heightOf(lineHeight: LineHeight, size: number, normal: number): number {
  if (lineHeight === NORMAL) return normal;
  const pixels = typeof lineHeight === 'number' ? size * lineHeight : Number.parseFloat(lineHeight);
  return Math.floor(pixels * 64) / 64;
}

const NORMAL = 'normal';

/** A line of a paragraph, whose spans these are. */
interface Line {
  /** Absent for a line without text. */
  readonly measurer?: LineMeasurer;
  readonly spans: readonly SpanRange[];
  readonly range: { readonly start: number; readonly end: number };
}

/** Gives each line its box. The lines must follow each other. */
export function lineBoxer({ root, spans, lineHeight }: BlockFonts): (line: Line) => LineBox {
  const strut = inlineBox(root.stack.primary, root.size, lineHeight);
  const isNormal = lineHeight === NORMAL;
  const parts = spans.map((span): LineBox | undefined => {
    if (isRoot(span, root)) return undefined;
    const { height, ascent } = inlineBox(span.stack.primary, span.size, lineHeight);
    return { height, ascent: ascent + raiseOf(span.baselineShift, root.size) };
  });
  if (!isNormal && parts.every((part) => part === undefined)) return () => strut;
  let next = 0;
  return ({ measurer, spans: lineSpans, range: { start, end } }) => {
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
    const fallbacks = isNormal && measurer ? fallbackBoxes(measurer, start, end, root.size) : [];
    for (const { height, ascent } of fallbacks) {
      above = Math.max(above, ascent);
      below = Math.max(below, height - ascent);
    }
    return { height: above + below, ascent: above };
  };
}

/** The boxes of the faces that draw what a text's own face lacks: they make lines of a normal height taller. */
function fallbackBoxes({ paragraph, fonts }: LineMeasurer, start: number, end: number, size: number): LineBox[] {
  return paragraph.runs.flatMap((run) => {
    const font: TextFont & Partial<TextSpan> = fonts[run.font];
    if (run.start >= end || run.end <= start || run.face === font.stack.primary) return [];
    const box = inlineBox(run.face, font.size, NORMAL);
    return [{ height: box.height, ascent: box.ascent + raiseOf(font.baselineShift ?? 0, size) }];
  });
}

function isRoot(font: TextSpan, root: TextFont): boolean {
  return font.baselineShift === 0 && font.size === root.size && font.stack === root.stack;
}

/** Returns the pixels by which text is raised. `size` is the size of the block's font. */
export function raiseOf(shift: BaselineShift, size: number): number {
  if (shift === 'super') return size / 3 + 1;
  return shift === 'sub' ? -(size / 5 + 1) : shift;
}
