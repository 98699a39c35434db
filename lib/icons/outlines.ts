// The path data of SVG elements, and of paths that a transform has moved.
import { type Affine, compose, IDENTITY, rotationAbout, translation } from '../geometry/affine.js';
import { tan } from '../geometry/math.js';
import { CLOSE, COORDINATES, CUBIC, LINE, MOVE, QUAD } from '../geometry/path.js';
import { isPathError, parsePathData } from '../geometry/path-data.js';
import type { BodyElement } from './body.js';
import { IconError } from './error.js';

/** Maximum absolute value of a number in an attribute. */
const MAX_NUMBER = 1e6;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?/y;
const LENGTH = /^[ \t\n\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)(?:px)?[ \t\n\r]*$/;

/** A number in an attribute, or `standard` without it. Throws IconError. */
export function numberOf({ name, attributes }: BodyElement, attribute: string, standard: number): number {
  const text = attributes.get(attribute);
  if (text === undefined) return standard;
  const value = Number(LENGTH.exec(text)?.[1] ?? Number.NaN);
  if (Math.abs(value) <= MAX_NUMBER) return value;
  throw new IconError(`${attribute} of <${name}>: received ${quote(text)}, expected a number up to ${MAX_NUMBER}`);
}

export const quote = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** The numbers of a list. Throws IconError. */
export function numbersOf(text: string, where: string): number[] {
  const found: number[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    pattern.exec(text);
    at = pattern.lastIndex;
  };
  for (skip(SEPARATOR); at < text.length; skip(SEPARATOR)) {
    NUMBER.lastIndex = at;
    const value = Number(NUMBER.exec(text)?.[0] ?? Number.NaN);
    if (!(Math.abs(value) <= MAX_NUMBER)) {
      throw new IconError(`${where}: received ${quote(text)}, expected numbers up to ${MAX_NUMBER}`);
    }
    found.push(value);
    at = NUMBER.lastIndex;
  }
  return found;
}

const SEPARATOR = /[ \t\n\r,]*/y;

/** The path data of a shape; empty if it draws nothing. Throws IconError. */
export function pathDataOf(element: BodyElement): string {
  const number = (attribute: string, standard = 0) => numberOf(element, attribute, standard);
  switch (element.name) {
    case 'path':
      return checkedPath(element.attributes.get('d') ?? '');
    case 'rect':
      return rectangle(element);
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    default: {
      const points = numbersOf(element.attributes.get('points') ?? '', `points of <${element.name}>`);
      if (points.length % 2 === 1) throw new IconError(`points of <${element.name}>: expected pairs of numbers`);
      const corners = points.flatMap((x, i) => (i % 2 === 0 ? [`${x} ${points[i + 1]}`] : []));
      if (corners.length < 2) return '';
      return `M${corners.join('L')}${element.name === 'polygon' ? 'Z' : ''}`;
    }
  }
}

function checkedPath(d: string): string {
  const parsed = parsePathData(d);
  if (!isPathError(parsed)) return d.trim();
  throw new IconError(`d of <path>: expected ${parsed.expected} at character ${parsed.at + 1}`);
}

function rectangle(element: BodyElement): string {
  const number = (attribute: string, standard: number) => numberOf(element, attribute, standard);
  const [x, y, width, height] = [number('x', 0), number('y', 0), number('width', 0), number('height', 0)];
  if (!(width > 0 && height > 0)) return '';
  const { attributes } = element;
  const [ownX, ownY] = [number('rx', 0), number('ry', 0)];
  const rx = Math.min(attributes.has('rx') ? ownX : ownY, width / 2);
  const ry = Math.min(attributes.has('ry') ? ownY : ownX, height / 2);
  if (!(rx > 0 && ry > 0)) return `M${x} ${y}H${rounded(x + width)}V${rounded(y + height)}H${x}Z`;
  const corner = (toX: number, toY: number) => `A${rx} ${ry} 0 0 1 ${rounded(toX)} ${rounded(toY)}`;
  return [
    `M${rounded(x + rx)} ${y}H${rounded(x + width - rx)}`,
    `${corner(x + width, y + ry)}V${rounded(y + height - ry)}`,
    `${corner(x + width - rx, y + height)}H${rounded(x + rx)}`,
    `${corner(x, y + height - ry)}V${rounded(y + ry)}`,
    `${corner(x + rx, y)}Z`,
  ].join('');
}

