// The text of a layer in its fonts. Layout measures it and painting draws it, both from the same shaped block.
import type { TextLayer } from '../../contract/layers/index.js';
import { type TextBlock, textBlock } from '../../layout/text-block.js';
import type { TextStyle } from '../../layout/text-box.js';
import type { CheckTime } from '../../stage-budget.js';
import { lineBreaking } from './background.js';
import { withTextErrors } from './errors.js';
import { type SpanStyle, spansOf, type TextStacks, textSpans } from './spans.js';

export class LayerText {
  private shaped: TextBlock<TextStyle> | undefined;

  /** `stacks` holds the fonts of the layer, and of each of its spans; `styles` the spans' styles. Layout polls `check`. */
  constructor(
    private readonly layer: TextLayer,
    readonly stacks: TextStacks,
    readonly styles: readonly SpanStyle[] = spansOf(layer),
    readonly check: CheckTime = () => {},
  ) {}

  /** Throws RenderError `render_failed` for a text that can't be laid out. */
  get block(): TextBlock<TextStyle> {
    this.shaped ??= withTextErrors(() =>
      textBlock(textSpans(this.styles, this.stacks), this.stacks.block, lineBreaking(this.layer), this.check),
    );
    return this.shaped;
  }
}
