// Estimates the time, in nanoseconds, that resvg takes for an SVG: painting pixels, filling outlines, laying out text,
// cutting dashes, matching style rules. An upper bound where an attribute tells; the document's maximum where a value
// is inherited. Measured in resvg on images of one megapixel; the comments of the constants give the measured values.
import type { Bounds } from './bounds.js';
import { extentOf, numbersOf, type PathExtent } from './path.js';
import type { SvgElement, SvgTree } from './scan.js';

/** Per pixel painted in one colour: 3.4 opaque, 9.5 with any transparency. */
const PAINT_NS = { opaque: 4, translucent: 10 } as const;
/**
 * Additional time per pixel of a gradient, fixed and per stop: 24 with two stops, 66 with a hundred, 372 with a
 * thousand.
 */
const GRADIENT_NS = { pixel: 25, stop: 0.4 } as const;
/** Per gradient stop, each time the gradient is used. */
const STOP_NS = 500;
/** Per pixel of a layer, for a group, a mask or a clip path: 39 to 59. */
const LAYER_NS = 50;
/** Per pixel of an embedded raster: 180. */
const RASTER_NS = 180;
/** Per element: 15,000 to 40,000. */
const ELEMENT_NS = 20_000;
/** Per character, including font lookup, shaping and outlining: 30,000 to 85,000. */
const CHARACTER_NS = 60_000;
/** Per character of a text and span: resvg processes all characters for each span. 1,600 to 5,000. */
const SPAN_NS = 3000;
/**
 * Per dash: 120 to 220 if thinner than a pixel, else 900, of a curve 3,000; and the memory it takes until all are
 * drawn, in pixels. `MAX_DASHES`: resvg's limit per path.
 */
const DASH_NS = { straight: 1000, curved: 3000 } as const;
const DASH_PIXELS = { straight: 64, curved: 512 } as const;
const MAX_DASHES = 1e6;
/** Per segment: 700 to 2,300 filled. */
const SEGMENT_NS = 1500;
/** Outlines with a length beyond this are clipped to the representable range, which takes 440,000,000. */
const HUGE_LENGTH = 1e15;
const HUGE_OUTLINE_NS = 5e8;
/** Per pixel row that an edge crosses; and per other edge on that row: 3.2 if they are apart. */
const CROSSING_NS = 30;
const NEIGHBOUR_NS = 3;
/** Per declaration applied to an element: 30 to 60. */
const DECLARATION_NS = 50;
/** Per element matched against a rule, or ancestor matched against a part of the selector: 10 to 50. */
const RULE_NS = 50;

/**
 * The maximum time that is admitted: four seconds plus 7 µs per pixel. Estimates far exceed most actual times: the arms
 * of Bolivia, 1,000 paths in 56 clipped groups, are estimated at 7 µs per pixel and rendered in 0.2.
 */
export const maxTimeNs = (pixels: number) => 4e9 + 7000 * pixels;

/** The maximum in the document of each value that elements may inherit. */
export interface InheritedStyle {
  /** Nanoseconds per painted pixel. */
  readonly pixelNs: number;
  /** Font size in the element's own units. */
  readonly fontSize: number;
}

const FONT = /(?:^|[;{\s])font(?:-size)?\s*:([^;}]*)/g;

export function inheritedStyle({ elements, styles }: SvgTree): InheritedStyle {
  let isTranslucent = /opacity|rgba|hsla/i.test(styles);
  let fontSize = 16;
  const read = (text: string) => {
    for (const [, value] of text.matchAll(FONT)) fontSize = Math.max(fontSize, largestLength(value));
  };
  read(styles);
  for (const { attributes } of elements) {
    const style = attributes.get('style');
    if (style !== undefined) read(style);
    const [font, size] = [attributes.get('font'), attributes.get('font-size')];
    if (font !== undefined) fontSize = Math.max(fontSize, largestLength(font));
    if (size !== undefined) fontSize = Math.max(fontSize, largestLength(size));
    if (isTranslucent) continue;
    for (const [name, value] of attributes) {
      if (name.endsWith('opacity') || ((name === 'style' || name === 'fill') && /opacity|rgba|hsla/i.test(value))) {
        isTranslucent = true;
      }
    }
  }
  return { pixelNs: PAINT_NS[isTranslucent ? 'translucent' : 'opaque'], fontSize };
}

