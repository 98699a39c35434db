// Group layers: their layers on a background, with a border on top, clipped to the box or not.
import type { GroupLayer } from '../contract/layers/index.js';
import { intersect, isEmpty, mapRect, roundOut, unite } from '../geometry/rect.js';
import { RasterTarget } from '../paint/raster-target.js';
import type { PaintTarget } from '../paint/target.js';
import { isOpaqueBackground } from '../raster/fill.js';
import { coverageMask, Mask, maskPixels, subtractMask } from '../raster/mask.js';
import { Surface } from '../raster/surface.js';
import { backgroundStyle } from './box/background-style.js';
import { boxBorder, drawBorder } from './box/border.js';
import { type BoxStyle, boxBounds, filling, paintBox } from './box/paint.js';
import { compositeLayer, inkBounds, type PreparedLayer, paintSteps } from './composite.js';
import { type Drawable, NO_BOUNDS } from './drawable.js';
import type { Frame, Space } from './frame.js';
import { drawClipped, type Outline, outlinePolygon, roundedOutline } from './outline.js';

/** The space of the layers in a group, whose coordinates start at the group's box. */
export function groupSpace({ unsnapped, toCanvas, snaps, isUpright, space: { enlargement } }: Frame): Space {
  const space = { x: unsnapped.left, y: unsnapped.top, toCanvas, enlargement };
  return snaps && !isUpright ? { ...space, snaps } : space;
}

/** The box of a group, without its layers. */
interface GroupBox {
  readonly frame: Frame;
  readonly outline: Outline;
  /** The background; undefined when the box is empty. */
  readonly background: BoxStyle | undefined;
  drawBackground(target: PaintTarget): void;
  drawBorder(target: PaintTarget): void;
}

export interface GroupDrawable extends Drawable {
  readonly box: GroupBox;
}

function groupBox(layer: GroupLayer, frame: Frame): GroupBox {
  const { backgroundColor } = layer;
  const border = boxBorder(layer);
  const outline = roundedOutline(layer.borderRadius, frame.box);
  const background = isEmpty(frame.box) ? undefined : { frame, outline, laterBorder: border, shadow: layer.shadow };
  const style = backgroundStyle(layer, { frame, outline });
  return {
    frame,
    outline,
    background,
    drawBackground(target) {
      if (background)
        paintBox(target, background, 1, backgroundColor && filling(backgroundColor, background, 1, style));
    },
    drawBorder(target) {
      if (background && border) drawBorder(target, { frame, outline }, border, 1);
    },
  };
}

/**
 * Returns the group's drawing. `layers` are the group's layers, laid out in its space; `last` is the drawing of the same group
 * with the same box and other layers.
 */
export function groupContent(
  layer: GroupLayer,
  frame: Frame,
  layers: readonly PreparedLayer[],
  last?: GroupDrawable,
): GroupDrawable {
  const box = last?.box ?? groupBox(layer, frame);
  const { outline, background, drawBackground } = box;
  const { backgroundColor, clip } = layer;
  const border = boxBorder(layer);
  const ink = layers.reduce((all, each) => unite(all, inkBounds(each)), NO_BOUNDS);
  const paintsBox = backgroundColor || border || layer.shadow ? background : undefined;
  const inside = clip ? intersect(ink, mapRect(frame.box, frame.toCanvas)) : ink;
  const readsBackdrop = layers.some(({ effects, content }) => blends(effects) || content.readsBackdrop);
  const drawLayers = (target: PaintTarget) => {
    for (const each of layers) compositeLayer(target, each);
  };
  const drawContent = (target: PaintTarget) => {
    drawBackground(target);
    drawLayers(target);
  };
  const bounds = paintsBox ? unite(inside, boxBounds({ ...paintsBox, border })) : inside;
  return {
    box,
    frame,
    outline,
    isOpaqueBox: backgroundColor !== undefined && isOpaqueBackground(backgroundColor),
    bounds,
    nonOverlapping: false,
    isCostly: true,
    readsBackdrop: !clip && readsBackdrop,
    ...(!clip && {
      steps: () => [
        { source: drawBackground, bounds: () => roundOut(bounds), draw: drawBackground },
        ...layers.flatMap(paintSteps),
        { source: box.drawBorder, bounds: () => roundOut(bounds), draw: box.drawBorder },
      ],
    }),
    draw(target) {
      if (!clip) drawContent(target);
      // the border covers the edge
      else if (border || !paintsBox) drawClipped(target, frame, outline, 1, drawContent);
      else if (readsBackdrop) drawClippedOnto(target, frame, outline, drawBackground, drawLayers);
      else {
        drawBackground(target);
        drawClipped(target, frame, outline, 1, drawLayers);
      }
      box.drawBorder(target);
    },
  };
}

/**
 * Draws a background with its antialiased edge, and on it, clipped to the same outline, the layers that blend with it. As in
 * Chromium, pixels of the edge are a mixture of the background and of the layers' result.
 */
function drawClippedOnto(
  target: PaintTarget,
  frame: Frame,
  outline: Outline,
  drawBackground: (target: PaintTarget) => void,
  drawLayers: (target: PaintTarget) => void,
): void {
  const bounds = intersect(roundOut(mapRect(frame.box, frame.toCanvas)), target.bounds);
  if (isEmpty(bounds)) return;
  const outside = new Surface(bounds);
  drawBackground(new RasterTarget(outside));
  const inside = new Surface(bounds);
  inside.drawSurface(outside);
  drawLayers(new RasterTarget(inside));
  const clip = coverageMask(outlinePolygon(outline, frame.box, frame), bounds);
  maskPixels(inside.pixmap, clip);
  const rest = new Mask(bounds);
  rest.alpha.fill(255);
  subtractMask(rest, clip);
  maskPixels(outside.pixmap, rest);
  outside.drawSurface(inside, 1, 'plus-lighter');
  const origin = (on: PaintTarget) => {
    drawBackground(on);
    drawLayers(on);
  };
  target.drawPixels(bounds, (surface) => surface.drawSurface(outside), { origin });
}

function blends({ blendMode, backdropFilter = [] }: PreparedLayer['effects']): boolean {
  return blendMode !== 'normal' || backdropFilter.length > 0;
}
