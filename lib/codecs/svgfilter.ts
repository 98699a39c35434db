// What an SVG filter, or a pattern's tile, costs: for each pixel of its region, in units of what flooding one takes (measured in resvg at 4
// megapixels: a flood 1, an offset 4, a narrow blur 25), and how many pictures of that size it keeps.
import type { Bounds } from './svgbounds.js';
import type { SvgElement } from './svgscan.js';

export interface FilterCost {
  /** Units for each pixel. */
  readonly weight: number;
  /** Pictures held at once: the results of all primitives stay until the last one is done. */
  readonly layers: number;
}

const WEIGHTS = new Map([
  ['feFlood', 1],
  ['feDisplacementMap', 3],
  ['feComposite', 3],
  ['feDiffuseLighting', 4],
  ['feImage', 6],
  ['feBlend', 8],
  ['feSpecularLighting', 8],
  ['feGaussianBlur', 25],
  ['feDropShadow', 28],
]);
const ORDINARY = 4;
/** CSS's functions, blur() among them. */
const FUNCTION = 25;

/** The functions in a value of `filter`: `blur(2px) sepia(1)` are two. */
export function functionCost(declarations: string): FilterCost {
  const count = declarations.match(FUNCTIONS)?.length ?? 0;
  return { weight: count * FUNCTION, layers: count === 0 ? 0 : count + 2 };
}

const FUNCTIONS = /\b(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)\s*\(/g;

/** A `filter` element; `scale`: the most pixels that a unit of its lengths can come to. */
export function filterCost({ children }: SvgElement, scale: number): FilterCost {
  let weight = ORDINARY;
  for (const child of children) weight += primitiveWeight(child, scale);
  return { weight, layers: children.length + 2 };
}

function primitiveWeight({ name, attributes, children }: SvgElement, scale: number): number {
  const numbers = (attribute: string) =>
    (attributes.get(attribute) ?? '').split(/[\s,]+/).map((text) => Math.abs(Number.parseFloat(text)) || 0);
  switch (name) {
    case 'feMerge':
      return 2 * (1 + children.length);
    case 'feComponentTransfer':
      // each channel by itself, and 20 for all four where their tables are long
      return ORDINARY + 4 * children.length;
    case 'feTurbulence':
      return 7 + 7 * numbers('numOctaves')[0];
    case 'feMorphology': {
      // every pixel of the rectangle around each pixel is looked at
      const [across, along = across] = numbers('radius');
      return 1 + 0.1 * (2 * across * scale + 1) * (2 * along * scale + 1);
    }
    case 'feConvolveMatrix': {
      const [across, along = across] = numbers('order');
      return ORDINARY + 0.5 * across * along;
    }
    default:
      return WEIGHTS.get(name) ?? ORDINARY;
  }
}

/**
 * Pixels of a filter's region for an element `bounds` in size: at most `pixels`, the whole picture's. `scale`: pixels in the
 * longest unit of the element's. Without a `filter` element (CSS functions) the region is as large as its blur is wide.
 */
export function regionPixels({ attributes }: SvgElement, bounds: Bounds, pixels: number, scale: number): number {
  const [x0, y0, x1, y1] = bounds;
  if (x0 > x1) return 0;
  const isOwn = attributes.get('filterUnits') === 'userSpaceOnUse';
  const side = (name: string, whole: number) => {
    const text = attributes.get(name) ?? '120%';
    const number = Math.abs(Number.parseFloat(text)) / (text.includes('%') ? 100 : 1);
    return isOwn ? (text.includes('%') ? Infinity : number) : number * whole;
  };
  // a pixel more on each side, as regions are drawn on whole ones
  const area = (side('width', x1 - x0) * scale + 2) * (side('height', y1 - y0) * scale + 2);
  return area >= 0 ? Math.min(pixels, area) : pixels;
}

/** A pattern is drawn once as a picture of its own for each element that it fills. */
export function tilePixels({ attributes }: SvgElement, pixels: number, scale: number): number {
  const width = Math.abs(Number.parseFloat(attributes.get('width') ?? '')) || 0;
  const height = Math.abs(Number.parseFloat(attributes.get('height') ?? '')) || 0;
  if (attributes.get('patternUnits') === 'userSpaceOnUse') return width * height * scale * scale;
  return Math.min(1, width * height) * pixels;
}
