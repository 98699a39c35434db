// The sizes of a text by itself, for boxes that take theirs from it: the widths of CSS Sizing, and its height at a width.
import type { LineMeasurer } from './measure.js';
import { fontsAt, linesIn, measuring, type TextBlock } from './text-block.js';
import { alignedTop, type TextStyle } from './text-box.js';
import { type LineRange, roundUp, unbreakableParts, wrapParagraph } from './wrap.js';

/** Lengths are in pixels. The widths are those at the font size itself and of all lines, whatever autoFit and maxLines say. */
export interface TextMeasure {
  /** The width of the widest line, if none wraps. */
  maxContent(): number;
  /** The width of the widest part that no line breaks: in less, words are broken. */
  minContent(): number;
  /**
   * Returns the height of the text at a width, and the first line's baseline below the top edge of a box. `boxHeight` is the
   * box's height; without it, the box is as high as the text. Throws TextError.
   */
  at(width: number, boxHeight?: number): { readonly height: number; readonly baseline: number };
}

const ONE_LINE = { available: Infinity, last: Infinity, indent: 0 };

/** Measures the text that `layoutBlock` lays out. */
export function measureText(block: TextBlock<TextStyle>): TextMeasure {
  const { style } = block;
  const indent = style.hangingIndent ?? 0;
  const widest = (linesOf: (measurer: LineMeasurer) => readonly LineRange[]) => {
    let width = 0;
    const measuredAt = measuring(block, fontsAt(block, style.fontSize));
    for (let i = 0; i < block.paragraphs.length; i++) {
      for (const { start, width: own } of linesOf(measuredAt(i).measurer)) {
        block.check(1);
        width = Math.max(width, own + (start > 0 ? indent : 0));
      }
    }
    return roundUp(width);
  };
  const maxContent = () => widest((measurer) => wrapParagraph(measurer, ONE_LINE));
  return {
    maxContent,
    minContent: style.wrap ? () => widest(unbreakableParts) : maxContent,
    at(width, boxHeight) {
      const { boxes, height } = linesIn(block, { width, height: boxHeight ?? Infinity });
      return { height, baseline: alignedTop(style, (boxHeight ?? height) - height) + boxes[0].ascent };
    },
  };
}
