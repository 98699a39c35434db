// Gradients as the editor of stops shows them. Parts that it doesn't know, such as a colour space or a radius, stay as written.
import { ownValue } from '../../../document/json.js';
import { colorText, mixed, parseColor, type Rgba } from './color.js';

export const GRADIENT_KINDS = ['linear', 'radial', 'conic'] as const;
export type GradientKind = (typeof GRADIENT_KINDS)[number];

export interface GradientStop {
  /** Colour of the stop; undefined for a hint, which sets the middle between two colours. */
  readonly color: string | undefined;
  /** Position such as `40%`, `12px`, `90deg`; undefined means between its neighbours. */
  readonly place: string | undefined;
}

export interface GradientModel {
  readonly kind: GradientKind;
  readonly isRepeating: boolean;
  /** The text before the stops: `to right`, `circle at 20% 30%`, `from 90deg in oklch`. */
  readonly start: string;
  readonly stops: readonly GradientStop[];
}

const FUNCTION = /^\s*(repeating-)?(linear|radial|conic)-gradient\(([\s\S]*)\)\s*$/i;
const PLACE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|[a-z]+)?$/i;

/** Parses a gradient; undefined for unusual forms, which can be edited as text. */
export function parseGradientText(text: string): GradientModel | undefined {
  const [, repeating, kind, body] = FUNCTION.exec(text) ?? [];
  if (kind === undefined || body === undefined) return undefined;
  const parts = split(body, ',');
  const first = readStops(parts[0] ?? '');
  const written = first?.some(({ color }) => color !== undefined) ? parts : parts.slice(1);
  const stops = written.map(readStops);
  if (stops.some((each) => each === undefined)) return undefined;
  const all = (stops as GradientStop[][]).flat();
  if (all.filter(({ color }) => color !== undefined).length < 2) return undefined;
  return {
    kind: kind.toLowerCase() as GradientKind,
    isRepeating: repeating !== undefined,
    start: written === parts ? '' : parts[0]!,
    stops: all,
  };
}

/** Reads a stop with its positions, of which two make two stops; or a hint. */
function readStops(text: string): GradientStop[] | undefined {
  const tokens = split(text, ' ');
  const colors = tokens.filter((token) => parseColor(token));
  const places = tokens.filter((token) => PLACE.test(token));
  if (tokens.length === 0 || colors.length + places.length !== tokens.length || colors.length > 1) return undefined;
  if (places.length > (colors.length === 0 ? 1 : 2)) return undefined;
  const [color] = colors;
  return places.length === 0 ? [{ color, place: undefined }] : places.map((place) => ({ color, place }));
}

/** Splits text at separators outside brackets, and drops empty parts. */
function split(text: string, separator: ',' | ' '): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    const isBetween = depth === 0 && (separator === ' ' ? /\s/.test(character) : character === separator);
    if (isBetween) {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...parts, part.trim()].filter((each) => each !== '');
}

export function gradientText({ kind, isRepeating, start, stops }: GradientModel): string {
  const written = stops.map(({ color, place }) => [color, place].filter((part) => part !== undefined).join(' '));
  return `${isRepeating ? 'repeating-' : ''}${kind}-gradient(${[start, ...written].filter(Boolean).join(', ')})`;
}

/**
 * Computes the positions of the stops along the gradient, in per cent. Lengths in pixels are unknown here and count as lying
 * between their neighbours.
 */
export function offsets({ stops }: GradientModel): number[] {
  const known = stops.map(({ place }) => percentOf(place));
  known[0] ??= 0;
  known[known.length - 1] ??= 100;
  let least = Number.NEGATIVE_INFINITY;
  const stopPositions = known.map((each) => {
    if (each === undefined) return undefined;
    least = Math.max(least, each);
    return least;
  });
  return stopPositions.map((each, index) => {
    if (each !== undefined) return each;
    let before = index;
    let after = index;
    while (stopPositions[before] === undefined) before--;
    while (stopPositions[after] === undefined) after++;
    const [low, high] = [stopPositions[before]!, stopPositions[after]!];
    return low + ((high - low) * (index - before)) / (after - before);
  });
}

const TURNS: Readonly<Record<string, number>> = { deg: 360, grad: 400, rad: 2 * Math.PI, turn: 1 };