/** Four times the largest number in a value; infinite for units relative to an inherited value. */
function largestLength(value: string): number {
  if (/\d\s*(?:r?em|ex|ch|%|v[wh]|in|[cm]m)/i.test(value)) return Infinity;
  return Math.max(0, ...numbersOf(value).slice(0, 8).map(Math.abs)) * 4;
}

export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

interface Shape {
  readonly bounds: Bounds;
  readonly strokeBounds: Bounds;
  /** Dashes and gaps per unit of the outline. */
  readonly dashes: number;
  /** Pixels of the bitmap that it is drawn into. */
  readonly maxPixels: number;
}

/** Pixels that content within `bounds` may cover; those of the image if unknown. `scale`: maximum pixels per unit. */
function coveredPixels([x0, y0, x1, y1]: Bounds, scale: number, canvas: CanvasSize, maxPixels: number): number {
  if (x0 > x1) return 0;
  // one more pixel on each side for antialiased edges
  const area = ((x1 - x0) * scale + 2) * ((y1 - y0) * scale + 2);
  return area < Infinity ? Math.min(maxPixels, area) : canvas.width * canvas.height;
}

/** Maximum ratio of a group's layer to the image: resvg renders content beside the image up to this. */
const MAX_LAYER_RATIO = 16;

/** The ratio of the memory of a group's layer to that of the image, for contents within `bounds`; at least 1. */
export function layerAreaRatio([x0, y0, x1, y1]: Bounds, scale: number, canvas: CanvasSize): number {
  if (x0 > x1) return 1;
  const area = ((x1 - x0) * scale + 2) * ((y1 - y0) * scale + 2);
  const ratio = area / (canvas.width * canvas.height);
  return ratio >= 0 ? Math.min(MAX_LAYER_RATIO, Math.max(1, ratio)) : MAX_LAYER_RATIO;
}

/** The time of the element itself, the pixels that it paints, and the layer memory that its dashes hold. */
export function elementTimeNs(
  element: SvgElement,
  { bounds, strokeBounds, dashes, maxPixels }: Shape,
  scale: number,
  canvas: CanvasSize,
  inherited: InheritedStyle,
) {
  const { name, attributes } = element;
  let timeNs = ELEMENT_NS;
  let paintedPixels = 0;
  let heldPixels = 0;
  if (TEXTS.has(name)) {
    const characterSide = 2 * inherited.fontSize * scale;
    paintedPixels = Math.min(canvas.width * canvas.height, element.characters * characterSide * characterSide) || 0;
    timeNs += CHARACTER_NS * element.characters + (name === 'text' ? spanTimeNs(element) : 0);
  } else if (SHAPES.has(name)) {
    paintedPixels = coveredPixels(strokeBounds, scale, canvas, maxPixels);
    if (LENGTHS.some((length) => Math.abs(Number.parseFloat(attributes.get(length) ?? '')) >= HUGE_LENGTH))
      timeNs += HUGE_OUTLINE_NS;
    if (name === 'image') timeNs += RASTER_NS * paintedPixels;
    const data = name === 'path' ? attributes.get('d') : pointsAsPath(attributes.get('points'));
    const extent = data === undefined ? undefined : extentOf(data);
    if (extent) timeNs += outlineTimeNs(extent, scale, canvas);
    const length = extent?.length ?? perimeter(bounds);
    if (dashes > 0) {
      const kind = data !== undefined && !/[cqsta]/i.test(data) ? 'straight' : 'curved';
      const count = Math.min(MAX_DASHES, length * dashes || 0);
      timeNs += DASH_NS[kind] * count;
      heldPixels = DASH_PIXELS[kind] * count;
    }
  }
  return {
    timeNs: timeNs + inherited.pixelNs * paintedPixels,
    paintedPixels,
    heldLayers: heldPixels / (canvas.width * canvas.height),
  };
}

