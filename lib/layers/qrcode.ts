// qrcode layer → content: the code's modules as whole pixels, centred in its box.
import qrcode from 'qrcode-generator';
import type { QrcodeLayer } from '../contract/layers.js';
import { RenderError } from '../errors.js';
import { Path } from '../geometry/path.js';
import { intersect, isEmpty, mapRect, roundOut } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import { PixmapPaint, SolidPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import { type Content, NOTHING } from './content.js';
import { frameOf } from './frame.js';
import { fillOutline, type Outline, outlinePath, RECTANGLE } from './outline.js';

/** The modules of a code: dark at [row][column]. */
type Modules = readonly (readonly boolean[])[];

const encoder = new TextEncoder();

/** Byte mode, UTF-8, the smallest version that holds the data, the mask that the standard's penalties choose. */
function encode(data: string, level: QrcodeLayer['errorCorrectionLevel']): Modules {
  const code = qrcode(0, level);
  // the package maps text to bytes by a global hook that is wrong beyond Latin-1: give it bytes, one a character
  code.addData(String.fromCharCode(...encoder.encode(data)), 'Byte');
  code.make();
  const count = code.getModuleCount();
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: count }, (_, column) => code.isDark(row, column)),
  );
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

export function qrcodeContent(layer: QrcodeLayer): Content {
  const frame = frameOf(layer);
  if (isEmpty(frame.box)) return NOTHING;
  const fault = qrcodeFault(layer);
  if (fault) throw new RenderError('render_failed', fault);
  const outline: Outline = layer.borderRadius > 0 ? { kind: 'rounded', radius: layer.borderRadius } : RECTANGLE;
  const modules = modulesPath(layer, encode(layer.data, layer.errorCorrectionLevel), frame.upright);
  const bounds = mapRect(frame.box, frame.toCanvas);
  const drawSquare = (surface: Surface) => {
    fillOutline(surface, frame, RECTANGLE, layer.colorLight);
    surface.fillPath(modules, frame.toCanvas, new SolidPaint(layer.colorDark));
  };
  return {
    bounds,
    flat: false,
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
}

/** The dark modules, as one path of row-wise runs. Edges are rounded when upright, so modules may differ by a pixel. */
function modulesPath({ x, y, width, height, margin }: QrcodeLayer, modules: Modules, upright: boolean): Path {
  const side = Math.min(width, height);
  const unit = side / (modules.length + 2 * margin);
  const edge = (from: number, k: number) => {
    const at = from + (margin + k) * unit;
    return upright ? Math.floor(at + 0.5) : at;
  };
  const left = x + (width - side) / 2;
  const top = y + (height - side) / 2;
  const path = new Path();
  modules.forEach((row, j) => {
    for (let i = 0; i < row.length; i++) {
      if (!row[i]) continue;
      const first = i;
      while (i + 1 < row.length && row[i + 1]) i++;
      rectangle(
        { left: edge(left, first), top: edge(top, j), right: edge(left, i + 1), bottom: edge(top, j + 1) },
        path,
      );
    }
  });
  return path;
}
