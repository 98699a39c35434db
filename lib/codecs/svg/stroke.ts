// Estimates how far an SVG element's stroke extends beyond its outline and how many dashes it is cut into, from
// attributes, inheritance and style sheets. If every shape were assumed to have the widest stroke of the document, each
// small one would count as large as the image.
import type { Bounds } from './bounds.js';
import { numbersOf } from './path.js';
import type { SvgElement, SvgTree } from './scan.js';

export interface StrokeCost {
  /**
   * Outset on each side in the element's own units: a mitre extends by up to four half widths. Infinite for units that can't be
   * resolved.
   */
  readonly outset: number;
  /** Dashes and gaps per unit of the outline. */
  readonly dashes: number;
}

export type StrokeLookup = (element: SvgElement) => StrokeCost;

const PAINT = /(?:^|[;{\s])stroke\s*:([^;}]*)/g;
const DASHES = /(?:^|[;{\s])stroke-dasharray\s*:([^;}]*)/g;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const WIDTH = /(?:^|[;{\s])stroke-width\s*:([^;}]*)/g;

interface Stroke {
  /** Whether there is a stroke; undefined if inherited. */
  readonly isPainted: boolean | undefined;
  readonly width: number | undefined;
  readonly dashes: number | undefined;
}

export function buildStrokeLookup({ root, elements, styles }: SvgTree): StrokeLookup {
  const sheets = maxDeclared(styles);
  const own = elements.map(ownStroke);
  // the target of a `use` inherits from the `use`, anywhere: assume the maximum in the document
  const useTargets = new Set<string>();
  const maximum = {
    isPainted: sheets.isPainted === true,
    width: Math.max(1, sheets.width ?? 0),
    dashes: sheets.dashes ?? 0,
  };
  elements.forEach(({ name, attributes }, i) => {
    maximum.isPainted ||= own[i].isPainted === true;
    maximum.width = Math.max(maximum.width, own[i].width ?? 0);
    maximum.dashes = Math.max(maximum.dashes, own[i].dashes ?? 0);
    if (name === 'use') useTargets.add(attributes.get('href')?.trim().slice(1) ?? '');
  });
  const found = new Map([[root, { isPainted: false, width: 1, dashes: 0 }]]);
  elements.forEach((element, i) => {
    const id = element.attributes.get('id');
    const inherited = id !== undefined && useTargets.has(id) ? maximum : found.get(element)!;
    const stroke = {
      isPainted: sheets.isPainted === true || (own[i].isPainted ?? inherited.isPainted),
      width: Math.max(own[i].width ?? inherited.width, sheets.width ?? 0),
      dashes: Math.max(own[i].dashes ?? inherited.dashes, sheets.dashes ?? 0),
    };
    found.set(element, stroke);
    for (const child of element.children) found.set(child, stroke);
  });
  return (element) => {
    const { isPainted, width, dashes } = found.get(element)!;
    return isPainted ? { outset: 2 * width, dashes } : NONE;
  };
}

function ownStroke({ attributes }: SvgElement): Stroke {
  const [paint, width] = [attributes.get('stroke'), attributes.get('stroke-width')];
  const [array, style] = [attributes.get('stroke-dasharray'), attributes.get('style')];
  if ((paint ?? width ?? array ?? style) === undefined) return INHERITED;
  const fromAttributes = maxDeclared(
    `;stroke:${paint ?? 'inherit'};stroke-width:${width ?? 'inherit'};stroke-dasharray:${array ?? 'inherit'}`,
  );
  const fromStyle = maxDeclared(style ?? '');
  return {
    isPainted: fromStyle.isPainted ?? fromAttributes.isPainted,
    width: fromStyle.width ?? fromAttributes.width,
    dashes: fromStyle.dashes ?? fromAttributes.dashes,
  };
}

const NONE: StrokeCost = { outset: 0, dashes: 0 };
const INHERITED: Stroke = { isPainted: undefined, width: undefined, dashes: undefined };

/** The maximum that the declarations specify. */
function maxDeclared(text: string): Stroke {
  if (!text.includes('stroke')) return INHERITED;
  const declarations = text.replace(COMMENT, ' ');
  let { isPainted, width, dashes } = INHERITED;
  for (const [, value] of declarations.matchAll(DASHES)) {
    if (!value.includes('inherit')) dashes = Math.max(dashes ?? 0, dashesPerUnit(value));
  }
  for (const [, value] of declarations.matchAll(PAINT)) {
    if (!value.includes('inherit')) isPainted = isPainted || !/^\s*none\b/.test(value);
  }
  for (const [, value] of declarations.matchAll(WIDTH)) {
    if (!value.includes('inherit')) width = Math.max(width ?? 0, widthOf(value));
  }
  return { isPainted, width, dashes };
}

/** Infinite for units relative to an inherited value. */
function widthOf(value: string): number {
  if (/\d\s*(?:r?em|ex|ch|%|v[wh]|in|[cm]m)/i.test(value)) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...numbersOf(value).slice(0, 8).map(Math.abs));
}

function dashesPerUnit(array: string): number {
  const numbers = numbersOf(array);
  const sum = numbers.reduce((total, number) => total + Math.abs(number), 0);
  return sum > 0 ? numbers.length / sum : 0;
}

/** Grows a box by `by` on each side. */
export function inflate([x0, y0, x1, y1]: Bounds, by: number): Bounds {
  return x0 > x1 || by === 0 ? [x0, y0, x1, y1] : [x0 - by, y0 - by, x1 + by, y1 + by];
}
