// Makes parts of the elements of an icon: paths with a fill or a line, and groups that are translucent as a whole.
import { parseColor } from '../contract/css/parse-color.js';
import { type Affine, compose, IDENTITY } from '../geometry/affine.js';
import { type BodyElement, readBody } from './body.js';
import { IconError } from './error.js';
import {
  evenScale,
  isIdentity,
  joinedPaths,
  movedPath,
  numberOf,
  numbersOf,
  pathDataOf,
  quote,
  transformOf,
} from './outlines.js';

/** A path of an icon. Its lengths are in units of the icon's viewBox. */
export interface IconPath {
  readonly d: string;
  /** A CSS colour, or `currentColor`. */
  readonly fill?: string | undefined;
  readonly isEvenOdd?: boolean | undefined;
  readonly line?: IconLine | undefined;
  readonly opacity: number;
}

export interface IconLine {
  /** A CSS colour, or `currentColor`. */
  readonly color: string;
  readonly width: number;
  readonly cap?: 'round' | 'square' | undefined;
  readonly join?: 'round' | 'bevel' | undefined;
  readonly dash?: readonly number[] | undefined;
  readonly dashOffset?: number | undefined;
}

export interface IconGroup {
  readonly opacity: number;
  readonly parts: readonly IconPart[];
}

export type IconPart = IconPath | IconGroup;

export const CURRENT_COLOR = 'currentColor';
const MAX_DASHES = 32;

