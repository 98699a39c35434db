// Contrast and mixtures of colours.
import { pow } from '../geometry/math.js';
import { type Color, TRANSPARENT } from './color.js';
import { interpolator } from './gradient/color-space.js';

/** `part` of `b` in `a`, mixed in oklab. */
export function mixColors(a: Color, b: Color, part: number): Color {
  const [r, g, blue, alpha] = interpolator(a, b, { space: 'oklab', hue: 'shorter' })(part);
  const a1 = alpha / 255;
  return a1 === 0 ? TRANSPARENT : { r: r / a1, g: g / a1, b: blue / a1, a: a1 };
}

/** The colour in 8 bits a channel; without alpha where it is opaque. */
export function hexOf({ r, g, b, a }: Color): string {
  const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  const alpha = hex(a * 255);
  return `#${hex(r)}${hex(g)}${hex(b)}${alpha === 'ff' ? '' : alpha}`;
}

/** Black or white, whichever has the higher contrast to the colour; black on a tie. */
export function contrastTo(color: Color): '#000000' | '#ffffff' {
  const luminance = luminanceOf(color);
  // WCAG 2: (L + 0.05) / 0.05 is the ratio to black, 1.05 / (L + 0.05) that to white
  return (luminance + 0.05) * (luminance + 0.05) >= 1.05 * 0.05 ? '#000000' : '#ffffff';
}

/** The relative luminance of WCAG 2. */
export function luminanceOf({ r, g, b }: Color): number {
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : pow((value / 255 + 0.055) / 1.055, 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
