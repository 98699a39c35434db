// The sizes of a text layer by itself, with its padding.
import type { TextLayer } from '../../contract/layers/index.js';
import { measureText, type TextMeasure } from '../../layout/text-measure.js';
import { textPadding } from './background.js';
import type { LayerText } from './layer-text.js';

/** Widths and heights are those of the layer's box. */
export function textMeasure(layer: TextLayer, { block }: LayerText): TextMeasure {
  const [top, right, bottom, left] = textPadding(layer);
  const text = measureText(block);
  return {
    maxContent: () => text.maxContent() + left + right,
    minContent: () => text.minContent() + left + right,
    at(width, boxHeight) {
      const inner = boxHeight === undefined ? undefined : Math.max(0, boxHeight - top - bottom);
      const { height, baseline } = text.at(Math.max(0, width - left - right), inner);
      return { height: height + top + bottom, baseline: baseline + top };
    },
  };
}
