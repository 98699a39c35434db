// The lines of a text as it is painted, as plain data.
import type { TextLayer } from '../../contract/layers/index.js';
import type { TextLayout } from '../../layout/text-box.js';
import type { Frame } from '../frame.js';
import { contentBox, inkEnds } from './background.js';
import { snapBaseline } from './line-paint.js';

/** Lengths are in the coordinates of the layer's box. Blanks that hang at the line's end are no part of it. */
export interface TextLine {
  readonly text: string;
  readonly x: number;
  /** The top of its line box. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly baseline: number;
}

/** Returns the lines. `layout` is that of the layer, whose box has this frame. */
export function textLines(layer: TextLayer, frame: Frame, { lines }: Pick<TextLayout, 'lines'>): TextLine[] {
  const place = { frame, origin: contentBox(layer, frame.unsnapped) };
  return lines.map((line) => {
    const { measurer, range } = line.wrapped;
    const { left, right } = inkEnds(line, place);
    return {
      text: measurer.paragraph.text.slice(range.start, range.inkEnd),
      x: left,
      y: place.origin.top + line.top,
      width: right - left,
      height: line.height,
      baseline: snapBaseline(place, line.baseline),
    };
  });
}
