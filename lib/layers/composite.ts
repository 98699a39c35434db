// Composites a layer onto a surface with its effects, in this order: content with its border, filter, the shadows
// beneath, the filtered backdrop beneath those, opacity, blend mode. A layer draws straight onto the surface when it can;
// when it must be composited as one image, a scratch surface holds only its visible part.
import type { Layer } from '../contract/layers/index.js';
import { intersect, isEmpty, roundOut, unite } from '../geometry/rect.js';
import type { Fill } from '../raster/fill.js';
import { Surface } from '../raster/surface.js';
import { isBoxShadow, withOuterShadows } from './box/shadow.js';
import { type Drawable, NO_BOUNDS } from './drawable.js';
import { snapshot } from './effects/alpha.js';
import { drawDropShadow, dropShadowBounds, dropShadowSource } from './effects/drop-shadow.js';
import { filtered, filteredBackdrop } from './effects/filter.js';

/** The fields of a layer that are the same for all types. */
export type Effects = Pick<
  Layer,
  'opacity' | 'rotation' | 'shadow' | 'blendMode' | 'flip' | 'filter' | 'backdropFilter'
> & {
  /** The colour of the layer's text, if it has any: `currentcolor`. */
  readonly color?: Fill;
};

export function compositeLayer(surface: Surface, content: Drawable, effects: Effects): void {
  const { opacity, blendMode } = effects;
  if (opacity === 0) return;
  const shadows = (effects.shadow ?? []).filter((shadow) => !isBoxShadow(shadow));
  const { filter = [], backdropFilter = [] } = effects;
  const isFiltered = filter.length > 0;
  const inner = isFiltered ? filtered(content, filter, effects.color) : content;
  let painted = withOuterShadows(inner, effects.shadow ?? []);
  const backdrop = backdropFilter.length > 0 ? filteredBackdrop(content, backdropFilter, surface) : undefined;
  const bounds = shadows.reduce(
    (all, shadow) => unite(all, dropShadowBounds(painted, shadow)),
    unite(roundOut(painted.bounds), backdrop?.bounds ?? NO_BOUNDS),
  );
  const visible = intersect(bounds, surface.bounds);
  if (isEmpty(visible)) return;
  if (shadows.length > 0 && (isFiltered || painted.readsBackdrop)) {
    const sources = shadows.map((shadow) => dropShadowSource(painted, shadow, visible));
    painted = snapshot(painted, sources.reduce(unite, visible), visible);
  }
  const drawOn = (target: Surface) => {
    backdrop?.draw(target, 1);
    // the first is on top
    for (const shadow of [...shadows].reverse()) drawDropShadow(target, painted, shadow);
    painted.draw(target, 1);
  };
  if (mustBeIsolated(painted, effects)) {
    const group = new Surface(visible);
    drawOn(group);
    surface.drawSurface(group, opacity, blendMode);
  } else if (shadows.length === 0 && !backdrop) painted.draw(surface, opacity);
  else drawOn(surface);
}

/** Whether the layer must be one image before it is composited. */
function mustBeIsolated(
  painted: Drawable,
  { opacity, blendMode, shadow, backdropFilter, rotation, flip }: Effects,
): boolean {
  if (blendMode !== 'normal') return true;
  if (opacity < 1) return (shadow && shadow.length > 0) || backdropFilter !== undefined || !painted.nonOverlapping;
  return painted.readsBackdrop === true && (rotation % 360 !== 0 || flip !== undefined);
}
