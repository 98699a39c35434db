// Area and winding helpers for the geometry tests.
import { type Affine, IDENTITY } from '../../lib/geometry/affine.js';
import { flatten } from '../../lib/geometry/flatten.js';
import type { Path } from '../../lib/geometry/path.js';
import { Polygon } from '../../lib/geometry/polygon.js';

export function polygonOf(path: Path, map: Affine = IDENTITY): Polygon {
  const polygon = new Polygon();
  flatten(path, map, polygon);
  return polygon;
}

/** The corners of one contour. */
export function contour(polygon: Polygon, index: number): [number, number][] {
  const corners: [number, number][] = [];
  for (let i = polygon.starts[index]; i < polygon.endOf(index); i += 2) {
    corners.push([polygon.points[i], polygon.points[i + 1]]);
  }
  return corners;
}

/** The signed area of all contours together: positive when clockwise where y points down. */
export function signedArea(polygon: Polygon): number {
  let sum = 0;
  for (let k = 0; k < polygon.starts.length; k++) {
    const corners = contour(polygon, k);
    corners.forEach(([x, y], i) => {
      const [u, v] = corners[(i + 1) % corners.length];
      sum += (x * v - u * y) / 2;
    });
  }
  return sum;
}
