// Shape layers: a filled outline with a border inside it, or a line.
import type { ShapeLayer } from '../contract/layers/index.js';
import { isEmpty, mapRect, offset, type Rect } from '../geometry/rect.js';
import { BLACK } from '../raster/color.js';
import { isOpaqueFill } from '../raster/fill.js';
import { type BoxStyle, filling, hasOverlay, paintBox } from './box/paint.js';
import { type Drawable, emptyDrawable } from './drawable.js';
import { type Frame, frameOf, type Space, snapIfUpright } from './frame.js';
import { fillOutline, type Outline, RECTANGLE, roundedOutline } from './outline.js';

/** The default border width, in pixels. */
const DEFAULT_BORDER_WIDTH = 1;

export function shapeContent(layer: ShapeLayer, space: Space): Drawable {
  if (layer.shapeType === 'line') return lineContent(layer, space);
  const frame = frameOf(layer, space);
  const outline = outlineOf(layer, frame);
  if (isEmpty(frame.box)) return emptyDrawable(frame, outline);
  const { border } = layer;
  const fill = layer.fillColor ?? (border ? undefined : BLACK);
  const ring = border && { width: border.width ?? DEFAULT_BORDER_WIDTH, color: border.color ?? BLACK };
  const box: BoxStyle = { frame, outline, border: ring, shadow: layer.shadow };
  return {
    frame,
    outline,
    bounds: mapRect(frame.box, frame.toCanvas),
    isOpaqueBox: fill !== undefined && isOpaqueFill(fill),
    nonOverlapping: !(fill && hasOverlay(box)),
    draw(surface, opacity) {
      paintBox(surface, box, opacity, fill && filling(fill, box, opacity));
    },
  };
}

function outlineOf({ shapeType, width, height, borderRadius }: ShapeLayer, { box }: Frame): Outline {
  switch (shapeType) {
    case 'rounded_rectangle':
      return roundedOutline(borderRadius, box);
    case 'pill':
      return roundedOutline([Math.min(width, height) / 2], box);
    case 'circle':
      return { kind: 'ellipse' };
    case 'rectangle':
    case 'line':
      return RECTANGLE;
  }
}

/** A bar along the box's longer side, through its centre, with butt caps. */
function lineContent(layer: ShapeLayer, space: Space): Drawable {
  const frame = frameOf(layer, space);
  const bar: Frame = { ...frame, box: snapIfUpright(frame, offset(barOf(layer), space.x, space.y)) };
  if (isEmpty(bar.box)) return emptyDrawable(frame, RECTANGLE);
  const color = layer.border?.color ?? layer.fillColor ?? BLACK;
  return {
    frame,
    outline: RECTANGLE,
    bounds: mapRect(bar.box, bar.toCanvas),
    nonOverlapping: true,
    draw(surface, opacity) {
      fillOutline(surface, bar, RECTANGLE, color, opacity, frame);
    },
  };
}

function barOf({ x, y, width, height, border }: ShapeLayer): Rect {
  const thickness = border?.width ?? Math.min(width, height);
  if (width >= height) {
    const top = y + (height - thickness) / 2;
    return { left: x, top, right: x + width, bottom: top + thickness };
  }
  const left = x + (width - thickness) / 2;
  return { left, top: y, right: left + thickness, bottom: y + height };
}
