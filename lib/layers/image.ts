// Image layers: fits the decoded image into its box, clips it to the mask and draws the border.
import type { ImageLayer } from '../contract/layers/index.js';
import { type Affine, compose, invert, translation } from '../geometry/affine.js';
import type { Position } from '../geometry/length.js';
import { intersect, isEmpty, mapRect, offset, type Rect } from '../geometry/rect.js';
import type { PaintTarget, PictureFile } from '../paint/target.js';
import { isOpaqueFill } from '../raster/fill.js';
import { type Paint, PixmapPaint, TransformedPaint } from '../raster/paint.js';
import { Pixmap } from '../raster/pixmap.js';
import { cutOut, halveTowards, mirror, resample } from '../raster/resample.js';
import { ScaledPaint, ScaledRows } from '../raster/scaled-rows.js';
import type { Surface } from '../raster/surface.js';
import { boxBorder } from './box/border.js';
import { type BoxStyle, boxBounds, filling, hasOverlay, paintBox } from './box/paint.js';
import { type Drawable, emptyDrawable } from './drawable.js';
import { canvasRect, type Frame, scalesOf } from './frame.js';
import { croppedPixels, type Placement, placeImage, shownPart, visibleShare } from './image-placement.js';
import { repeatedPaint } from './image-tiles.js';
import { partOf } from './optional.js';
import { clipShape, drawClipped, type Outline, outlinePath, RECTANGLE, roundedOutline } from './outline.js';
import type { Picture } from './picture.js';

export interface ImageDrawable extends Drawable {
  /** The part of the picture that the box shows, in the picture's own pixels; undefined without a picture. */
  shownPart?(): Rect;
}

/** `picture` is undefined when it could not be loaded; `fallbackColor` then fills the mask. */
export function imageContent(layer: ImageLayer, frame: Frame, picture: Picture | undefined): ImageDrawable {
  const outline = maskOf(layer, frame);
  if (isEmpty(frame.box)) return emptyDrawable(frame, outline);
  const { fallbackColor } = layer;
  const box: BoxStyle = { frame, outline, border: boxBorder(layer), shadow: layer.shadow };
  const bounds = boxBounds(box);
  // placed and halved once for all draw calls: a wide shadow draws the layer many times
  let placedImage: PlacedImage | undefined;
  let placement: Placement | undefined;
  const place = (source: Picture) => {
    placement ??= placeImage(layer, frame, source.natural, smartPosition(layer, source));
    return placement;
  };
  return {
    frame,
    outline,
    bounds,
    isOpaqueBox: !picture && fallbackColor !== undefined && isOpaqueFill(fallbackColor),
    nonOverlapping: !hasOverlay(box),
    draw(target, opacity) {
      if (isEmpty(intersect(bounds, target.bounds))) return;
      if (picture) {
        placedImage ??= placePicture(layer, frame, picture, place(picture));
        const image = placedImage;
        paintBox(target, box, opacity, (inner, clip) => {
          if (clip) drawImage(inner, clip.frame, clip.outline, image, opacity);
          else drawUnmasked(inner, frame, image);
        });
      } else paintBox(target, box, opacity, fallbackColor && filling(fallbackColor, box, opacity));
    },
    ...(picture && { shownPart: () => shownPart(place(picture), frame, picture.natural) }),
  };
}

/** An image in its layer. Rectangles are those of the layer before rotation. */
export interface PlacedImage {
  /** The image, or a part of it, halved to just above the size shown. */
  readonly source: Pixmap;
  /** The file that `source` shows all of. */
  readonly original?: PictureFile | undefined;
  /** The box of the whole `source`; with `repeats`, the box of one of its copies. */
  readonly imageBox: Rect;
  /** The area in which the image may be visible, as far as the layer's box reaches. */
  readonly area: Rect;
  /** Whether copies of the image surround it. */
  readonly repeats?: boolean;
}

