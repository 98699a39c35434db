// Barcode layers: bars and modules of whole pixels, centred in the box, and the text beneath them.
import { completeData } from '../../barcodes/check.js';
import type { Barcode, FitModule, LinearCode } from '../../barcodes/encode.js';
import { SYMBOLOGY_INFO } from '../../barcodes/symbologies.js';
import type { BarcodeLayer } from '../../contract/layers/index.js';
import type { FieldIssue } from '../../contract/messages/issues.js';
import type { WarningCode } from '../../detail-codes.js';
import { IDENTITY } from '../../geometry/affine.js';
import { Path } from '../../geometry/path.js';
import { expand, isEmpty, mapRect, unite } from '../../geometry/rect.js';
import { rectangle } from '../../geometry/shapes.js';
import type { FontStack } from '../../text/font-stack.js';
import { type Drawable, emptyDrawable } from '../drawable.js';
import { type Frame, imageScaleOf } from '../frame.js';
import { fillOutline, RECTANGLE } from '../outline.js';
import { type BarcodeGeometry, barcodeGeometry, fittingModule } from './barcode-geometry.js';
import { barcodeText, defaultSize, drawBarcodeText, LINE_HEIGHT, textBounds } from './barcode-text.js';
import type { PaintedCode } from './painted-code.js';
import { barcodeWarnings } from './scannability.js';

export { shownText } from './barcode-text.js';

/** Pixels: smaller text is not readable. */
const MIN_TEXT_SIZE = 5;

/** The pixels that a module of a matrix code has in the layer's box, before they are made whole. */
export function fitBarcode(layer: BarcodeLayer, frame: Frame): FitModule {
  const textHeight = layer.showText ? defaultSize(layer, frame) * LINE_HEIGHT : 0;
  return (columns, rows) => fittingModule(layer, { columns, rows }, frame, textHeight) * imageScaleOf(frame);
}

/**
 * The code, its scannability warnings, and what is painted; that is undefined for an empty box. `stack`: the faces of its
 * text, when the layer shows text.
 */
export function barcodeContent(
  layer: BarcodeLayer,
  frame: Frame,
  code: Barcode,
  stack: FontStack | undefined,
): { content: Drawable; warnings: readonly FieldIssue<WarningCode>[]; code?: PaintedCode } {
  if (isEmpty(frame.box)) return { content: emptyDrawable(frame, RECTANGLE), warnings: [] };
  const { colorDark, colorLight, fontSize } = layer;
  const text = stack && barcodeText(layer, code, frame, stack);
  const geometry = barcodeGeometry(layer, code, frame, text ? text.size * LINE_HEIGHT : 0);
  const { rects, isWhole } = geometry;
  const lines = text ? text.linesAt(geometry, colorDark) : [];
  const box = mapRect(frame.box, frame.toCanvas);
  const ink = textBounds(lines);
  const content: Drawable = {
    frame,
    outline: RECTANGLE,
    bounds: ink ? unite(box, expand(ink, 1)) : box,
    nonOverlapping: false,
    draw(target) {
      fillOutline(target, frame, RECTANGLE, colorLight);
      const style = { fill: colorDark, area: frame, opacity: 1 };
      if (isWhole) target.fillRects(rects, style);
      else {
        const path = new Path();
        for (const rect of rects) rectangle(rect, path);
        target.fillPath(path, frame.isUpright ? IDENTITY : frame.toCanvas, style);
      }
      if (text) drawBarcodeText(target, frame, lines);
    },
  };
  const warnings = barcodeWarnings(layer, geometry.module * imageScaleOf(frame));
  if (text?.isShrunk) {
    const message = `the text does not fit at ${fontSize} px: it is drawn at ${Math.floor(text.size * 10) / 10} px`;
    warnings.push({ code: 'code_text', field: 'fontSize', message });
  } else if (text && text.size < MIN_TEXT_SIZE) {
    const message = `the text is drawn at ${Math.floor(text.size * 10) / 10} px, expected at least ${MIN_TEXT_SIZE}: make the box larger or the data shorter`;
    warnings.push({ code: 'code_text', field: 'showText', message });
  }
  return { content, warnings, code: paintedCode(layer, code, geometry, frame) };
}

function paintedCode(
  layer: BarcodeLayer,
  code: Barcode,
  { symbol, module, isWhole }: BarcodeGeometry,
  frame: Frame,
): PaintedCode {
  const { toCanvas } = frame;
  // a code of whole pixels keeps them at quarter turns
  const isQuarterTurn = toCanvas.a === 0 && toCanvas.d === 0 && Number.isInteger(module * imageScaleOf(frame));
  const { left, right } = SYMBOLOGY_INFO[layer.symbology].quietZone;
  const { columns, rows, dark } =
    code.kind === 'matrix' ? code : { columns: code.width, rows: 1, dark: darkModules(code) };
  return {
    symbology: layer.symbology,
    data: completeData(layer),
    symbol,
    columns,
    rows,
    dark,
    toCanvas,
    quietZone: Math.min(left, right),
    isSnapped: isWhole || isQuarterTurn,
  };
}

function darkModules({ bars, width }: LinearCode): Uint8Array {
  const dark = new Uint8Array(width);
  for (const { start, end } of bars) dark.fill(1, start, end);
  return dark;
}
