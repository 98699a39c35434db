// Composites a layer onto a target with its effects, in this order: content with its border, filter, mask and clip path,
// the shadows beneath, opacity, blend mode; before all, the filtered backdrop. A layer draws straight onto the target when
// it can; when it must be composited as one image, it is a group of its visible part.
import type { Layer, Shadow } from '../contract/layers/index.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut, unite } from '../geometry/rect.js';
import { RasterTarget } from '../paint/raster-target.js';
import type { Meaning, PaintTarget } from '../paint/target.js';
import type { Fill } from '../raster/fill.js';
import { isBoxShadow, withOuterShadows } from './box/shadow.js';
import { type Drawable, NO_BOUNDS, type PaintStep } from './drawable.js';
import { snapshot } from './effects/alpha.js';
import { clipped, masked } from './effects/clip.js';
import { drawDropShadow, dropShadowBounds, dropShadowSource } from './effects/drop-shadow.js';
import { filtered, filteredBackdrop } from './effects/filter.js';
import { isFlat, isTransformed } from './frame.js';

/** The fields of a layer that are the same for all types. */
export type Effects = Pick<
  Layer,
  'opacity' | 'rotation' | 'transform' | 'shadow' | 'blendMode' | 'flip' | 'filter' | 'backdropFilter' | 'clipPath'
> & {
  /** The colour of a text layer: `currentcolor`. */
  readonly color?: Fill;
};

/** A layer that is laid out. */
export interface PreparedLayer {
  readonly effects: Effects;
  readonly content: Drawable;
  /** The drawing of the layer's maskImage. */
  readonly mask?: Drawable | undefined;
  /** What it means in a document. */
  readonly meaning?: (() => Meaning) | undefined;
}

/** The canvas pixels that the layer may paint, with its shadows and its backdrop. */
export function inkBounds(layer: PreparedLayer): Rect {
  const { effects, content } = layer;
  if (isFlat(content.frame)) return NO_BOUNDS;
  const painted = boundsWith(withOuterShadows(withoutShadows(layer), effects.shadow ?? NO_SHADOWS), effects);
  return effects.backdropFilter ? unite(painted, mapRect(content.frame.box, content.frame.toCanvas)) : painted;
}

/** The canvas pixels that the layer may paint without its shadows and its backdrop. */
export function ownInkBounds(layer: PreparedLayer): Rect {
  return isFlat(layer.content.frame) ? NO_BOUNDS : roundOut(withoutShadows(layer).bounds);
}

export function compositeLayer(target: PaintTarget, layer: PreparedLayer): void {
  if (target.annotate && layer.meaning) target.annotate(layer.meaning(), (on) => paintLayer(on, layer));
  else paintLayer(target, layer);
}

function paintLayer(target: PaintTarget, layer: PreparedLayer): void {
  const { effects, content } = layer;
  const { opacity, blendMode, backdropFilter = [] } = effects;
  if (opacity === 0 || isFlat(content.frame)) return;
  const shadows = dropShadowsOf(effects);
  const inner = withoutShadows(layer);
  let painted = withOuterShadows(inner, effects.shadow ?? NO_SHADOWS);
  if (backdropFilter.length > 0) {
    // Chromium applies the layer's own filter to the backdrop too, and blends only the content, with the filtered backdrop
    target.drawPixels(mapRect(content.frame.box, content.frame.toCanvas), (surface, beneath) => {
      const backdrop = filteredBackdrop(content, [...backdropFilter, ...(effects.filter ?? [])], beneath());
      withinMaskAndClip(backdrop, layer).draw(new RasterTarget(surface), opacity);
    });
  }
  const visible = intersect(boundsWith(painted, effects), target.bounds);
  if (isEmpty(visible)) return;
  if (shadows.length > 0 && (inner !== content || content.isCostly)) {
    const sources = shadows.map((shadow) => dropShadowSource(painted, shadow, visible));
    painted = snapshot(painted, sources.reduce(unite, visible), visible);
  }
  const drawOn = (on: PaintTarget) => {
    // the first is on top
    for (const shadow of [...shadows].reverse()) drawDropShadow(on, painted, shadow);
    painted.draw(on, 1);
  };
  if (mustBeIsolated(painted, effects)) target.drawGroup({ bounds: visible, opacity, blendMode }, drawOn);
  else if (shadows.length === 0) painted.draw(target, opacity);
  else drawOn(target);
}

/** The steps of `compositeLayer`: one, or those of a group whose layers are drawn straight onto the target. */
export function paintSteps(layer: PreparedLayer): readonly PaintStep[] {
  const steps = isDrawnStraight(layer) ? layer.content.steps?.() : undefined;
  const draw = (target: PaintTarget) => compositeLayer(target, layer);
  return steps ?? [{ source: layer, bounds: () => roundOut(inkBounds(layer)), draw }];
}

/** Whether compositing the layer is nothing but drawing its content. */
function isDrawnStraight({ effects, content, mask }: PreparedLayer): boolean {
  const { opacity, shadow = NO_SHADOWS, filter = [], backdropFilter = [], clipPath } = effects;
  const hasEffects = shadow.length > 0 || filter.length > 0 || backdropFilter.length > 0 || clipPath || mask;
  return opacity === 1 && !hasEffects && !mustBeIsolated(content, effects);
}

/** The layer's drawing, filtered, inside its mask and clip path. */
function withoutShadows(layer: PreparedLayer): Drawable {
  const { effects, content } = layer;
  const { filter = [], color } = effects;
  return withinMaskAndClip(filter.length > 0 ? filtered(content, filter, color) : content, layer);
}

function withinMaskAndClip(painted: Drawable, { effects: { clipPath }, content, mask }: PreparedLayer): Drawable {
  const inMask = mask ? masked(painted, mask, content.frame) : painted;
  return clipPath ? clipped(inMask, clipPath, content.frame) : inMask;
}

const NO_SHADOWS: readonly Shadow[] = [];

function dropShadowsOf({ shadow }: Effects): readonly Shadow[] {
  return shadow ? shadow.filter((each) => !isBoxShadow(each)) : NO_SHADOWS;
}

/** The canvas pixels that may be painted with the drop shadows of `painted`. */
function boundsWith(painted: Drawable, effects: Effects): Rect {
  return dropShadowsOf(effects).reduce(
    (all, shadow) => unite(all, dropShadowBounds(painted, shadow)),
    roundOut(painted.bounds),
  );
}

/** Whether the layer must be one image before it is composited. */
function mustBeIsolated(painted: Drawable, effects: Effects): boolean {
  const { opacity, blendMode, shadow, backdropFilter = [], rotation, flip } = effects;
  const isTurned = rotation % 360 !== 0 || flip !== undefined || isTransformed(effects);
  if (blendMode !== 'normal') return true;
  if (opacity < 1) return (shadow && shadow.length > 0) || !painted.nonOverlapping;
  return painted.readsBackdrop === true && (isTurned || backdropFilter.length > 0);
}
