// Paints copies of an image side by side, each of a whole number of canvas pixels.
import { IDENTITY } from '../geometry/affine.js';
import { type Rect, rectOf } from '../geometry/rect.js';
import { type Paint, RepeatedPaint, TransformedPaint } from '../raster/paint.js';
import { Pixmap } from '../raster/pixmap.js';
import { resample } from '../raster/resample.js';
import { Surface } from '../raster/surface.js';

/** Paints copies of the image, one of which lies at `box`, in integer canvas coordinates. */
export function repeatedPaint(source: Pixmap, box: Rect, { bounds, pixmap }: Surface, opacity: number): Paint {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const [left, top] = [box.left - bounds.left, box.top - bounds.top];
  const line = new Pixmap(pixmap.width, 1);
  if (source.width === width && source.height === height) return new RepeatedPaint(source, left, top, line, opacity);
  const [a, d] = [source.width / width, source.height / height];
  if (width * height > pixmap.width * pixmap.height) {
    // most of such a tile does not show
    const toSource = { a, b: 0, c: 0, d, e: -left * a, f: -top * d };
    return new TransformedPaint(source, toSource, opacity, line, true);
  }
  return new RepeatedPaint(makeTile(source, width, height), left, top, line, opacity);
}

/** Scales the image; the pixels along each edge are mixed with those of the opposite edge, which lie beside them. */
function makeTile(source: Pixmap, width: number, height: number): Pixmap {
  const bounds = rectOf(0, 0, width, height);
  const tile = resample(source, width, height, bounds);
  const edges = new Surface(bounds, tile);
  const toSource = { ...IDENTITY, a: source.width / width, d: source.height / height };
  const paint = new TransformedPaint(source, toSource, 1, new Pixmap(width, 1), true);
  // half a source pixel
  const [x, y] = [Math.ceil(width / source.width / 2), Math.ceil(height / source.height / 2)];
  const strips = [
    { ...bounds, right: x },
    { ...bounds, left: width - x },
    { ...bounds, bottom: y },
    { ...bounds, top: height - y },
  ];
  for (const strip of strips) {
    edges.clearRect(strip);
    edges.fillRect(strip, paint);
  }
  return tile;
}
