// How far an SVG element's stroke may reach beyond its outline, as far as attributes, what they inherit and style sheets tell.
// Were every shape taken to have the widest stroke of all, each small one would count as large as the picture.
import type { Bounds } from './svgbounds.js';
import { numbersOf } from './svgpath.js';
import type { SvgElement, SvgTree } from './svgscan.js';

/** In the element's own units, to each side: a mitre reaches four half widths. Infinite where its unit can't be told. */
export type StrokeOf = (element: SvgElement) => number;

const PAINT = /(?:^|[;{\s])stroke\s*:([^;}]*)/g;
const WIDTH = /(?:^|[;{\s])stroke-width\s*:([^;}]*)/g;

interface Stroke {
  /** Whether there is one; undefined where that is inherited. */
  readonly isPainted: boolean | undefined;
  readonly width: number | undefined;
}

export function strokesOf({ root, elements, styles }: SvgTree): StrokeOf {
  const sheets = declared(styles);
  const own = elements.map(strokeOf);
  // what `use` draws inherits from there, wherever it stands: the most in the document
  const used = new Set<string>();
  const most = { isPainted: sheets.isPainted === true, width: Math.max(1, sheets.width ?? 0) };
  elements.forEach(({ name, attributes }, i) => {
    most.isPainted ||= own[i].isPainted === true;
    most.width = Math.max(most.width, own[i].width ?? 0);
    if (name === 'use') used.add(attributes.get('href')?.trim().slice(1) ?? '');
  });
  const found = new Map([[root, { isPainted: false, width: 1 }]]);
  elements.forEach((element, i) => {
    const id = element.attributes.get('id');
    const around = id !== undefined && used.has(id) ? most : found.get(element)!;
    const stroke = {
      isPainted: sheets.isPainted === true || (own[i].isPainted ?? around.isPainted),
      width: Math.max(own[i].width ?? around.width, sheets.width ?? 0),
    };
    found.set(element, stroke);
    for (const child of element.children) found.set(child, stroke);
  });
  return (element) => {
    const { isPainted, width } = found.get(element)!;
    return isPainted ? 2 * width : 0;
  };
}

function strokeOf({ attributes }: SvgElement): Stroke {
  const [paint, width] = [attributes.get('stroke'), attributes.get('stroke-width')];
  const style = attributes.get('style');
  if (paint === undefined && width === undefined && style === undefined) return INHERITED;
  const plain = declared(`;stroke:${paint ?? 'inherit'};stroke-width:${width ?? 'inherit'};`);
  const styled = declared(style ?? '');
  return { isPainted: styled.isPainted ?? plain.isPainted, width: styled.width ?? plain.width };
}

const INHERITED: Stroke = { isPainted: undefined, width: undefined };

/** The most that declarations give. */
function declared(text: string): Stroke {
  if (!text.includes('stroke')) return INHERITED;
  // what a comment hides or parts is not told from what it leaves
  if (/\/\*|\\/.test(text)) return { isPainted: true, width: Number.POSITIVE_INFINITY };
  let { isPainted, width } = INHERITED;
  for (const [, value] of text.matchAll(PAINT)) {
    if (!value.includes('inherit')) isPainted = isPainted || !/^\s*none\b/.test(value);
  }
  for (const [, value] of text.matchAll(WIDTH)) {
    if (!value.includes('inherit')) width = Math.max(width ?? 0, widthOf(value));
  }
  return { isPainted, width };
}

/** Infinite in units that multiply what is inherited. */
function widthOf(value: string): number {
  if (/\d\s*(?:r?em|ex|ch|%|v[wh]|in|[cm]m)/i.test(value)) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...numbersOf(value).slice(0, 8).map(Math.abs));
}

/** A box with what a stroke adds to it. */
export function grown([x0, y0, x1, y1]: Bounds, by: number): Bounds {
  return x0 > x1 || by === 0 ? [x0, y0, x1, y1] : [x0 - by, y0 - by, x1 + by, y1 + by];
}
