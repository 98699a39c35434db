// Image layers: fits the decoded image into its box, clips it to the mask and draws the border.
import type { ImageLayer } from '../contract/layers/index.js';
import { type Affine, compose, invert, translation } from '../geometry/affine.js';
import { intersect, isEmpty, mapRect, offset, type Rect, rectOf } from '../geometry/rect.js';
import { isOpaqueFill } from '../raster/fill.js';
import { type Paint, PixmapPaint, TransformedPaint } from '../raster/paint.js';
import { Pixmap } from '../raster/pixmap.js';
import { halveTowards } from '../raster/resample.js';
import { ScaledPaint, ScaledRows } from '../raster/scaled-rows.js';
import type { Surface } from '../raster/surface.js';
import { type BoxStyle, boxBounds, filling, hasOverlay, paintBox } from './box/paint.js';
import { type Drawable, emptyDrawable } from './drawable.js';
import { canvasRect, type Frame, frameOf, type Space, scaleOf, snapIfUpright } from './frame.js';
import { drawClipped, type Outline, outlinePath, RECTANGLE, roundedOutline } from './outline.js';
import type { NaturalSize, PaintedSize, Picture } from './picture.js';

/** `picture` is undefined when it could not be loaded; `fallbackColor` then fills the mask. */
export function imageContent(layer: ImageLayer, space: Space, picture: Picture | undefined): Drawable {
  const frame = frameOf(layer, space);
  const outline = maskOf(layer, frame);
  if (isEmpty(frame.box)) return emptyDrawable(frame, outline);
  const { border, fallbackColor } = layer;
  const box: BoxStyle = { frame, outline, border, shadow: layer.shadow };
  const bounds = boxBounds(box);
  // halved once for all draw calls: a wide shadow draws the layer many times
  let halved: Pixmap | undefined;
  return {
    frame,
    outline,
    bounds,
    isOpaqueBox: !picture && fallbackColor !== undefined && isOpaqueFill(fallbackColor),
    nonOverlapping: !hasOverlay(box),
    draw(surface, opacity) {
      if (isEmpty(intersect(bounds, surface.bounds))) return;
      if (picture) {
        const imageBox = imageRect(layer, frame, space, picture.natural);
        const scale = scaleOf(frame);
        halved ??= halveTowards(
          picture.pixmap,
          scale * (imageBox.right - imageBox.left),
          scale * (imageBox.bottom - imageBox.top),
        );
        const source = halved;
        paintBox(surface, box, opacity, (target, clip) => {
          if (clip) drawImage(target, clip.frame, clip.outline, imageBox, source, opacity);
          else drawUnmasked(target, frame, imageBox, source);
        });
      } else paintBox(surface, box, opacity, fallbackColor && filling(fallbackColor, box, opacity));
    },
  };
}

/**
 * The size in pixels at which the whole image is painted: an SVG should be rasterized at this size, so that it is not
 * scaled again. Integers when upright. `exact`: the box is the viewport that the SVG lays itself out in.
 */
export function paintedSize(layer: ImageLayer, space: Space, natural: NaturalSize): PaintedSize {
  const frame = frameOf(layer, space);
  const { left, top, right, bottom } = imageRect(layer, frame, space, natural);
  const scale = scaleOf(frame);
  return { width: scale * (right - left), height: scale * (bottom - top), exact: fillsBox(layer, natural) };
}

function fillsBox({ fit }: ImageLayer, { noAspectRatio }: NaturalSize): boolean {
  return fit === 'fill' || noAspectRatio === true;
}

function maskOf({ mask, borderRadius }: ImageLayer, { box }: Frame): Outline {
  switch (mask) {
    case 'none':
      return RECTANGLE;
    case 'circle':
      return { kind: 'ellipse' };
    case 'squircle':
      return { kind: 'squircle' };
    case 'rounded':
      return roundedOutline(borderRadius, box);
  }
}

/** The whole image's rectangle before rotation: centred in the box; integers when upright. */
function imageRect(layer: ImageLayer, frame: Frame, space: Space, natural: NaturalSize): Rect {
  if (fillsBox(layer, natural)) return frame.box;
  const scaleX = layer.width / natural.width;
  const scaleY = layer.height / natural.height;
  const scale = layer.fit === 'cover' ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
  const width = natural.width * scale;
  const height = natural.height * scale;
  const left = layer.x + space.x + (layer.width - width) / 2;
  const top = layer.y + space.y + (layer.height - height) / 2;
  return snapIfUpright(frame, rectOf(left, top, width, height));
}

