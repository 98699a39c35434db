// Computes the bounding boxes of paths and images in resvg's simplified document, which has only absolute coordinates
// and matrices.
import { hypot } from '../../geometry/math.js';
import type { SvgElement } from './scan.js';

/** Left, top, right, bottom. */
export type Bounds = readonly [x0: number, y0: number, x1: number, y1: number];
/** x′ = a·x + c·y + e, y′ = b·x + d·y + f. */
export type SvgMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const EMPTY: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
export const INFINITE_BOUNDS: Bounds = [-Infinity, -Infinity, Infinity, Infinity];
const IDENTITY: SvgMatrix = [1, 0, 0, 1, 0, 0];

/** The numbers of a list or of path data. */
export const numbersOf = (text: string): number[] =>
  (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);

/** A number that is 0 if it is missing. */
export const numericAttribute = ({ attributes }: SvgElement, name: string) =>
  Number.parseFloat(attributes.get(name) ?? '') || 0;

/** `x`, `y`, `width` and `height` as bounds. */
export function boxOf(element: SvgElement): Bounds {
  const [x, y] = [numericAttribute(element, 'x'), numericAttribute(element, 'y')];
  return [x, y, x + numericAttribute(element, 'width'), y + numericAttribute(element, 'height')];
}

/** The bounds of points, whose coordinates alternate; infinite if one of them is not finite. */
export function pointBounds(coordinates: readonly number[]): Bounds {
  let [x0, y0, x1, y1] = EMPTY;
  for (let i = 0; i + 1 < coordinates.length; i += 2) {
    const [x, y] = [coordinates[i], coordinates[i + 1]];
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x);
    y1 = Math.max(y1, y);
  }
  return coordinates.length < 2 || [x0, y0, x1, y1].every(Number.isFinite) ? [x0, y0, x1, y1] : INFINITE_BOUNDS;
}

/** Grows the bounds of a path by its stroke's maximum extent: a mitre is as long as the limit says. */
export function strokedBounds([x0, y0, x1, y1]: Bounds, { attributes }: SvgElement): Bounds {
  if (x0 > x1 || (attributes.get('stroke') ?? 'none') === 'none') return [x0, y0, x1, y1];
  const width = Number.parseFloat(attributes.get('stroke-width') ?? '1');
  const reach = (width / 2) * Math.max(1, Number.parseFloat(attributes.get('stroke-miterlimit') ?? '4'));
  return [x0 - reach, y0 - reach, x1 + reach, y1 + reach];
}

export function union(a: Bounds, b: Bounds): Bounds {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

export function intersection(a: Bounds, b: Bounds): Bounds {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

/** The bounding box of `bounds` after `matrix`. */
export function transformed([x0, y0, x1, y1]: Bounds, [a, b, c, d, e, f]: SvgMatrix): Bounds {
  if (x0 > x1) return EMPTY;
  const corners = [x0, y0, x1, y0, x0, y1, x1, y1];
  const moved: number[] = [];
  for (let i = 0; i < 8; i += 2) {
    moved.push(a * corners[i] + c * corners[i + 1] + e, b * corners[i] + d * corners[i + 1] + f);
  }
  return pointBounds(moved);
}

/** An element's `transform`, or another attribute like it. */
export function matrixOf({ attributes }: SvgElement, name = 'transform'): SvgMatrix {
  const [a, b, c, d, e, f] = numbersOf(attributes.get(name) ?? '');
  return f === undefined ? IDENTITY : [a, b, c, d, e, f];
}

export function multiply([a, b, c, d, e, f]: SvgMatrix, [g, h, i, j, k, l]: SvgMatrix): SvgMatrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** The scaling along each axis. */
export const scalesOf = ([a, b, c, d]: SvgMatrix) => [hypot(a, b), hypot(c, d)] as const;

/** Transform from the root's units to pixels, by its viewBox and preserveAspectRatio. */
export function viewMatrix(root: SvgElement): SvgMatrix {
  const [width, height] = [numericAttribute(root, 'width'), numericAttribute(root, 'height')];
  const [x, y, viewWidth, viewHeight] = numbersOf(root.attributes.get('viewBox') ?? '');
  if (!(viewWidth > 0 && viewHeight > 0)) return IDENTITY;
  const aspect = root.attributes.get('preserveAspectRatio') ?? 'xMidYMid';
  const scales = [width / viewWidth, height / viewHeight] as const;
  const uniform = aspect.includes('slice') ? Math.max(...scales) : Math.min(...scales);
  const [a, d] = /^\s*none/.test(aspect) ? scales : [uniform, uniform];
  const alignment = (axis: string) => (aspect.includes(`${axis}Min`) ? 0 : aspect.includes(`${axis}Max`) ? 1 : 0.5);
  return [
    a,
    0,
    0,
    d,
    alignment('x') * (width - viewWidth * a) - x * a,
    alignment('Y') * (height - viewHeight * d) - y * d,
  ];
}
