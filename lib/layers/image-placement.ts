// Places a picture in the box of an image layer: CSS's object-view-box, object-fit, object-position and background-size.
import type { ImageLayer } from '../contract/layers/index.js';
import { type Position, resolveLength } from '../geometry/length.js';
import { intersect, isEmpty, offset, type Rect, rectOf, roundOut } from '../geometry/rect.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { Share } from '../raster/saliency.js';
import { type Frame, scalesOf, snapInFrame } from './frame.js';
import type { NaturalSize, PaintedSize } from './picture.js';

type Crop = ImageLayer['crop'];

const CENTER: Position = { x: { px: 0, percent: 50 }, y: { px: 0, percent: 50 } };
const TOP_LEFT: Position = { x: { px: 0, percent: 0 }, y: { px: 0, percent: 0 } };

/** The place of a picture. Rectangles are those of the layer before rotation, whole CSS pixels when upright. */
export interface Placement {
  /** The whole picture's rectangle; with `repeats`, that of one of its copies. */
  readonly imageBox: Rect;
  /** Whether copies of the picture fill the box. */
  readonly repeats: boolean;
  /** The only pixels of the picture that are repeated, when it is cropped. */
  readonly pixels?: Rect;
}

export function placeImage(layer: ImageLayer, frame: Frame, natural: NaturalSize, smart?: Position): Placement {
  if (layer.repeat === 'tile') return placeTile(layer, frame, natural);
  const { crop } = layer;
  const box = placePart(layer, frame, croppedSize(crop, natural), smart);
  if (!crop) return { imageBox: box, repeats: false };
  // as in browsers, the rest of the picture shows where the part leaves room in the box
  const scaleX = (box.right - box.left) / crop.width;
  const scaleY = (box.bottom - box.top) / crop.height;
  const [left, top] = [box.left - crop.x * scaleX, box.top - crop.y * scaleY];
  const imageBox = snapInFrame(frame, rectOf(left, top, natural.width * scaleX, natural.height * scaleY));
  return { imageBox, repeats: false };
}

/**
 * The size in canvas pixels at which the image is painted: an SVG should be rasterized at this size, so that it is not scaled
 * again. Integers when upright.
 */
export function paintedSize(layer: ImageLayer, frame: Frame, natural: NaturalSize): PaintedSize {
  const scale = scalesOf(frame);
  const { imageBox, pixels } = placeImage(layer, frame, natural);
  const sized = ({ left, top, right, bottom }: Rect) => ({
    width: scale.x * (right - left),
    height: scale.y * (bottom - top),
  });
  if (layer.repeat === 'tile') return { ...sized(imageBox), exact: false, ...(pixels && { part: pixels }) };
  // before the picture is seen, nobody knows which part of it "smart" shows
  const isWhole = layer.position === 'smart' || (!layer.crop && layer.fit !== 'none');
  if (isWhole) return { ...sized(imageBox), exact: !layer.crop && fillsBox(layer, natural) };
  // enlarged or not shrunk, the whole picture may be far larger than the box
  const visible = intersect(imageBox, frame.box);
  if (isEmpty(visible)) return { width: 0, height: 0, exact: false };
  return { ...sized(visible), exact: false, part: visiblePart(imageBox, visible, natural) };
}

/** Converts `visible`, a part of `imageBox`, to pixels of its picture. */
function visiblePart(imageBox: Rect, visible: Rect, { width, height }: NaturalSize): Rect {
  const scaleX = width / (imageBox.right - imageBox.left);
  const scaleY = height / (imageBox.bottom - imageBox.top);
  return {
    left: (visible.left - imageBox.left) * scaleX,
    top: (visible.top - imageBox.top) * scaleY,
    right: (visible.right - imageBox.left) * scaleX,
    bottom: (visible.bottom - imageBox.top) * scaleY,
  };
}

/** The part of the picture that the box shows, in the picture's pixels; of one that is repeated, the part that is. */
export function shownPart({ imageBox, repeats, pixels }: Placement, { box }: Frame, natural: NaturalSize): Rect {
  const whole = pixels ?? wholeRect(natural);
  const visible = intersect(imageBox, box);
  if (repeats) return whole;
  if (isEmpty(visible)) return EMPTY;
  const { left, top, right, bottom } = whole;
  return offset(visiblePart(imageBox, visible, { width: right - left, height: bottom - top }), left, top);
}

/** Returns the share of the cropped picture that the box shows, along each axis. */
export function visibleShare(layer: ImageLayer, natural: NaturalSize): Share {
  const size = croppedSize(layer.crop, natural);
  if (layer.repeat === 'tile' || fillsBox(layer, size)) return { x: 1, y: 1 };
  const [width, height] = fittedSize(layer, size);
  return { x: Math.min(1, layer.width / width), y: Math.min(1, layer.height / height) };
}

