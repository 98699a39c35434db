// The watermark of free-tier images: light text on a dark pill in the lower right corner, legible on any image. It scales
// with the canvas and always stays inside it, down to a few pixels.
import { IDENTITY } from '../geometry/affine.js';
import { uniformCorners } from '../geometry/corners.js';
import { roundedRectangle } from '../geometry/shapes.js';
import { layoutText, plainText, type TextStyle } from '../layout/text-box.js';
import type { FillStyle, PaintTarget } from '../paint/target.js';
import { type Color, WHITE } from '../raster/color.js';
import { SolidPaint } from '../raster/paint.js';
import type { FontStack } from '../text/font-stack.js';
import { CANVAS_SPACE, frameOf } from './frame.js';
import { fillMasks } from './text/glyph-masks.js';
import { paintableSpans } from './text/line-paint.js';
import { PointBudget, spanBounds } from './text/span-ink.js';

const PILL_COLOR = { r: 15, g: 23, b: 42, a: 0.72 };
/** The font size as a fraction of the canvas's shorter side, and its limits in pixels where the canvas has room. */
const SIZE_RATIO = 1 / 26;
const MIN_SIZE = 11;
const MAX_SIZE = 72;
/** Lengths in ems: the pill's height, the padding beside the text, the margin to the canvas's edges. */
const HEIGHT = 1.9;
const PADDING = 0.8;
const MARGIN = 0.7;

/** Draws `text` in the lower right corner of the target, which must be the whole canvas. */
export function drawWatermark(target: PaintTarget, text: string, stack: FontStack): void {
  const { right, bottom } = target.bounds;
  const ems = widthInEms(text, stack);
  const wanted = Math.min(MAX_SIZE, Math.max(MIN_SIZE, Math.min(right, bottom) * SIZE_RATIO));
  const size = Math.min(wanted, right / (ems + 2 * PADDING + 2 * MARGIN), bottom / (HEIGHT + 2 * MARGIN));
  const pill = {
    left: right - (ems + 2 * PADDING + MARGIN) * size,
    top: bottom - (HEIGHT + MARGIN) * size,
    right: right - MARGIN * size,
    bottom: bottom - MARGIN * size,
  };
  const styleOf = (fill: Color): FillStyle => ({ fill, area: { box: pill, toCanvas: IDENTITY }, opacity: 1 });
  target.fillPath(roundedRectangle(pill, uniformCorners((HEIGHT * size) / 2)), IDENTITY, styleOf(PILL_COLOR));
  const box = {
    x: pill.left + PADDING * size,
    y: pill.top,
    width: (ems + PADDING) * size,
    height: HEIGHT * size,
    rotation: 0,
  };
  const style = { ...STYLE, fontSize: size };
  const [line] = layoutText(plainText(text, stack, style), stack, style, box).lines;
  const spans = paintableSpans(line, [{ color: WHITE }], {
    frame: frameOf(box, CANVAS_SPACE),
    origin: { left: box.x, top: box.y, right: 0, bottom: 0 },
    budget: new PointBudget(),
  });
  for (const span of spans) {
    target.drawGlyphs({
      style: styleOf(WHITE),
      bounds: () => spanBounds(span),
      glyphs: span.glyphs,
      text: span.text,
      // without the contrast of other text
      drawPixels: (surface) => fillMasks(surface, span.masks, new SolidPaint(WHITE)),
    });
  }
}

const STYLE: TextStyle = {
  fontSize: 100,
  minFontSize: 1,
  autoFit: false,
  lineHeight: 1.2,
  letterSpacing: 0,
  textWrap: 'wrap',
  direction: 'auto',
  wrap: false,
  textAlign: 'left',
  verticalAlign: 'middle',
};

function widthInEms(text: string, stack: FontStack): number {
  const { lines } = layoutText(plainText(text, stack, STYLE), stack, STYLE, { width: 0, height: 0 });
  return lines[0].width / STYLE.fontSize;
}
