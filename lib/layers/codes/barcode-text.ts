// The text beneath a barcode: the data as one line, or the digits of EAN and UPC codes each beneath its own bars.
import { completeData } from '../../barcodes/check.js';
import type { Barcode } from '../../barcodes/encode.js';
import type { BarcodeLayer } from '../../contract/layers/index.js';
import type { Rect } from '../../geometry/rect.js';
import { layoutText, plainText, type TextStyle } from '../../layout/text-box.js';
import type { PaintTarget } from '../../paint/target.js';
import type { Fill } from '../../raster/fill.js';
import type { FontStack } from '../../text/font-stack.js';
import type { Frame } from '../frame.js';
import { drawSpan } from '../text/draw.js';
import { inkBounds, paintableSpans } from '../text/line-paint.js';
import { type PaintableSpan, PointBudget } from '../text/span-ink.js';
import { type BarcodeGeometry, digitsBeside, moduleSize } from './barcode-geometry.js';

/** Line height as a multiple of the text's size. */
export const LINE_HEIGHT = 1.2;
/** Text size if no fontSize is set: in modules, and as a share of the box's height. */
const SIZE_IN_MODULES = 10;
const SIZE_IN_BOX = 1 / 8;
/** The part of the box's height that the text takes at most. */
const MAX_HEIGHT = 1 / 2;
/** Modules of the digits of EAN and UPC codes, and of what stands between the edges and the digits' halves. */
const DIGIT = 7;
const EDGE = 3;
const CENTRE = 5;
/** Modules from the bars to the middle of a digit beside them. */
const BESIDE = 5;

/** A piece of text whose middle is at `centre` modules from the left edge of the code. */
interface Piece {
  readonly text: string;
  readonly centre: number;
}

export interface BarcodeText {
  /** Pixels. */
  readonly size: number;
  /** Whether it is smaller than the layer's fontSize. */
  readonly isShrunk: boolean;
  linesAt(geometry: BarcodeGeometry, color: Fill): PaintableSpan[];
}

/** The characters that the text has: its fonts are loaded for them. */
export function shownText(layer: BarcodeLayer): string {
  // a line: control characters and line breaks are blanks
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  return completeData(layer).replace(/[\0-\x1f\x7f\u0085\u2028\u2029]+/g, ' ');
}

const STYLE: TextStyle = {
  fontSize: 100,
  minFontSize: 1,
  autoFit: false,
  lineHeight: LINE_HEIGHT,
  letterSpacing: 0,
  textWrap: 'wrap',
  direction: 'auto',
  wrap: false,
  textAlign: 'left',
  verticalAlign: 'top',
};
const NO_BOX = { width: 0, height: 0 };

/** The size that the text has unless it has to shrink. */
export function defaultSize({ fontSize }: BarcodeLayer, { box }: Frame): number {
  return fontSize ?? (box.bottom - box.top) * SIZE_IN_BOX;
}

/** The text in the largest size, up to the wanted one, at which it fits. */
export function barcodeText(layer: BarcodeLayer, code: Barcode, frame: Frame, stack: FontStack): BarcodeText {
  const text = shownText(layer);
  const width = frame.box.right - frame.box.left;
  const height = frame.box.bottom - frame.box.top;
  const ems = (piece: string) =>
    layoutText(plainText(piece, stack, STYLE), stack, STYLE, NO_BOX).lines[0].width / STYLE.fontSize;
  const module = moduleSize(layer, code, frame, 0);
  const wanted = Math.min(
    defaultSize(layer, frame),
    code.kind === 'linear' && layer.fontSize === undefined ? SIZE_IN_MODULES * module : Infinity,
  );
  const pieces = digitPieces(layer, text) ?? [{ text, centre: 0 }];
  const fitting =
    pieces.length > 1
      ? (DIGIT * module) / Math.max(...Array.from(new Set(text), ems))
      : width / Math.max(ems(text), Number.MIN_VALUE);
  const size = Math.min(wanted, fitting, (height * MAX_HEIGHT) / LINE_HEIGHT);
  return {
    size,
    isShrunk: layer.fontSize !== undefined && size < layer.fontSize,
    linesAt({ left, bottom, module: unit }, color) {
      const style = { ...STYLE, fontSize: size };
      // the middle of a line of text is the box's: the code's may be half a pixel beside it
      const middle = (frame.box.left + frame.box.right) / 2;
      return pieces.flatMap((piece) => {
        const [line] = layoutText(plainText(piece.text, stack, style), stack, style, NO_BOX).lines;
        const centre = pieces.length > 1 ? left + piece.centre * unit : middle;
        const origin = { left: centre - line.width / 2, top: bottom, right: 0, bottom: 0 };
        return paintableSpans(line, [{ color }], { frame, origin, budget: new PointBudget() });
      });
    },
  };
}

/** The digits of an EAN or UPC code in their places. */
function digitPieces(layer: BarcodeLayer, text: string): Piece[] | undefined {
  const { symbology } = layer;
  if (symbology !== 'ean13' && symbology !== 'ean8' && symbology !== 'upca') return undefined;
  const beside = digitsBeside(layer);
  const total = symbology === 'ean8' ? 8 : 12;
  const codeWidth = 2 * EDGE + CENTRE + total * DIGIT;
  // the first digit of an EAN-13 has no bars
  const skipped = symbology === 'ean13' ? 1 : 0;
  return Array.from(text, (digit, index): Piece => {
    if (index === 0 && beside.left) return { text: digit, centre: -BESIDE };
    if (index === text.length - 1 && beside.right) return { text: digit, centre: codeWidth + BESIDE };
    const place = index - skipped;
    const start = EDGE + place * DIGIT + (place >= total / 2 ? CENTRE : 0);
    return { text: digit, centre: start + DIGIT / 2 };
  });
}

/** Bounds the pixels that the line covers on the canvas. */
export function textBounds(spans: readonly PaintableSpan[]): Rect | undefined {
  return spans.length === 0 ? undefined : inkBounds(spans);
}

export function drawBarcodeText(target: PaintTarget, frame: Frame, spans: readonly PaintableSpan[]): void {
  for (const span of spans) drawSpan({ target, frame, opacity: 1 }, span);
}
