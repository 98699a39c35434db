// Masks and clip paths: both keep a share of what a layer paints at each pixel.
import { compose, translation } from '../../geometry/affine.js';
import { type BasicShape, basicShapePath } from '../../geometry/basic-shape.js';
import { flatten } from '../../geometry/flatten.js';
import { Polygon } from '../../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../../geometry/rect.js';
import { coverageMask, maskPixels } from '../../raster/mask.js';
import { Surface } from '../../raster/surface.js';
import type { Drawable } from '../drawable.js';
import type { Frame } from '../frame.js';
import { alphaOf } from './alpha.js';

/** The content where `mask` paints, as strongly as that; nothing outside the layer's box. */
export function masked(content: Drawable, mask: Drawable, frame: Frame): Drawable {
  return restricted(content, mapRect(frame.box, frame.toCanvas), (drawn) =>
    maskPixels(drawn.pixmap, alphaOf(mask, drawn.bounds)),
  );
}

/** The content inside the shape, which refers to the layer's box. */
export function clipped(content: Drawable, shape: BasicShape, { unsnapped, toCanvas }: Frame): Drawable {
  const { left, top, right, bottom } = unsnapped;
  const polygon = new Polygon();
  flatten(basicShapePath(shape, right - left, bottom - top), compose(translation(left, top), toCanvas), polygon);
  const rule = 'rule' in shape ? shape.rule : 'nonzero';
  return restricted(content, polygon.bounds(), (drawn) =>
    maskPixels(drawn.pixmap, coverageMask(polygon, drawn.bounds, 1, rule)),
  );
}

/** The content inside `area`, of which `restrict` removes more. */
function restricted(content: Drawable, area: Rect, restrict: (drawn: Surface) => void): Drawable {
  const bounds = intersect(content.bounds, area);
  return {
    ...content,
    bounds,
    nonOverlapping: true,
    readsBackdrop: false,
    draw(surface, opacity) {
      const visible = intersect(roundOut(bounds), surface.bounds);
      if (isEmpty(visible)) return;
      const scratch = new Surface(visible);
      content.draw(scratch, 1);
      restrict(scratch);
      surface.drawSurface(scratch, opacity);
    },
  };
}
