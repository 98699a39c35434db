// Masks and clip paths: both keep a share of what a layer paints at each pixel.
import { compose, translation } from '../../geometry/affine.js';
import { type BasicShape, basicShapePath } from '../../geometry/basic-shape.js';
import { flatten } from '../../geometry/flatten.js';
import { Polygon } from '../../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../../geometry/rect.js';
import type { Restriction } from '../../paint/target.js';
import { BLACK } from '../../raster/color.js';
import { coverageMask } from '../../raster/mask.js';
import type { Drawable } from '../drawable.js';
import type { Frame } from '../frame.js';
import { alphaOf } from './alpha.js';

/** The content where `mask` paints, as strongly as that; nothing outside the layer's box. */
export function masked(content: Drawable, mask: Drawable, frame: Frame): Drawable {
  return restricted(content, mapRect(frame.box, frame.toCanvas), {
    coverage: (bounds) => alphaOf(mask, bounds),
    draw: (target) => mask.draw(target, 1),
  });
}

/** The content inside the shape, which refers to the layer's box. */
export function clipped(content: Drawable, shape: BasicShape, frame: Frame): Drawable {
  const { unsnapped, toCanvas } = frame;
  const { left, top, right, bottom } = unsnapped;
  const polygon = new Polygon();
  flatten(basicShapePath(shape, right - left, bottom - top), compose(translation(left, top), toCanvas), polygon);
  const rule = 'rule' in shape ? shape.rule : 'nonzero';
  return restricted(content, polygon.bounds(), {
    coverage: (bounds) => coverageMask(polygon, bounds, 1, rule),
    draw: (target) => target.fillPolygon(polygon, { fill: BLACK, area: frame, opacity: 1 }, rule),
  });
}

/** The content inside `area`, of which `restriction` removes more. */
function restricted(content: Drawable, area: Rect, restriction: Restriction): Drawable {
  const bounds = intersect(content.bounds, area);
  return {
    ...content,
    bounds,
    nonOverlapping: true,
    readsBackdrop: false,
    draw(target, opacity) {
      const visible = intersect(roundOut(bounds), target.bounds);
      if (isEmpty(visible)) return;
      target.drawGroup({ bounds: visible, opacity, restriction }, (group) => content.draw(group, 1));
    },
  };
}
