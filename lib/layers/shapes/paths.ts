// The paths of polygons, stars, SVG paths and arcs, in the coordinates of a layer's box.
import type { ShapeLayer } from '../../contract/layers/index.js';
import { type Affine, compose, translation } from '../../geometry/affine.js';
import { unitArc } from '../../geometry/arc.js';
import { cos, sin } from '../../geometry/math.js';
import { Path, type PathData } from '../../geometry/path.js';
import type { Rect } from '../../geometry/rect.js';

/** A star's inner radius by default, as a part of the outer one. */
const DEFAULT_STAR_RADIUS = 0.5;

/** The layer's path in the box's space. */
export function shapePath(layer: ShapeLayer, box: Rect): PathData {
  switch (layer.shapeType) {
    case 'polygon':
      return polygon(Array.isArray(layer.points) ? layer.points : [], box);
    case 'star':
      return star(typeof layer.points === 'number' ? layer.points : 0, layer.innerRadius ?? DEFAULT_STAR_RADIUS, box);
    case 'path':
      return layer.d ? transformed(layer.d, viewBoxMap(layer, box)) : new Path();
    default:
      return arc(layer, box);
  }
}

function polygon(points: readonly (readonly [number, number])[], { left, top }: Rect): Path {
  const path = new Path();
  points.forEach(([x, y], i) => {
    if (i === 0) path.moveTo(left + x, top + y);
    else path.lineTo(left + x, top + y);
  });
  path.close();
  return path;
}

/** Tips on the box's ellipse, the first one at the top. */
function star(tips: number, innerRadius: number, box: Rect): Path {
  const path = new Path();
  const { a, d, e, f } = ellipseMap(box);
  for (let i = 0; i < 2 * tips; i++) {
    const angle = (i * Math.PI) / tips;
    const radius = i % 2 === 0 ? 1 : innerRadius;
    const x = e + a * radius * sin(angle);
    const y = f - d * radius * cos(angle);
    if (i === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.close();
  return path;
}

/** Whether the layer is a ring without thickness: a line, with nothing to fill. */
export function isArcLine({ shapeType, innerRadius }: ShapeLayer): boolean {
  return shapeType === 'arc' && innerRadius === 1;
}

/**
 * A segment of the ring between the box's ellipse and the same one scaled by `innerRadius`: angles are those of a circle,
 * which is then stretched. Round ends are half discs as thick as the ring.
 */
function arc(layer: ShapeLayer, box: Rect): Path {
  const { startAngle = 0, endAngle = 360, innerRadius = 0, border } = layer;
  const path = new Path();
  // drawn once: there and back, the edge of its border would be antialiased twice
  const isLine = isArcLine(layer);
  const toBox = ellipseMap(box);
  const turn = endAngle - startAngle;
  const point = (radius: number, angle: number): [number, number] => [
    toBox.e + toBox.a * radius * cos(angle),
    toBox.f + toBox.d * radius * sin(angle),
  ];
  // unitArc counts from the x axis
  const start = (((startAngle % 360) - 90) * Math.PI) / 180;
  const inner = compose(scaling(innerRadius), toBox);
  if (turn >= 360) {
    path.moveTo(...point(1, start));
    unitArc(path, toBox, start, 2 * Math.PI);
    path.close();
    if (innerRadius > 0 && !isLine) {
      path.moveTo(...point(innerRadius, start));
      unitArc(path, inner, start, -2 * Math.PI);
      path.close();
    }
    return path;
  }
  const sweep = (((turn % 360) + 360) % 360) * (Math.PI / 180);
  if (sweep === 0) return path;
  const end = start + sweep;
  const isRound = border?.cap === 'round';
  const middle = (1 + innerRadius) / 2;
  const roundEnd = (angle: number, from: number) => {
    const disc: Affine = { ...scaling(1 - middle), e: middle * cos(angle), f: middle * sin(angle) };
    unitArc(path, compose(disc, toBox), from, Math.PI);
  };
  path.moveTo(...point(1, start));
  unitArc(path, toBox, start, sweep);
  if (isLine) return path;
  if (isRound) roundEnd(end, end);
  else path.lineTo(...point(innerRadius, end));
  if (innerRadius > 0) unitArc(path, inner, end, -sweep);
  if (isRound) roundEnd(start, start + Math.PI);
  path.close();
  return path;
}

/** Maps the unit circle to the box's ellipse. */
function ellipseMap({ left, top, right, bottom }: Rect): Affine {
  return { a: (right - left) / 2, b: 0, c: 0, d: (bottom - top) / 2, e: (left + right) / 2, f: (top + bottom) / 2 };
}

function scaling(by: number): Affine {
  return { a: by, b: 0, c: 0, d: by, e: 0, f: 0 };
}

/** Fits the viewBox to the box, in the middle, as SVG's preserveAspectRatio does with xMidYMid. */
function viewBoxMap({ viewBox, preserveAspectRatio }: ShapeLayer, { left, top, right, bottom }: Rect): Affine {
  if (!viewBox) return translation(left, top);
  const [x, y, width, height] = viewBox;
  const across = (right - left) / width;
  const down = (bottom - top) / height;
  if (preserveAspectRatio === 'none') {
    return { a: across, b: 0, c: 0, d: down, e: left - x * across, f: top - y * down };
  }
  const scale = preserveAspectRatio === 'slice' ? Math.max(across, down) : Math.min(across, down);
  return {
    ...scaling(scale),
    e: (left + right) / 2 - (x + width / 2) * scale,
    f: (top + bottom) / 2 - (y + height / 2) * scale,
  };
}

function transformed({ verbs, coords }: PathData, { a, b, c, d, e, f }: Affine): PathData {
  const mapped = new Float64Array(coords.length);
  for (let i = 0; i < coords.length; i += 2) {
    mapped[i] = a * coords[i] + c * coords[i + 1] + e;
    mapped[i + 1] = b * coords[i] + d * coords[i + 1] + f;
  }
  return { verbs, coords: mapped };
}
