// Functions of colours. They return hexadecimal notation.
import { EXPECTED_COLOR, parseColor } from '../../contract/css/parse-color.js';
import { pow } from '../../geometry/math.js';
import { BLACK, type Color, WHITE } from '../../raster/color.js';
import { interpolator } from '../../raster/gradient/color-space.js';
import type { Value } from '../value.js';
import { argumentError, type Call, type Definition, define, textArgument } from './definition.js';

export const COLOR_FUNCTIONS = {
  contrast: define([1, 1], ([color], call) => {
    const luminance = luminanceOf(colorArgument(color, call));
    // WCAG 2: (L + 0.05) / 0.05 is the ratio to black, 1.05 / (L + 0.05) that to white
    return (luminance + 0.05) * (luminance + 0.05) >= 1.05 * 0.05 ? '#000000' : '#ffffff';
  }),
  mix: define([3, 3], ([a, b, part], call) => {
    return mixed(colorArgument(a, call), colorArgument(b, call), partArgument(part, call));
  }),
  lighten: define([2, 2], ([color, part], call) => mixed(colorArgument(color, call), WHITE, partArgument(part, call))),
  darken: define([2, 2], ([color, part], call) => mixed(colorArgument(color, call), BLACK, partArgument(part, call))),
  alpha: define([2, 2], ([color, alpha], call) => {
    return hexOf({ ...colorArgument(color, call), a: partArgument(alpha, call) });
  }),
} satisfies Record<string, Definition>;

function colorArgument(value: Value, call: Call): Color {
  const color = typeof value === 'string' ? parseColor(textArgument(value, call)) : undefined;
  if (!color) throw argumentError(call, value, EXPECTED_COLOR);
  return color;
}

function partArgument(value: Value, call: Call): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw argumentError(call, value, 'a number from 0 to 1');
}

function mixed(a: Color, b: Color, part: number): string {
  const [r, g, blue, alpha] = interpolator(a, b, { space: 'oklab', hue: 'shorter' })(part);
  const a1 = alpha / 255;
  return a1 === 0 ? '#00000000' : hexOf({ r: r / a1, g: g / a1, b: blue / a1, a: a1 });
}

/** The colour in 8 bits a channel; without alpha where it is opaque. */
function hexOf({ r, g, b, a }: Color): string {
  const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  const alpha = hex(a * 255);
  return `#${hex(r)}${hex(g)}${hex(b)}${alpha === 'ff' ? '' : alpha}`;
}

/** The relative luminance of WCAG 2. */
function luminanceOf({ r, g, b }: Color): number {
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : pow((value / 255 + 0.055) / 1.055, 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