const SHAPES = new Set('path rect circle ellipse line polyline polygon image'.split(' '));
const LENGTHS = 'x y width height cx cy r rx ry x1 y1 x2 y2'.split(' ');
const TEXTS = new Set(['text', 'tspan', 'textPath', 'tref']);

function spanTimeNs(text: SvgElement): number {
  let characters = 0;
  const elements = [text];
  for (let i = 0; i < elements.length; i++) {
    characters += elements[i].characters;
    for (const child of elements[i].children) elements.push(child);
  }
  return SPAN_NS * (elements.length - 1) * characters;
}

function pointsAsPath(points: string | undefined): string | undefined {
  return points === undefined ? undefined : `M${points}`;
}

function perimeter([x0, y0, x1, y1]: Bounds): number {
  return x0 > x1 ? 0 : 2 * (x1 - x0 + y1 - y0);
}

/** Edges are followed row by row, and sorted on each row. */
function outlineTimeNs({ segments, length, y0, y1 }: PathExtent, scale: number, { width, height }: CanvasSize): number {
  const crossings = Math.min(length * scale, segments * Math.max(width, height)) || 0;
  const rows = Math.max(1, Math.min(height, (y1 - y0) * scale)) || 1;
  const neighbours = Math.min(width, crossings / rows / 2);
  return SEGMENT_NS * segments + crossings * (CROSSING_NS + NEIGHBOUR_NS * neighbours);
}

/** Time of layers: those of groups, masks and clip paths. */
export const layerTimeNs = (layers: number, pixels: number) => LAYER_NS * layers * pixels;

/** Time that a gradient adds to everything drawn with it. Parsing searches each stop among all stops. */
export function gradientTimeNs(stops: number, drawnElements: number, paintedPixels: number): number {
  return stops * (STOP_NS * drawnElements + stops) + (GRADIENT_NS.pixel + GRADIENT_NS.stop * stops) * paintedPixels;
}

/**
 * Time of applying the style sheets. A rule is matched against every element; one with ancestors (`a b c`) against
 * every way to choose them, because resvg backtracks fully.
 */
export function stylesheetTimeNs({ elements, styles, depth }: SvgTree): number {
  if (styles === '') return 0;
  const elementCounts = countElements(elements);
  let matchAttempts = 0;
  let appliedDeclarations = 0;
  /** The last parts of the block's selectors. */
  let last: string[] = [];
  for (const block of styles.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').split('{')) {
    const selectors = block.slice(block.lastIndexOf('}') + 1);
    const declarations = block.slice(0, Math.max(0, block.lastIndexOf('}'))).split(';').length;
    for (const key of last) appliedDeclarations += declarations * (elementCounts.get(key) ?? 0);
    last = [];
    for (const selector of selectors.split(',')) {
      last.push(keyOf(selector));
      const ancestors = selector.trim().split(/[\s>+~]+/).length - 1;
      let ways = 1;
      for (let i = 1; i <= ancestors && ways < 1e15; i++) ways *= (depth + i) / i;
      matchAttempts += ways;
    }
  }
  return RULE_NS * elements.length * matchAttempts + DECLARATION_NS * appliedDeclarations;
}

/** The number of elements with each class and name; all elements under `*`. */
function countElements(elements: SvgTree['elements']): ReadonlyMap<string, number> {
  const counts = new Map([['*', elements.length]]);
  for (const { name, attributes } of elements) {
    const own = new Set([name, ...(attributes.get('class') ?? '').split(/\s+/).map((part) => `.${part}`)]);
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A selector's last class or name; `#` for an id, `*` for anything else. */
function keyOf(selector: string): string {
  const text = selector.trim().slice(-200);
  if (/#[\w-]+$/.test(text)) return '#';
  const key = /(\.[\w-]+)$|(?:^|[\s>+~])([a-zA-Z][\w-]*)$/.exec(text);
  return key?.[1] ?? key?.[2] ?? '*';
}
