// Breaks the paragraphs of a text into the lines that its box shows, at the size that autoFit finds.
import type { CheckTime } from '../stage-budget.js';
import type { FontStack } from '../text/font-stack.js';
import { hyphenationPoints } from '../text/hyphenation.js';
import { keepAll } from '../text/line-break.js';
import { ellipsize } from './ellipsis.js';
import type { WrappedLine } from './line.js';
import { type BlockFonts, type LineBox, type LineHeight, lineBoxer } from './line-box.js';
import { LineMeasurer, tabOf } from './measure.js';
import { LINE_ENDS, paragraphsOf, type StyledParagraph, type TextSpan } from './spans.js';
import { balanceLines, eachLine, fits, type LineArea, type LineRange, MAX_BALANCED_LINES } from './wrap.js';

/** The properties that decide how a text breaks into lines. */
export interface BlockStyle {
  /** Pixels. */
  readonly fontSize: number;
  readonly minFontSize: number;
  readonly autoFit: boolean;
  /** Font size at which autoFit starts; `fontSize` by default. */
  readonly maxFontSize?: number | undefined;
  readonly lineHeight: LineHeight;
  /** Pixels after every cluster. */
  readonly letterSpacing: number;
  readonly wrap: boolean;
  /** `balance` makes lines of about the same width. */
  readonly textWrap: 'wrap' | 'balance';
  /** Direction of each paragraph; `auto` takes it from its first strong character. */
  readonly direction: 'auto' | 'ltr' | 'rtl';
  /** `keep-all`: no line breaks between letters and digits, so that words of Korean stay whole. */
  readonly wordBreak?: 'normal' | 'keep-all' | undefined;
  /** `auto` hyphenates words in `language`, whose patterns must be loaded. */
  readonly hyphens?: 'manual' | 'auto' | undefined;
  readonly language?: string | undefined;
  /** Pixels by which all lines of a paragraph but its first are indented, as by CSS `text-indent: … hanging each-line`. */
  readonly hangingIndent?: number | undefined;
  readonly maxLines?: number | undefined;
  /** `ellipsis` ends lines that are wider than the box in `…`. */
  readonly textOverflow?: 'clip' | 'ellipsis' | undefined;
  /**
   * Pixels by which all lines but the text's last may exceed the box: where a line wraps, Chromium does not count the
   * padding that `box-decoration-break: clone` puts at its end. 0 without it.
   */
  readonly clonedEnd?: number | undefined;
}

/** A text to break into lines. It keeps what layout and painting both ask for. */
export interface TextBlock<Style extends BlockStyle = BlockStyle> {
  readonly paragraphs: readonly StyledParagraph[];
  readonly spans: readonly TextSpan[];
  readonly stack: FontStack;
  readonly style: Style;
  /** Polled by all work on the block. */
  readonly check: CheckTime;
  /** The paragraphs measured at the font size itself, as far as they were needed. */
  readonly measured: Measured[];
  /** The lines last asked for, and their box. */
  last?: { readonly box: TextArea; readonly lines: BlockLines };
}

/** A paragraph with its measurer, and its spans. */
type Measured = Omit<WrappedLine, 'range' | 'indent'>;

/** The area of a text, in pixels. */
export interface TextArea {
  readonly width: number;
  /** Infinity for a box that is as high as its text. */
  readonly height: number;
}

/**
 * Creates a block from at least one span. `stack` is the block's, for its line boxes. Throws TextError, and what `check`
 * throws.
 */
export function textBlock<Style extends BlockStyle>(
  spans: readonly TextSpan[],
  stack: FontStack,
  style: Style,
  check: CheckTime = () => {},
): TextBlock<Style> {
  const { wrap, wordBreak, hyphens, language } = style;
  if (lineEndsOf(spans) > MAX_LINES) throw new TextError(TOO_MANY_LINES);
  let paragraphs = paragraphsOf(spans, baseLevelOf(style), check);
  if (wordBreak === 'keep-all') paragraphs = paragraphs.map(withWholeWords);
  if (wrap && hyphens === 'auto' && language !== undefined) {
    paragraphs = paragraphs.map((each) => {
      check(4 * each.paragraph.text.length);
      return withHyphens(each, language);
    });
  }
  return { paragraphs, spans, stack, style, check, measured: [] };
}

/** Bounds the number of line ends from above; 0 for texts that are too short for many. */
function lineEndsOf(spans: readonly TextSpan[]): number {
  const units = spans.reduce((sum, { text }) => sum + text.length, 0);
  if (units <= MAX_LINES) return 0;
  let count = 0;
  for (const { text } of spans) for (const _ of text.matchAll(LINE_ENDS)) count++;
  return count;
}

