// A text layer as content of a box, with its padding.
import type { TextLayer } from '../../contract/layers/index.js';
import type { Content } from '../../layout/flex/node.js';
import { measureText, type TextMeasure } from '../../layout/text-measure.js';
import { textPadding } from '../text/background.js';
import { withTextErrors } from '../text/errors.js';
import type { LayerText } from '../text/layer-text.js';

/** Widths and heights are those of the layer's box. */
function textMeasure(layer: TextLayer, { block }: LayerText): TextMeasure {
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

/** UTF-16 units that are wrapped in the time of one step, measured. */
const UNITS_PER_STEP = 64;
/** Sizes that autoFit tries. */
const AUTO_FIT_STEPS = 12;

/** Throws RenderError `render_failed`, when it is measured, for a text that can't be laid out. */
export function measuredText(layer: TextLayer, own: LayerText): Content | undefined {
  // as in browsers, a block without text has no line
  if (own.styles.every(({ text }) => text === '')) return undefined;
  const length = own.styles.reduce((sum, { text }) => sum + text.length, 0);
  let measure: ReturnType<typeof textMeasure> | undefined;
  const measured = () => {
    measure ??= textMeasure(layer, own);
    return measure;
  };
  return {
    kind: 'content',
    measureSteps: Math.ceil((length * (layer.autoFit ? AUTO_FIT_STEPS : 1)) / UNITS_PER_STEP),
    minContentWidth: () => measured().minContent(),
    maxContentWidth: () => measured().maxContent(),
    measure: (width, height) => withTextErrors(() => measured().at(width, height)),
  };
}
