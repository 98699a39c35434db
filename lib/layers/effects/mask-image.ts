// Draws a layer's maskImage: a gradient or a picture over the layer's box.
import type { ImageLayer, Layer } from '../../contract/layers/index.js';
import { mapRect } from '../../geometry/rect.js';
import type { Drawable } from '../drawable.js';
import type { Frame } from '../frame.js';
import { imageContent } from '../image.js';
import { fillOutline, RECTANGLE } from '../outline.js';
import type { Picture } from '../picture.js';

/** The mask; undefined without one. `picture` is its picture, if it has one. */
export function maskContent(layer: Layer, frame: Frame, picture: Picture | undefined): Drawable | undefined {
  const { maskImage } = layer;
  if (!maskImage) return undefined;
  if ('url' in maskImage) return imageContent(maskAsImage(layer, maskImage), frame, picture);
  return {
    frame,
    outline: RECTANGLE,
    bounds: mapRect(frame.box, frame.toCanvas),
    nonOverlapping: true,
    draw: (target, opacity) => fillOutline(target, frame, RECTANGLE, maskImage, opacity),
  };
}

type MaskPicture = Extract<NonNullable<Layer['maskImage']>, { readonly url: string }>;

/** The mask's picture as an image layer in the box of the layer that it masks. */
export function maskAsImage(layer: Layer, { url, fit }: MaskPicture): ImageLayer {
  const { x, y, width, height, rotation, flip } = layer;
  return {
    type: 'image',
    x,
    y,
    width,
    height,
    rotation,
    flip,
    opacity: 1,
    blendMode: 'normal',
    visible: true,
    url,
    fit,
    mask: 'none',
    borderRadius: [0],
    repeat: 'none',
  };
}
