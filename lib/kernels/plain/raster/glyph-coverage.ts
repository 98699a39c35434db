// Rasterizes a glyph outline into a coverage mask: the exact covered area of each pixel, quantized (non-zero winding).
// Accumulates signed areas (as font-rs does): each edge adds, to each pixel that it crosses, the area to its right; a
// running sum along the row is the coverage. Areas are rounded to single precision after each addition, as in
// lib/raster/coverage.ts and in the twin, assembly/raster/glyph-coverage.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

export function glyphCoverageKernel(memory: PlainMemory): Pick<Kernels, 'glyphCoverage'> {
  return {
    /**
     * Writes `width` × `height` bytes of coverage to `out`. `points`: x, y pairs of `contours` closed contours, all
     * inside the mask after a translation by (-left, -top). `ends`: the end of each contour, counted in numbers.
     * `steps`: number of coverage levels above 0. `areas`: scratch memory, (width + 2) × height × 4 bytes.
     */
    glyphCoverage(points, ends, contours, left, top, width, height, steps, areas, out) {
      const { bytes, words, floats, doubles } = memory;
      const stride = width + 2;
      const area = floats.subarray(areas / 4, areas / 4 + stride * height).fill(0);
      const first = points / 8;
      let at = first;
      for (let contour = 0; contour < contours; contour++) {
        const end = first + words[ends / 4 + contour];
        // fewer than three points cover nothing
        if (end - at < 6) {
          at = end;
          continue;
        }
        let x0 = doubles[end - 2] - left;
        let y0 = doubles[end - 1] - top;
        for (; at < end; at += 2) {
          const x1 = doubles[at] - left;
          const y1 = doubles[at + 1] - top;
          if (y0 < y1) addEdge(area, stride, x0, y0, x1, y1, 1);
          else if (y0 > y1) addEdge(area, stride, x1, y1, x0, y0, -1);
          x0 = x1;
          y0 = y1;
        }
      }
      for (let y = 0; y < height; y++) {
        let sum = 0;
        for (let i = y * stride, end = i + width; i < end; i++) {
          sum += area[i];
          const covered = Math.abs(sum);
          const level = covered >= 1 ? steps : Math.floor(covered * steps + 0.5);
          bytes[out++] = Math.floor((level * 510 + steps) / (2 * steps));
        }
      }
    },
  };
}

/** Adds the edge from (x0, y0) down to (x1, y1), row by row. */
function addEdge(
  area: Float32Array,
  stride: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  winding: number,
): void {
  const slope = (x1 - x0) / (y1 - y0);
  const right = stride - 2;
  const last = Math.ceil(y1);
  for (let y = Math.floor(y0); y < last; y++) {
    const from = Math.max(y0, y);
    const to = Math.min(y1, y + 1);
    const upper = Math.min(Math.max(x0 + (from - y0) * slope, 0), right);
    const lower = Math.min(Math.max(x0 + (to - y0) * slope, 0), right);
    addSegment(area, y * stride, upper, lower, (to - from) * winding);
  }
}

/** Adds the part of an edge inside one row: from x0 to x1, with signed height. */
function addSegment(area: Float32Array, row: number, x0: number, x1: number, height: number): void {
  const low = Math.min(x0, x1);
  const high = Math.max(x0, x1);
  const first = Math.floor(low);
  const last = Math.floor(high);
  if (first === last) {
    const right = height * ((low + high) * 0.5 - first);
    area[row + first] += height - right;
    area[row + first + 1] += right;
    return;
  }
  // the first pixel gets a triangle, each pixel between a trapezoid, the last one the remainder
  const perX = height / (high - low);
  const lead = first + 1 - low;
  let covered = lead * lead * 0.5 * perX;
  area[row + first] += covered;
  let before = covered;
  for (let x = first + 1; x < last; x++) {
    covered = (x + 0.5 - low) * perX;
    area[row + x] += covered - before;
    before = covered;
  }
  const tail = high - last;
  covered = height - tail * tail * 0.5 * perX;
  area[row + last] += covered - before;
  area[row + last + 1] += height - covered;
}