function percentOf(place: string | undefined): number | undefined {
  const [, number, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(%|[a-z]+)?$/i.exec(place ?? '') ?? [];
  if (number === undefined) return undefined;
  if (unit === '%') return Number(number);
  const turn = ownValue(TURNS, unit.toLowerCase());
  if (turn !== undefined) return (Number(number) / turn) * 100;
  return Number(number) === 0 ? 0 : undefined;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Sorts the gradient's stops by positions in per cent. `select` receives the new index of a stop. */
function ordered(gradient: GradientModel, places: readonly number[], select: number): [GradientModel, number] {
  const stops = gradient.stops.map((stop, index) => ({
    color: stop.color,
    // a position in other units stays until the stop is moved
    place: percentOf(stop.place) === undefined && stop.place !== undefined ? stop.place : `${rounded(places[index]!)}%`,
    at: places[index]!,
    index,
  }));
  stops.sort((a, b) => a.at - b.at || a.index - b.index);
  const moved = stops.findIndex(({ index }) => index === select);
  return [{ ...gradient, stops: stops.map(({ color, place }) => ({ color, place })) }, moved];
}

/** Moves a stop, which may pass others. Returns its new index. */
export function moveStop(gradient: GradientModel, index: number, offset: number): [GradientModel, number] {
  const places = offsets(gradient).with(index, Math.min(100, Math.max(0, offset)));
  const stops = gradient.stops.with(index, { color: gradient.stops[index]!.color, place: '0%' });
  return ordered({ ...gradient, stops }, places, index);
}

/** Adds a stop in the gradient's colour at that position. */
export function addStop(gradient: GradientModel, offset: number): [GradientModel, number] {
  const color = colorText(colorAt(gradient, offset));
  const stops = [...gradient.stops, { color, place: `${rounded(offset)}%` }];
  return ordered({ ...gradient, stops }, [...offsets(gradient), offset], stops.length - 1);
}

/** Removes a stop. A gradient keeps at least two colours, and hints need a colour on both sides. */
export function removeStop(gradient: GradientModel, index: number): GradientModel {
  const stops = gradient.stops.toSpliced(index, 1);
  const colored = stops.filter(({ color }) => color !== undefined);
  if (colored.length < 2) return gradient;
  const valid = stops.filter(
    ({ color }, i) => color !== undefined || (stops[i - 1]?.color !== undefined && stops[i + 1]?.color !== undefined),
  );
  return { ...gradient, stops: valid };
}

/** Returns the sRGB colour at a position in per cent. */
export function colorAt(gradient: GradientModel, offset: number): Rgba {
  const places = offsets(gradient);
  const colored = gradient.stops.flatMap(({ color }, index) =>
    color === undefined ? [] : [{ at: places[index]!, color: parseColor(color) ?? BLACK }],
  );
  const after = colored.findIndex(({ at }) => at >= offset);
  if (after === 0) return colored[0]!.color;
  if (after < 0) return colored.at(-1)?.color ?? BLACK;
  const [low, high] = [colored[after - 1]!, colored[after]!];
  return mixed(low.color, high.color, (offset - low.at) / (high.at - low.at || 1));
}

const BLACK: Rgba = { r: 0, g: 0, b: 0, a: 1 };

const SIDES: Readonly<Record<string, number>> = {
  'to top': 0,
  'to right': 90,
  'to bottom': 180,
  'to left': 270,
  'to top right': 45,
  'to right top': 45,
  'to bottom right': 135,
  'to right bottom': 135,
  'to bottom left': 225,
  'to left bottom': 225,
  'to top left': 315,
  'to left top': 315,
};
const ANGLE = /(?:\bfrom\s+)?([+-]?(?:\d+\.?\d*|\.\d+))(deg|grad|rad|turn)\b/i;
const SIDE = /\bto(?:\s+(?:top|bottom|left|right))+/i;

/** Returns the angle in degrees of a linear or conic gradient; corners count as those of a square. */
export function angleOf({ kind, start }: GradientModel): number {
  const [, number, unit] = ANGLE.exec(start) ?? [];
  if (number !== undefined && unit !== undefined) return rounded((Number(number) / TURNS[unit.toLowerCase()]!) * 360);
  const side = SIDE.exec(start)?.[0].toLowerCase().replace(/\s+/g, ' ');
  return (side !== undefined ? SIDES[side] : undefined) ?? (kind === 'linear' ? 180 : 0);
}

export function withAngle(gradient: GradientModel, angle: number): GradientModel {
  const { kind, start } = gradient;
  const others = start.replace(ANGLE, ' ').replace(SIDE, ' ').replace(/\s+/g, ' ').trim();
  const written = `${kind === 'conic' ? 'from ' : ''}${rounded(angle)}deg`;
  return { ...gradient, start: `${written} ${others}`.trim() };
}

/** Converts the gradient to another kind with the same stops; the text before the stops doesn't apply to that kind. */
export function ofKind(gradient: GradientModel, kind: GradientKind): GradientModel {
  if (kind === gradient.kind) return gradient;
  const [space = ''] = /\bin\s+[\w-]+(?:\s+\w+\s+hue)?/i.exec(gradient.start) ?? [];
  const places = offsets(gradient);
  const stops = gradient.stops.map(({ color, place }, index) => ({
    color,
    // angles and lengths aren't known in every kind
    place: place === undefined ? undefined : `${rounded(places[index]!)}%`,
  }));
  const base = { ...gradient, kind, start: space, stops };
  return kind === 'linear' ? withAngle(base, 90) : base;
}

/** Creates a gradient from a colour to the same colour without alpha. */
export function gradientFrom(color: string, kind: GradientKind): GradientModel {
  const from = parseColor(color) ?? BLACK;
  const isClear = from.a === 0;
  const first = isClear ? { ...BLACK, a: 1 } : from;
  const stops = [first, { ...first, a: 0 }].map((each) => ({ color: colorText(each), place: undefined }));
  return ofKind({ kind: kind === 'linear' ? 'radial' : 'linear', isRepeating: false, start: '', stops }, kind);
}