function withWholeWords(styled: StyledParagraph): StyledParagraph {
  const { paragraph } = styled;
  return { ...styled, paragraph: { ...paragraph, breakBefore: keepAll(paragraph.text, paragraph.breakBefore) } };
}

/** A word is not hyphenated inside a ligature. */
function withHyphens(styled: StyledParagraph, language: string): StyledParagraph {
  const { paragraph } = styled;
  const points = hyphenationPoints(paragraph.text, language);
  const added = points.filter((index) => paragraph.wordBreak[index] === 1 && paragraph.breakBefore[index] === 0);
  if (added.length === 0) return styled;
  const breakBefore = paragraph.breakBefore.slice();
  const hyphenBefore = new Uint8Array(breakBefore.length);
  for (const index of added) breakBefore[index] = hyphenBefore[index] = 1;
  return { ...styled, paragraph: { ...paragraph, breakBefore, hyphenBefore } };
}

function baseLevelOf({ direction }: BlockStyle): number | undefined {
  return { auto: undefined, ltr: 0, rtl: 1 }[direction];
}

export interface BlockLines {
  readonly lines: readonly WrappedLine[];
  /** Line boxes, one for each line. */
  readonly boxes: readonly LineBox[];
  /** Pixels. */
  readonly height: number;
  readonly fonts: BlockFonts;
  /** Whether a line is broken at the box's width. */
  readonly isWrapped: boolean;
  /** Whether lines were dropped because of `maxLines`. */
  readonly truncated: boolean;
  /** Whether autoFit found no size at which the text fits its box and `maxLines` without breaking words. */
  readonly unfitted: boolean;
}

/** More lines than the largest canvas shows of the smallest text; a line of one character takes 600 bytes. */
const MAX_LINES = 100_000;
const TOO_MANY_LINES = `the text has over ${MAX_LINES} lines, expected at most ${MAX_LINES}`;

/** Thrown for text that can't be laid out. */
export class TextError extends Error {}

/** Blocks with more lines don't keep them: all texts of a scene would at once. */
const MAX_KEPT_LINES = 64;

/** A line of one character takes some 2 µs. */
const STEPS_PER_LINE = 2;

/** The lines in a box. Throws TextError. */
export function linesIn(block: TextBlock, box: TextArea): BlockLines {
  const { last, style } = block;
  const isKnown = last?.box.width === box.width && (!style.autoFit || last.box.height === box.height);
  if (isKnown) return last.lines;
  const lines = breakLines(block, box);
  if (lines.lines.length <= MAX_KEPT_LINES) block.last = { box, lines };
  return lines;
}

function breakLines(block: TextBlock, box: TextArea): BlockLines {
  const { fontSize, autoFit } = block.style;
  const { size, unfitted } = autoFit ? fittedSize(block, box) : { size: fontSize, unfitted: false };
  const { lines, fonts, isWrapped, truncated } = wrapAt(block, size, box.width);
  if (truncated) lines.push(ellipsize(lines.pop()!, fonts, box.width, block.check));
  if (block.style.textOverflow === 'ellipsis') {
    lines.forEach((line, i) => {
      if (line.range.width > box.width) lines[i] = ellipsize(line, fonts, box.width, block.check);
    });
  }
  const boxes = lines.map(lineBoxer(fonts));
  const height = boxes.reduce((sum, each) => sum + each.height, 0);
  return { lines, boxes, height, fonts, isWrapped, truncated, unfitted };
}

/** The fonts at a size of the block's font: all sizes change in proportion, and so do shifts in pixels. */
export function fontsAt({ spans, stack, style }: TextBlock, size: number): BlockFonts {
  const { fontSize, letterSpacing, lineHeight } = style;
  const root = { stack, size, letterSpacing };
  if (size === fontSize) return { root, spans, lineHeight };
  const factor = fontSize > 0 ? size / fontSize : 1;
  const scaled = spans.map((span) => ({
    ...span,
    ...(typeof span.baselineShift === 'number' && { baselineShift: span.baselineShift * factor }),
    size: span.size === fontSize ? size : span.size * factor,
  }));
  return { root, spans: scaled, lineHeight };
}

