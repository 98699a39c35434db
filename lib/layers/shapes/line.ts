// Lines: a bar along the box's longer side, through its centre, with dashes, caps and arrowheads.
import type { ShapeLayer } from '../../contract/layers/index.js';
import { type Affine, compose, translation } from '../../geometry/affine.js';
import { unitArc } from '../../geometry/arc.js';
import { flatten } from '../../geometry/flatten.js';
import { Path } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import { expand, isEmpty, mapRect, offset, type Rect } from '../../geometry/rect.js';
import { strokePath } from '../../geometry/stroke/stroke.js';
import { BLACK } from '../../raster/color.js';
import { type Drawable, emptyDrawable } from '../drawable.js';
import { type Frame, snapInFrame } from '../frame.js';
import { fillOutline, RECTANGLE } from '../outline.js';

/** The length and the width of an arrowhead, in line widths. */
const HEAD_SIZE = 3;

/** The line in its own coordinates: from (0, 0) to (length, 0). */
interface Axis {
  readonly length: number;
  readonly width: number;
  /** Maps the line's coordinates to canvas pixels. */
  readonly toCanvas: Affine;
}

export function lineContent(layer: ShapeLayer, frame: Frame): Drawable {
  const bar: Frame = { ...frame, box: snapInFrame(frame, offset(barOf(layer), frame.space.x, frame.space.y)) };
  if (isEmpty(bar.box)) return emptyDrawable(frame, RECTANGLE);
  const { border, startCap = 'none', endCap = 'none' } = layer;
  const color = border?.color ?? layer.fillColor ?? BLACK;
  const isPlain = startCap === 'none' && endCap === 'none' && !border?.dash && (border?.cap ?? 'butt') === 'butt';
  const axis = axisOf(layer, bar);
  // a head is wider than the line by the line's width on each side; other ends reach less far
  const ink = isPlain ? bar.box : expand(bar.box, axis.width);
  return {
    frame,
    outline: RECTANGLE,
    bounds: mapRect(ink, bar.toCanvas),
    nonOverlapping: true,
    draw(target, opacity) {
      if (isPlain) {
        fillOutline(target, bar, RECTANGLE, color, opacity, frame);
        return;
      }
      target.fillPolygon(linePolygon(layer, axis, target.bounds), { fill: color, area: frame, opacity });
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

function axisOf({ width, height }: ShapeLayer, { box, toCanvas }: Frame): Axis {
  const across = box.right - box.left;
  const down = box.bottom - box.top;
  if (width >= height) {
    const start = translation(box.left, (box.top + box.bottom) / 2);
    return { length: across, width: down, toCanvas: compose(start, toCanvas) };
  }
  const start = { a: 0, b: 1, c: -1, d: 0, e: (box.left + box.right) / 2, f: box.top };
  return { length: down, width: across, toCanvas: compose(start, toCanvas) };
}

/** The shaft and both ends, as one shape for the non-zero rule. */
function linePolygon({ border, startCap, endCap }: ShapeLayer, axis: Axis, visible: Rect): Polygon {
  const polygon = new Polygon();
  const { length, width, toCanvas } = axis;
  const head = HEAD_SIZE * width;
  const from = startCap === 'arrow' ? head : 0;
  const to = endCap === 'arrow' ? length - head : length;
  if (from < to) {
    const shaft = new Path();
    shaft.moveTo(from, 0);
    shaft.lineTo(to, 0);
    strokePath(shaft, toCanvas, { ...border, width }, polygon, visible);
  }
  const ends = new Path();
  if (startCap === 'arrow') triangle(ends, 0, head);
  else if (startCap === 'round') halfDisc(ends, 0, width / 2, Math.PI / 2);
  if (endCap === 'arrow') triangle(ends, length, -head);
  else if (endCap === 'round') halfDisc(ends, length, width / 2, -Math.PI / 2);
  // the shaft winds clockwise on the canvas, so the ends must too
  const first = polygon.starts.length;
  flatten(ends, toCanvas, polygon);
  if (toCanvas.a * toCanvas.d - toCanvas.b * toCanvas.c < 0) {
    for (let i = first; i < polygon.starts.length; i++) polygon.reverse(i);
  }
  return polygon;
}

/** An arrowhead with its tip at (x, 0). */
function triangle(path: Path, x: number, length: number): void {
  path.moveTo(x, 0);
  path.lineTo(x + length, -length / 2);
  path.lineTo(x + length, length / 2);
  path.close();
}

/** The half of the disc about (x, 0) clockwise from the angle `start`. */
function halfDisc(path: Path, x: number, radius: number, start: number): void {
  path.moveTo(x, radius * (start > 0 ? 1 : -1));
  unitArc(path, { a: radius, b: 0, c: 0, d: radius, e: x, f: 0 }, start, Math.PI);
  path.close();
}
