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

/** The box of a span on its line, above its own baseline. */
function spanBox({ stack, size }: TextSpan, lineHeight: LineHeight): LineBox {
  return inlineBox(stack.primary, size, lineHeight);
}

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
    if (isRoot(span, root) || isOfLine(span.baselineShift)) return undefined;
    const { height, ascent } = spanBox(span, lineHeight);
    return { height, ascent: ascent + raiseOf(span, root, lineHeight) };
  });
  const aligned = spans.map((span) => (isOfLine(span.baselineShift) ? spanBox(span, lineHeight) : undefined));
  const hasAligned = aligned.some((part) => part !== undefined);
  if (!isNormal && !hasAligned && parts.every((part) => part === undefined)) return () => strut;
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
    if (!hasAligned) return { height: above + below, ascent: above };
    // what stands at the top or the bottom of the line makes it higher on the other side
    for (const { start: from, end: to, span } of lineSpans) {
      const part = aligned[span];
      if (!part || to <= start || from >= end) continue;
      const rest = part.height - above - below;
      if (rest <= 0) continue;
      if (spans[span].baselineShift === 'top') below += rest;
      else above += rest;
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
    const shift = font.baselineShift ?? 0;
    const raise = typeof shift === 'number' || shift === 'super' || shift === 'sub' ? shiftOf(shift, size) : 0;
    return [{ height: box.height, ascent: box.ascent + raise }];
  });
}

function isRoot(font: TextSpan, root: TextFont): boolean {
  return font.baselineShift === 0 && font.size === root.size && font.stack === root.stack;
}

function isOfLine(shift: BaselineShift): boolean {
  return shift === 'top' || shift === 'bottom';
}

/** `size` is the size of the block's font. */
function shiftOf(shift: 'super' | 'sub' | number, size: number): number {
  if (shift === 'super') return size / 3 + 1;
  return shift === 'sub' ? -(size / 5 + 1) : shift;
}

/** Returns the pixels by which a span is raised in a block with the font `root`; 0 for what is at the top or bottom of its line. */
function raiseOf(span: TextSpan, root: TextFont, lineHeight: LineHeight): number {
  const { baselineShift: shift } = span;
  if (shift === 'top' || shift === 'bottom') return 0;
  if (typeof shift === 'number' || shift === 'super' || shift === 'sub') return shiftOf(shift, root.size);
  const { height, ascent } = spanBox(span, lineHeight);
  if (shift === 'middle') return (root.stack.primary.xHeight * root.size + height) / 2 - ascent;
  const extents = extentsOf(root);
  return shift === 'text-top' ? extents.ascent - ascent : height - ascent - extents.descent;
}

/** Returns the pixels by which each span is raised above the baseline of a line with this box. */
export function spanRaises({ root, spans, lineHeight }: BlockFonts): (line: LineBox) => readonly number[] {
  const raises = spans.map((span) => raiseOf(span, root, lineHeight));
  if (!spans.some(({ baselineShift }) => isOfLine(baselineShift))) return () => raises;
  return (line) =>
    spans.map((span, i) => {
      if (!isOfLine(span.baselineShift)) return raises[i];
      const { height, ascent } = spanBox(span, lineHeight);
      return span.baselineShift === 'top' ? line.ascent - ascent : height - ascent - (line.height - line.ascent);
    });
}
