// QR code layers: encodes the data and draws the modules on whole pixels, centred in the box.
import type { QrcodeLayer } from '../../contract/layers/index.js';
import type { FieldIssue } from '../../contract/messages/issues.js';
import type { WarningCode } from '../../detail-codes.js';
import { RenderError } from '../../errors.js';
import { IDENTITY } from '../../geometry/affine.js';
import { Path } from '../../geometry/path.js';
import { expand, isEmpty, mapRect, type Rect, rectOf } from '../../geometry/rect.js';
import { rectangle } from '../../geometry/shapes.js';
import type { FillStyle, PaintTarget } from '../../paint/target.js';
import { isOpaqueFill } from '../../raster/fill.js';
import { paintBox } from '../box/paint.js';
import { type Drawable, emptyDrawable } from '../drawable.js';
import { enlargementOf, type Frame, imageScaleOf, scaleOf } from '../frame.js';
import { partOf } from '../optional.js';
import { drawClipped, fillOutline, RECTANGLE, roundedOutline } from '../outline.js';
import type { NaturalSize, PaintedSize, Picture } from '../picture.js';
import type { PaintedCode } from './painted-code.js';
import { codeSize, dataBytes, maxDataBytes } from './qr-capacity.js';
import { cutOut, hiddenModules, type Logo, logoBox, logoIssue, logoPainter, logoSize, logoWarning } from './qr-logo.js';
import { eyesPath, type ModuleGrid, type Modules, shapedModules, withoutEyes } from './qr-shapes.js';
import { MIN_QUIET_ZONE, scannabilityWarnings } from './scannability.js';

/** Codes that are kept. One takes at most 31 KB. */
const MAX_KEPT_CODES = 16;
/** The most recently used last. */
const codes = new Map<string, Modules>();

/**
 * The code of the data, through a cache: a logo's size, each size of a template and each picture of a document that is edited
 * need it. Encoding a link takes about 1 ms.
 */
function encodeCached(data: string, level: QrcodeLayer['errorCorrectionLevel']): Modules {
  const key = level + data;
  const code = codes.get(key) ?? partOf('qrEncoder').encodeQrcode(data, level);
  codes.delete(key);
  codes.set(key, code);
  for (const oldest of codes.keys()) if (codes.size > MAX_KEPT_CODES) codes.delete(oldest);
  return code;
}

/** Checks that a QR code can hold the layer's data, and a logo; returns the problem, if any. */
export function qrcodeIssue(layer: QrcodeLayer): FieldIssue | undefined {
  const { data, errorCorrectionLevel: level } = layer;
  const length = dataBytes(data);
  const max = maxDataBytes(level);
  if (length <= max) return logoIssue(layer);
  const message = `received ${length} bytes, expected at most ${max}: a QR code of level ${level} holds no more`;
  return { code: 'limit_exceeded', field: 'data', message };
}

/** The size in canvas pixels at which the logo's picture is painted. */
export function qrLogoSize(layer: QrcodeLayer, logo: Logo, frame: Frame, natural: NaturalSize): PaintedSize {
  return logoSize(logo, logoBox(logo, codeRect(layer, codeSize(layer), frame)), frame, natural);
}

/** The warnings about a code that holds its data: those of scannability, and of a logo that hides too much. */
export function qrcodeWarnings(layer: QrcodeLayer, frame: Frame): FieldIssue<WarningCode>[] {
  if (isEmpty(frame.box)) return [];
  const size = codeSize(layer);
  const warnings = scannabilityWarnings(layer, size, imageScaleOf(frame));
  const { logo, errorCorrectionLevel: level } = layer;
  const place = codeRect(layer, size, frame);
  const hidden = logo && hiddenModules(logoBox(logo, place), place, size);
  const warning = hidden === undefined ? undefined : logoWarning(hidden, size, level);
  return warning ? [...warnings, warning] : warnings;
}

/**
 * The code, its scannability warnings, and what is painted; that is undefined for an empty box. `picture`: the logo's, if the
 * layer has one.
 */
export function qrcodeContent(
  layer: QrcodeLayer,
  frame: Frame,
  picture?: Picture,
): { content: Drawable; warnings: readonly FieldIssue<WarningCode>[]; code?: PaintedCode } {
  const outline = roundedOutline(layer.borderRadius, frame.box);
  if (isEmpty(frame.box)) return { content: emptyDrawable(frame, outline), warnings: [] };
  const issue = qrcodeIssue(layer);
  if (issue) throw new RenderError('render_failed', issue.message);
  const code = encodeCached(layer.data, layer.errorCorrectionLevel);
  const { logo } = layer;
  let modules = code;
  let drawLogo: ((target: PaintTarget) => void) | undefined;
  if (logo) {
    const place = codeRect(layer, code.size, frame);
    const box = logoBox(logo, place);
    modules = cutOut(code, hiddenModules(box, place, code.size));
    if (picture) drawLogo = logoPainter(logo, box, frame, picture);
  }
  const drawModules = modulePainter(layer, modules, frame);
  const bounds = mapRect(frame.box, frame.toCanvas);
  const drawCode = (target: PaintTarget) => {
    fillOutline(target, frame, RECTANGLE, layer.colorLight);
    drawModules(target);
    drawLogo?.(target);
  };
  const content: Drawable = {
    frame,
    outline,
    bounds,
    nonOverlapping: false,
    isOpaqueBox: isOpaqueFill(layer.colorLight),
    draw(target) {
      paintBox(target, { frame, outline, shadow: layer.shadow }, 1, (inner) => {
        if (outline.kind === 'rectangle') drawCode(inner);
        else drawClipped(inner, frame, outline, 1, drawCode);
      });
    },
  };
  return { content, warnings: qrcodeWarnings(layer, frame), code: paintedCode(layer, code, frame) };
}

