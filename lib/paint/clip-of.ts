// Finds the shape that a clip path draws: targets with clips of their own need no mask for it.
import { IDENTITY } from '../geometry/affine.js';
import { isGradient } from '../raster/fill.js';
import type { ClipShape, FillStyle, PaintTarget, Restriction } from './target.js';
import { polygonPath } from './vector-target.js';

/** The shape, if all that the restriction draws is one shape in an opaque colour. */
export function clipOf(restriction: Restriction, bounds: PaintTarget['bounds']): ClipShape | undefined {
  const shapes: (ClipShape | undefined)[] = [];
  const add = ({ fill, opacity }: FillStyle, shape: ClipShape) => {
    shapes.push(opacity === 1 && !isGradient(fill) && fill.a === 1 ? shape : undefined);
  };
  const other = () => void shapes.push(undefined);
  restriction.draw({
    bounds,
    fillPath: (path, map, style, rule) => add(style, { path, map, ...(rule && { rule }) }),
    fillPolygon: (polygon, style, rule) =>
      add(style, { path: polygonPath(polygon), map: IDENTITY, ...(rule && { rule }) }),
    fillRects: other,
    drawGlyphs: other,
    drawPicture: other,
    drawGroup: other,
    drawPixels: other,
  });
  return shapes.length === 1 ? shapes[0] : undefined;
}
