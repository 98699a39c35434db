// What an SVG element is drawn with, as far as it costs: the elements that its properties refer to, filter functions, and
// whether it needs a picture of its own. Selectors are read by their last part alone, so an element may be given more than
// it has: all of this is an estimate from above.

import { type FilterCost, functionCost } from './svgfilter.js';
import type { SvgElement } from './svgscan.js';

export interface SvgStyle {
  /** Ids of filters, masks, clip paths, patterns, markers and gradients. */
  readonly ids: readonly string[];
  readonly functions: FilterCost;
  /** Whether opacity or blending asks for a picture of its own. */
  readonly isIsolated: boolean;
}

/** Styles by what their selector ends with: `.class`, `#id`, a name, or `*` for all that can't be told. */
export type SvgStyles = ReadonlyMap<string, SvgStyle>;

/** Ids of one declaration block that are kept: an element has eight properties that take one. */
const MAX_IDS = 32;

const URL_ID = /url\(\s*["']?\s*#([^"')\s]+)/g;
const ISOLATION = /(?:^|[;\s])(?:opacity|mix-blend-mode|isolation)\s*:/;
const REFERRING = [
  'fill',
  'stroke',
  'mask',
  'clip-path',
  'filter',
  'marker-start',
  'marker-mid',
  'marker-end',
  'style',
];

/** The style sheets of an SVG, each block read once. */
export function readStyles(text: string): SvgStyles {
  const blocks = new Map<string, string>();
  const plain = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  for (const block of plain.split('}')) {
    const brace = block.lastIndexOf('{');
    if (brace === -1) continue;
    const selectors = block.slice(block.lastIndexOf('{', brace - 1) + 1, brace);
    // at-rules select nothing: @font-face and its like
    if (selectors.trim().startsWith('@')) continue;
    for (const selector of selectors.split(',')) {
      const key = /([.#][\w-]+)$|(?:^|[\s>+~])([a-zA-Z][\w-]*)$/.exec(selector.trim().slice(-200));
      const name = key?.[1] ?? key?.[2] ?? '*';
      blocks.set(name, `${blocks.get(name) ?? ''};${block.slice(brace + 1)}`);
    }
  }
  const styles = [...blocks].map(([name, declarations]) => [name, readStyle(declarations)] as const);
  return new Map(
    styles.filter(([, { ids, functions, isIsolated }]) => ids.length + functions.layers > 0 || isIsolated),
  );
}

function readStyle(declarations: string): SvgStyle {
  const ids = new Set<string>();
  for (const [, id] of declarations.matchAll(URL_ID)) if (ids.size < MAX_IDS) ids.add(id);
  return { ids: [...ids], functions: functionCost(declarations), isIsolated: ISOLATION.test(declarations) };
}

/** The element's own style, and those of the sheets that may apply to it. */
export function stylesOf({ name, attributes }: SvgElement, sheets: SvgStyles): SvgStyle[] {
  const found: SvgStyle[] = [];
  let own = '';
  for (const property of REFERRING) own += `;${attributes.get(property) ?? ''}`;
  if (attributes.has('opacity')) own += ';opacity:';
  if (own.length > REFERRING.length) found.push(readStyle(own));
  if (sheets.size === 0) return found;
  const keys = ['*', name, `#${attributes.get('id')}`];
  for (const part of (attributes.get('class') ?? '').split(/\s+/)) keys.push(`.${part}`);
  for (const key of keys) {
    const style = sheets.get(key);
    if (style) found.push(style);
  }
  return found;
}
