// What hides everything beneath it: where a layer is opaque.
import { invert } from '../geometry/affine.js';
import type { Corners } from '../geometry/corners.js';
import type { Rect } from '../geometry/rect.js';
import { placeImage } from '../layers/image-placement.js';
import type { Outline } from '../layers/outline.js';
import { BLACK } from '../raster/color.js';
import { isOpaqueBackground, isOpaqueFill } from '../raster/fill.js';
import type { Pixmap } from '../raster/pixmap.js';
import { ancestors, type Item } from './items.js';

/** Pixmaps are looked at once. */
const opaque = new WeakMap<Pixmap, boolean>();

/** Whether what the layer itself paints at a point of the canvas hides all beneath it. */
export function coversPoint(item: Item, x: number, y: number): boolean {
  const box = opaqueBox(item);
  if (!box) return false;
  if (!isInside(item, box, x, y)) return false;
  for (const group of ancestors(item)) {
    if (group.layer.type === 'group' && group.layer.clip && !isInsideBox(group, x, y)) return false;
  }
  return true;
}

/** Whether the layer may hide anything at all. */
export function canCover(item: Item): boolean {
  return opaqueBox(item) !== undefined;
}

function isInsideBox(item: Item, x: number, y: number): boolean {
  const { frame, prepared } = item.measured;
  return !!frame && !!prepared && isInside(item, { rect: frame.box, outline: prepared.content.outline }, x, y);
}

interface OpaqueBox {
  readonly rect: Rect;
  readonly outline: Outline;
}

/** The part of the layer's box that it fills opaquely, without what the layers in it paint. */
function opaqueBox(item: Item): OpaqueBox | undefined {
  const { layer, measured } = item;
  const { frame, prepared, picture } = measured;
  if (item.isHidden || item.opacity < 1 || !frame || !prepared) return undefined;
  if (!isPlain(item)) return undefined;
  for (const group of ancestors(item)) if (!isPlain(group)) return undefined;
  const { outline } = prepared.content;
  const whole = { rect: frame.box, outline };
  switch (layer.type) {
    case 'shape': {
      if (!['rectangle', 'rounded_rectangle', 'circle', 'pill'].includes(layer.shapeType)) return undefined;
      const fill = layer.fillColor ?? (layer.border ? undefined : BLACK);
      return fill && isOpaqueFill(fill) ? whole : undefined;
    }
    case 'group':
      return layer.backgroundColor && isOpaqueBackground(layer.backgroundColor) ? whole : undefined;
    case 'text': {
      const { backgroundColor, backgroundFit } = layer;
      const isBox = backgroundFit === 'box' && backgroundColor !== undefined;
      return isBox && isOpaqueBackground(backgroundColor) ? whole : undefined;
    }
    case 'qrcode':
      return isOpaqueFill(layer.colorLight) ? whole : undefined;
    case 'image': {
      if (!picture) return layer.fallbackColor && isOpaqueFill(layer.fallbackColor) ? whole : undefined;
      if (layer.repeat === 'tile' || layer.position === 'smart' || layer.crop) return undefined;
      if (!isOpaque(picture.pixmap)) return undefined;
      const { imageBox } = placeImage(layer, frame, picture.natural);
      const { box } = frame;
      const fills =
        imageBox.left <= box.left &&
        imageBox.top <= box.top &&
        imageBox.right >= box.right &&
        imageBox.bottom >= box.bottom;
      return fills ? whole : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether no effect makes the layer translucent or changes where it is. */
function isPlain({ layer: { filter = [], maskImage, clipPath, blendMode, backdropFilter = [] } }: Item): boolean {
  return filter.length === 0 && !maskImage && !clipPath && blendMode === 'normal' && backdropFilter.length === 0;
}

function isOpaque(pixmap: Pixmap): boolean {
  const known = opaque.get(pixmap);
  if (known !== undefined) return known;
  const result = pixmap.isOpaque();
  opaque.set(pixmap, result);
  return result;
}

/** Whether a point of the canvas is inside the outline in the frame's coordinates. */
function isInside({ measured: { frame } }: Item, { rect, outline }: OpaqueBox, x: number, y: number): boolean {
  const toBox = frame && invert(frame.toCanvas);
  if (!toBox) return false;
  const u = toBox.a * x + toBox.c * y + toBox.e;
  const v = toBox.b * x + toBox.d * y + toBox.f;
  const { left, top, right, bottom } = rect;
  if (u < left || v < top || u >= right || v >= bottom) return false;
  switch (outline.kind) {
    case 'rectangle':
      return true;
    case 'rounded':
      return isInCorners(outline.corners, rect, u, v);
    default: {
      // a squircle has more than its ellipse
      const [cx, cy] = [(left + right) / 2, (top + bottom) / 2];
      const [p, q] = [(u - cx) / (cx - left), (v - cy) / (cy - top)];
      return p * p + q * q <= 1;
    }
  }
}

function isInCorners(corners: Corners, { left, top, right, bottom }: Rect, u: number, v: number): boolean {
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const beyond = (dx: number, dy: number, { x, y }: { readonly x: number; readonly y: number }) =>
    dx < x && dy < y && x > 0 && y > 0 && ((x - dx) / x) ** 2 + ((y - dy) / y) ** 2 > 1;
  return !(
    beyond(u - left, v - top, topLeft) ||
    beyond(right - u, v - top, topRight) ||
    beyond(right - u, bottom - v, bottomRight) ||
    beyond(u - left, bottom - v, bottomLeft)
  );
}
