// Estimates the cost of SVG filters and pattern tiles per pixel of their region, in units of about 10 ns, and the number
// of layers of that size that they hold. The weights are measured in resvg at 400 × 400 pixels, in both colour spaces, on
// a busy machine: an idle one takes about half of them.
import { type Bounds, EMPTY, INFINITE_BOUNDS, transformScale, union } from './bounds.js';
import type { CanvasSize } from './element-time.js';
import type { SvgElement } from './scan.js';

export interface FilterCost {
  /** Units per pixel. */
  readonly weight: number;
  /** Layers held at once: the results of all primitives are kept until the last one is done. */
  readonly layers: number;
}

const WEIGHTS = new Map([
  ['feFlood', 1],
  ['feColorMatrix', 6],
  ['feDisplacementMap', 7],
  ['feImage', 6],
  ['feTile', 10],
  ['feComposite', 20],
  ['feDiffuseLighting', 18],
  ['feSpecularLighting', 20],
  ['feBlend', 24],
  ['feGaussianBlur', 30],
  ['feDropShadow', 45],
]);
const DEFAULT_WEIGHT = 8;
/** Weight of any CSS filter function, as high as blur()'s. */
const CSS_FUNCTION_WEIGHT = 30;

/** The cost of the functions in a `filter` value: `blur(2px) sepia(1)` has two. */
export function functionCost(declarations: string): FilterCost {
  const count = declarations.match(FUNCTIONS)?.length ?? 0;
  return { weight: count * CSS_FUNCTION_WEIGHT, layers: count === 0 ? 0 : count + 2 };
}

