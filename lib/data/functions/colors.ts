// Functions of colours. They return hexadecimal notation.
import { EXPECTED_COLOR, parseColor } from '../../contract/css/parse-color.js';
import { BLACK, type Color, WHITE } from '../../raster/color.js';
import { contrastTo, hexOf, mixColors } from '../../raster/color-math.js';
import type { Value } from '../value.js';
import { argumentError, type Call, type Definition, define, textArgument } from './definition.js';

export const COLOR_FUNCTIONS = {
  contrast: define([1, 1], ([color], call) => contrastTo(colorArgument(color, call))),
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

const mixed = (a: Color, b: Color, part: number) => hexOf(mixColors(a, b, part));
