// Reads the styles that affect an SVG element's cost: referenced elements, filter functions, and whether it needs a
// layer. Matches selectors by their last part only, so an element may get more styles than actually apply: an upper
// bound.
import { unsupported } from '../errors.js';
import { type FilterCost, functionCost } from './filter-cost.js';
import type { SvgElement } from './scan.js';

export interface SvgStyle {
  /**
   * Ids of filters, masks, clip paths, patterns, markers and gradients, and how often one value refers to each: a list
   * of filters may apply the same one again and again.
   */
  readonly ids: ReadonlyMap<string, number>;
  readonly functions: FilterCost;
  /** Whether opacity or blending requires a layer. */
  readonly isIsolated: boolean;
}

/** Styles by the end of their selector: `.class`, `#id`, an element name, or `*` for any other. */
export type SvgStyles = ReadonlyMap<string, SvgStyle>;

/** Maximum ids kept per declaration block: an element has eight properties that refer to ids. */
const MAX_IDS = 32;

/** Maximum filters in a list, so that the ids of an element's other properties are not beyond MAX_IDS. */
const MAX_FILTERS = 16;

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

/** Reads an SVG's style sheets, each block once. */
export function readStyles(text: string): SvgStyles {
  const blocks = new Map<string, string>();
  const withoutComments = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  for (const block of withoutComments.split('}')) {
    const brace = block.lastIndexOf('{');
    if (brace === -1) continue;
    const selectors = block.slice(block.lastIndexOf('{', brace - 1) + 1, brace);
    // at-rules such as @font-face select nothing
    if (selectors.trim().startsWith('@')) continue;
    for (const selector of selectors.split(',')) {
      const key = /([.#][\w-]+)$|(?:^|[\s>+~])([a-zA-Z][\w-]*)$/.exec(selector.trim().slice(-200));
      const name = key?.[1] ?? key?.[2] ?? '*';
      blocks.set(name, `${blocks.get(name) ?? ''};${block.slice(brace + 1)}`);
    }
  }
  const styles = [...blocks].map(([name, declarations]) => [name, readStyle(declarations)] as const);
  return new Map(styles.filter(([, { ids, functions, isIsolated }]) => ids.size + functions.layers > 0 || isIsolated));
}

function readStyle(declarations: string): SvgStyle {
  const ids = new Map<string, number>();
  for (const declaration of declarations.split(';')) {
    const counts = new Map<string, number>();
    for (const [, id] of declaration.matchAll(URL_ID)) counts.set(id, (counts.get(id) ?? 0) + 1);
    if (counts.size > MAX_FILTERS) throw unsupported('svg', `an element has more than ${MAX_FILTERS} filters`);
    for (const [id, count] of counts) {
      if (ids.size < MAX_IDS || ids.has(id)) ids.set(id, Math.max(count, ids.get(id) ?? 0));
    }
  }
  return { ids, functions: functionCost(declarations), isIsolated: ISOLATION.test(declarations) };
}

/** The element's own style, and those of the style sheets that may apply to it. */
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