/** Attributes without an effect on what an icon looks like. */
const IDLE = /^(?:id|class|clip-rule|stroke-miterlimit|data-[\w-]+|aria-[\w-]+)$/;
const PAINT = [
  'fill',
  'fill-rule',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-opacity',
  'opacity',
  'transform',
];
const GEOMETRY: Readonly<Record<string, readonly string[]>> = {
  g: [],
  path: ['d', 'pathLength'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry'],
  circle: ['cx', 'cy', 'r'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
  line: ['x1', 'y1', 'x2', 'y2'],
  polyline: ['points'],
  polygon: ['points'],
};

/** The paint that elements in a group inherit. */
interface Paint {
  readonly fill: string | undefined;
  readonly isEvenOdd: boolean;
  readonly fillOpacity: number;
  readonly stroke: string | undefined;
  readonly strokeOpacity: number;
  readonly width: number;
  readonly cap: IconLine['cap'];
  readonly join: IconLine['join'];
  readonly dash: readonly number[] | undefined;
  readonly dashOffset: number;
}

const INITIAL: Paint = {
  fill: '#000000',
  isEvenOdd: false,
  fillOpacity: 1,
  stroke: undefined,
  strokeOpacity: 1,
  width: 1,
  cap: undefined,
  join: undefined,
  dash: undefined,
  dashOffset: 0,
};

/** The parts of an icon's body, from the bottom up, moved by `map`. Throws IconError. */
export function partsOf(body: string, map: Affine = IDENTITY): readonly IconPart[] {
  return readBody(body)
    .flatMap((element) => elementParts(element, INITIAL, map))
    .reduce<IconPart[]>(merged, []);
}

function elementParts(element: BodyElement, inherited: Paint, outer: Affine): IconPart[] {
  const { name, attributes, children } = element;
  for (const attribute of attributes.keys()) {
    if (PAINT.includes(attribute) || GEOMETRY[name].includes(attribute) || IDLE.test(attribute)) continue;
    throw new IconError(`received ${quote(attribute)} of <${name}>, expected attributes of geometry and paint alone`);
  }
  const paint = paintOf(element, inherited);
  const opacity = opacityOf(element, 'opacity', 1);
  const own = transformOf(element);
  const map = isIdentity(own) ? outer : compose(own, outer);
  if (name !== 'g') return translucent(shapeParts(element, paint, map), opacity);
  const parts = children.flatMap((child) => elementParts(child, paint, map));
  return translucent(parts.reduce<IconPart[]>(merged, []), opacity);
}

function translucent(parts: readonly IconPart[], opacity: number): IconPart[] {
  if (opacity === 1) return [...parts];
  if (parts.length > 1) return [{ opacity, parts }];
  return parts.map((part) => ({ ...part, opacity: part.opacity * opacity }));
}

function shapeParts(element: BodyElement, paint: Paint, map: Affine): IconPart[] {
  const data = pathDataOf(element);
  if (data === '') return [];
  const line = paint.stroke !== undefined && paint.width > 0 ? lineOf(paint, element, map) : undefined;
  const d = movedPath(data, map);
  const { isEvenOdd, fillOpacity, strokeOpacity } = paint;
  const fill = element.name === 'line' ? undefined : paint.fill;
  const shape = { d, ...(isEvenOdd && { isEvenOdd }) };
  if (fill !== undefined && line && fillOpacity === strokeOpacity && fillOpacity === 1) {
    return [{ ...shape, fill, line, opacity: 1 }];
  }
  return [
    ...(fill === undefined ? [] : [{ ...shape, fill, opacity: fillOpacity }]),
    ...(line ? [{ d, line, opacity: strokeOpacity }] : []),
  ];
}

function lineOf(
  { stroke = '', width, cap, join, dash, dashOffset }: Paint,
  { name }: BodyElement,
  map: Affine,
): IconLine {
  const scale = evenScale(map);
  if (scale === undefined) {
    throw new IconError(`<${name}> has a line that a transform stretches, expected one that keeps its width`);
  }
  return {
    color: stroke,
    width: width * scale,
    ...(cap && { cap }),
    ...(join && { join }),
    ...(dash && { dash: dash.map((length) => length * scale) }),
    ...(dash && dashOffset !== 0 && { dashOffset: dashOffset * scale }),
  };
}

/** Adds a part to those below. Lines of the same paint are one path. */
function merged(parts: IconPart[], part: IconPart): IconPart[] {
  const last = parts.at(-1);
  if (last && isOpaqueLine(last) && isOpaqueLine(part) && JSON.stringify(last.line) === JSON.stringify(part.line)) {
    parts[parts.length - 1] = { ...last, d: joinedPaths(last.d, part.d) };
  } else parts.push(part);
  return parts;
}

const isOpaqueLine = (part: IconPart): part is IconPath =>
  'd' in part &&
  part.fill === undefined &&
  part.line !== undefined &&
  part.line.dash === undefined &&
  part.opacity === 1;

function paintOf(element: BodyElement, inherited: Paint): Paint {
  const { attributes } = element;
  const keyword = <Word extends string>(attribute: string, words: readonly Word[], standard: Word | undefined) => {
    const text = attributes.get(attribute);
    return text === undefined ? standard : words.find((word) => word === text);
  };
  return {
    fill: colorOf(element, 'fill', inherited.fill),
    isEvenOdd: attributes.has('fill-rule') ? attributes.get('fill-rule') === 'evenodd' : inherited.isEvenOdd,
    fillOpacity: opacityOf(element, 'fill-opacity', inherited.fillOpacity),
    stroke: colorOf(element, 'stroke', inherited.stroke),
    strokeOpacity: opacityOf(element, 'stroke-opacity', inherited.strokeOpacity),
    width: numberOf(element, 'stroke-width', inherited.width),
    cap: keyword('stroke-linecap', ['round', 'square'], inherited.cap),
    join: keyword('stroke-linejoin', ['round', 'bevel'], inherited.join),
    dash: dashOf(element, inherited.dash),
    dashOffset: numberOf(element, 'stroke-dashoffset', inherited.dashOffset),
  };
}

function colorOf({ name, attributes }: BodyElement, attribute: string, inherited: string | undefined) {
  const text = attributes.get(attribute)?.trim();
  if (text === undefined || text === 'inherit') return inherited;
  if (text === 'none' || text === 'transparent') return undefined;
  if (/^currentcolor$/i.test(text)) return CURRENT_COLOR;
  if (parseColor(text)) return text;
  throw new IconError(`${attribute} of <${name}>: received ${quote(text)}, expected a colour, currentColor or none`);
}

function opacityOf(element: BodyElement, attribute: string, inherited: number): number {
  return Math.min(1, Math.max(0, numberOf(element, attribute, inherited)));
}

function dashOf({ name, attributes }: BodyElement, inherited: readonly number[] | undefined) {
  const text = attributes.get('stroke-dasharray');
  if (text === undefined) return inherited;
  if (text.trim() === 'none') return undefined;
  const lengths = numbersOf(text, `stroke-dasharray of <${name}>`);
  if (lengths.length <= MAX_DASHES && lengths.every((length) => length >= 0)) return lengths;
  throw new IconError(`stroke-dasharray of <${name}>: expected up to ${MAX_DASHES} lengths`);
}
