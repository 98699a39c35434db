// Group layers: their layers on a background, with a border on top, clipped to the box or not.
import type { GroupLayer } from '../contract/layers/index.js';
import { intersect, isEmpty, mapRect, unite } from '../geometry/rect.js';
import { isOpaqueFill } from '../raster/fill.js';
import type { Surface } from '../raster/surface.js';
import { drawBorder } from './box/border.js';
import { boxBounds, filling, paintBox } from './box/paint.js';
import { compositeLayer, inkBounds, type PreparedLayer } from './composite.js';
import { type Drawable, NO_BOUNDS } from './drawable.js';
import { frameOf, type Space } from './frame.js';
import { drawClipped, roundedOutline } from './outline.js';

/** The space of the layers in a group, whose coordinates start at the group's box. */
export function groupSpace(layer: GroupLayer, space: Space): Space {
  const { unsnapped, toCanvas } = frameOf(layer, space);
  return { x: unsnapped.left, y: unsnapped.top, toCanvas };
}

/** `layers`: those in the group, laid out in its space. */
export function groupContent(layer: GroupLayer, space: Space, layers: readonly PreparedLayer[]): Drawable {
  const frame = frameOf(layer, space);
  const { backgroundColor, border, clip } = layer;
  const hasBox = !isEmpty(frame.box);
  const outline = roundedOutline(layer.borderRadius, frame.box);
  const ink = layers.reduce((all, each) => unite(all, inkBounds(each)), NO_BOUNDS);
  const background = { frame, outline, laterBorder: border, shadow: layer.shadow };
  const paintsBox = hasBox && (backgroundColor || border || layer.shadow);
  const inside = clip ? intersect(ink, mapRect(frame.box, frame.toCanvas)) : ink;
  const drawLayers = (surface: Surface) => {
    if (hasBox) paintBox(surface, background, 1, backgroundColor && filling(backgroundColor, background, 1));
    for (const each of layers) compositeLayer(surface, each);
  };
  return {
    frame,
    outline,
    isOpaqueBox: backgroundColor !== undefined && isOpaqueFill(backgroundColor),
    bounds: paintsBox ? unite(inside, boxBounds({ ...background, border })) : inside,
    nonOverlapping: false,
    isCostly: true,
    readsBackdrop: !clip && layers.some(({ effects, content }) => blends(effects) || content.readsBackdrop),
    draw(surface) {
      if (clip) drawClipped(surface, frame, outline, 1, drawLayers);
      else drawLayers(surface);
      if (hasBox && border) drawBorder(surface, { frame, outline }, border, 1);
    },
  };
}

function blends({ blendMode, backdropFilter = [] }: PreparedLayer['effects']): boolean {
  return blendMode !== 'normal' || backdropFilter.length > 0;
}
