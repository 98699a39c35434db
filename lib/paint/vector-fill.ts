// Fills as vector documents have them: a colour, or a gradient between two points or circles whose stops are straight sRGB.
import { type Affine, compose, invert } from '../geometry/affine.js';
import { hypot } from '../geometry/math.js';
import { type Color, TRANSPARENT, withOpacity } from '../raster/color.js';
import { type FillArea, isGradient } from '../raster/fill.js';
import type { ColorStops, Gradient } from '../raster/gradient/gradient.js';
import { gradientLine } from '../raster/gradient/gradient-line.js';
import { createRamp, type Ramp } from '../raster/gradient/ramp.js';
import type { FillStyle } from './target.js';

/** A stop, with an offset of 0 to 1. Two stops at one offset are a jump. */
export interface VectorStop {
  readonly offset: number;
  readonly color: Color;
}

interface VectorGradient {
  readonly stops: readonly VectorStop[];
  /** Whether the stops are repeated before the first and after the last; else the outer colours extend. */
  readonly repeats: boolean;
  /** Multiplies the stops' alpha. */
  readonly opacity: number;
}

/** Lines of one colour are at right angles to the line from (x0, y0) to (x1, y1), both on the canvas. */
export interface VectorLinear extends VectorGradient {
  readonly kind: 'linear';
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Colours between circles about the origin of a space that `toCanvas` leads to the canvas. */
export interface VectorRadial extends VectorGradient {
  readonly kind: 'radial';
  readonly toCanvas: Affine;
  /** Radii at the first and at the last stop; the first is smaller, at least 0. */
  readonly inner: number;
  readonly outer: number;
}

export type VectorFill = { readonly kind: 'color'; readonly color: Color } | VectorLinear | VectorRadial;

/** Parts of a piece in which colours and alpha both change: premultiplied and straight colours then differ between stops. */
const PARTS = 8;

/** Alphas that differ by less make no level of 255. */
const ALPHA_TOLERANCE = 1 / 1024;

/** The fill of `style`; undefined for gradients that only pixels can have: conic ones. */
export function vectorFill({ fill, area, opacity }: FillStyle): VectorFill | undefined {
  if (!isGradient(fill)) return { kind: 'color', color: withOpacity(fill, opacity) };
  return fill.kind === 'conic' ? undefined : placeGradient(fill, area, opacity);
}

function placeGradient(gradient: Exclude<Gradient, { kind: 'conic' }>, area: FillArea, opacity: number): VectorFill {
  const toBox = invert(area.toCanvas);
  if (!toBox) return { kind: 'color', color: TRANSPARENT };
  const { length, toGradient } = gradientLine(gradient, area.box);
  const last = gradient.stops[gradient.stops.length - 1].color ?? TRANSPARENT;
  if (!(length > 0)) return { kind: 'color', color: withOpacity(last, opacity) };
  const ramp = createRamp(gradient, length);
  const { first } = ramp;
  const end = first + ramp.length;
  const common = { stops: stopsOf(gradient, ramp), repeats: ramp.repeating, opacity };
  const map = compose(toBox, toGradient);
  if (gradient.kind === 'radial') {
    const toCanvas = invert(map);
    if (!toCanvas) return { kind: 'color', color: TRANSPARENT };
    return { kind: 'radial', toCanvas, ...common, ...withinRadii(common, first, end) };
  }
  const { a, c, e } = map;
  const slope = hypot(a, c);
  const at = (place: number): readonly [number, number] => {
    const distance = (place - e) / (slope * slope);
    return [a * distance, c * distance];
  };
  const [[x0, y0], [x1, y1]] = [at(first), at(end)];
  return { kind: 'linear', x0, y0, x1, y1, ...common };
}

/** Radii that aren't negative, and the stops between them. */
function withinRadii({ stops, repeats }: VectorGradient, inner: number, outer: number) {
  if (inner >= 0) return { inner, outer };
  const span = outer - inner;
  if (repeats) {
    const shifted = inner - Math.floor(inner / span) * span;
    return { inner: shifted, outer: shifted + span };
  }
  if (outer <= 0) return { inner: 0, outer: 1, stops: stops.slice(-1) };
  const zero = -inner / span;
  const next = stops.findIndex(({ offset }) => offset > zero);
  const [before, after] = [stops[next - 1], stops[next]];
  const part = (zero - before.offset) / (after.offset - before.offset);
  const mix = (channel: 'r' | 'g' | 'b' | 'a') =>
    before.color[channel] + (after.color[channel] - before.color[channel]) * part;
  const start = { offset: 0, color: { r: mix('r'), g: mix('g'), b: mix('b'), a: mix('a') } };
  const rest = stops.slice(next).map(({ offset, color }) => ({ offset: (offset * span + inner) / outer, color }));
  return { inner: 0, outer, stops: [start, ...rest] };
}

/** The ramp's pieces as stops. */
function stopsOf({ stops: own }: ColorStops, { places, colors, repeating }: Ramp): VectorStop[] {
  const stops: VectorStop[] = [];
  const push = (offset: number, color: Color) => {
    const [previous, beforeIt] = [stops.at(-1), stops.at(-2)];
    if (previous && isSame(previous, offset, color)) return;
    // the middle one of three stops at one place is never seen
    if (previous?.offset === offset && beforeIt?.offset === offset) stops.pop();
    stops.push({ offset, color });
  };
  const outer = own.flatMap(({ color }) => (color ? [color] : []));
  if (!repeating) push(0, outer[0]);
  for (let piece = 0; piece < places.length; piece++) {
    const start = places[piece];
    const end = piece + 1 < places.length ? places[piece + 1] : 1;
    const at = Array.from(colors.subarray(piece * 8, piece * 8 + 8));
    const alphaAt = (distance: number) => at[3] + at[7] * distance;
    const endsClear = alphaAt(0) < 0.5 || alphaAt(end - start) < 0.5;
    const isEven = Math.abs(at[7] * (end - start)) < 0.5 || endsClear;
    const parts = isEven ? 1 : PARTS;
    for (let part = 0; part <= parts; part++) {
      const distance = ((end - start) * part) / parts;
      // beside a clear end, the colour is that of the other end
      const from = endsClear && alphaAt(distance) < 0.5 ? end - start - distance : distance;
      push(start + distance, straightColor(at, from, alphaAt(distance)));
    }
  }
  if (!repeating) push(1, outer[outer.length - 1]);
  return stops;
}

/** The straight colour of the piece at a distance from its start, with another alpha of 0 to 255. */
function straightColor(piece: readonly number[], distance: number, alpha: number): Color {
  const own = piece[3] + piece[7] * distance;
  if (own < 0.5) return { ...TRANSPARENT, a: 0 };
  const channel = (c: number) => {
    const value = ((piece[c] + piece[c + 4] * distance) * 255) / own;
    return Math.min(255, Math.max(0, Math.round(value)));
  };
  return { r: channel(0), g: channel(1), b: channel(2), a: Math.max(0, alpha) / 255 };
}

function isSame(stop: VectorStop, offset: number, { r, g, b, a }: Color): boolean {
  const { color } = stop;
  const isColor = color.r === r && color.g === g && color.b === b;
  return stop.offset === offset && isColor && Math.abs(color.a - a) < ALPHA_TOLERANCE;
}
