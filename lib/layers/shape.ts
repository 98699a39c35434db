// Shape layers: a filled outline with a border inside it, or a line.
import type { ShapeLayer } from '../contract/layers.js';
import { isEmpty, mapRect, type Rect } from '../geometry/rect.js';
import { BLACK, withOpacity } from '../raster/color.js';
import { type Drawable, EMPTY_DRAWABLE } from './drawable.js';
import { type Frame, frameOf, snapIfUpright } from './frame.js';
import { drawBorder, drawBorderedFill, fillOutline, type Outline, RECTANGLE } from './outline.js';

/** The default border width, in pixels. */
const DEFAULT_BORDER_WIDTH = 1;

export function shapeContent(layer: ShapeLayer): Drawable {
  if (layer.shapeType === 'line') return lineContent(layer);
  const frame = frameOf(layer);
  if (isEmpty(frame.box)) return EMPTY_DRAWABLE;
  const outline = outlineOf(layer);
  const { border } = layer;
  const fill = layer.fillColor ?? (border ? undefined : BLACK);
  return {
    bounds: mapRect(frame.box, frame.toCanvas),
    nonOverlapping: !(fill && border),
    draw(surface, opacity) {
      const color = fill && withOpacity(fill, opacity);
      if (!border) {
        if (color) fillOutline(surface, frame, outline, color);
        return;
      }
      const ring = { width: border.width ?? DEFAULT_BORDER_WIDTH, color: withOpacity(border.color ?? BLACK, opacity) };
      if (color) drawBorderedFill(surface, frame, outline, ring, color);
      else drawBorder(surface, frame, outline, ring);
    },
  };
}

function outlineOf({ shapeType, width, height, borderRadius }: ShapeLayer): Outline {
  switch (shapeType) {
    case 'rounded_rectangle':
      return { kind: 'rounded', radius: borderRadius };
    case 'pill':
      return { kind: 'rounded', radius: Math.min(width, height) / 2 };
    case 'circle':
      return { kind: 'ellipse' };
    case 'rectangle':
    case 'line':
      return RECTANGLE;
  }
}

/** A bar along the box's longer side, through its centre, with butt caps. */
function lineContent(layer: ShapeLayer): Drawable {
  const frame = frameOf(layer);
  const bar: Frame = { ...frame, box: snapIfUpright(frame, barOf(layer)) };
  if (isEmpty(bar.box)) return EMPTY_DRAWABLE;
  const color = layer.border?.color ?? layer.fillColor ?? BLACK;
  return {
    bounds: mapRect(bar.box, bar.toCanvas),
    nonOverlapping: true,
    draw(surface, opacity) {
      fillOutline(surface, bar, RECTANGLE, withOpacity(color, opacity));
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
