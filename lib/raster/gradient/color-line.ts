// Gradients of OpenType's COLR table: a line, two circles or a sweep under any affine map, and a colour line that is padded,
// repeated or reflected.
import { type Affine, compose, invert, translation } from '../../geometry/affine.js';
import type { Color } from '../color.js';
import type { Paint } from '../paint.js';
import type { ColorStops } from './gradient.js';
import { GradientPaint } from './gradient-paint.js';
import { createRamp, type Ramp } from './ramp.js';
import { type Circles, TwoCirclePaint } from './two-circle-paint.js';

/** The colours beyond the first and the last stop. */
export type Extend = 'pad' | 'repeat' | 'reflect';

/** Places 0 and 1 of the colour line. */
export type GradientGeometry =
  /** Lines of one colour run from (x0, y0) to (x2, y2) and parallel to that. */
  | {
      readonly kind: 'linear';
      readonly x0: number;
      readonly y0: number;
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
    }
  | ({ readonly kind: 'circles' } & Circles)
  /** Angles in turns from the x axis towards the y axis. */
  | {
      readonly kind: 'sweep';
      readonly x: number;
      readonly y: number;
      readonly start: number;
      readonly end: number;
    };

export interface ColorLine {
  readonly extend: Extend;
  /** Stops by ascending offset; at least one. */
  readonly stops: readonly { readonly offset: number; readonly color: Color }[];
}

/** The paint of a gradient that `toTarget` maps to the target's pixels; undefined if it paints nothing. */
export function createColorLinePaint(geometry: GradientGeometry, line: ColorLine, toTarget: Affine): Paint | undefined {
  const toGeometry = invert(toTarget);
  if (!toGeometry) return undefined;
  const toPixels = compose(translation(0.5, 0.5), toGeometry);
  const { stops } = line;
  // a line without a length cannot be repeated
  if (line.extend !== 'pad' && stops[0].offset === stops[stops.length - 1].offset) return undefined;
  switch (geometry.kind) {
    case 'linear': {
      const along = linearMap(geometry);
      return along && new GradientPaint(0, rampOf(line, 0, 1), compose(toPixels, along), 1, undefined);
    }
    case 'sweep': {
      const { x, y, start, end } = geometry;
      if (start === end && line.extend !== 'pad') return undefined;
      return new GradientPaint(2, rampOf(line, start, end), compose(toPixels, translation(-x, -y)), 1, undefined);
    }
    case 'circles': {
      const { x0, y0, r0, x1, y1, r1 } = geometry;
      if (x0 !== x1 || y0 !== y1) return new TwoCirclePaint(geometry, rampOf(line, 0, 1), toPixels);
      if (r0 === r1 && (line.extend !== 'pad' || r0 === 0)) return undefined;
      return new GradientPaint(1, rampOf(line, r0, r1), compose(toPixels, translation(-x0, -y0)), 1, undefined);
    }
  }
}

/** Maps a point to its place on the line; undefined if all points have the same place. */
function linearMap(geometry: GradientGeometry & { readonly kind: 'linear' }): Affine | undefined {
  const { x0, y0, x1, y1, x2, y2 } = geometry;
  const [normalX, normalY] = [y2 - y0, x0 - x2];
  const length = (x1 - x0) * normalX + (y1 - y0) * normalY;
  if (length === 0) return undefined;
  const [a, c] = [normalX / length, normalY / length];
  return { a, b: 0, c, d: 0, e: -(a * x0 + c * y0), f: 0 };
}

/** The colours by distance or angle: the colour line runs from `start` to `end`, which may be the smaller one. */
function rampOf({ stops, extend }: ColorLine, start: number, end: number): Ramp {
  const positions = stops.map(({ offset, color }) => ({ color, place: start + offset * (end - start) }));
  if (end < start) positions.reverse();
  if (extend === 'reflect') {
    const last = positions[positions.length - 1].place;
    positions.push(...positions.map(({ color, place }) => ({ color, place: 2 * last - place })).reverse());
  }
  const gradient: ColorStops = {
    repeating: extend !== 'pad',
    space: 'srgb',
    hue: 'shorter',
    // as browsers do
    isStraight: true,
    stops: positions.map(({ color, place }) => ({ color, position: { px: place, percent: 0 } })),
  };
  return createRamp(gradient, 1);
}
