// How far an SVG element's stroke may reach beyond its outline, and into how many dashes it is cut, as far as attributes, what
// they inherit and style sheets tell.
// Were every shape taken to have the widest stroke of all, each small one would count as large as the picture.
import type { Bounds } from './svgbounds.js';
import { numbersOf } from './svgpath.js';
import type { SvgElement, SvgTree } from './svgscan.js';

export interface StrokeCost {
  /** In the element's own units, to each side: a mitre reaches four half widths. Infinite where its unit can't be told. */
  readonly reach: number;
  /** Dashes and gaps in one unit of its outline. */
  readonly dashes: number;
}

export type StrokeOf = (element: SvgElement) => StrokeCost;

const PAINT = /(?:^|[;{\s])stroke\s*:([^;}]*)/g;
const DASHES = /(?:^|[;{\s])stroke-dasharray\s*:([^;}]*)/g;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const WIDTH = /(?:^|[;{\s])stroke-width\s*:([^;}]*)/g;

interface Stroke {
  /** Whether there is one; undefined where that is inherited. */
  readonly isPainted: boolean | undefined;
  readonly width: number | undefined;
  readonly dashes: number | undefined;
}

export function strokesOf({ root, elements, styles }: SvgTree): StrokeOf {
  const sheets = declared(styles);
  const own = elements.map(strokeOf);
  // what `use` draws inherits from there, wherever it stands: the most in the document
  const used = new Set<string>();
  const most = {
    isPainted: sheets.isPainted === true,
    width: Math.max(1, sheets.width ?? 0),
    dashes: sheets.dashes ?? 0,
  };
  elements.forEach(({ name, attributes }, i) => {
    most.isPainted ||= own[i].isPainted === true;
    most.width = Math.max(most.width, own[i].width ?? 0);
    most.dashes = Math.max(most.dashes, own[i].dashes ?? 0);
    if (name === 'use') used.add(attributes.get('href')?.trim().slice(1) ?? '');
  });
  const found = new Map([[root, { isPainted: false, width: 1, dashes: 0 }]]);
  elements.forEach((element, i) => {
    const id = element.attributes.get('id');
    const around = id !== undefined && used.has(id) ? most : found.get(element)!;
    const stroke = {
      isPainted: sheets.isPainted === true || (own[i].isPainted ?? around.isPainted),
      width: Math.max(own[i].width ?? around.width, sheets.width ?? 0),
      dashes: Math.max(own[i].dashes ?? around.dashes, sheets.dashes ?? 0),
    };
    found.set(element, stroke);
    for (const child of element.children) found.set(child, stroke);
  });
  return (element) => {
    const { isPainted, width, dashes } = found.get(element)!;
    return isPainted ? { reach: 2 * width, dashes } : NONE;
  };
}

function strokeOf({ attributes }: SvgElement): Stroke {
  const [paint, width] = [attributes.get('stroke'), attributes.get('stroke-width')];
  const [array, style] = [attributes.get('stroke-dasharray'), attributes.get('style')];
  if ((paint ?? width ?? array ?? style) === undefined) return INHERITED;
  const plain = declared(
    `;stroke:${paint ?? 'inherit'};stroke-width:${width ?? 'inherit'};stroke-dasharray:${array ?? 'inherit'}`,
  );
  const styled = declared(style ?? '');
  return {
    isPainted: styled.isPainted ?? plain.isPainted,
    width: styled.width ?? plain.width,
    dashes: styled.dashes ?? plain.dashes,
  };
}

const NONE: StrokeCost = { reach: 0, dashes: 0 };
const INHERITED: Stroke = { isPainted: undefined, width: undefined, dashes: undefined };

/** The most that declarations give. */
function declared(text: string): Stroke {
  if (!text.includes('stroke')) return INHERITED;
  const plain = text.replace(COMMENT, ' ');
  let { isPainted, width, dashes } = INHERITED;
  for (const [, value] of plain.matchAll(DASHES)) {
    if (!value.includes('inherit')) dashes = Math.max(dashes ?? 0, density(value));
  }
  for (const [, value] of plain.matchAll(PAINT)) {
    if (!value.includes('inherit')) isPainted = isPainted || !/^\s*none\b/.test(value);
  }
  for (const [, value] of plain.matchAll(WIDTH)) {
    if (!value.includes('inherit')) width = Math.max(width ?? 0, widthOf(value));
  }
  return { isPainted, width, dashes };
}

/** Infinite in units that multiply what is inherited. */
function widthOf(value: string): number {
  if (/\d\s*(?:r?em|ex|ch|%|v[wh]|in|[cm]m)/i.test(value)) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...numbersOf(value).slice(0, 8).map(Math.abs));
}

function density(array: string): number {
  const numbers = numbersOf(array);
  const sum = numbers.reduce((total, number) => total + Math.abs(number), 0);
  return sum > 0 ? numbers.length / sum : 0;
}

/** A box with what a stroke adds to it. */
export function grown([x0, y0, x1, y1]: Bounds, by: number): Bounds {
  return x0 > x1 || by === 0 ? [x0, y0, x1, y1] : [x0 - by, y0 - by, x1 + by, y1 + by];
}
