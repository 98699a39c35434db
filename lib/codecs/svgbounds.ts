// Where an SVG element can draw: a box around its shape in its own units, as far as attributes tell without laying out text
// or CSS; else the whole plane. Curves lie within their control points, arcs within two radii of their ends.
import type { SvgElement } from './svgscan.js';

/** Left, top, right, bottom. */
export type Bounds = readonly [x0: number, y0: number, x1: number, y1: number];
/** x′ = a·x + c·y + e, y′ = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const NOWHERE: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
export const EVERYWHERE: Bounds = [-Infinity, -Infinity, Infinity, Infinity];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Without children; `g` and its like have nothing of their own. */
export function boundsOf({ name, attributes }: SvgElement): Bounds {
  const length = (attribute: string, otherwise = 0) => {
    const text = attributes.get(attribute);
    if (text === undefined) return otherwise;
    return /^\s*[-+\d.e]+(?:px)?\s*$/i.test(text) ? Number.parseFloat(text) : Number.NaN;
  };
  switch (name) {
    case 'g':
    case 'a':
    case 'switch':
    case 'use':
      return NOWHERE;
    case 'rect':
    case 'image': {
      const [x, y] = [length('x'), length('y')];
      return finite([x, y, x + length('width', Number.NaN), y + length('height', Number.NaN)]);
    }
    case 'circle':
    case 'ellipse': {
      const [x, y] = [length('cx'), length('cy')];
      const across = name === 'circle' ? length('r') : length('rx', length('ry'));
      const along = name === 'circle' ? length('r') : length('ry', length('rx'));
      return finite([x - across, y - along, x + across, y + along]);
    }
    case 'line':
      return around([length('x1'), length('y1'), length('x2'), length('y2')]);
    case 'polyline':
    case 'polygon':
      return around(numbersOf(attributes.get('points') ?? ''));
    case 'path':
      return pathBounds(attributes.get('d') ?? '');
    default:
      return EVERYWHERE;
  }
}

/** Numbers as SVG packs them: `1-2.5.5e3` are three. */
function numbersOf(text: string): number[] {
  return (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
}

function finite(bounds: Bounds): Bounds {
  return bounds.every(Number.isFinite) ? bounds : EVERYWHERE;
}

function around(coordinates: readonly number[]): Bounds {
  const bounds: [number, number, number, number] = [...NOWHERE];
  for (let i = 0; i + 1 < coordinates.length; i += 2) reach(bounds, coordinates[i], coordinates[i + 1]);
  return coordinates.length < 2 ? NOWHERE : finite(bounds);
}

function reach(bounds: [number, number, number, number], x: number, y: number, by = 0): void {
  bounds[0] = Math.min(bounds[0], x - by);
  bounds[1] = Math.min(bounds[1], y - by);
  bounds[2] = Math.max(bounds[2], x + by);
  bounds[3] = Math.max(bounds[3], y + by);
}

/** Numbers that one segment of each command takes. */
const TAKES = new Map(Object.entries({ m: 2, l: 2, t: 2, h: 1, v: 1, q: 4, s: 4, c: 6, a: 7 }));

function pathBounds(data: string): Bounds {
  // the mirrored points of quadratic curves may run away from the path
  if (/t/i.test(data)) return EVERYWHERE;
  const bounds: [number, number, number, number] = [...NOWHERE];
  let [x, y] = [0, 0];
  let [startX, startY] = [0, 0];
  for (const [, command, list] of data.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const kind = command.toLowerCase();
    const isRelative = kind === command;
    if (kind === 'z') [x, y] = [startX, startY];
    // flags of arcs may be written without anything between them: then the numbers can't be told apart here
    const numbers = numbersOf(list);
    const takes = TAKES.get(kind);
    if (takes === undefined) continue;
    if (numbers.length % takes !== 0) return EVERYWHERE;
    for (let i = 0; i < numbers.length; i += takes) {
      const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
      if (kind === 'h') x = fromX + numbers[i];
      else if (kind === 'v') y = fromY + numbers[i];
      else if (kind === 'a') {
        const radius = 2 * Math.max(Math.abs(numbers[i]), Math.abs(numbers[i + 1]));
        reach(bounds, x, y, radius);
        [x, y] = [fromX + numbers[i + 5], fromY + numbers[i + 6]];
        reach(bounds, x, y, radius);
      } else {
        // a smooth curve mirrors a control point: within the box of the last segment, turned about its end
        for (let j = i; j < i + takes; j += 2) reach(bounds, fromX + numbers[j], fromY + numbers[j + 1]);
        [x, y] = [fromX + numbers[i + takes - 2], fromY + numbers[i + takes - 1]];
      }
      reach(bounds, x, y);
      if (kind === 'm' && i === 0) [startX, startY] = [x, y];
    }
  }
  if (bounds[0] > bounds[2]) return NOWHERE;
  // what mirrored points may add is at most the box once more
  const [width, height] = /s/i.test(data) ? [bounds[2] - bounds[0], bounds[3] - bounds[1]] : [0, 0];
  return finite([bounds[0] - width, bounds[1] - height, bounds[2] + width, bounds[3] + height]);
}

export function union(a: Bounds, b: Bounds): Bounds {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** The box around `bounds` in the coordinates that `matrix` leads to. */
export function transformed(bounds: Bounds, [a, b, c, d, e, f]: Matrix): Bounds {
  if (bounds[0] > bounds[2]) return NOWHERE;
  const [x0, y0, x1, y1] = bounds;
  const corners = [x0, y0, x1, y0, x0, y1, x1, y1];
  const moved: number[] = [];
  for (let i = 0; i < 8; i += 2) {
    moved.push(a * corners[i] + c * corners[i + 1] + e, b * corners[i] + d * corners[i + 1] + f);
  }
  return around(moved);
}

/** An element's `transform`, and where `use` moves what it draws. */
export function matrixOf({ name, attributes }: SvgElement): Matrix {
  let matrix = IDENTITY;
  for (const [, kind, list] of (attributes.get('transform') ?? '').matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    matrix = multiply(matrix, single(kind, numbersOf(list)));
  }
  if (name !== 'use') return matrix;
  const [x = 0, y = 0] = [attributes.get('x'), attributes.get('y')].map((text) => Number.parseFloat(text ?? '0'));
  return multiply(matrix, [1, 0, 0, 1, x, y]);
}

function single(kind: string, [n0 = 0, n1, n2, n3 = 0, n4 = 0, n5 = 0]: readonly number[]): Matrix {
  const angle = (n0 * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  switch (kind) {
    case 'matrix':
      return [n0, n1 ?? 0, n2 ?? 0, n3, n4, n5];
    case 'translate':
      return [1, 0, 0, 1, n0, n1 ?? 0];
    case 'scale':
      return [n0, 0, 0, n1 ?? n0, 0, 0];
    case 'rotate': {
      const [x, y] = [n1 ?? 0, n2 ?? 0];
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
    }
    case 'skewX':
      return [1, 0, Math.tan(angle), 1, 0, 0];
    case 'skewY':
      return [1, Math.tan(angle), 0, 1, 0, 0];
    default:
      return IDENTITY;
  }
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
