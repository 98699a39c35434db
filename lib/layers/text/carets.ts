// Finds the positions of a caret in the text of a layer, for editing it in place.
import type { TextLayer } from '../../contract/layers/index.js';
import { rectOf } from '../../geometry/rect.js';
import { type CaretLine, type CaretStop, caretsIn } from '../../layout/carets.js';
import { parseMarkup } from '../../text/markup.js';
import { transformText } from '../../text/transform.js';
import { graphemesOf } from '../../unicode/graphemes.js';
import type { Frame } from '../frame.js';
import { contentBox } from './background.js';
import { withTextErrors } from './errors.js';
import type { LayerText } from './layer-text.js';
import type { SpanStyle } from './spans.js';

/** Lengths are in the coordinates of the layer's box. */
export interface LayerCarets {
  /** The text that offsets refer to: the layer's, or the texts of its spans in succession. */
  readonly text: string;
  /** Whether the lines show this text. Else there are none: it goes along a path, or markup makes another text of it. */
  readonly isEditable: boolean;
  readonly lines: readonly CaretLine[];
  readonly stops: readonly CaretStop[];
}

export function layerCarets(layer: TextLayer, frame: Frame, { block, styles }: LayerText): LayerCarets {
  const spanTexts = layer.spans?.map((span) => span.text) ?? [layer.text];
  const text = spanTexts.join('');
  const givenOffset = layer.textPath || hasMarkers(layer, spanTexts) ? undefined : offsetsIn(spanTexts, styles);
  if (!givenOffset) return { text, isEditable: false, lines: [], stops: [] };
  const { left, top, right, bottom } = contentBox(layer, rectOf(0, 0, layer.width, layer.height));
  const { lines, stops } = withTextErrors(() => caretsIn(block, { width: right - left, height: bottom - top }));
  const origin = contentBox(layer, frame.unsnapped);
  /** Returns the offset for a place that may be inside the result of a character. */
  const lastOffset = (offset: number) => {
    let known = offset;
    while (known > 0 && givenOffset(known) === undefined) known--;
    return givenOffset(known) ?? 0;
  };
  return {
    text,
    isEditable: true,
    lines: lines.map((line) => ({
      ...line,
      start: lastOffset(line.start),
      end: lastOffset(line.end),
      x: origin.left + line.x,
      y: origin.top + line.y,
      baseline: origin.top + line.baseline,
    })),
    stops: stops.flatMap((stop) => {
      const offset = givenOffset(stop.offset);
      return offset === undefined ? [] : [{ ...stop, offset, x: origin.left + stop.x }];
    }),
  };
}

function hasMarkers({ markup }: TextLayer, spanTexts: readonly string[]): boolean {
  return markup && spanTexts.some((text) => parseMarkup(text).some((piece) => piece.text !== text));
}

/**
 * Gives the offset in the given text for one in the text that is shown, which `textTransform` may have made longer; undefined
 * inside of what one character became. Undefined as a whole where it can't be known.
 */
function offsetsIn(
  spanTexts: readonly string[],
  styles: readonly SpanStyle[],
): ((visibleOffset: number) => number | undefined) | undefined {
  if (spanTexts.every((text, i) => text.length === styles[i].text.length)) return (offset) => offset;
  const known = new Map([[0, 0]]);
  let start = 0;
  let visibleOffset = 0;
  let end = 0;
  for (const [i, text] of spanTexts.entries()) {
    const { textTransform, text: transformed } = styles[i];
    const isSame = text.length === transformed.length;
    for (const grapheme of graphemesOf(text)) {
      visibleOffset += isSame ? grapheme.length : transformText(grapheme, textTransform).length;
      end += grapheme.length;
      known.set(visibleOffset, end);
    }
    start += transformed.length;
    if (visibleOffset !== start) return undefined;
  }
  return (offset) => known.get(offset);
}
