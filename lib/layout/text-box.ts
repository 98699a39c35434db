// Text layout: text, faces and a box become lines of positioned glyphs, without drawing.
// Line boxes and their rounding follow browsers (CSS 2.2 section 10.8; lengths in 1/64 px).

import type { FontStack } from '../text/font-stack.js';
import { resolveScripts } from '../text/script.js';
import { hyphenGlyphs, type PlacedGlyph, positionLine } from './line.js';
import { advanceOf, LineMeasurer, type Metrics, metricsAt } from './measure.js';
import { type Paragraph, type SplitEmoji, shapeParagraph } from './paragraph.js';
import { settingKey, shapeCached } from './shape-cache.js';
import { fits, type LineRange, wrapParagraph } from './wrap.js';

export interface TextStyle {
  /** Pixels. */
  readonly fontSize: number;
  readonly minFontSize: number;
  readonly autoFit: boolean;
  /** A multiple of the font size. */
  readonly lineHeight: number;
  /** Pixels after every cluster. */
  readonly letterSpacing: number;
  readonly wrap: boolean;
  readonly maxLines?: number | undefined;
  readonly textAlign: 'left' | 'center' | 'right';
  readonly verticalAlign: 'top' | 'middle' | 'bottom';
}

export interface PositionedLine {
  readonly glyphs: readonly PlacedGlyph[];
  /** Pixels from the box's left edge to the line's left end, including hanging spaces. */
  readonly x: number;
  /** Pixels from the box's top edge down to the baseline. */
  readonly baseline: number;
  readonly width: number;
}

export interface TextLayout {
  readonly fontSize: number;
  readonly lines: readonly PositionedLine[];
  /** Whether lines were dropped because of `maxLines`. */
  readonly truncated: boolean;
  /** Whether the text is wider or taller than its box. */
  readonly overflows: boolean;
  /** Whether autoFit found no size at which the text fits its box and `maxLines` without breaking words. */
  readonly unfitted: boolean;
  /** Clusters that no face has, and clusters set in a fallback face. */
  readonly missing: readonly string[];
  readonly fallbackClusters: readonly string[];
  /** Emoji sequences that are drawn as several emoji. */
  readonly split: readonly SplitEmoji[];
  /** Scripts (ISO 15924) that are not shaped correctly without WebAssembly. */
  readonly unshaped: readonly string[];
}

interface Box {
  readonly width: number;
  readonly height: number;
}

const LINE_ENDS = /\r\n|[\n\r\u2028\u2029\f\v\u0085]/;
/** More lines than the largest canvas shows of the smallest text; a line of one character takes 600 bytes. */
const MAX_LINES = 100_000;
/** Ends truncated text. */
export const ELLIPSIS = '\u2026';

/** Thrown for text that can't be laid out. */
export class TextError extends Error {}

/** Throws TextError. */
export function layoutText(text: string, stack: FontStack, style: TextStyle, box: Box): TextLayout {
  const ligatures = style.letterSpacing === 0;
  const parts = text.split(LINE_ENDS);
  // as in browsers, a final line feed does not start another line
  if (parts.length > 1 && parts[parts.length - 1] === '') parts.pop();
  const setting = settingKey(stack, ligatures);
  const paragraphs = parts.map((part) => shapeCached(part, setting, stack, ligatures));
  const { size, unfitted } = style.autoFit
    ? fittedSize(paragraphs, stack, style, box)
    : { size: style.fontSize, unfitted: false };
  const { lines, metrics } = wrapAt(paragraphs, stack, style, box, size);
  const truncated = style.maxLines !== undefined && lines.length > style.maxLines;
  const kept = truncated ? lines.slice(0, style.maxLines) : lines;
  if (kept.length > MAX_LINES) {
    throw new TextError(`the text has ${kept.length} lines, expected at most ${MAX_LINES}`);
  }
  if (truncated) kept.push(ellipsize(kept.pop()!, stack, metrics, box.width));
  const height = lineBoxHeight(style, size);
  const ascent = Math.round(stack.primary.ascent * size);
  const descent = Math.round(stack.primary.descent * size);
  const free = box.height - kept.length * height;
  const shift = { top: 0, middle: free / 2, bottom: free }[style.verticalAlign];
  return {
    fontSize: size,
    lines: kept.map(({ paragraph, range }, i) => {
      const { glyphs, width, hanging } = positionLine(paragraph, range, metrics, stack);
      const { base } = paragraph.levels;
      return {
        glyphs,
        width,
        x: lineStart(width - hanging, box.width, style.textAlign, base) - (base === 1 ? hanging : 0),
        baseline: shift + i * height + ascent + Math.floor((height - ascent - descent) / 2),
      };
    }),
    truncated,
    unfitted,
    overflows: kept.some(({ range }) => !fits(range.width, box.width)) || kept.length * height > box.height,
    missing: paragraphs.flatMap((paragraph) => paragraph.missing),
    fallbackClusters: paragraphs.flatMap((paragraph) => paragraph.fallbackClusters),
    split: paragraphs.flatMap((paragraph) => paragraph.split),
    unshaped: unshapedScripts(paragraphs),
  };
}