function placePicture(
  layer: ImageLayer,
  frame: Frame,
  { pixmap, isCut, original }: Picture,
  { imageBox, repeats, pixels }: Placement,
): PlacedImage {
  const box = isCut && layer.repeat === 'none' ? intersect(imageBox, frame.box) : imageBox;
  const scale = scalesOf(frame);
  const source = halveTowards(
    pixels && !isCut ? cutOut(pixmap, pixels) : pixmap,
    scale.x * (box.right - box.left),
    scale.y * (box.bottom - box.top),
  );
  return { source, original: pixels ? undefined : original, imageBox: box, area: repeats ? frame.box : box, repeats };
}

/** The position that shows the most interesting part of the picture, if the layer asks for it. */
function smartPosition(layer: ImageLayer, { pixmap, natural }: Picture): Position | undefined {
  if (layer.position !== 'smart') return undefined;
  const window = visibleShare(layer, natural);
  if (window.x >= 1 && window.y >= 1) return undefined;
  const pixels = croppedPixels(layer.crop, natural, pixmap);
  if (isEmpty(pixels)) return undefined;
  const { x, y } = partOf('saliency').findSalientWindow(cutOut(pixmap, pixels), window);
  return { x: { px: 0, percent: 100 * x }, y: { px: 0, percent: 100 * y } };
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

/** Draws the image in the frame's box, clipped to the outline. */
export function drawImage(
  target: PaintTarget,
  frame: Frame,
  outline: Outline,
  image: PlacedImage,
  opacity: number,
): void {
  const visibleRect = intersect(image.area, frame.box);
  if (isEmpty(visibleRect)) return;
  if (outline.kind !== 'rectangle' && !contains(image.area, frame.box)) {
    // the image leaves a part of the mask uncovered
    drawClipped(target, frame, outline, opacity, (group) => drawUnmasked(group, frame, image));
    return;
  }
  drawPicture(target, frame, outline, image, { visibleRect, overdrawn: visibleRect, opacity });
}

/** Draws the image for a later clip to the outline: where it reaches an edge of the box, it extends beyond that edge. */
function drawUnmasked(target: PaintTarget, frame: Frame, image: PlacedImage): void {
  const { box } = frame;
  const { area } = image;
  const visibleRect = intersect(area, box);
  if (isEmpty(visibleRect)) return;
  const overdrawn = {
    left: area.left <= box.left ? box.left - OVERDRAW : visibleRect.left,
    top: area.top <= box.top ? box.top - OVERDRAW : visibleRect.top,
    right: area.right >= box.right ? box.right + OVERDRAW : visibleRect.right,
    bottom: area.bottom >= box.bottom ? box.bottom + OVERDRAW : visibleRect.bottom,
  };
  drawPicture(target, frame, RECTANGLE, image, { visibleRect, overdrawn, opacity: 1 });
}

/** How much of an image is drawn. */
interface Extent {
  readonly visibleRect: Rect;
  /** The same, beyond the edges of the box where it is clipped later; pixels that are rows of the canvas need none. */
  readonly overdrawn: Rect;
  readonly opacity: number;
}

function drawPicture(
  target: PaintTarget,
  frame: Frame,
  outline: Outline,
  image: PlacedImage,
  { visibleRect, overdrawn, opacity }: Extent,
): void {
  const { source, original, imageBox, repeats = false } = image;
  target.drawPicture({
    source,
    toCanvas: compose(sourceToBox(image), frame.toCanvas),
    original: original && {
      file: original,
      toCanvas: compose(compose(original.toSquare, squareTo(imageBox)), frame.toCanvas),
    },
    repeats,
    opacity,
    clip: () => clipShape(outline.kind === 'rectangle' ? { ...frame, box: overdrawn } : frame, outline),
    drawPixels(surface) {
      if (canScaleRows(frame, image, visibleRect)) drawUpright(surface, outline, frame, image, visibleRect, opacity);
      else drawTransformed(surface, frame, outline, image, overdrawn, opacity);
    },
  });
}

/** Maps pixels of the image to its box. */
function sourceToBox({ source, imageBox: { left, top, right, bottom } }: PlacedImage): Affine {
  return { a: (right - left) / source.width, b: 0, c: 0, d: (bottom - top) / source.height, e: left, f: top };
}

/** Maps the unit square to a box. */
function squareTo({ left, top, right, bottom }: Rect): Affine {
  return { a: right - left, b: 0, c: 0, d: bottom - top, e: left, f: top };
}

/** Pixels that a turned image extends beyond the box: more than a pixel's diagonal. */
const OVERDRAW = 2;

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}

