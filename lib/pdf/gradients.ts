// Gradients as shadings (ISO 32000-1, 8.7.4): the stops as stitched functions, along an axis or between circles, and those of
// the alpha likewise.
import { type Affine, IDENTITY, invert } from '../geometry/affine.js';
import { hypot } from '../geometry/math.js';
import { mapRect, type Rect } from '../geometry/rect.js';
import type { VectorFill, VectorLinear, VectorRadial } from '../paint/vector-fill.js';
import type { Color } from '../raster/color.js';
import { number, numbers } from './syntax.js';

/** Pieces of one function; a gradient that repeats more often is a picture. */
const MAX_PIECES = 1500;

/** The shadings of a gradient, in coordinates that `map` leads to the canvas. */
export interface Shadings {
  readonly color: string;
  /** The alpha as levels of grey, unless the gradient is opaque. */
  readonly alpha?: string;
  readonly map: Affine;
}

/** What lies between two stops; the first stop of the gradient is at 0, the last at 1. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly from: Color;
  readonly to: Color;
}

/** Whether PDF has the fill, painted in `region` of the canvas. */
export function hasShadings(fill: VectorFill, region: Rect): boolean {
  if (fill.kind === 'color' || !fill.repeats) return true;
  const [low, high] = rangeOf(fill, region);
  return (Math.ceil(high) - Math.floor(low)) * fill.stops.length <= MAX_PIECES;
}

/** The shadings of a gradient. `region`: what shows of it on the canvas. */
export function shadingsOf(fill: VectorLinear | VectorRadial, region: Rect): Shadings {
  const pieces = piecesOf(fill, rangeOf(fill, region));
  const [start, end] = [pieces[0].start, pieces[pieces.length - 1].end];
  const between = (a: number, b: number, at: number) => a + (b - a) * at;
  const circle = (at: number) => (fill.kind === 'radial' ? [0, 0, between(fill.inner, fill.outer, at)] : []);
  const point = (at: number) =>
    fill.kind === 'linear' ? [between(fill.x0, fill.x1, at), between(fill.y0, fill.y1, at)] : circle(at);
  const shading = (space: string, components: (color: Color) => readonly number[]) =>
    `<</ShadingType ${fill.kind === 'radial' ? 3 : 2}/ColorSpace/Device${space}` +
    `/Coords[${numbers([...point(start), ...point(end)], 5)}]/Domain[${numbers([start, end], 6)}]` +
    `/Extend[true true]/Function ${stitched(pieces, components)}>>`;
  const isOpaque = pieces.every(({ from, to }) => from.a === 1 && to.a === 1);
  return {
    color: shading('RGB', ({ r, g, b }) => [r / 255, g / 255, b / 255]),
    ...(!isOpaque && { alpha: shading('Gray', ({ a }) => [a]) }),
    map: fill.kind === 'radial' ? fill.toCanvas : IDENTITY,
  };
}

/** The part of the gradient that shows in `region`, in lengths from the first to the last stop. */
function rangeOf(fill: VectorLinear | VectorRadial, region: Rect): readonly [number, number] {
  if (fill.kind === 'radial') {
    const { inner, outer, toCanvas } = fill;
    const { left, top, right, bottom } = mapRect(region, invert(toCanvas) ?? IDENTITY);
    const radius = hypot(Math.max(Math.abs(left), Math.abs(right)), Math.max(Math.abs(top), Math.abs(bottom)));
    return [-inner / (outer - inner), (radius - inner) / (outer - inner)];
  }
  const { x0, y0, x1, y1 } = fill;
  const [a, c] = [x1 - x0, y1 - y0];
  const places = [region.left, region.right].flatMap((x) =>
    [region.top, region.bottom].map((y) => ((x - x0) * a + (y - y0) * c) / (a * a + c * c)),
  );
  return [Math.min(...places), Math.max(...places)];
}

/** The pieces in ascending order. */
function piecesOf(fill: VectorLinear | VectorRadial, [low, high]: readonly [number, number]): readonly Piece[] {
  const { stops, repeats } = fill;
  const own: Piece[] = [];
  for (let i = 1; i < stops.length; i++) {
    const [start, end] = [stops[i - 1].offset, stops[i].offset];
    if (end > start) own.push({ start, end, from: stops[i - 1].color, to: stops[i].color });
  }
  const [first, last] = [stops[0].color, stops[stops.length - 1].color];
  const pieces: Piece[] = [];
  if (repeats) {
    const from = Math.floor(low);
    for (let period = from; period < Math.max(Math.ceil(high), from + 1); period++) {
      for (const piece of own) pieces.push({ ...piece, start: piece.start + period, end: piece.end + period });
    }
  } else pieces.push({ start: -1, end: 0, from: first, to: first }, ...own, { start: 1, end: 2, from: last, to: last });
  if (fill.kind === 'linear') return pieces;
  // circles have no radius below 0
  return pieces.flatMap((piece) => {
    if (piece.end <= low) return [];
    return piece.start >= low ? [piece] : [{ ...piece, start: low, from: colorAt(piece, low) }];
  });
}

function colorAt({ start, end, from, to }: Piece, place: number): Color {
  const at = (place - start) / (end - start);
  const mix = (channel: keyof Color) => from[channel] + (to[channel] - from[channel]) * at;
  return { r: mix('r'), g: mix('g'), b: mix('b'), a: mix('a') };
}

function stitched(pieces: readonly Piece[], components: (color: Color) => readonly number[]): string {
  const functions = pieces.map(
    ({ from, to }) =>
      `<</FunctionType 2/Domain[0 1]/N 1/C0[${numbers(components(from), 4)}]/C1[${numbers(components(to), 4)}]>>`,
  );
  const bounds = pieces.slice(1).map(({ start }) => number(start, 6));
  const domain = numbers([pieces[0].start, pieces[pieces.length - 1].end], 6);
  const encode = pieces.map(() => '0 1').join(' ');
  return `<</FunctionType 3/Domain[${domain}]/Functions[${functions.join('')}]/Bounds[${bounds.join(' ')}]/Encode[${encode}]>>`;
}
