// Places the bars and modules of a barcode. All modules are equally wide, in whole canvas pixels, so that scanners measure bars
// of the right widths; the rest of the box widens the quiet zone.
import type { Bar, Barcode, LinearCode, MatrixCode } from '../../barcodes/encode.js';
import { SYMBOLOGY_INFO } from '../../barcodes/symbologies.js';
import type { BarcodeLayer } from '../../contract/layers/index.js';
import type { Rect } from '../../geometry/rect.js';
import { enlargementOf, type Frame, imageScaleOf } from '../frame.js';

export interface BarcodeGeometry {
  /** The side of a module, or the width of the narrowest bar, in CSS pixels. */
  readonly module: number;
  /** The dark rectangles: in canvas pixels when the frame is upright, else in its coordinates. */
  readonly rects: readonly Rect[];
  /** Whether the rectangles are whole canvas pixels. */
  readonly isWhole: boolean;
  /** The left edge of the first module and the bottom of the code, in the frame's coordinates. */
  readonly left: number;
  readonly bottom: number;
  /** The area of the modules, without bearer bars, in the frame's coordinates. */
  readonly symbol: Rect;
}

interface QuietZone {
  readonly left: number;
  readonly right: number;
}

/** Modules that digits beside the bars of an EAN-13 or UPC-A take. */
const DIGIT_ROOM = 8;
/** Modules by which the guard bars of EAN and UPC reach down between the digits (GS1 General Specifications 5.2.1). */
const GUARD_LENGTH = 5;
/** Modules of the thickness of the bars above and below an ITF-14 (GS1 General Specifications 5.3.2). */
const BEARER_BAR = 2;

/** Whether a digit stands beside the bars, on the left and on the right. */
export function digitsBeside({ symbology, showText }: BarcodeLayer): { left: boolean; right: boolean } {
  return {
    left: showText && (symbology === 'ean13' || symbology === 'upca'),
    right: showText && symbology === 'upca',
  };
}

/** The quiet zone in modules: what the layer says, or what the standard asks for, and room for the digits in it. */
function quietZone(layer: BarcodeLayer): QuietZone {
  const { margin } = layer;
  const zone = margin === undefined ? SYMBOLOGY_INFO[layer.symbology].quietZone : { left: margin, right: margin };
  const beside = digitsBeside(layer);
  return {
    left: beside.left ? Math.max(zone.left, DIGIT_ROOM) : zone.left,
    right: beside.right ? Math.max(zone.right, DIGIT_ROOM) : zone.right,
  };
}

/** Modules of a code without its quiet zone; bars are as high as there is room. */
interface CodeSize {
  readonly columns: number;
  readonly rows?: number;
}

export function sizeOf(code: Barcode): CodeSize {
  return code.kind === 'linear' ? { columns: code.width } : code;
}

/** The side of a module with which the code fills the box. `textHeight`: CSS pixels at the bottom that the text takes. */
export function fittingModule(
  layer: BarcodeLayer,
  { columns, rows }: CodeSize,
  { box }: Frame,
  textHeight: number,
): number {
  const zone = quietZone(layer);
  const across = (box.right - box.left) / (zone.left + columns + zone.right);
  if (rows === undefined) return across;
  return Math.min(across, Math.max(0, box.bottom - box.top - textHeight) / (zone.left + rows + zone.right));
}

/** The same in whole pixels of the image, unless that is nothing. */
export function moduleSize(layer: BarcodeLayer, code: Barcode, frame: Frame, textHeight: number): number {
  const length = fittingModule(layer, sizeOf(code), frame, textHeight);
  const scale = imageScaleOf(frame);
  // 3 / 1.1 × 1.1 may fall short of 3
  const pixels = Math.floor(length * scale + 1e-6);
  return pixels >= 1 ? pixels / scale : length;
}

