// Coverage of polygons, as they are painted.
import type { Polygon } from '../../lib/geometry/polygon.js';
import { Rasterizer } from '../../lib/raster/coverage.js';
import { PER_PIXEL } from '../../lib/raster/spans.js';

/** Coverage 0–255 by [y × size + x]. */
export function paint(polygon: Polygon, size: number): Uint8Array {
  const out = new Uint8Array(size * size);
  new Rasterizer(size, size).fill(polygon, 0, 0, 'nonzero', (y, spans) => {
    for (let i = 0; i < spans.count; i++) {
      for (let x = spans.start[i]; x < spans.end[i]; x++) {
        out[y * size + x] = spans.cover[i] === PER_PIXEL ? spans.alpha[x] : spans.cover[i];
      }
    }
  });
  return out;
}

/** The area that `polygon` covers of a square of `size` pixels. */
export function area(polygon: Polygon, size: number): number {
  return paint(polygon, size).reduce((sum, alpha) => sum + alpha / 255, 0);
}
