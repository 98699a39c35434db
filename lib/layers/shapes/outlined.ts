// Polygons, stars, SVG paths and arcs: a filled path, and a border centred on it.
import type { ShapeLayer } from '../../contract/layers/index.js';
import type { PathData } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import { expand, intersect, isEmpty, mapRect, type Rect } from '../../geometry/rect.js';
import { inkReach, type Stroke, strokePath } from '../../geometry/stroke/stroke.js';
import type { PaintTarget } from '../../paint/target.js';
import { BLACK } from '../../raster/color.js';
import { type Drawable, emptyDrawable } from '../drawable.js';
import type { Frame } from '../frame.js';
import { drawClipped, RECTANGLE } from '../outline.js';
import { isArcLine, shapePath } from './paths.js';

/** The default border width, in pixels. */
const DEFAULT_BORDER_WIDTH = 1;

export function outlinedContent(layer: ShapeLayer, frame: Frame): Drawable {
  const { box, toCanvas } = frame;
  const path = shapePath(layer, box);
  const { border, fillRule } = layer;
  const stroke: Stroke | undefined = border && { ...border, width: border.width ?? DEFAULT_BORDER_WIDTH };
  const fill = isArcLine(layer) ? undefined : (layer.fillColor ?? (border ? undefined : BLACK));
  const isClipped = layer.shapeType === 'path' && layer.preserveAspectRatio === 'slice' && layer.viewBox !== undefined;
  const reached = boundsOf(path, stroke ? inkReach(stroke) : 0);
  const ink = isClipped ? intersect(reached, box) : reached;
  if (isEmpty(box) || isEmpty(ink)) return emptyDrawable(frame, RECTANGLE);
  const paint = (target: PaintTarget, opacity: number) => {
    if (fill) target.fillPath(path, toCanvas, { fill, area: frame, opacity }, fillRule);
    if (!stroke) return;
    const line = new Polygon();
    strokePath(path, toCanvas, stroke, line, target.bounds);
    target.fillPolygon(line, { fill: border?.color ?? BLACK, area: frame, opacity });
  };
  return {
    frame,
    outline: RECTANGLE,
    bounds: mapRect(ink, toCanvas),
    nonOverlapping: !(fill && stroke),
    draw(target, opacity) {
      if (isClipped) drawClipped(target, frame, RECTANGLE, opacity, (group) => paint(group, 1));
      else paint(target, opacity);
    },
  };
}

/** The bounds of the path's control points, expanded on every side. Those of a line have no area unless expanded. */
function boundsOf({ coords }: PathData, by: number): Rect {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < coords.length; i += 2) {
    left = Math.min(left, coords[i]);
    right = Math.max(right, coords[i]);
    top = Math.min(top, coords[i + 1]);
    bottom = Math.max(bottom, coords[i + 1]);
  }
  return expand({ left, top, right, bottom }, by);
}