/** Draws the picture, of which `imageBox` is the whole, in the frame's box, clipped to the outline. */
export function drawImage(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  imageBox: Rect,
  image: Pixmap,
  opacity: number,
): void {
  if (isEmpty(imageBox)) return;
  const coversBox = isEmpty(intersect(imageBox, frame.box)) ? false : contains(imageBox, frame.box);
  if (outline.kind !== 'rectangle' && !coversBox) {
    // the image leaves a part of the mask uncovered
    drawClipped(surface, frame, outline, opacity, (group) => drawUnmasked(group, frame, imageBox, image));
    return;
  }
  const shown = intersect(imageBox, frame.box);
  if (canScaleRows(frame, imageBox, shown)) drawUpright(surface, outline, frame, imageBox, shown, image, opacity);
  else drawTransformed(surface, frame, outline, imageBox, shown, image, opacity);
}

/** Draws the image for a later clip to the outline: where it reaches an edge of the box, it extends beyond that edge. */
function drawUnmasked(surface: Surface, frame: Frame, imageBox: Rect, image: Pixmap): void {
  if (isEmpty(imageBox)) return;
  const { box } = frame;
  const shown = intersect(imageBox, box);
  if (canScaleRows(frame, imageBox, shown)) {
    drawUpright(surface, RECTANGLE, frame, imageBox, shown, image, 1);
    return;
  }
  const overdrawn = {
    left: imageBox.left <= box.left ? box.left - OVERDRAW : shown.left,
    top: imageBox.top <= box.top ? box.top - OVERDRAW : shown.top,
    right: imageBox.right >= box.right ? box.right + OVERDRAW : shown.right,
    bottom: imageBox.bottom >= box.bottom ? box.bottom + OVERDRAW : shown.bottom,
  };
  drawTransformed(surface, frame, RECTANGLE, imageBox, overdrawn, image, 1);
}

/** Pixels that a turned image extends beyond the box: more than a pixel's diagonal. */
const OVERDRAW = 2;

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}

/** Whether the image's rows are rows of canvas pixels, and its edges and those of its shown part lie between them. */
function canScaleRows(frame: Frame, imageBox: Rect, shown: Rect): boolean {
  const { a, d } = frame.toCanvas;
  return a > 0 && d > 0 && canvasRect(frame, imageBox) !== undefined && canvasRect(frame, shown) !== undefined;
}

/** Scales only the visible pixels, straight onto the surface. `image` is already halved for its box. */
function drawUpright(
  surface: Surface,
  outline: Outline,
  frame: Frame,
  imageBox: Rect,
  shown: Rect,
  image: Pixmap,
  opacity: number,
): void {
  const whole = mapRect(imageBox, frame.toCanvas);
  const visible = intersect(mapRect(shown, frame.toCanvas), surface.bounds);
  if (isEmpty(visible)) return;
  const target = offset(visible, -surface.bounds.left, -surface.bounds.top);
  const width = whole.right - whole.left;
  const height = whole.bottom - whole.top;
  let paint: Paint;
  if (image.width === width && image.height === height) {
    paint = new PixmapPaint(image, whole.left - surface.bounds.left, whole.top - surface.bounds.top, opacity);
  } else {
    const rows = new ScaledRows(image, width, height, offset(visible, -whole.left, -whole.top));
    paint = new ScaledPaint(rows, target.left, target.top, opacity);
  }
  if (outline.kind === 'rectangle') surface.fillRect(visible, paint);
  else surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
}

/** Samples the turned, mirrored or freely scaled image, which is already halved to just above the size shown. */
function drawTransformed(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  imageBox: Rect,
  shown: Rect,
  source: Pixmap,
  opacity: number,
): void {
  const scale: Affine = {
    a: (imageBox.right - imageBox.left) / source.width,
    b: 0,
    c: 0,
    d: (imageBox.bottom - imageBox.top) / source.height,
    e: imageBox.left,
    f: imageBox.top,
  };
  const onSurface = compose(compose(scale, frame.toCanvas), translation(-surface.bounds.left, -surface.bounds.top));
  const toSource = invert(onSurface);
  if (!toSource) return;
  const paint = new TransformedPaint(source, toSource, opacity, new Pixmap(surface.pixmap.width, 1));
  const path = outline.kind === 'rectangle' ? outlinePath(RECTANGLE, shown) : outlinePath(outline, frame.box);
  surface.fillPath(path, frame.toCanvas, paint);
}
