// CSS filters as data, and how far they spread the picture that they are applied to.
import type { Affine } from '../../geometry/affine.js';
import { expand, offset, type Rect, unite } from '../../geometry/rect.js';
import { MAX_SIGMA } from '../blur.js';
import { BLACK, type Color } from '../color.js';
import { boxBlurReach } from './box-blur.js';

/** The functions whose only argument is an amount: 1 is 100 %. */
export const AMOUNT_FILTERS = [
  'brightness',
  'contrast',
  'grayscale',
  'invert',
  'opacity',
  'saturate',
  'sepia',
] as const;

/** A function that changes each pixel's colour independently. */
export type ColorFilter =
  | { readonly type: (typeof AMOUNT_FILTERS)[number]; readonly amount: number }
  | { readonly type: 'hue-rotate'; readonly degrees: number };

/** A blur; `sigma` is its standard deviation. */
export interface BlurFilter {
  readonly type: 'blur';
  readonly sigma: number;
}

export interface DropShadowFilter<ShadowColor> {
  readonly type: 'drop-shadow';
  readonly x: number;
  readonly y: number;
  readonly sigma: number;
  readonly color: ShadowColor;
}

/** A function of a filter list, with lengths in CSS pixels. `currentcolor` is the colour of the layer's text, or black. */
export type FilterFunction = ColorFilter | BlurFilter | DropShadowFilter<Color | 'currentcolor'>;

/** A filter function with lengths in canvas pixels. */
export type PlacedFilter = ColorFilter | BlurFilter | DropShadowFilter<Color>;

/** Converts the functions' lengths to canvas pixels: `map` transforms the layer's coordinates, whose unit is `scale` pixels. */
export function mapFilters(
  functions: readonly FilterFunction[],
  { a, b, c, d }: Affine,
  scale: number,
  currentColor = BLACK,
): PlacedFilter[] {
  return functions.map((fn) => {
    const sigma = 'sigma' in fn ? Math.min(fn.sigma * scale, MAX_SIGMA) : 0;
    if (fn.type === 'blur') return { ...fn, sigma };
    if (fn.type !== 'drop-shadow') return fn;
    // Chromium drops the offset's fraction of a pixel before it turns or mirrors the layer; afterwards the offset may have one
    const right = Math.floor(fn.x * scale) / scale;
    const down = Math.floor(fn.y * scale) / scale;
    const x = Math.round(a * right + c * down);
    const y = Math.round(b * right + d * down);
    return { ...fn, x, y, sigma, color: fn.color === 'currentcolor' ? currentColor : fn.color };
  });
}

/** The largest area that the filtered `rect` can cover. */
export function filteredBounds(functions: readonly PlacedFilter[], rect: Rect): Rect {
  return functions.reduce((bounds, fn) => outputOf(fn, bounds), rect);
}

/** The part of the picture on which `rect` of the result depends. */
export function filterSource(functions: readonly PlacedFilter[], rect: Rect): Rect {
  return functions.reduceRight((bounds, fn) => inputOf(fn, bounds), rect);
}

/** The area of the result that `rect` affects through `fn`. */
export function outputOf(fn: PlacedFilter, rect: Rect): Rect {
  if (fn.type === 'blur') return expand(rect, boxBlurReach(fn.sigma));
  if (fn.type === 'drop-shadow') return unite(rect, offset(expand(rect, boxBlurReach(fn.sigma)), fn.x, fn.y));
  return rect;
}

/** The area of the input that `rect` depends on through `fn`. */
export function inputOf(fn: PlacedFilter, rect: Rect): Rect {
  if (fn.type === 'blur') return expand(rect, boxBlurReach(fn.sigma));
  if (fn.type === 'drop-shadow') return unite(rect, offset(expand(rect, boxBlurReach(fn.sigma)), -fn.x, -fn.y));
  return rect;
}