const FUNCTIONS = /\b(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)\s*\(/g;

/**
 * The cost of a `filter` element that applies to an element with `bounds`. `scale`: maximum pixels per unit of the
 * element.
 */
export function filterCost({ attributes, children }: SvgElement, [x0, y0, x1, y1]: Bounds, scale: number): FilterCost {
  const isOfBox = attributes.get('primitiveUnits') === 'objectBoundingBox';
  const lengthScale = isOfBox && x0 <= x1 ? scale * Math.max(1, x1 - x0, y1 - y0) : scale;
  let weight = DEFAULT_WEIGHT;
  for (const child of children) weight += primitiveWeight(child, lengthScale);
  return { weight, layers: children.length + 2 };
}

function primitiveWeight({ name, attributes, children }: SvgElement, scale: number): number {
  const numbers = (attribute: string, initial: string) =>
    (attributes.get(attribute) ?? initial).split(/[\s,]+/).map((text) => Math.abs(Number.parseFloat(text)) || 0);
  switch (name) {
    case 'feMerge':
      return 9 * (1 + children.length);
    case 'feComponentTransfer':
      // each channel that has a gamma takes 9
      return DEFAULT_WEIGHT + 9 * children.length;
    case 'feTurbulence':
      return 10 + 20 * numbers('numOctaves', '1')[0];
    case 'feMorphology': {
      // every pixel of the rectangle around each pixel is read
      const [x, y = x] = numbers('radius', '0');
      return DEFAULT_WEIGHT + 0.4 * (2 * x * scale + 1) * (2 * y * scale + 1);
    }
    case 'feConvolveMatrix': {
      // each value of the kernel takes 6 ns a pixel, 10 with edgeMode="wrap"
      const [x, y = x] = numbers('order', '3');
      return DEFAULT_WEIGHT + x * y;
    }
    default:
      return WEIGHTS.get(name) ?? DEFAULT_WEIGHT;
  }
}

/** Primitives whose result has the size of the entire filter region; those of the others have the size of the layer. */
const REGION_SIZED = new Set(
  'feFlood feTurbulence feTile feImage feBlend feComposite feMerge feDisplacementMap feDiffuseLighting feSpecularLighting'.split(
    ' ',
  ),
);

/** A group's layer extends from -2 to 2 times the size of the image: resvg crops it to that. */
const MAX_LAYER_SIDE = 4;

/**
 * Pixels of a layer for contents within `bounds`; those of the image if the bounds are unknown. `scale`: maximum pixels
 * per unit.
 */
export function layerPixels([x0, y0, x1, y1]: Bounds, scale: number, { width, height }: CanvasSize): number {
  if (x0 > x1) return 0;
  // one more pixel on each side, as regions are rounded out to whole pixels
  const columns = Math.min(MAX_LAYER_SIDE * width, (x1 - x0) * scale + 2);
  const rows = Math.min(MAX_LAYER_SIDE * height, (y1 - y0) * scale + 2);
  return isKnown([x0, y0, x1, y1]) ? columns * rows : width * height;
}

const isKnown = (bounds: Bounds) => bounds.every(Number.isFinite);

/**
 * The region, in its own units, of filters that apply one after the other to an element with `bounds`: the union of
 * all regions. Infinite if it is unknown.
 */
export function filtersRegion(filters: readonly SvgElement[], bounds: Bounds): Bounds {
  return filters.reduce((region, filter) => union(region, filterRegion(filter, bounds)), EMPTY);
}

function filterRegion({ attributes }: SvgElement, [x0, y0, x1, y1]: Bounds): Bounds {
  const isUserSpace = attributes.get('filterUnits') === 'userSpaceOnUse';
  if (x0 > x1 && !isUserSpace) return EMPTY;
  const side = (name: string, initial: string) => {
    const text = attributes.get(name) ?? initial;
    const number = Number.parseFloat(text);
    if (isUserSpace) return /^\s*[-+\d.e]+(?:px)?\s*$/i.test(text) ? number : Number.NaN;
    return text.includes('%') ? number / 100 : number;
  };
  const [x, y, width, height] = [side('x', '-10%'), side('y', '-10%'), side('width', '120%'), side('height', '120%')];
  const region: Bounds = isUserSpace
    ? [x, y, x + width, y + height]
    : [x0 + x * (x1 - x0), y0 + y * (y1 - y0), x0 + (x + width) * (x1 - x0), y0 + (y + height) * (y1 - y0)];
  return isKnown(region) ? region : INFINITE_BOUNDS;
}

/**
 * Pixels that each primitive of a filter processes. Resvg crops the layer that it filters, but not the results that
 * have the size of the region: a flood next to a rectangle that is a million pixels wide fills all of them.
 */
export function filterPixels({ children }: SvgElement, region: Bounds, scale: number, canvas: CanvasSize): number {
  const [x0, y0, x1, y1] = region;
  const pixels = layerPixels(region, scale, canvas);
  if (!isKnown(region) || !children.some(({ name }) => REGION_SIZED.has(name))) return pixels;
  return Math.max(pixels, ((x1 - x0) * scale + 2) * ((y1 - y0) * scale + 2));
}

/**
 * The pixels of a pattern's tile, which is rendered once for each element that it fills, at its full size even if the
 * element shows only a part. `bounds`: those of the element, `scale`: maximum pixels per unit of it.
 */
export function tilePixels(pattern: SvgElement, [x0, y0, x1, y1]: Bounds, scale: number, canvas: CanvasSize): number {
  const { attributes } = pattern;
  const [width, height] = ['width', 'height'].map((name) => {
    const text = attributes.get(name) ?? '';
    return (Math.abs(Number.parseFloat(text)) || 0) / (text.includes('%') ? 100 : 1);
  });
  const pixelsPerUnit = scale * transformScale(pattern);
  if (attributes.get('patternUnits') === 'userSpaceOnUse') return width * height * pixelsPerUnit * pixelsPerUnit;
  if (x0 > x1) return 0;
  const pixels = canvas.width * canvas.height;
  if (!isKnown([x0, y0, x1, y1])) return Math.min(1, width * height) * pixels;
  return width * (x1 - x0) * height * (y1 - y0) * pixelsPerUnit * pixelsPerUnit;
}