function ellipse(cx: number, cy: number, rx: number, ry: number): string {
  if (!(rx > 0 && ry > 0)) return '';
  const half = (toX: number) => `A${rx} ${ry} 0 0 1 ${rounded(toX)} ${cy}`;
  return `M${rounded(cx + rx)} ${cy}${half(cx - rx)}${half(cx + rx)}Z`;
}

const rounded = (value: number) => Math.round(value * 1e5) / 1e5;

const TRANSFORM = /[ \t\n\r,]*([A-Za-z]+)[ \t\n\r]*\(([^()]*)\)/y;
const MAX_TRANSFORMS = 32;

/** The transform of an element. Throws IconError. */
export function transformOf({ name, attributes }: BodyElement): Affine {
  const text = attributes.get('transform');
  if (text === undefined) return IDENTITY;
  const where = `transform of <${name}>`;
  let all = IDENTITY;
  let at = 0;
  for (let count = 0; text.slice(at).trim() !== ''; count++) {
    TRANSFORM.lastIndex = at;
    const found = count < MAX_TRANSFORMS ? TRANSFORM.exec(text) : null;
    const one = found && singleTransform(found[1], numbersOf(found[2], where));
    if (!one) throw new IconError(`${where}: received ${quote(text)}, expected a list of transforms`);
    all = compose(one, all);
    at = TRANSFORM.lastIndex;
  }
  return all;
}

function singleTransform(kind: string, numbers: readonly number[]): Affine | undefined {
  const [first = 0, second, third] = numbers;
  const count = numbers.length;
  const skew = (degrees: number) => tan((degrees * Math.PI) / 180);
  switch (kind) {
    case 'matrix':
      if (count !== 6) return undefined;
      return { a: first, b: second, c: third, d: numbers[3], e: numbers[4], f: numbers[5] };
    case 'translate':
      return count === 1 || count === 2 ? translation(first, second ?? 0) : undefined;
    case 'scale':
      return count === 1 || count === 2 ? { ...IDENTITY, a: first, d: second ?? first } : undefined;
    case 'rotate':
      return count === 1 || count === 3 ? rotationAbout(first, second ?? 0, third ?? 0) : undefined;
    case 'skewX':
      return count === 1 ? { ...IDENTITY, c: skew(first) } : undefined;
    case 'skewY':
      return count === 1 ? { ...IDENTITY, b: skew(first) } : undefined;
    default:
      return undefined;
  }
}

export const isIdentity = ({ a, b, c, d, e, f }: Affine) =>
  a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;

/** How much a transform that keeps shapes enlarges; undefined for another one. */
export function evenScale({ a, b, c, d }: Affine): number | undefined {
  const scale = Math.sqrt(Math.abs(a * d - b * c));
  const isSame = (x: number, y: number) => Math.abs(x - y) <= 1e-4 * scale;
  return (isSame(a, d) && isSame(b, -c)) || (isSame(a, -d) && isSame(b, c)) ? scale : undefined;
}

const LETTERS = { [MOVE]: 'M', [LINE]: 'L', [QUAD]: 'Q', [CUBIC]: 'C', [CLOSE]: 'Z' } as const;

/** Path data that are valid, moved by a transform. */
export function movedPath(data: string, map: Affine): string {
  const parsed = parsePathData(data);
  if (isIdentity(map) || isPathError(parsed)) return data;
  const { verbs, coords } = parsed;
  const parts: string[] = [];
  let at = 0;
  for (const verb of Array.from(verbs) as (keyof typeof LETTERS)[]) {
    const numbers: number[] = [];
    for (const end = at + COORDINATES[verb]; at < end; at += 2) {
      const [x, y] = [coords[at], coords[at + 1]];
      numbers.push(rounded(map.a * x + map.c * y + map.e), rounded(map.b * x + map.d * y + map.f));
    }
    parts.push(LETTERS[verb] + numbers.join(' '));
  }
  return parts.join('');
}

const FIRST_MOVE =
  /^m[ \t\n\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[ \t\n\r]*,?[ \t\n\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[ \t\n\r,]*/i;

/** Path data of one path after the other. A path begins at its own point, not where the last one ended. */
export function joinedPaths(first: string, second: string): string {
  const move = second.startsWith('m') ? FIRST_MOVE.exec(second) : null;
  if (!move) return first + second;
  const rest = second.slice(move[0].length);
  // further pairs after a relative moveto are relative linetos
  return `${first}M${move[1]} ${move[2]}${/^[\d.+-]/.test(rest) ? 'l' : ''}${rest}`;
}
