// Shape layers: boxes with a border inside their outline; lines and the shapes of paths are in shapes/.
import type { ShapeLayer } from '../contract/layers/index.js';
import { isEmpty } from '../geometry/rect.js';
import { BLACK } from '../raster/color.js';
import { isOpaqueFill } from '../raster/fill.js';
import { boxBorder } from './box/border.js';
import { type BoxStyle, boxBounds, filling, hasOverlay, paintBox } from './box/paint.js';
import { type Drawable, emptyDrawable } from './drawable.js';
import type { Frame } from './frame.js';
import { type Outline, RECTANGLE, roundedOutline } from './outline.js';
import { lineContent } from './shapes/line.js';
import { outlinedContent } from './shapes/outlined.js';

/** The default border width, in pixels. */
const DEFAULT_BORDER_WIDTH = 1;

export function shapeContent(layer: ShapeLayer, frame: Frame): Drawable {
  switch (layer.shapeType) {
    case 'line':
      return lineContent(layer, frame);
    case 'polygon':
    case 'star':
    case 'path':
    case 'arc':
      return outlinedContent(layer, frame);
    default:
      return boxContent(layer, frame);
  }
}

function boxContent(layer: ShapeLayer, frame: Frame): Drawable {
  const outline = outlineOf(layer, frame);
  if (isEmpty(frame.box)) return emptyDrawable(frame, outline);
  const { border: line } = layer;
  const whole = line && { ...line, width: line.width ?? DEFAULT_BORDER_WIDTH, color: line.color ?? BLACK };
  const border = boxBorder({ ...layer, border: whole });
  const fill = layer.fillColor ?? (border ? undefined : BLACK);
  const box: BoxStyle = { frame, outline, border, shadow: layer.shadow };
  return {
    frame,
    outline,
    bounds: boxBounds(box),
    isOpaqueBox: fill !== undefined && isOpaqueFill(fill),
    nonOverlapping: !(fill && hasOverlay(box)),
    draw(target, opacity) {
      paintBox(target, box, opacity, fill && filling(fill, box, opacity));
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
    default:
      return RECTANGLE;
  }
}
