// How text along a path is laid out: as one line.
import type { TextLayer } from '../../contract/layers/index.js';
import { LINE_ENDS, type TextSpan } from '../../layout/spans.js';
import type { TextStyle } from '../../layout/text-box.js';

/** The area of text that is as long as it likes. */
export const ENDLESS = { width: Infinity, height: Infinity };

/** The spans as one line: line ends are blanks. */
export function inOneLine(spans: readonly TextSpan[]): TextSpan[] {
  return spans.map((span) => ({ ...span, text: span.text.replace(LINE_ENDS, ' ') }));
}

/** The style of a line that starts at 0. */
export function lineStyle(layer: TextLayer): TextStyle {
  const { fontSize, minFontSize, lineHeight, letterSpacing, direction } = layer;
  return {
    fontSize,
    minFontSize,
    lineHeight,
    letterSpacing,
    direction,
    autoFit: false,
    wrap: false,
    textWrap: 'wrap',
    textAlign: 'left',
    verticalAlign: 'top',
  };
}
