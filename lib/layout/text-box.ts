// Text layout: spans of text, their faces and a box become lines of positioned glyphs, without drawing.

import type { CheckTime } from '../stage-budget.js';
import type { FontStack } from '../text/font-stack.js';
import { expansionOf, type Fragment, positionLine, type WrappedLine } from './line.js';
import { spanRaises } from './line-box.js';
import type { SplitEmoji } from './paragraph.js';
import type { TextSpan } from './spans.js';
import { type BlockStyle, linesIn, type TextArea, type TextBlock, textBlock } from './text-block.js';
import { fits } from './wrap.js';

export interface TextStyle extends BlockStyle {
  readonly textAlign: 'left' | 'center' | 'right' | 'start' | 'end' | 'justify';
  readonly verticalAlign: 'top' | 'middle' | 'bottom';
}

export interface PositionedLine {
  /** Fragments from left to right. */
  readonly fragments: readonly Fragment[];
  /** Pixels from the box's top edge to the line box's. */
  readonly top: number;
  readonly height: number;
  /** Pixels from the box's left edge to the line's left end, including hanging spaces. */
  readonly x: number;
  /** Pixels from the box's top edge down to the baseline. */
  readonly baseline: number;
  readonly width: number;
  /** Whether the base direction of its paragraph is right to left. */
  readonly isRightToLeft: boolean;
  /** The line before it was positioned: its part of the text. */
  readonly wrapped: WrappedLine;
}

export interface TextLayout {
  /** Font size of the block, which autoFit may have changed. */
  readonly fontSize: number;
  readonly lines: readonly PositionedLine[];
  /** Whether a line is broken at the box's width. */
  readonly isWrapped: boolean;
  /** Whether lines were dropped because of `maxLines`. */
  readonly truncated: boolean;
  /** Whether the text is wider or taller than its box. */
  readonly overflows: boolean;
  /** Whether autoFit found no size at which the text fits its box and `maxLines` without breaking words. */
  readonly unfitted: boolean;
  /** Clusters that no face has. */
  readonly missing: readonly string[];
  /** Emoji sequences that are drawn as several emoji. */
  readonly split: readonly SplitEmoji[];
}

/** A text in one font. */
export function plainText(text: string, stack: FontStack, { fontSize, letterSpacing }: TextStyle): TextSpan[] {
  return [{ text, stack, size: fontSize, letterSpacing, baselineShift: 0 }];
}

/**
 * Lays out at least one span, in sizes that autoFit changes in proportion. `stack` is the block's, for its line boxes. Throws
 * TextError.
 */
export function layoutText(
  spans: readonly TextSpan[],
  stack: FontStack,
  style: TextStyle,
  box: TextArea,
  check?: CheckTime,
): TextLayout {
  return layoutBlock(textBlock(spans, stack, style, check), box);
}

/** `layoutText` of a block. Throws TextError. */
export function layoutBlock(block: TextBlock<TextStyle>, box: TextArea): TextLayout {
  const { style } = block;
  const { lines, boxes, height, fonts, isWrapped, truncated, unfitted } = linesIn(block, box);
  const { size } = fonts.root;
  const shift = alignedTop(style, box.height - height);
  const raisesOn = spanRaises(fonts);
  let above = 0;
  const paragraphs = block.paragraphs.map(({ paragraph }) => paragraph);
  return {
    fontSize: size,
    lines: lines.map((line, i): PositionedLine => {
      block.check(1 + line.range.end - line.range.start);
      const expansion = justification(line, style, box);
      const { fragments, width, hanging } = positionLine(line, raisesOn(boxes[i]), expansion);
      const { base } = line.measurer.paragraph.levels;
      const top = shift + above;
      above += boxes[i].height;
      return {
        fragments,
        width,
        x:
          lineStart(width - hanging, box.width - line.indent, style.textAlign, base) +
          (base === 1 ? -hanging : line.indent),
        top,
        height: boxes[i].height,
        baseline: top + boxes[i].ascent,
        isRightToLeft: base === 1,
        wrapped: line,
      };
    }),
    isWrapped,
    truncated,
    unfitted,
    overflows:
      lines.some(({ range, indent }) => !fits(range.width, box.width - indent + (style.clonedEnd ?? 0))) ||
      height > box.height,
    missing: paragraphs.flatMap(({ missing }) => missing),
    split: paragraphs.flatMap(({ split }) => split),
  };
}

/** The pixels that each blank of a line is widened by. */
export function justification(line: WrappedLine, { textAlign }: TextStyle, { width }: TextArea): number {
  return textAlign === 'justify' ? expansionOf(line, width - line.indent) : 0;
}

/** Pixels from the top of a box to that of its lines. `free`: pixels that they leave, negative when they overflow. */
export function alignedTop({ verticalAlign }: TextStyle, free: number): number {
  return { top: 0, middle: free / 2, bottom: free }[verticalAlign];
}

/** A line too wide for its box starts at the box's start edge, whatever the alignment. */
export function lineStart(width: number, available: number, align: TextStyle['textAlign'], baseLevel: number): number {
  const free = available - width;
  const [start, end] = baseLevel === 1 ? [free, 0] : [0, free];
  if (free < 0) return start;
  return { left: 0, center: free / 2, right: free, start, end, justify: start }[align];
}
