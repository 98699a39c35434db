// The colour type of the painters. lib/contract parses colour strings.

/** A straight (not premultiplied) sRGB colour: r, g, b are integers 0–255, a is 0–1. */
export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

export const TRANSPARENT: Color = { r: 0, g: 0, b: 0, a: 0 };
export const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };
export const WHITE: Color = { r: 255, g: 255, b: 255, a: 1 };

/** Multiplies the colour's alpha by `opacity` (0–1). */
export function withOpacity(color: Color, opacity: number): Color {
  return opacity === 1 ? color : { ...color, a: color.a * opacity };
}