export function barcodeGeometry(layer: BarcodeLayer, code: Barcode, frame: Frame, textHeight: number): BarcodeGeometry {
  const module = moduleSize(layer, code, frame, textHeight);
  const { box, isUpright } = frame;
  const zone = quietZone(layer);
  const { columns } = sizeOf(code);
  const free = box.right - box.left - (zone.left + columns + zone.right) * module;
  const { a, d, e, f } = frame.toCanvas;
  const pixel = enlargementOf(frame);
  const scale = imageScaleOf(frame);
  const x = isUpright ? canvasAxis(a, e, pixel) : frameAxis(scale);
  const y = isUpright ? canvasAxis(d, f, pixel) : frameAxis(scale);
  const left = x.position(box.left + free / 2 + zone.left * module);
  const unitX = x.length(module);
  const unitY = y.length(module);
  const rects: Rect[] = [];
  const add = (start: number, end: number, top: number, bottom: number) =>
    rects.push(sorted(left + start * unitX, top, left + end * unitX, bottom));
  let top: number;
  let bottom: number;
  let bearerBar = 0;
  if (code.kind === 'linear') {
    top = y.position(box.top);
    bottom = y.position(box.bottom - textHeight);
    const guardBottom = y.position(box.bottom - textHeight + Math.min(GUARD_LENGTH * module, textHeight / 2));
    const isGuard = guardBars(layer, code);
    for (const bar of code.bars) add(bar.start, bar.end, top, isGuard(bar) ? guardBottom : bottom);
    if (layer.symbology === 'itf14') {
      bearerBar = BEARER_BAR * module;
      add(0, code.width, top, top + BEARER_BAR * unitY);
      add(0, code.width, bottom - BEARER_BAR * unitY, bottom);
    }
  } else {
    const height = (zone.left + code.rows + zone.right) * module;
    top = y.position(box.top + (box.bottom - textHeight - box.top - height) / 2 + zone.left * module);
    bottom = top + code.rows * unitY;
    for (const { row, start, end } of darkRuns(code)) add(start, end, top + row * unitY, top + (row + 1) * unitY);
  }
  const start = x.original(left);
  const end = y.original(bottom);
  return {
    module,
    rects,
    isWhole: isUpright && Number.isInteger(unitX) && Number.isInteger(unitY),
    left: start,
    bottom: end,
    symbol: {
      left: start,
      top: y.original(top) + bearerBar,
      right: start + columns * module,
      bottom: end - bearerBar,
    },
  };
}

/** One dimension of the space in which rectangles are painted. */
interface Axis {
  /** The nearest whole pixel to a coordinate of the frame. */
  position(coordinate: number): number;
  /** A length in the frame; negative on a mirrored axis. */
  length(length: number): number;
  /** The frame's coordinate of a position. */
  original(position: number): number;
}

function canvasAxis(factor: number, shift: number, pixel: number): Axis {
  return {
    position: (coordinate) => Math.floor((factor * coordinate + shift) / pixel + 0.5) * pixel,
    length(length) {
      const exact = factor * length;
      const whole = Math.round(exact / pixel) * pixel;
      return Math.abs(exact - whole) < 1e-6 ? whole : exact;
    },
    original: (position) => (position - shift) / factor,
  };
}

/** Returns the axis of a rotated layer: positions are as on an upright one, which keeps pixels whole at quarter turns. */
function frameAxis(scale: number): Axis {
  return {
    position: (coordinate) => Math.floor(coordinate * scale + 0.5) / scale,
    length: (length) => length,
    original: (position) => position,
  };
}

/** The rectangle between two corners. */
function sorted(x0: number, y0: number, x1: number, y1: number): Rect {
  return { left: Math.min(x0, x1), top: Math.min(y0, y1), right: Math.max(x0, x1), bottom: Math.max(y0, y1) };
}

/** Tells guard bars from others: those at both ends and in the middle, for UPC-A also those of the outer digits. */
function guardBars({ symbology, showText }: BarcodeLayer, { width }: LinearCode): (bar: Bar) => boolean {
  if (!showText || (symbology !== 'ean13' && symbology !== 'ean8' && symbology !== 'upca')) return () => false;
  const outer = symbology === 'upca' ? 10 : 3;
  const middle = width / 2;
  return ({ start, end }) => end <= outer || start >= width - outer || (start > middle - 3 && end < middle + 3);
}

/** Horizontal runs of dark modules. */
function* darkRuns({ columns, rows, dark }: MatrixCode): Generator<{ row: number; start: number; end: number }> {
  for (let row = 0; row < rows; row++) {
    const modules = dark.subarray(row * columns, (row + 1) * columns);
    for (let start = modules.indexOf(1); start >= 0; ) {
      const light = modules.indexOf(0, start);
      const end = light < 0 ? columns : light;
      yield { row, start, end };
      start = end < columns ? modules.indexOf(1, end) : -1;
    }
  }
}
