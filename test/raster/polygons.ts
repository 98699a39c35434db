// Random polygons, their exact areas, and slow reference rasterizers.
import fc from 'fast-check';
import { Polygon } from '../../lib/geometry/polygon.js';
import { type FillRule, Rasterizer } from '../../lib/raster/coverage.js';
import { PER_PIXEL } from '../../lib/raster/spans.js';

export type Corner = readonly [x: number, y: number];
export type Contour = readonly Corner[];

/** Coverage 0–255 of a target, row by row. */
export interface Coverage {
  readonly width: number;
  readonly height: number;
  readonly alpha: Uint8Array;
}

export function polygonOf(...contours: readonly Contour[]): Polygon {
  const polygon = new Polygon();
  for (const [first, ...rest] of contours) {
    polygon.begin(...first);
    for (const corner of rest) polygon.add(...corner);
  }
  return polygon;
}

/** A polygon without self-intersections: corners at increasing angles about (x, y). */
export function simplePolygon(x: number, y: number, most: number): fc.Arbitrary<Contour> {
  const corner = fc.record({
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    radius: fc.double({ min: 0.5, max: most, noNaN: true }),
  });
  return fc.array(corner, { minLength: 3, maxLength: 24 }).map((corners) => {
    const total = corners.reduce((sum, { share }) => sum + share, 0);
    let angle = 0;
    return corners.map(({ share, radius }): Corner => {
      angle += (2 * Math.PI * share) / total;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  });
}

/** Arbitrary corners: polygons that intersect themselves and wind several times. */
export function tangledPolygon(from: number, to: number): fc.Arbitrary<Contour> {
  const coordinate = fc.double({ min: from, max: to, noNaN: true });
  return fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 9 });
}

/** The five-pointed star drawn in one line, whose middle is wound twice. */
export function star(x: number, y: number, radius: number, turn = 0): Contour {
  return [0, 2, 4, 1, 3].map((k): Corner => {
    const angle = turn + (k * 2 * Math.PI) / 5 - Math.PI / 2;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** The area inside a polygon that does not cross itself. */
export function areaOf(corners: Contour): number {
  const twice = corners.reduce((sum, [x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    return sum + x * v - u * y;
  }, 0);
  return Math.abs(twice) / 2;
}

export function cover(
  polygon: Polygon,
  width: number,
  height: number,
  rule: FillRule,
  { left = 0, top = 0, rasterizer = new Rasterizer(width, height) } = {},
): Coverage {
  const alpha = new Uint8Array(width * height);
  let last = -1;
  rasterizer.fill(polygon, left, top, rule, (y, spans) => {
    if (y <= last || y >= height) throw new RangeError(`row ${y} came after row ${last}`);
    last = y;
    let before = 0;
    for (let i = 0; i < spans.count; i++) {
      const { [i]: start } = spans.start;
      const { [i]: end } = spans.end;
      if (start < before || end <= start || end > width) throw new RangeError(`a run from ${start} to ${end}`);
      before = end;
      for (let x = start; x < end; x++) {
        alpha[y * width + x] = spans.cover[i] === PER_PIXEL ? spans.alpha[x] : spans.cover[i];
      }
    }
  });
  return { width, height, alpha };
}

export function sum({ alpha }: Coverage): number {
  return alpha.reduce((total, value) => total + value / 255, 0);
}

/** The winding number of `corners` about a point: crossings of the ray to its right. */
function windingAt(px: number, py: number, contours: readonly Contour[]): number {
  let winding = 0;
  for (const corners of contours) {
    corners.forEach(([x0, y0], i) => {
      const [x1, y1] = corners[(i + 1) % corners.length];
      if (y0 <= py === y1 <= py) return;
      if (x0 + ((py - y0) / (y1 - y0)) * (x1 - x0) > px) winding += y0 < y1 ? 1 : -1;
    });
  }
  return winding;
}

/** The fraction of n × n sample points of pixel (x, y) that is inside, and whether the exact area must agree with it. */
export function sample(
  contours: readonly Contour[],
  x: number,
  y: number,
  n: number,
): { nonzero: number; evenodd: number; plain: boolean } {
  let nonzero = 0;
  let evenodd = 0;
  const seen = new Set<number>();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const winding = windingAt(x + (i + 0.5) / n, y + (j + 0.5) / n, contours);
      seen.add(winding);
      if (winding !== 0) nonzero++;
      if (winding % 2 !== 0) evenodd++;
    }
  }
  // areas are accumulated with their winding: exact where the pixel is only outside, or inside alike
  const plain = seen.size <= 1 || (seen.size === 2 && seen.has(0) && (seen.has(1) || seen.has(-1)));
  return { nonzero: nonzero / n ** 2, evenodd: evenodd / n ** 2, plain };
}
