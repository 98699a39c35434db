// Image layers: fits the decoded image into its box, clips it to the mask and draws the border.
import type { ImageLayer } from '../contract/layers.js';
import { type Affine, compose, IDENTITY, invert, translation } from '../geometry/affine.js';
import { intersect, isEmpty, mapRect, offset, type Rect, rectOf } from '../geometry/rect.js';
import { withOpacity } from '../raster/color.js';
import { type Paint, PixmapPaint, TransformedPaint } from '../raster/paint.js';
import { Pixmap } from '../raster/pixmap.js';
import { halveTowards } from '../raster/resample.js';
import { ScaledPaint, ScaledRows } from '../raster/scaled-rows.js';
import type { Surface } from '../raster/surface.js';
import { type Drawable, EMPTY_DRAWABLE } from './drawable.js';
import { type Frame, frameOf, snapIfUpright } from './frame.js';
import {
  drawBorder,
  drawBordered,
  drawBorderedFill,
  drawClipped,
  fillOutline,
  type Outline,
  outlinePath,
  RECTANGLE,
} from './outline.js';

/** An image's intrinsic size, which determines its place in the box. */
export interface NaturalSize {
  readonly width: number;
  readonly height: number;
  /** Set for an SVG without an aspect ratio: every `fit` stretches it to the whole box. */
  readonly noAspectRatio?: boolean;
}

/**
 * `image` is undefined when it could not be loaded; `fallbackColor` then fills the mask. `natural` is the intrinsic size
 * when it differs from the pixmap's (an SVG is rasterized at the size shown).
 */
export function imageContent(
  layer: ImageLayer,
  image: Pixmap | undefined,
  natural: NaturalSize | undefined = image,
): Drawable {
  const frame = frameOf(layer);
  if (isEmpty(frame.box)) return EMPTY_DRAWABLE;
  const outline = maskOf(layer);
  const { border, fallbackColor } = layer;
  const bounds = mapRect(frame.box, frame.toCanvas);
  // halved once for all draw calls: a wide shadow draws the layer many times
  let halved: Pixmap | undefined;
  return {
    bounds,
    nonOverlapping: !border,
    draw(surface, opacity) {
      if (isEmpty(intersect(bounds, surface.bounds))) return;
      const ring = border && { width: border.width, color: withOpacity(border.color, opacity) };
      if (image && natural) {
        const imageBox = imageRect(layer, frame, natural);
        halved ??= halveTowards(image, imageBox.right - imageBox.left, imageBox.bottom - imageBox.top);
        const source = halved;
        if (!ring) drawImage(surface, frame, outline, imageBox, source, opacity);
        else {
          drawBordered(surface, frame, outline, ring, (target, clip) => {
            if (clip) drawImage(target, clip.frame, clip.outline, imageBox, source, opacity);
            else drawUnmasked(target, frame, imageBox, source);
          });
        }
      } else if (fallbackColor) {
        const fill = withOpacity(fallbackColor, opacity);
        if (ring) drawBorderedFill(surface, frame, outline, ring, fill);
        else fillOutline(surface, frame, outline, fill);
      } else if (ring) drawBorder(surface, frame, outline, ring);
    },
  };
}

/**
 * The size in pixels at which the whole image is painted: an SVG should be rasterized at this size, so that it is not
 * scaled again. Integers when upright. `exact`: the box is the viewport that the SVG lays itself out in.
 */
export function paintedSize(
  layer: ImageLayer,
  natural: NaturalSize,
): { width: number; height: number; exact: boolean } {
  const { left, top, right, bottom } = imageRect(layer, frameOf(layer), natural);
  return { width: right - left, height: bottom - top, exact: fillsBox(layer, natural) };
}

function fillsBox({ fit }: ImageLayer, { noAspectRatio }: NaturalSize): boolean {
  return fit === 'fill' || noAspectRatio === true;
}

function maskOf({ mask, borderRadius }: ImageLayer): Outline {
  switch (mask) {
    case 'none':
      return RECTANGLE;
    case 'circle':
      return { kind: 'ellipse' };
    case 'squircle':
      return { kind: 'squircle' };
    case 'rounded':
      return { kind: 'rounded', radius: borderRadius };
  }
}

/** The whole image's rectangle before rotation: centred in the box; integers when upright. */
function imageRect(layer: ImageLayer, frame: Frame, natural: NaturalSize): Rect {
  if (fillsBox(layer, natural)) return frame.box;
  const scaleX = layer.width / natural.width;
  const scaleY = layer.height / natural.height;
  const scale = layer.fit === 'cover' ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
  const width = natural.width * scale;
  const height = natural.height * scale;
  const left = layer.x + (layer.width - width) / 2;
  const top = layer.y + (layer.height - height) / 2;
  return snapIfUpright(frame, rectOf(left, top, width, height));
}

function drawImage(
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
  if (frame.isUpright) drawUpright(surface, outline, frame.box, imageBox, shown, image, opacity);
  else drawRotated(surface, frame, outline, imageBox, shown, image, opacity);
}

/** Draws the image for a later clip to the outline: where it reaches an edge of the box, it extends beyond that edge. */
function drawUnmasked(surface: Surface, frame: Frame, imageBox: Rect, image: Pixmap): void {
  if (isEmpty(imageBox)) return;
  const { box } = frame;
  const shown = intersect(imageBox, box);
  if (frame.isUpright) {
    drawUpright(surface, RECTANGLE, box, imageBox, shown, image, 1);
    return;
  }
  const overdrawn = {
    left: imageBox.left <= box.left ? box.left - OVERDRAW : shown.left,
    top: imageBox.top <= box.top ? box.top - OVERDRAW : shown.top,
    right: imageBox.right >= box.right ? box.right + OVERDRAW : shown.right,
    bottom: imageBox.bottom >= box.bottom ? box.bottom + OVERDRAW : shown.bottom,
  };
  drawRotated(surface, frame, RECTANGLE, imageBox, overdrawn, image, 1);
}

/** Pixels that a rotated image extends beyond the box: more than a pixel's diagonal. */
const OVERDRAW = 2;

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}

/** Scales only the visible pixels, straight onto the surface. `image` is already halved for its box. */
function drawUpright(
  surface: Surface,
  outline: Outline,
  box: Rect,
  imageBox: Rect,
  shown: Rect,
  image: Pixmap,
  opacity: number,
): void {
  const visible = intersect(shown, surface.bounds);
  if (isEmpty(visible)) return;
  const target = offset(visible, -surface.bounds.left, -surface.bounds.top);
  const width = imageBox.right - imageBox.left;
  const height = imageBox.bottom - imageBox.top;
  let paint: Paint;
  if (image.width === width && image.height === height) {
    paint = new PixmapPaint(image, imageBox.left - surface.bounds.left, imageBox.top - surface.bounds.top, opacity);
  } else {
    const rows = new ScaledRows(image, width, height, offset(visible, -imageBox.left, -imageBox.top));
    paint = new ScaledPaint(rows, target.left, target.top, opacity);
  }
  if (outline.kind === 'rectangle') surface.fillRect(visible, paint);
  else surface.fillPath(outlinePath(outline, box), IDENTITY, paint);
}

/** Samples the rotated image, which is already halved to just above the size shown. */
function drawRotated(
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
