// Gradients as data: what a CSS gradient says, before the size of its box is known. lib/contract/css parses them.
import type { LengthPercentage, Position } from '../../geometry/length.js';
import type { Color } from '../color.js';

export type Gradient = LinearGradient | RadialGradient | ConicGradient;

/** Interpolation of colours between two stops: the colour space, and for spaces with a hue the way around its circle. */
export interface Interpolation {
  readonly space: ColorSpace;
  readonly hue: HueDirection;
}

export type ColorSpace = 'srgb' | 'srgb-linear' | 'oklab' | 'oklch' | 'hsl';
export type HueDirection = 'shorter' | 'longer' | 'increasing' | 'decreasing';

/** Colours along a line. */
export interface ColorStops extends Interpolation {
  /** Whether colours are not premultiplied by alpha while they are interpolated, in sRGB. */
  readonly isStraight?: boolean;
  readonly repeating: boolean;
  readonly stops: readonly Stop[];
}

/** A colour stop, or a hint if it has no colour: there, half of the way between its neighbours' colours is done. */
export interface Stop {
  readonly color?: Color;
  /** Per cent of the gradient line's length; of a whole turn in a conic gradient. Always there in a hint. */
  readonly position?: LengthPercentage;
}

export interface LinearGradient extends ColorStops {
  readonly kind: 'linear';
  /** Degrees, clockwise from upwards; or the side (one is 0) or corner to which it runs: -1 is left or top, 1 right or bottom. */
  readonly direction: number | { readonly x: -1 | 0 | 1; readonly y: -1 | 0 | 1 };
}

export interface RadialGradient extends ColorStops {
  readonly kind: 'radial';
  readonly shape: 'circle' | 'ellipse';
  /** Extent of the ending shape, or its radii. */
  readonly size: RadialExtent | { readonly x: LengthPercentage; readonly y: LengthPercentage };
  readonly center: Position;
}

export type RadialExtent = 'closest-side' | 'closest-corner' | 'farthest-side' | 'farthest-corner';

export interface ConicGradient extends ColorStops {
  readonly kind: 'conic';
  /** Degrees, clockwise from upwards. */
  readonly from: number;
  readonly center: Position;
}