function unshapedScripts(paragraphs: readonly Paragraph[]): string[] {
  const scripts = new Set<string>();
  for (const { text, runs } of paragraphs) {
    for (const { face, script, start, end } of runs) {
      if (script === undefined || scripts.has(script) || face.canShape(script)) continue;
      // Spaces and digits in another face need no shaping, and letters without glyphs are boxes anyway.
      const isLetter = (character: string) =>
        resolveScripts([character])[0] === script && face.glyph(character.codePointAt(0)!) > 0;
      if (Array.from(text.slice(start, end)).some(isLetter)) scripts.add(script);
    }
  }
  return [...scripts];
}

interface WrappedLine {
  readonly paragraph: Paragraph;
  readonly range: LineRange;
}

/** The height of a line box in pixels, rounded down to 1/64. */
function lineBoxHeight({ lineHeight }: TextStyle, size: number): number {
  return Math.floor(size * lineHeight * 64) / 64;
}

function wrapAt(
  paragraphs: readonly Paragraph[],
  stack: FontStack,
  style: TextStyle,
  box: Box,
  size: number,
): { lines: WrappedLine[]; metrics: Metrics } {
  const metrics = metricsAt(stack, size, style.letterSpacing);
  const hyphenWidth = hyphenGlyphs(stack).glyphs.reduce((sum, glyph) => sum + advanceOf(glyph, size), 0);
  const available = style.wrap ? box.width : Infinity;
  const lines = paragraphs.flatMap((paragraph) =>
    wrapParagraph(new LineMeasurer(paragraph, metrics), { available, hyphenWidth }).map((range) => ({
      paragraph,
      range,
    })),
  );
  return { lines, metrics };
}

/** A line too wide for its box starts at the box's start edge, whatever the alignment. */
function lineStart(width: number, available: number, align: TextStyle['textAlign'], baseLevel: number): number {
  const free = available - width;
  if (free < 0) return baseLevel === 1 ? free : 0;
  return { left: 0, center: free / 2, right: free }[align];
}

/**
 * The largest size from minFontSize to fontSize (a multiple of 0.5 px, or fontSize itself) at which all lines fit the box
 * and no word is broken; minFontSize when there is none.
 */
function fittedSize(
  paragraphs: readonly Paragraph[],
  stack: FontStack,
  style: TextStyle,
  box: Box,
): { size: number; unfitted: boolean } {
  const fitsAt = (size: number) => {
    const { lines } = wrapAt(paragraphs, stack, style, box, size);
    return (
      lines.length <= (style.maxLines ?? Infinity) &&
      lines.length * lineBoxHeight(style, size) <= box.height &&
      lines.every(({ range }) => !range.isMidWord && fits(range.width, box.width))
    );
  };
  if (fitsAt(style.fontSize)) return { size: style.fontSize, unfitted: false };
  if (style.minFontSize >= style.fontSize) return { size: style.fontSize, unfitted: true };
  let low = Math.ceil(style.minFontSize * 2);
  let high = Math.ceil(style.fontSize * 2) - 1;
  let best: number | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (fitsAt(middle / 2)) {
      best = middle / 2;
      low = middle + 1;
    } else high = middle - 1;
  }
  if (best !== undefined) return { size: best, unfitted: false };
  return { size: style.minFontSize, unfitted: !fitsAt(style.minFontSize) };
}

/** Ends the line with an ellipsis: removes trailing spaces, then clusters until it fits. */
function ellipsize(
  { paragraph, range }: WrappedLine,
  stack: FontStack,
  metrics: Metrics,
  available: number,
): WrappedLine {
  const { wordBreak, levels, text } = paragraph;
  const ligatures = metrics.letterSpacing === 0;
  const previousBreak = (index: number) => {
    do index--;
    while (index > range.start && wordBreak[index] === 0);
    return index;
  };
  let end = range.start + text.slice(range.start, range.end).trimEnd().length;
  // don't shape text that can't fit, even if truncation makes the last glyphs an em narrower
  const measurer = new LineMeasurer(paragraph, metrics);
  while (end > range.start && measurer.width(range.start, end) > available + metrics.size) end = previousBreak(end);
  for (;;) {
    const shown = text.slice(range.start, end) + ELLIPSIS;
    const truncated = shapeParagraph(shown, stack, ligatures, levels.base);
    const width = new LineMeasurer(truncated, metrics).width(0, shown.length);
    if (end <= range.start || fits(width, available)) {
      return {
        paragraph: truncated,
        range: { start: 0, end: shown.length, inkEnd: shown.length, width, hasHyphen: false, isMidWord: false },
      };
    }
    end = previousBreak(end);
  }
}
