// Gradients as shadings (ISO 32000-1, 8.7.4): the pieces of a gradient's ramp as stitched functions, along an axis or between
// circles, and those of its alpha likewise.
import { type Affine, compose, invert } from '../geometry/affine.js';
import { hypot } from '../geometry/math.js';
import { mapRect, type Rect } from '../geometry/rect.js';
import type { Color } from '../raster/color.js';
import type { FillArea } from '../raster/fill.js';
import { premultiply } from '../raster/gradient/color-space.js';
import type { Gradient } from '../raster/gradient/gradient.js';
import { gradientLine } from '../raster/gradient/gradient-line.js';
import { createRamp } from '../raster/gradient/ramp.js';
import { number, numbers } from './syntax.js';

/** Pieces of one function; a gradient that repeats more often is a picture. */
const MAX_PIECES = 1500;
/** Parts of a piece along which alpha and colour change: colours are premultiplied while they are interpolated. */
const PARTS = 8;

/** The shadings of a gradient, in coordinates that `map` leads to the canvas. */
export interface Shadings {
  readonly color: string;
  /** The alpha as levels of grey, unless the gradient is opaque. */
  readonly alpha?: string;
  readonly map: Affine;
}

/** A piece of the line, and the premultiplied colours at its ends, 0–255. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** The shadings; a colour if it has only one; undefined if PDF has no such gradient. `region`: what shows of it on the canvas. */
export function shadingsOf(
  gradient: Gradient,
  { box, toCanvas }: FillArea,
  region: Rect,
): Shadings | Color | undefined {
  if (gradient.kind === 'conic') return undefined;
  const { length, toGradient } = gradientLine(gradient, box);
  const { stops } = gradient;
  const [first, last] = [stops[0].color, stops[stops.length - 1].color];
  if (!first || !last) return undefined;
  if (!(length > 0)) return last;
  const toBox = invert(toCanvas);
  if (!toBox) return undefined;
  const isRadial = gradient.kind === 'radial';
  const range = isRadial
    ? radialRange(region, compose(toBox, toGradient))
    : linearRange(mapRect(region, toBox), toGradient);
  const pieces = piecesOf(gradient, length, range, premultiply(first), premultiply(last));
  if (!pieces) return undefined;
  const [start, end] = [pieces[0].start, pieces[pieces.length - 1].end];
  let coords: string;
  let map = toCanvas;
  if (isRadial) {
    map = compose(invert(toGradient) as Affine, toCanvas);
    coords = numbers([0, 0, start, 0, 0, end], 5);
  } else {
    const { a, c, e } = toGradient;
    const square = a * a + c * c;
    const at = (u: number) => [((u - e) * a) / square, ((u - e) * c) / square];
    coords = numbers([...at(start), ...at(end)], 4);
  }
  const shading = (space: string, components: (color: readonly number[]) => readonly number[]) =>
    `<</ShadingType ${isRadial ? 3 : 2}/ColorSpace/Device${space}/Coords[${coords}]/Domain[${numbers([start, end], 6)}]` +
    `/Extend[true true]/Function ${stitched(pieces, components)}>>`;
  const isOpaque = pieces.every(({ from, to }) => from[3] > 254.9 && to[3] > 254.9);
  return {
    color: shading('RGB', straight),
    ...(!isOpaque && { alpha: shading('Gray', (color) => [color[3] / 255]) }),
    map,
  };
}

function straight(color: readonly number[]): readonly number[] {
  const alpha = color[3];
  return alpha > 0 ? color.slice(0, 3).map((value) => Math.min(1, value / alpha)) : [0, 0, 0];
}

function linearRange(region: Rect, { a, c, e }: Affine): readonly [number, number] {
  const { left, top, right, bottom } = region;
  const low = Math.min(a * left, a * right) + Math.min(c * top, c * bottom) + e;
  return [low, Math.max(a * left, a * right) + Math.max(c * top, c * bottom) + e];
}