function paintedCode(layer: QrcodeLayer, { size, dark }: Modules, frame: Frame): PaintedCode {
  const symbol = codeRect(layer, size, frame);
  const unit = (symbol.right - symbol.left) / size;
  return {
    symbology: 'qrcode',
    data: layer.data,
    symbol,
    columns: size,
    rows: size,
    dark,
    toCanvas: frame.toCanvas,
    quietZone: MIN_QUIET_ZONE,
    isSnapped: isSnapped(frame),
    // the logo hides the modules that it touches too
    ...(layer.logo && { logo: expand(logoBox(layer.logo, symbol), unit) }),
  };
}

/** Returns a function that draws the modules and the finder patterns. */
function modulePainter(layer: QrcodeLayer, modules: Modules, frame: Frame): (target: PaintTarget) => void {
  const { moduleShape, eyeShape, colorDark, eyeColor = colorDark } = layer;
  const grid = gridOf(layer, modules.size, frame);
  const map = isSnapped(frame) ? IDENTITY : frame.toCanvas;
  const isPlain = moduleShape === 'square' && eyeShape === 'square' && !layer.eyeColor;
  const body = isPlain ? modules : withoutEyes(modules);
  const eyes = isPlain ? undefined : eyesPath(modules.size, grid, eyeShape);
  let drawBody: (target: PaintTarget, style: FillStyle) => void;
  if (moduleShape === 'square' && isSnapped(frame)) {
    // integer rectangles need no rasterizer: 0.3 of the time of one path, measured
    const runs = moduleRuns(body, grid);
    drawBody = (target, style) => target.fillRects(runs, style);
  } else {
    const path = moduleShape === 'square' ? new Path() : shapedModules(body, grid, moduleShape);
    if (moduleShape === 'square') for (const run of moduleRuns(body, grid)) rectangle(run, path);
    drawBody = (target, style) => target.fillPath(path, map, style);
  }
  return (target) => {
    drawBody(target, { fill: colorDark, area: frame, opacity: 1 });
    if (eyes) target.fillPath(eyes, map, { fill: eyeColor, area: frame, opacity: 1 }, 'evenodd');
  };
}

/** The code without its margin, in the frame's coordinates. */
function codeRect({ x, y, width, height, margin }: QrcodeLayer, size: number, frame: Frame): Rect {
  const side = Math.min(width, height);
  const unit = side / (size + 2 * margin);
  const left = x + frame.space.x + (width - side) / 2 + margin * unit;
  const top = y + frame.space.y + (height - side) / 2 + margin * unit;
  return rectOf(left, top, size * unit, size * unit);
}

/** Whether module edges can fall on whole canvas pixels: the code is neither turned, mirrored nor stretched. */
function isSnapped({ isUpright, toCanvas }: Frame): boolean {
  return isUpright && toCanvas.a > 0 && toCanvas.a === toCanvas.d;
}

/**
 * The edges of modules. Snapped ones are in canvas pixels, rounded to pixels of the image, so module sizes may differ by a pixel; others are in the
 * frame's coordinates.
 */
function gridOf(layer: QrcodeLayer, size: number, frame: Frame): ModuleGrid {
  const { margin } = layer;
  const snaps = isSnapped(frame);
  const pixel = enlargementOf(frame);
  const side = Math.min(layer.width, layer.height);
  const unit = ((snaps ? scaleOf(frame) : 1) * side) / (size + 2 * margin);
  const edge = (from: number, index: number) => {
    const position = from + (margin + index) * unit;
    return snaps ? Math.floor(position / pixel + 0.5) * pixel : position;
  };
  const x = layer.x + frame.space.x + (layer.width - side) / 2;
  const y = layer.y + frame.space.y + (layer.height - side) / 2;
  const { toCanvas } = frame;
  const left = snaps ? toCanvas.a * x + toCanvas.e : x;
  const top = snaps ? toCanvas.d * y + toCanvas.f : y;
  return { x: (index) => edge(left, index), y: (index) => edge(top, index) };
}

/** Horizontal runs of dark modules. */
function moduleRuns({ size, dark }: Modules, grid: ModuleGrid): Rect[] {
  const runs: Rect[] = [];
  for (let j = 0; j < size; j++) {
    const row = dark.subarray(j * size, (j + 1) * size);
    for (let i = row.indexOf(1); i >= 0 && i < size; ) {
      const light = row.indexOf(0, i);
      const end = light < 0 ? size : light;
      runs.push({ left: grid.x(i), top: grid.y(j), right: grid.x(end), bottom: grid.y(j + 1) });
      i = row.indexOf(1, end);
    }
  }
  return runs;
}
