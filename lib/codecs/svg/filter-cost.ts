// Estimates the cost of SVG filters and pattern tiles per pixel of their region, in units of about 10 ns, and the number
// of layers of that size that they hold. The weights are measured in resvg at 400 × 400 pixels, in both colour spaces, on
// a busy machine: an idle one takes about half of them.
import type { Bounds } from './bounds.js';
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
/** Weight of any CSS filter function: that of blur(). */
const CSS_FUNCTION_WEIGHT = 30;

/** The cost of the functions in a `filter` value: `blur(2px) sepia(1)` has two. */
export function functionCost(declarations: string): FilterCost {
  const count = declarations.match(FUNCTIONS)?.length ?? 0;
  return { weight: count * CSS_FUNCTION_WEIGHT, layers: count === 0 ? 0 : count + 2 };
}

const FUNCTIONS = /\b(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)\s*\(/g;

/** The cost of a `filter` element. `scale`: maximum pixels per unit of its lengths. */
export function filterCost({ children }: SvgElement, scale: number): FilterCost {
  let weight = DEFAULT_WEIGHT;
  for (const child of children) weight += primitiveWeight(child, scale);
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

/**
 * Pixels of a filter's region for an element with `bounds`: at most `pixels`, those of the entire image. `scale`:
 * maximum pixels per unit of the element. Without a `filter` element (CSS functions), the region extends by the blur's
 * width.
 */
export function regionPixels({ attributes }: SvgElement, bounds: Bounds, pixels: number, scale: number): number {
  const [x0, y0, x1, y1] = bounds;
  if (x0 > x1) return 0;
  const isUserSpace = attributes.get('filterUnits') === 'userSpaceOnUse';
  const side = (name: string, boxSide: number) => {
    const text = attributes.get(name) ?? '120%';
    const number = Math.abs(Number.parseFloat(text)) / (text.includes('%') ? 100 : 1);
    return isUserSpace ? (text.includes('%') ? Infinity : number) : number * boxSide;
  };
  // one more pixel on each side, as regions are rounded out to whole pixels
  const area = (side('width', x1 - x0) * scale + 2) * (side('height', y1 - y0) * scale + 2);
  return area >= 0 ? Math.min(pixels, area) : pixels;
}

/** The pixels of a pattern's tile, which is rendered once for each element that it fills. */
export function tilePixels({ attributes }: SvgElement, pixels: number, scale: number): number {
  const width = Math.abs(Number.parseFloat(attributes.get('width') ?? '')) || 0;
  const height = Math.abs(Number.parseFloat(attributes.get('height') ?? '')) || 0;
  if (attributes.get('patternUnits') === 'userSpaceOnUse') return width * height * scale * scale;
  return Math.min(1, width * height) * pixels;
}