function radialRange(region: Rect, toGradient: Affine): readonly [number, number] {
  const { left, top, right, bottom } = mapRect(region, toGradient);
  return [0, hypot(Math.max(Math.abs(left), Math.abs(right)), Math.max(Math.abs(top), Math.abs(bottom)))];
}

/** The pieces in ascending order; undefined if there are too many. `before` and `after` are the colours beyond the stops. */
function piecesOf(
  gradient: Gradient,
  length: number,
  [low, high]: readonly [number, number],
  before: readonly number[],
  after: readonly number[],
): Piece[] | undefined {
  const ramp = createRamp(gradient, length);
  const { places, colors } = ramp;
  const isRamp = ramp.steepest > 0 || places.length > 1 || ramp.length !== 1 || ramp.cells > 1;
  const own: Piece[] = [];
  for (let i = 0; isRamp && i < places.length; i++) {
    const [start, end] = [places[i], i + 1 < places.length ? places[i + 1] : 1];
    const from = Array.from(colors.subarray(i * 8, i * 8 + 4));
    const to = from.map((value, c) => value + colors[i * 8 + 4 + c] * (end - start));
    const parts = Math.abs(from[3] - to[3]) > 0.5 && !isSameHue(from, to) ? PARTS : 1;
    for (let part = 0; part < parts; part++) {
      const between = (t: number) => from.map((value, c) => value + (to[c] - value) * t);
      const [s, e] = [part / parts, (part + 1) / parts];
      own.push({ start: start + (end - start) * s, end: start + (end - start) * e, from: between(s), to: between(e) });
    }
  }
  const place = (piece: Piece, period: number): Piece => ({
    ...piece,
    start: ramp.first + (piece.start + period) * ramp.length,
    end: ramp.first + (piece.end + period) * ramp.length,
  });
  const from = Math.floor((low - ramp.first) / ramp.length);
  const to = Math.ceil((high - ramp.first) / ramp.length);
  const pieces: Piece[] = [];
  if (ramp.repeating) {
    if ((to - from) * own.length > MAX_PIECES) return undefined;
    for (let period = from; period < Math.max(to, from + 1); period++)
      for (const piece of own) pieces.push(place(piece, period));
  } else {
    // a repeating gradient without a length is its last colour
    const first = isRamp || !gradient.repeating ? before : after;
    pieces.push(place({ start: -1, end: 0, from: first, to: first }, 0), ...own.map((piece) => place(piece, 0)));
    const end = pieces[pieces.length - 1].end;
    pieces.push({ start: end, end: end + ramp.length, from: after, to: after });
  }
  if (gradient.kind === 'linear') return pieces;
  // circles have no radius below 0
  return pieces.flatMap((piece) => {
    if (piece.end <= 0) return [];
    if (piece.start >= 0) return [piece];
    const t = -piece.start / (piece.end - piece.start);
    return [{ ...piece, start: 0, from: piece.from.map((value, c) => value + (piece.to[c] - value) * t) }];
  });
}

/** Whether both ends have the same colour but for their alpha. */
function isSameHue(from: readonly number[], to: readonly number[]): boolean {
  return [0, 1, 2].every((c) => Math.abs(from[c] * to[3] - to[c] * from[3]) < 255);
}

function stitched(pieces: readonly Piece[], components: (color: readonly number[]) => readonly number[]): string {
  const functions = pieces.map(({ from, to }) => {
    // without alpha, an end has no colour of its own: it takes that of the other
    const isColor = components === straight;
    const c0 = components(isColor && !(from[3] > 0) ? to : from);
    const c1 = components(isColor && !(to[3] > 0) ? from : to);
    return `<</FunctionType 2/Domain[0 1]/N 1/C0[${numbers(c0, 4)}]/C1[${numbers(c1, 4)}]>>`;
  });
  const bounds = pieces.slice(1).map(({ start }) => number(start, 6));
  const domain = numbers([pieces[0].start, pieces[pieces.length - 1].end], 6);
  const encode = pieces.map(() => '0 1').join(' ');
  return `<</FunctionType 3/Domain[${domain}]/Functions[${functions.join('')}]/Bounds[${bounds.join(' ')}]/Encode[${encode}]>>`;
}
