// qrcode layer → content: the code's modules as whole pixels, centred in its box.
import qrcode from 'qrcode-generator';
import type { QrcodeLayer } from '../contract/layers.js';
import type { FieldIssue } from '../contract/parse-layers.js';
import { RenderError } from '../errors.js';
import { Path } from '../geometry/path.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import { PixmapPaint, SolidPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import { type Drawable, EMPTY_DRAWABLE } from './drawable.js';
import { frameOf } from './frame.js';
import { fillOutline, type Outline, outlinePath, RECTANGLE } from './outline.js';
import { scannabilityWarnings } from './scannability.js';

/** A square of `size` × `size` modules, row by row; 1 is dark. */
interface Modules {
  readonly size: number;
  readonly dark: Uint8Array;
}

const encoder = new TextEncoder();

/** Byte mode, UTF-8, the smallest version that holds the data, the mask that the standard's penalties choose. */
function encode(data: string, level: QrcodeLayer['errorCorrectionLevel']): Modules {
  const code = qrcode(0, level);
  // the package maps text to bytes by a global hook that is wrong beyond Latin-1: give it bytes, one a character
  code.addData(String.fromCharCode(...encoder.encode(data)), 'Byte');
  code.make();
  const size = code.getModuleCount();
  const dark = Uint8Array.from({ length: size * size }, (_, i) => Number(code.isDark(Math.floor(i / size), i % size)));
  return { size, dark };
}

/** Bytes that version 40, the largest, holds at each level (ISO/IEC 18004 table 7). */
const CAPACITY = { L: 2953, M: 2331, Q: 1663, H: 1273 } as const;

/** What is wrong with the layer's data, if anything: known before any drawing. */
export function qrcodeFault({ data, errorCorrectionLevel: level }: QrcodeLayer): string | undefined {
  const length = encoder.encode(data).length;
  const most = CAPACITY[level];
  if (length <= most) return undefined;
  return `received ${length} bytes, expected at most ${most}: a QR code of level ${level} holds no more`;
}

/** The code, and why scanners may fail on it. */
export function qrcodeContent(layer: QrcodeLayer): { content: Drawable; warnings: readonly FieldIssue[] } {
  const frame = frameOf(layer);
  if (isEmpty(frame.box)) return { content: EMPTY_DRAWABLE, warnings: [] };
  const fault = qrcodeFault(layer);
  if (fault) throw new RenderError('render_failed', fault);
  const outline: Outline = layer.borderRadius > 0 ? { kind: 'rounded', radius: layer.borderRadius } : RECTANGLE;
  const code = encode(layer.data, layer.errorCorrectionLevel);
  const modules = moduleRuns(layer, code, frame.upright);
  const bounds = mapRect(frame.box, frame.toCanvas);
  const drawSquare = (surface: Surface) => {
    fillOutline(surface, frame, RECTANGLE, layer.colorLight);
    const paint = new SolidPaint(layer.colorDark);
    // whole pixels, with no edge to find: measured against one path, 0.3 of the time
    if (frame.upright) for (const run of modules) surface.fillRect(run, paint);
    else {
      const path = new Path();
      for (const run of modules) rectangle(run, path);
      surface.fillPath(path, frame.toCanvas, paint);
    }
  };
  const content: Drawable = {
    bounds,
    nonOverlapping: false,
    draw(surface) {
      if (outline.kind === 'rectangle') {
        drawSquare(surface);
        return;
      }
      const visible = intersect(roundOut(bounds), surface.bounds);
      if (isEmpty(visible)) return;
      const square = new Surface(visible);
      drawSquare(square);
      const paint = new PixmapPaint(
        square.pixmap,
        visible.left - surface.bounds.left,
        visible.top - surface.bounds.top,
      );
      surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
    },
  };
  return { content, warnings: scannabilityWarnings(layer, code.size) };
}

/** The dark modules, as runs in rows. Edges are rounded when upright, so modules may differ by a pixel. */
function moduleRuns({ x, y, width, height, margin }: QrcodeLayer, modules: Modules, upright: boolean): Rect[] {
  const side = Math.min(width, height);
  const unit = side / (modules.size + 2 * margin);
  const edge = (from: number, k: number) => {
    const at = from + (margin + k) * unit;
    return upright ? Math.floor(at + 0.5) : at;
  };
  const left = x + (width - side) / 2;
  const top = y + (height - side) / 2;
  const runs: Rect[] = [];
  const { size, dark } = modules;
  for (let j = 0; j < size; j++) {
    const row = dark.subarray(j * size, (j + 1) * size);
    for (let i = row.indexOf(1); i >= 0 && i < size; ) {
      const light = row.indexOf(0, i);
      const end = light < 0 ? size : light;
      runs.push({ left: edge(left, i), top: edge(top, j), right: edge(left, end), bottom: edge(top, j + 1) });
      i = row.indexOf(1, end);
    }
  }
  return runs;
}
