// What drawing takes an SVG's renderer, in nanoseconds: pixels painted, outlines filled, letters set, dashes cut, rules of
// style sheets tried. Estimated from above where an attribute tells, from the document's largest where one is inherited.
// Measured in resvg on pictures of one megapixel; the numbers at each constant are what was found.
import type { Bounds } from './svgbounds.js';
import { extentOf, numbersOf, type PathExtent } from './svgpath.js';
import type { SvgElement, SvgTree } from './svgscan.js';

/** A pixel painted in one colour: 3.4 opaque, 9.5 with any transparency. */
const PAINTED = { opaque: 4, translucent: 10 } as const;
/** A pixel of a gradient beyond that, and for each stop: 24 with two, 66 with a hundred, 372 with a thousand. */
const GRADIENT = { pixel: 25, stop: 0.4 } as const;
/** A gradient's stop, whenever something is drawn with it. */
const STOP = 500;
/** A pixel of a picture of its own, for a group, a mask or a clip path: 39 to 59. */
const LAYER = 50;
/** A pixel of a raster within: 180. */
const RASTER = 180;
/** An element: 15,000 to 40,000. */
const ELEMENT = 20_000;
/** A letter, found in its font, shaped and outlined: 30,000 to 85,000. */
const LETTER = 60_000;
/** Each letter of a text, for each of its spans: resvg goes through all of them for every one. 1,600 to 5,000. */
const SPAN = 3000;
/**
 * A dash: 120 to 220 where it is thinner than a pixel, else 900, of a curve 3,000; and the pixels' worth of memory that it
 * takes until all are drawn. But no more of them than resvg cuts a path into.
 */
const DASH = { straight: 1000, curved: 3000 } as const;
const DASH_HELD = { straight: 64, curved: 512 } as const;
const MOST_DASHES = 1e6;
/** A segment: 700 to 2,300 filled. */
const SEGMENT = 1500;
/** An outline with a length beyond this, where it is cut to what can be counted in: 440,000,000. */
const FAR = 1e15;
const FAR_OUTLINE = 5e8;
/** A row of pixels that an edge crosses; and there, for each other edge on it: 3.2 where they lie apart. */
const CROSSING = 30;
const NEIGHBOUR = 3;
/** A declaration applied to an element: 30 to 60. */
const DECLARATION = 50;
/** An element tried against a rule of a style sheet, or one of its ancestors against a part of the selector: 10 to 50. */
const RULE = 50;

/**
 * The time of a drawing that is let in: four seconds, and 7 µs a pixel. What is estimated is far from what most take: the
 * arms of Bolivia, 1,000 paths in 56 clipped groups, come to 7 µs for each pixel, and are drawn in 0.2.
 */
export const workAllowed = (pixels: number) => 4e9 + 7000 * pixels;

/** What elements may inherit: the most in the document. */
export interface Styling {
  /** Of a pixel, nanoseconds. */
  readonly painted: number;
  /** Lengths in an element's own units. */
  readonly fontSize: number;
}

const FONT = /(?:^|[;{\s])font(?:-size)?\s*:([^;}]*)/g;

export function stylingOf({ elements, styles }: SvgTree): Styling {
  let isTranslucent = /opacity|rgba|hsla/i.test(styles);
  let fontSize = 16;
  const read = (text: string) => {
    for (const [, value] of text.matchAll(FONT)) fontSize = Math.max(fontSize, largest(value));
  };
  read(styles);
  for (const { attributes } of elements) {
    const style = attributes.get('style');
    if (style !== undefined) read(style);
    const [font, size] = [attributes.get('font'), attributes.get('font-size')];
    if (font !== undefined) fontSize = Math.max(fontSize, largest(font));
    if (size !== undefined) fontSize = Math.max(fontSize, largest(size));
    if (isTranslucent) continue;
    for (const [name, value] of attributes) {
      if (name.endsWith('opacity') || ((name === 'style' || name === 'fill') && /opacity|rgba|hsla/i.test(value))) {
        isTranslucent = true;
      }
    }
  }
  return { painted: PAINTED[isTranslucent ? 'translucent' : 'opaque'], fontSize };
}

/** Four times the largest number of a value; infinite in units that multiply what is inherited. */
function largest(value: string): number {
  if (/\d\s*(?:r?em|ex|ch|%|v[wh]|in|[cm]m)/i.test(value)) return Infinity;
  return Math.max(0, ...numbersOf(value).slice(0, 8).map(Math.abs)) * 4;
}

export interface Canvas {
  readonly width: number;
  readonly height: number;
}

/** Pixels that something within `reach` may cover. `scale`: pixels in a unit at most. */
export function coveredPixels([x0, y0, x1, y1]: Bounds, scale: number, canvas: Canvas): number {
  if (x0 > x1) return 0;
  // a pixel more on each side, as edges fall between
  const area = ((x1 - x0) * scale + 2) * ((y1 - y0) * scale + 2);
  const most = canvas.width * canvas.height;
  return area >= 0 ? Math.min(most, area) : most;
}

/** The most that a group's own picture is larger than the drawing: what lies beside that is drawn too, so far. */
const MOST_SPREAD = 16;

/** How many times the drawing's memory the own picture of a group takes whose contents reach so far; at least 1. */
export function spreadOf([x0, y0, x1, y1]: Bounds, scale: number, canvas: Canvas): number {
  if (x0 > x1) return 1;
  const area = ((x1 - x0) * scale + 2) * ((y1 - y0) * scale + 2);
  const spread = area / (canvas.width * canvas.height);
  return spread >= 0 ? Math.min(MOST_SPREAD, Math.max(1, spread)) : MOST_SPREAD;
}

