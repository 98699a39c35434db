// The area between two outlines, which a line of a border fills.
import type { Affine } from '../../geometry/affine.js';
import { flatten } from '../../geometry/flatten.js';
import type { Path } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import type { LineCap } from '../../geometry/stroke/stroke.js';
import type { ClipShape, PaintTarget } from '../../paint/target.js';
import type { Fill, FillArea } from '../../raster/fill.js';
import type { Frame } from '../frame.js';
import type { Outline } from '../outline.js';

export interface BorderPaint {
  readonly width: number;
  readonly color: Fill;
  /** solid by default. */
  readonly style?: 'solid' | 'dashed' | 'dotted' | 'double' | undefined;
  /** Lengths of dashes and gaps in turn. */
  readonly dash?: readonly number[] | undefined;
  readonly dashOffset?: number | undefined;
  readonly cap?: LineCap | undefined;
}

/** A box and its corners. */
export interface OutlinedBox {
  readonly frame: Frame;
  readonly outline: Outline;
  /** The area of gradients, if it isn't the frame's box. */
  readonly area?: FillArea | undefined;
}

/** A path, and the map that leads it to the canvas. */
type MappedPath = ClipShape & { readonly path: Path };

/** Fills `outer` without `inner`. */
export function fillRing(
  target: PaintTarget,
  { frame, area = frame }: OutlinedBox,
  fill: Fill,
  opacity: number,
  outer: MappedPath,
  inner: MappedPath | undefined,
): void {
  const ring = new Polygon();
  flatten(outer.path, outer.map, ring);
  if (inner) {
    // the opposite winding subtracts the inner area exactly, even in pixels that both outlines cross
    flatten(inner.path, inner.map, ring);
    // in a mirrored frame it may wind the other way already
    if (determinant(outer.map) > 0 === determinant(inner.map) > 0) ring.reverse(1);
  }
  target.fillPolygon(ring, { fill, area, opacity }, undefined, () => (inner ? [outer, inner] : [outer]));
}

/** Returns the determinant of a map; it is below 0 if the map mirrors. */
function determinant({ a, b, c, d }: Affine): number {
  return a * d - b * c;
}
