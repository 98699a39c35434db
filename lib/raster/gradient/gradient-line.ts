// Places a gradient in its box (CSS Images 3 sections 3.1 to 3.3, CSS Images 4 section 3.3).
import { type Affine, IDENTITY, rotationAbout } from '../../geometry/affine.js';
import { type Position, resolveLength } from '../../geometry/length.js';
import { hypot } from '../../geometry/math.js';
import type { Rect } from '../../geometry/rect.js';
import type { ConicGradient, Gradient, LinearGradient, RadialGradient } from './gradient.js';

/**
 * The gradient's own space: in a linear gradient, x is the place on the gradient line, 0 at its start and 1 at its end. In a
 * radial gradient, the ending shape is the unit circle. In a conic gradient, the x axis is where it starts.
 */
export interface GradientLine {
  /** Length in pixels that a position of 100 % means. A conic gradient has no lengths. 0 if all pixels are beyond the end. */
  readonly length: number;
  /** Maps the box's coordinates to the gradient's space. */
  readonly toGradient: Affine;
}

/** Smaller radii count as 0. */
const MIN_RADIUS = 1e-6;

export function gradientLine(gradient: Gradient, box: Rect): GradientLine {
  switch (gradient.kind) {
    case 'linear':
      return linearLine(gradient, box);
    case 'radial':
      return radialLine(gradient, box);
    case 'conic':
      return conicLine(gradient, box);
  }
}

function linearLine({ direction }: LinearGradient, { left, top, right, bottom }: Rect): GradientLine {
  const width = right - left;
  const height = bottom - top;
  let x: number;
  let y: number;
  if (typeof direction === 'number') {
    const turned = rotationAbout(direction, 0, 0);
    x = -turned.c;
    y = -turned.d;
  } else {
    // the line to a corner is perpendicular to the diagonal between its neighbours
    const size = direction.x === 0 || direction.y === 0 ? 1 : hypot(height, width);
    x = (direction.x * (direction.y === 0 ? 1 : height)) / size;
    y = (direction.y * (direction.x === 0 ? 1 : width)) / size;
  }
  const length = Math.abs(width * x) + Math.abs(height * y);
  const a = x / length;
  const c = y / length;
  const e = 0.5 - a * (left + width / 2) - c * (top + height / 2);
  return { length, toGradient: { a, b: 0, c, d: 0, e, f: 0 } };
}

function radialLine(gradient: RadialGradient, box: Rect): GradientLine {
  const center = pointOf(gradient.center, box);
  const { x, y } = radiiOf(gradient, box, center);
  // as browsers paint it; CSS Images 3 section 3.2.3 has mirrored lines for a stop in pixels
  if (x < MIN_RADIUS || y < MIN_RADIUS) return { length: 0, toGradient: IDENTITY };
  const toGradient = { a: 1 / x, b: 0, c: 0, d: 1 / y, e: -center.x / x, f: -center.y / y };
  return { length: x, toGradient };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function radiiOf({ shape, size }: RadialGradient, box: Rect, center: Point): Point {
  if (typeof size === 'object') {
    const x = resolveLength(size.x, box.right - box.left);
    const y = resolveLength(size.y, box.bottom - box.top);
    return { x, y };
  }
  const left = Math.abs(center.x - box.left);
  const top = Math.abs(center.y - box.top);
  const right = Math.abs(center.x - box.right);
  const bottom = Math.abs(center.y - box.bottom);
  const isClosest = size.startsWith('closest');
  const pick = isClosest ? Math.min : Math.max;
  const x = pick(left, right);
  const y = pick(top, bottom);
  if (size.endsWith('side')) {
    if (shape === 'ellipse') return { x, y };
    const radius = pick(x, y);
    return { x: radius, y: radius };
  }
  if (shape === 'circle') {
    const radius = hypot(x, y);
    return { x: radius, y: radius };
  }
  // the ellipse through the corner has the ratio of the one that meets the sides: both radii grow alike
  return { x: x * Math.sqrt(2), y: y * Math.sqrt(2) };
}

function conicLine({ from, center }: ConicGradient, box: Rect): GradientLine {
  const { x, y } = pointOf(center, box);
  // the x axis points up at 0 degrees, and angles grow clockwise
  const { a, b, c, d } = rotationAbout(90 - from, 0, 0);
  return { length: 1, toGradient: { a, b, c, d, e: -a * x - c * y, f: -b * x - d * y } };
}

function pointOf({ x, y }: Position, { left, top, right, bottom }: Rect): Point {
  return { x: left + resolveLength(x, right - left), y: top + resolveLength(y, bottom - top) };
}