/** What an element takes by itself, and the pixels that it paints. */
export function ownWork(
  element: SvgElement,
  { bounds, reach, dashes }: { readonly bounds: Bounds; readonly reach: Bounds; readonly dashes: number },
  scale: number,
  canvas: Canvas,
  styling: Styling,
) {
  const { name, attributes } = element;
  let work = ELEMENT;
  let painted = 0;
  let held = 0;
  if (TEXTS.has(name)) {
    const letter = 2 * styling.fontSize * scale;
    painted = Math.min(canvas.width * canvas.height, element.characters * letter * letter) || 0;
    work += LETTER * element.characters + (name === 'text' ? spansWork(element) : 0);
  } else if (SHAPES.has(name)) {
    painted = coveredPixels(reach, scale, canvas);
    if (LENGTHS.some((length) => Math.abs(Number.parseFloat(attributes.get(length) ?? '')) >= FAR)) work += FAR_OUTLINE;
    if (name === 'image') work += RASTER * painted;
    const data = name === 'path' ? attributes.get('d') : pointsAsPath(attributes.get('points'));
    const extent = data === undefined ? undefined : extentOf(data);
    if (extent) work += outlineWork(extent, scale, canvas);
    const length = extent?.length ?? perimeter(bounds);
    if (dashes > 0) {
      const kind = data !== undefined && !/[cqsta]/i.test(data) ? 'straight' : 'curved';
      const count = Math.min(MOST_DASHES, length * dashes || 0);
      work += DASH[kind] * count;
      held = DASH_HELD[kind] * count;
    }
  }
  return { work: work + styling.painted * painted, painted, held: held / (canvas.width * canvas.height) };
}

const SHAPES = new Set('path rect circle ellipse line polyline polygon image'.split(' '));
const LENGTHS = 'x y width height cx cy r rx ry x1 y1 x2 y2'.split(' ');
const TEXTS = new Set(['text', 'tspan', 'textPath', 'tref']);

function spansWork(text: SvgElement): number {
  let characters = 0;
  const elements = [text];
  for (let i = 0; i < elements.length; i++) {
    characters += elements[i].characters;
    for (const child of elements[i].children) elements.push(child);
  }
  return SPAN * (elements.length - 1) * characters;
}

function pointsAsPath(points: string | undefined): string | undefined {
  return points === undefined ? undefined : `M${points}`;
}

function perimeter([x0, y0, x1, y1]: Bounds): number {
  return x0 > x1 ? 0 : 2 * (x1 - x0 + y1 - y0);
}

/** Edges are followed row by row, and on each row put in order among each other. */
function outlineWork({ segments, length, y0, y1 }: PathExtent, scale: number, { width, height }: Canvas): number {
  const crossings = Math.min(length * scale, segments * Math.max(width, height)) || 0;
  const rows = Math.max(1, Math.min(height, (y1 - y0) * scale)) || 1;
  const neighbours = Math.min(width, crossings / rows / 2);
  return SEGMENT * segments + crossings * (CROSSING + NEIGHBOUR * neighbours);
}

/** What pictures of their own take: those of groups, masks and clip paths. */
export const layerWork = (layers: number, pixels: number) => LAYER * layers * pixels;

/** What a gradient adds to all that is drawn with it. Each of its stops is looked for among all, when it is read. */
export function gradientWork(stops: number, drawn: number, painted: number): number {
  return stops * (STOP * drawn + stops) + (GRADIENT.pixel + GRADIENT.stop * stops) * painted;
}

/**
 * What applying the style sheets takes. A rule is tried on every element; one with ancestors (`a b c`) on every way to choose
 * them, for the renderer goes back as far as it can.
 */
export function rulesWork({ elements, styles, depth }: SvgTree): number {
  if (styles === '') return 0;
  const named = countsOf(elements);
  let tries = 0;
  let applied = 0;
  /** What the block's selectors end with. */
  let last: string[] = [];
  for (const block of styles.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').split('{')) {
    const selectors = block.slice(block.lastIndexOf('}') + 1);
    const declarations = block.slice(0, Math.max(0, block.lastIndexOf('}'))).split(';').length;
    for (const key of last) applied += declarations * (named.get(key) ?? 0);
    last = [];
    for (const selector of selectors.split(',')) {
      last.push(keyOf(selector));
      const ancestors = selector.trim().split(/[\s>+~]+/).length - 1;
      let ways = 1;
      for (let i = 1; i <= ancestors && ways < 1e15; i++) ways *= (depth + i) / i;
      tries += ways;
    }
  }
  return RULE * elements.length * tries + DECLARATION * applied;
}

/** How many elements have each class and name; all of them, under `*`. */
function countsOf(elements: SvgTree['elements']): ReadonlyMap<string, number> {
  const counts = new Map([['*', elements.length]]);
  for (const { name, attributes } of elements) {
    const own = new Set([name, ...(attributes.get('class') ?? '').split(/\s+/).map((part) => `.${part}`)]);
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A selector's last class or name; `#` for one element alone, `*` where it can't be told. */
function keyOf(selector: string): string {
  const text = selector.trim().slice(-200);
  if (/#[\w-]+$/.test(text)) return '#';
  const key = /(\.[\w-]+)$|(?:^|[\s>+~])([a-zA-Z][\w-]*)$/.exec(text);
  return key?.[1] ?? key?.[2] ?? '*';
}