/** The whole pixels of the picture's `pixmap` that the crop touches; empty when it lies beyond the picture. */
export function croppedPixels(crop: Crop, natural: NaturalSize, { width, height }: Pixmap): Rect {
  if (!crop) return rectOf(0, 0, width, height);
  const scaleX = width / natural.width;
  const scaleY = height / natural.height;
  const { x, y } = crop;
  const part = rectOf(x * scaleX, y * scaleY, crop.width * scaleX, crop.height * scaleY);
  return intersect(roundOut(part), rectOf(0, 0, width, height));
}

/** Returns the warning about the crop of this picture, if it deserves one. */
export function cropWarning(crop: Crop, natural: NaturalSize): string | undefined {
  if (!crop) return undefined;
  const { width, height } = natural;
  const whole = `the picture of ${round(width)} × ${round(height)} pixels`;
  if (isEmpty(intersect(cropRect(crop), wholeRect(natural)))) return `lies beyond ${whole}: nothing is drawn`;
  const isInside = crop.x >= 0 && crop.y >= 0 && crop.x + crop.width <= width && crop.y + crop.height <= height;
  return isInside ? undefined : `reaches beyond ${whole}`;
}

const round = (length: number) => Math.round(length * 100) / 100;
const cropRect = ({ x, y, width, height }: NonNullable<Crop>) => rectOf(x, y, width, height);
const wholeRect = ({ width, height }: NaturalSize) => rectOf(0, 0, width, height);

/** The size of the part of the picture that is treated as the whole. A part always has an aspect ratio. */
function croppedSize(crop: Crop, natural: NaturalSize): NaturalSize {
  return crop ? { width: crop.width, height: crop.height } : natural;
}

/** Whether the picture is stretched to the whole box. */
function fillsBox({ fit }: ImageLayer, { noAspectRatio }: NaturalSize): boolean {
  return fit === 'fill' || noAspectRatio === true;
}

/** The rectangle of a picture of this size. `smart`: the position that "smart" stands for. */
function placePart(layer: ImageLayer, frame: Frame, size: NaturalSize, smart = CENTER): Rect {
  if (fillsBox(layer, size)) return frame.box;
  const [width, height] = fittedSize(layer, size);
  const { position = CENTER } = layer;
  const { x, y } = position === 'smart' ? smart : position;
  const left = layer.x + frame.space.x + resolveLength(x, layer.width - width);
  const top = layer.y + frame.space.y + resolveLength(y, layer.height - height);
  return snapInFrame(frame, rectOf(left, top, width, height));
}

/** The first tile, which does not snap to whole pixels. */
function placeTile(layer: ImageLayer, { box }: Frame, natural: NaturalSize): Placement {
  const { crop } = layer;
  // a tile has no empty margins
  const part = crop && intersect(cropRect(crop), wholeRect(natural));
  if (part && isEmpty(part)) return { imageBox: EMPTY, repeats: false };
  const size = part ? { width: part.right - part.left, height: part.bottom - part.top } : natural;
  const [width, height] = tileSize(layer, size);
  const { x, y } = layer.position === undefined || layer.position === 'smart' ? TOP_LEFT : layer.position;
  const left = box.left + resolveLength(x, box.right - box.left - width);
  const top = box.top + resolveLength(y, box.bottom - box.top - height);
  const imageBox = rectOf(left, top, width, height);
  // sampled across its edges, a tile as large as the box would show its other side at each of them
  const repeats = left > box.left || top > box.top || imageBox.right < box.right || imageBox.bottom < box.bottom;
  return { imageBox, repeats, ...(part && { pixels: roundOut(part) }) };
}

const EMPTY: Rect = { left: 0, top: 0, right: 0, bottom: 0 };

/** CSS object-fit. */
function fittedSize(
  { fit, width, height }: Pick<ImageLayer, 'fit' | 'width' | 'height'>,
  size: NaturalSize,
): readonly [width: number, height: number] {
  const scaleX = width / size.width;
  const scaleY = height / size.height;
  let scale = fit === 'cover' ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
  if (fit === 'none') scale = 1;
  else if (fit === 'scale-down') scale = Math.min(scale, 1);
  return [size.width * scale, size.height * scale];
}

/** CSS background-size: one side alone keeps the aspect ratio. */
function tileSize(layer: ImageLayer, size: NaturalSize): readonly [width: number, height: number] {
  const { tileWidth, tileHeight } = layer;
  if (tileWidth !== undefined && tileHeight !== undefined) return [tileWidth, tileHeight];
  if (size.noAspectRatio) return [tileWidth ?? layer.width, tileHeight ?? layer.height];
  if (tileWidth !== undefined) return [tileWidth, (tileWidth * size.height) / size.width];
  if (tileHeight !== undefined) return [(tileHeight * size.width) / size.height, tileHeight];
  return [size.width, size.height];
}
