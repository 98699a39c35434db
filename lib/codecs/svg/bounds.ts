// Computes the bounding box of an SVG element's shape in its own units from its attributes; infinite where that would
// need text layout or CSS.
import { cos, sin, tan } from '../../geometry/math.js';
import { extentOf, numbersOf } from './path.js';
import type { SvgElement } from './scan.js';

/** Left, top, right, bottom. */
export type Bounds = readonly [x0: number, y0: number, x1: number, y1: number];
/** x′ = a·x + c·y + e, y′ = b·x + d·y + f. */
export type SvgMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const EMPTY: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
export const INFINITE_BOUNDS: Bounds = [-Infinity, -Infinity, Infinity, Infinity];
const IDENTITY: SvgMatrix = [1, 0, 0, 1, 0, 0];

/** The bounds of the element's own shape, without its children. `g` and similar elements have no shape. */
export function boundsOf({ name, attributes }: SvgElement): Bounds {
  const length = (attribute: string, fallback = 0) => {
    const text = attributes.get(attribute);
    if (text === undefined) return fallback;
    return /^\s*[-+\d.e]+(?:px)?\s*$/i.test(text) ? Number.parseFloat(text) : Number.NaN;
  };
  switch (name) {
    case 'g':
    case 'a':
    case 'switch':
    case 'use':
      return EMPTY;
    case 'rect':
    case 'image': {
      const [x, y] = [length('x'), length('y')];
      return finiteOrInfinite([x, y, x + length('width', Number.NaN), y + length('height', Number.NaN)]);
    }
    case 'circle':
    case 'ellipse': {
      const [x, y] = [length('cx'), length('cy')];
      const radiusX = name === 'circle' ? length('r') : length('rx', length('ry'));
      const radiusY = name === 'circle' ? length('r') : length('ry', length('rx'));
      return finiteOrInfinite([x - radiusX, y - radiusY, x + radiusX, y + radiusY]);
    }
    case 'line':
      return pointBounds([length('x1'), length('y1'), length('x2'), length('y2')]);
    case 'polyline':
    case 'polygon':
      return pointBounds(numbersOf(attributes.get('points') ?? ''));
    case 'path':
      return pathBounds(attributes.get('d') ?? '');
    default:
      return INFINITE_BOUNDS;
  }
}

function finiteOrInfinite(bounds: Bounds): Bounds {
  return bounds.every(Number.isFinite) ? bounds : INFINITE_BOUNDS;
}

function pointBounds(coordinates: readonly number[]): Bounds {
  const bounds: [number, number, number, number] = [...EMPTY];
  for (let i = 0; i + 1 < coordinates.length; i += 2) include(bounds, coordinates[i], coordinates[i + 1]);
  return coordinates.length < 2 ? EMPTY : finiteOrInfinite(bounds);
}

function include(bounds: [number, number, number, number], x: number, y: number): void {
  bounds[0] = Math.min(bounds[0], x);
  bounds[1] = Math.min(bounds[1], y);
  bounds[2] = Math.max(bounds[2], x);
  bounds[3] = Math.max(bounds[3], y);
}

function pathBounds(data: string): Bounds {
  const extent = extentOf(data);
  if (!extent) return INFINITE_BOUNDS;
  const { x0, y0, x1, y1 } = extent;
  return x0 > x1 ? EMPTY : finiteOrInfinite([x0, y0, x1, y1]);
}

export function union(a: Bounds, b: Bounds): Bounds {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** The bounding box of `bounds` after `matrix`. */
export function transformed(bounds: Bounds, [a, b, c, d, e, f]: SvgMatrix): Bounds {
  if (bounds[0] > bounds[2]) return EMPTY;
  const [x0, y0, x1, y1] = bounds;
  const corners = [x0, y0, x1, y0, x0, y1, x1, y1];
  const moved: number[] = [];
  for (let i = 0; i < 8; i += 2) {
    moved.push(a * corners[i] + c * corners[i + 1] + e, b * corners[i] + d * corners[i + 1] + f);
  }
  return pointBounds(moved);
}

/** An element's `transform`, combined with the offset of `use`. */
export function matrixOf({ name, attributes }: SvgElement): SvgMatrix {
  let matrix = IDENTITY;
  for (const [, type, list] of (attributes.get('transform') ?? '').matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    matrix = multiply(matrix, functionMatrix(type, numbersOf(list)));
  }
  if (name !== 'use') return matrix;
  const [x = 0, y = 0] = [attributes.get('x'), attributes.get('y')].map((text) => Number.parseFloat(text ?? '0'));
  return multiply(matrix, [1, 0, 0, 1, x, y]);
}

function functionMatrix(type: string, [n0 = 0, n1, n2, n3 = 0, n4 = 0, n5 = 0]: readonly number[]): SvgMatrix {
  const angle = (n0 * Math.PI) / 180;
  switch (type) {
    case 'matrix':
      return [n0, n1 ?? 0, n2 ?? 0, n3, n4, n5];
    case 'translate':
      return [1, 0, 0, 1, n0, n1 ?? 0];
    case 'scale':
      return [n0, 0, 0, n1 ?? n0, 0, 0];
    case 'rotate': {
      const [x, y] = [n1 ?? 0, n2 ?? 0];
      const [c, s] = [cos(angle), sin(angle)];
      return [c, s, -s, c, x - c * x + s * y, y - s * x - c * y];
    }
    case 'skewX':
      return [1, 0, tan(angle), 1, 0, 0];
    case 'skewY':
      return [1, tan(angle), 0, 1, 0, 0];
    default:
      return IDENTITY;
  }
}

export function multiply([a, b, c, d, e, f]: SvgMatrix, [g, h, i, j, k, l]: SvgMatrix): SvgMatrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Upper bound of the scaling by the element's transforms, at least 1: the larger column sum of a matrix. */
export function transformScale({ attributes }: SvgElement): number {
  let scale = 1;
  for (const name of ['transform', 'patternTransform']) {
    for (const [, kind, list] of (attributes.get(name) ?? '').matchAll(/(matrix|scale)\s*\(([^)]*)\)/g)) {
      const numbers = list.split(/[\s,]+/).map((text) => Math.abs(Number.parseFloat(text)) || 0);
      const factor =
        kind === 'scale' ? Math.max(...numbers) : Math.max(numbers[0] + numbers[1], numbers[2] + numbers[3]);
      scale *= Math.max(1, factor || 1);
    }
  }
  return scale;
}
