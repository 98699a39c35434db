// Applies a list of filters to a picture.
import { intersect, isEmpty, offset, type Rect } from '../../geometry/rect.js';
import type { Color } from '../color.js';
import { affordable } from '../hidden-pixels.js';
import { Pixmap, packWord } from '../pixmap.js';
import { Surface } from '../surface.js';
import { boxBlur, boxBlurReach, type EdgeMode } from './box-blur.js';
import { applyColorFilters } from './color-matrix.js';
import { type ColorFilter, type DropShadowFilter, filterSource, outputOf, type PlacedFilter } from './filter.js';

/**
 * Applies filters to `source` and returns the part of the result that lies in `clip`; undefined if none does. Lengths of the
 * functions are canvas pixels. Modifies the pixels of `source`. `edges` says what the filters see beyond the edges of the
 * source.
 */
export function applyFilters(
  source: Surface,
  functions: readonly PlacedFilter[],
  edges: EdgeMode,
  clip: Rect,
): Surface | undefined {
  let current = source;
  for (let i = 0; i < functions.length; ) {
    const fn = functions[i];
    if (fn.type === 'blur' || fn.type === 'drop-shadow') {
      i++;
      // later functions need more of the picture than `clip`
      const needed = filterSource(functions.slice(i), clip);
      const output = edges === 'mirrored' ? current.bounds : outputOf(fn, current.bounds);
      const bounds = affordable(intersect(output, needed), clip);
      if (isEmpty(bounds)) return undefined;
      if (fn.type === 'drop-shadow') current = dropShadow(current, fn, edges, bounds);
      else if (boxBlurReach(fn.sigma) > 0) current = boxBlur(current, fn.sigma, edges, bounds);
      continue;
    }
    const colors: ColorFilter[] = [];
    for (; i < functions.length; i++) {
      const next = functions[i];
      if (next.type === 'blur' || next.type === 'drop-shadow') break;
      colors.push(next);
    }
    applyColorFilters(current.pixmap, colors);
  }
  return current;
}

/** Draws the part of `source` in `bounds` over its shadow. */
function dropShadow(
  source: Surface,
  { x, y, sigma, color }: DropShadowFilter<Color>,
  edges: EdgeMode,
  bounds: Rect,
): Surface {
  const out = new Surface(bounds);
  const from = offset(bounds, -x, -y);
  const blurred = boxBlurReach(sigma) > 0 ? boxBlur(source, sigma, edges, from) : source;
  const shadow = new Surface(offset(blurred.bounds, x, y), tinted(blurred.pixmap, color));
  out.drawSurface(shadow);
  out.drawSurface(source);
  return out;
}

/** Fills the picture's opaque area with `color`. */
function tinted({ width, height, data }: Pixmap, { r, g, b, a }: Color): Pixmap {
  const out = new Pixmap(width, height);
  const byAlpha = new Uint32Array(256).map((_, alpha) => {
    const share = (alpha * a) / 255;
    return packWord(r * share, g * share, b * share, 255 * share);
  });
  for (let i = 0; i < out.words.length; i++) out.words[i] = byAlpha[data[4 * i + 3]];
  return out;
}
