// Flattens a transformed path to a polygon: each curve becomes chords within TOLERANCE pixels of it.
import type { Affine } from './affine.js';
import { hypot } from './math.js';
import { COORDINATES, CUBIC, LINE, MOVE, type PathData, QUAD } from './path.js';
import type { Polygon } from './polygon.js';

/** The maximum distance of a chord from its curve, in target pixels: under a 30th of a pixel of coverage. */
const TOLERANCE = 0.03;
/** The maximum number of chords per curve: reached by curves some 100,000 px long, which are mostly clipped. */
export const MAX_CHORDS = 500;
/** The maximum number of chords of a path, which bounds the memory: only thousands of huge curves would have more. */
export const MAX_PATH_CHORDS = 1e6;

/** Appends `path`, transformed by `map`, to `out`. Contours are implicitly closed; a single point has no area. */
export function flatten(path: PathData, map: Affine, out: Polygon): void {
  const { verbs, coords } = path;
  const { a, b, c, d, e, f } = map;
  const maxChords = Math.min(MAX_CHORDS, Math.ceil(MAX_PATH_CHORDS / verbs.length));
  let at = 0;
  let x = 0;
  let y = 0;
  for (let i = 0; i < verbs.length; i++) {
    const verb = verbs[i];
    const last = at + COORDINATES[verb] - 2;
    const endX = a * coords[last] + c * coords[last + 1] + e;
    const endY = b * coords[last] + d * coords[last + 1] + f;
    if (verb === MOVE) out.begin(endX, endY);
    else if (verb === LINE) out.add(endX, endY);
    else if (verb === QUAD) {
      const cx = a * coords[at] + c * coords[at + 1] + e;
      const cy = b * coords[at] + d * coords[at + 1] + f;
      quadratic(x, y, cx, cy, endX, endY, maxChords, out);
    } else if (verb === CUBIC) {
      const c1x = a * coords[at] + c * coords[at + 1] + e;
      const c1y = b * coords[at] + d * coords[at + 1] + f;
      const c2x = a * coords[at + 2] + c * coords[at + 3] + e;
      const c2y = b * coords[at + 2] + d * coords[at + 3] + f;
      cubic(x, y, c1x, c1y, c2x, c2y, endX, endY, maxChords, out);
    } else continue;
    at = last + 2;
    x = endX;
    y = endY;
  }
}

/** Returns the number of chords: each of n chords is at most |B''| / (8 n²) from the curve; `curvature` is |B''| / 8. */
function chordCount(curvature: number, max: number): number {
  return Math.min(max, Math.max(1, Math.ceil(Math.sqrt(curvature / TOLERANCE))));
}

function quadratic(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  maxChords: number,
  out: Polygon,
): void {
  const n = chordCount(hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2) / 4, maxChords);
  for (let i = 1; i < n; i++) {
    const t = i / n;
    const s = 1 - t;
    out.add(s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2);
  }
  out.add(x2, y2);
}

function cubic(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  maxChords: number,
  out: Polygon,
): void {
  const secondDifference = Math.max(
    hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2),
    hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
  );
  const n = chordCount(secondDifference * 0.75, maxChords);
  for (let i = 1; i < n; i++) {
    const t = i / n;
    const s = 1 - t;
    const b0 = s * s * s;
    const b1 = 3 * s * s * t;
    const b2 = 3 * s * t * t;
    const b3 = t * t * t;
    out.add(b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3, b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3);
  }
  out.add(x3, y3);
}
