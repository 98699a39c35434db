// The colours of series.
import { parseColor } from '../contract/css/parse-color.js';
import { BLACK, type Color, WHITE } from '../raster/color.js';
import { mixColors } from '../raster/color-math.js';

/**
 * Eight colours with a WCAG contrast of 3 or more to both white and black, chosen so that the smallest distance of two of them
 * in oklab is as large as possible for normal sight and for Machado's models of protanopia, deuteranopia and tritanopia.
 */
export const DEFAULT_PALETTE: readonly Color[] = [
  '#2b6cb0',
  '#d9650b',
  '#0d6947',
  '#bd7ab7',
  '#6c8cff',
  '#b51b01',
  '#5b9663',
  '#ab3385',
].map((hex) => parseColor(hex)!);

/** How much each further round through the palette is mixed with white or black. */
const ROUNDS = [0, 0.35, -0.3, 0.6, -0.55];
/** Shades of each colour. */
export const SHADES = ROUNDS.length;

/** The colour of a series. A palette that is used up begins again in other shades. */
export function colorAt(palette: readonly Color[], index: number): Color {
  const color = palette[index % palette.length];
  const shift = ROUNDS[Math.floor(index / palette.length) % ROUNDS.length];
  return shift === 0 ? color : mixColors(color, shift > 0 ? WHITE : BLACK, Math.abs(shift));
}