/** Whether the image's rows are rows of canvas pixels, and its edges and those of its shown part lie between them. */
function canScaleRows(frame: Frame, { imageBox, repeats }: PlacedImage, visibleRect: Rect): boolean {
  if (repeats && isMirrored(frame)) return false;
  return canvasRect(frame, imageBox) !== undefined && canvasRect(frame, visibleRect) !== undefined;
}

function isMirrored({ toCanvas: { a, d } }: Frame): boolean {
  return a < 0 || d < 0;
}

/** Scales only the visible pixels, straight onto the surface. */
function drawUpright(
  surface: Surface,
  outline: Outline,
  frame: Frame,
  { source, imageBox, repeats = false }: PlacedImage,
  visibleRect: Rect,
  opacity: number,
): void {
  const whole = mapRect(imageBox, frame.toCanvas);
  const visible = intersect(mapRect(visibleRect, frame.toCanvas), surface.bounds);
  if (isEmpty(visible)) return;
  const target = offset(visible, -surface.bounds.left, -surface.bounds.top);
  const width = whole.right - whole.left;
  const height = whole.bottom - whole.top;
  let paint: Paint;
  if (isMirrored(frame)) {
    paint = mirroredPaint(source, frame, whole, visible, surface, opacity);
  } else if (repeats) {
    paint = repeatedPaint(source, whole, surface, opacity);
  } else if (source.width === width && source.height === height) {
    paint = new PixmapPaint(source, whole.left - surface.bounds.left, whole.top - surface.bounds.top, opacity);
  } else {
    const rows = new ScaledRows(source, width, height, offset(visible, -whole.left, -whole.top));
    paint = new ScaledPaint(rows, target.left, target.top, opacity);
  }
  if (outline.kind === 'rectangle') surface.fillRect(visible, paint);
  else surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
}

/**
 * Returns the paint of a mirrored image. `visible` is a part of `whole`, the area of the image on the canvas. As in browsers,
 * the scaled pixels are mirrored.
 */
function mirroredPaint(
  source: Pixmap,
  { toCanvas: { a, d } }: Frame,
  whole: Rect,
  visible: Rect,
  { bounds }: Surface,
  opacity: number,
): Paint {
  const width = whole.right - whole.left;
  const height = whole.bottom - whole.top;
  const part = offset(visible, -whole.left, -whole.top);
  const mirrored = {
    left: a < 0 ? width - part.right : part.left,
    right: a < 0 ? width - part.left : part.right,
    top: d < 0 ? height - part.bottom : part.top,
    bottom: d < 0 ? height - part.top : part.bottom,
  };
  const pixels = mirror(resample(source, width, height, mirrored), a < 0, d < 0);
  return new PixmapPaint(pixels, visible.left - bounds.left, visible.top - bounds.top, opacity);
}

/** Samples the turned, mirrored or freely scaled image. */
function drawTransformed(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  image: PlacedImage,
  visibleRect: Rect,
  opacity: number,
): void {
  const { source, repeats = false } = image;
  const onSurface = compose(
    compose(sourceToBox(image), frame.toCanvas),
    translation(-surface.bounds.left, -surface.bounds.top),
  );
  const toSource = invert(onSurface);
  if (!toSource) return;
  const paint = new TransformedPaint(source, toSource, opacity, new Pixmap(surface.pixmap.width, 1), repeats);
  const path = outline.kind === 'rectangle' ? outlinePath(RECTANGLE, visibleRect) : outlinePath(outline, frame.box);
  surface.fillPath(path, frame.toCanvas, paint);
}