/** The lines at a size of the block's font, `maxLines` at most. `width`: pixels. Throws TextError. */
function wrapAt(
  block: TextBlock,
  size: number,
  width: number,
): { lines: WrappedLine[]; fonts: BlockFonts; isWrapped: boolean; truncated: boolean } {
  const { maxLines = Infinity, hangingIndent = 0 } = block.style;
  const fonts = fontsAt(block, size);
  const measuredAt = measuring(block, fonts);
  const paragraphs: { own: Measured; ranges: LineRange[] }[] = [];
  let count = 0;
  let isWrapped = false;
  for (let i = 0; i < block.paragraphs.length && !(count > maxLines && isWrapped); i++) {
    const own = measuredAt(i);
    const ranges: LineRange[] = [];
    paragraphs.push({ own, ranges });
    eachLine(own.measurer, lineArea(block, i, width), (range) => {
      block.check(STEPS_PER_LINE + range.end - range.start);
      count++;
      // spaces at the end that hang are of a text that is wider than the box
      if (range.start > 0 || range.inkEnd < range.end) isWrapped = true;
      if (count > maxLines) return !isWrapped;
      if (count > MAX_LINES) throw new TextError(TOO_MANY_LINES);
      return ranges.push(range) > 0;
    });
  }
  const truncated = count > maxLines;
  // as in browsers, text that is cut is not balanced
  const isBalanced = canBalance(block.style) && !truncated;
  const lines: WrappedLine[] = [];
  for (const { own, ranges } of paragraphs) {
    const { measurer, start, spans } = own;
    for (const range of isBalanced ? balanceLines(measurer, ranges, width, hangingIndent) : ranges) {
      lines.push({ measurer, start, spans, range, indent: range.start > 0 ? hangingIndent : 0 });
    }
  }
  return { lines, fonts, isWrapped, truncated };
}

function canBalance({ wrap, textWrap }: BlockStyle): boolean {
  return wrap && textWrap === 'balance';
}

/** The area of the lines of the paragraph at an index. */
function lineArea({ style, paragraphs }: TextBlock, index: number, width: number): LineArea {
  const { wrap, clonedEnd = 0, hangingIndent = 0 } = style;
  const available = wrap ? width : Infinity;
  const last = index === paragraphs.length - 1 ? available : available + clonedEnd;
  return { available: available + clonedEnd, last, indent: hangingIndent };
}

/** Gives the paragraph at an index its measurer, and its spans. */
export function measuring(block: TextBlock, { root, spans }: BlockFonts): (index: number) => Measured {
  const tab = tabOf(root);
  const known = root.size === block.style.fontSize ? block.measured : [];
  return (index) => {
    const { start, paragraph, fonts, spans: own } = block.paragraphs[index];
    if (!known[index]) block.check(paragraph.text.length >> 4);
    known[index] ??= {
      measurer: new LineMeasurer(
        paragraph,
        fonts.map((span) => spans[span]),
        tab,
        own,
      ),
      start,
      spans: own,
    };
    return known[index];
  };
}

/**
 * The largest size from minFontSize to maxFontSize or fontSize (a multiple of 0.5 px, or that size itself) at which all lines
 * fit the box and no word is broken; minFontSize when there is none.
 */
function fittedSize(block: TextBlock, box: TextArea): { size: number; unfitted: boolean } {
  const { fontSize, minFontSize, maxFontSize = fontSize } = block.style;
  if (fitsAt(block, maxFontSize, box)) return { size: maxFontSize, unfitted: false };
  if (minFontSize >= maxFontSize) return { size: maxFontSize, unfitted: true };
  let low = Math.ceil(minFontSize * 2);
  let high = Math.ceil(maxFontSize * 2) - 1;
  let best: number | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (fitsAt(block, middle / 2, box)) {
      best = middle / 2;
      low = middle + 1;
    } else high = middle - 1;
  }
  if (best !== undefined) return { size: best, unfitted: false };
  return { size: minFontSize, unfitted: !fitsAt(block, minFontSize, box) };
}

/** Whether all lines fit the box at a size and no word is broken. Stops at the first line that does not fit, and keeps none. */
function fitsAt(block: TextBlock, size: number, box: TextArea): boolean {
  const { maxLines = Infinity, hangingIndent = 0 } = block.style;
  const fonts = fontsAt(block, size);
  const measuredAt = measuring(block, fonts);
  const boxOf = lineBoxer(fonts);
  let count = 0;
  let height = 0;
  return block.paragraphs.every((_, i) => {
    const { measurer, spans } = measuredAt(i);
    const area = lineArea(block, i, box.width);
    const fitsBox = (range: LineRange) => {
      block.check(STEPS_PER_LINE + range.end - range.start);
      height += boxOf({ measurer, spans, range }).height;
      const available = box.width - (range.start > 0 ? hangingIndent : 0);
      return height <= box.height && !range.isMidWord && fits(range.width, available);
    };
    if (canBalance(block.style)) {
      const ranges: LineRange[] = [];
      const isShort = eachLine(measurer, area, (range) => ranges.push(range) <= MAX_BALANCED_LINES);
      if (isShort) {
        count += ranges.length;
        return count <= maxLines && balanceLines(measurer, ranges, box.width, hangingIndent).every(fitsBox);
      }
    }
    return eachLine(measurer, area, (range) => ++count <= maxLines && fitsBox(range));
  });
}
