// Builds the reference graph of an SVG: what each element draws and refers to, and a topological order with referenced
// elements first. Style sheets match by the last part of their selectors alone, so an element may get more references
// than actually apply.
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import type { SvgElement, SvgTree } from './scan.js';

/** Elements that are not drawn in place, only by reference. */
const DEFINITIONS = new Set(
  'defs symbol pattern mask marker clipPath filter linearGradient radialGradient style'.split(' '),
);
/** Elements that draw the target of their `href`, or inherit from it. Links and text on paths don't. */
const BY_HREF = new Set(['use', 'pattern', 'filter', 'feImage', 'linearGradient', 'radialGradient']);
const REFERRING = 'fill stroke mask clip-path filter marker-start marker-mid marker-end style'.split(' ');
const URL_ID = /url\(\s*["']?\s*#([^"')\s]+)/g;
/** Maximum ids in the styles of one element: eight of its properties refer to ids. */
const MAX_IDS = 64;

export interface GraphNode {
  readonly element: SvgElement;
  /** Children that are drawn in place, and the target of `href`. */
  readonly parts: readonly SvgElement[];
  /** Elements that properties refer to. */
  readonly uses: readonly SvgElement[];
}

export const isGradient = ({ name }: SvgElement) => name.endsWith('Gradient');

type Graph = ReadonlyMap<SvgElement, GraphNode>;

export function buildGraph({ elements, styles }: SvgTree, check: CheckTime): Graph {
  const byId = elementsById(elements);
  const sheets = sheetIds(styles);
  const graph = new Map<SvgElement, GraphNode>();
  for (const element of elements) {
    check(4);
    const { name, attributes } = element;
    const parts = element.children.filter((child) => !DEFINITIONS.has(child.name));
    const target = BY_HREF.has(name) ? attributes.get('href')?.trim() : undefined;
    const hrefTarget = target?.startsWith('#') ? byId.get(target.slice(1)) : undefined;
    if (hrefTarget) parts.push(hrefTarget);
    const uses = new Set<SvgElement>();
    // gradients and filter primitives have no such properties
    const ids = name.startsWith('fe') || name === 'stop' || isGradient(element) ? [] : idsOf(element, sheets);
    for (const id of ids) {
      const used = byId.get(id);
      if (used) uses.add(used);
    }
    graph.set(element, { element, parts, uses: [...uses] });
  }
  return graph;
}

/** The first of several elements with the same id applies. */
export function elementsById(elements: readonly SvgElement[]): ReadonlyMap<string, SvgElement> {
  const byId = new Map<string, SvgElement>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  return byId;
}

/** The ids that a value or a block of declarations refers to, as often as it does. */
export const urlIds = (text: string): string[] => Array.from(text.matchAll(URL_ID), ([, id]) => id);

function distinctIds(text: string): ReadonlySet<string> {
  const ids = new Set(urlIds(text));
  if (ids.size > MAX_IDS) throw unsupported('svg', `the style of an element refers to more than ${MAX_IDS} others`);
  return ids;
}

/** The ids in the element's own style, and in the style sheets that may apply to it. */
function idsOf({ name, attributes }: SvgElement, sheets: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const own = REFERRING.map((property) => attributes.get(property) ?? '').join(';');
  const found = own.length > REFERRING.length ? [...distinctIds(own)] : [];
  if (sheets.size === 0) return found;
  const classes = (attributes.get('class') ?? '').split(/\s+/).map((part) => `.${part}`);
  for (const key of ['*', name, `#${attributes.get('id')}`, ...classes]) found.push(...(sheets.get(key) ?? []));
  return found;
}

/** The ids in style sheets, by the end of the selector: `.class`, `#id`, an element name, or `*` for any other. */
function sheetIds(styles: string): ReadonlyMap<string, ReadonlySet<string>> {
  const blocks = new Map<string, string>();
  for (const { selectors, declarations } of rulesOf(styles)) {
    if (!declarations.includes('url(')) continue;
    for (const selector of selectors) {
      const key = /([.#][\w-]+)$|(?:^|[\s>+~])([a-zA-Z][\w-]*)$/.exec(selector.slice(-200));
      const name = key?.[1] ?? key?.[2] ?? '*';
      blocks.set(name, `${blocks.get(name) ?? ''};${declarations}`);
    }
  }
  return new Map([...blocks].map(([name, declarations]) => [name, distinctIds(declarations)] as const));
}

/** The rules of a style sheet. At-rules such as @font-face select nothing. */
export function* rulesOf(styles: string): Generator<{ selectors: string[]; declarations: string }> {
  for (const block of styles.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').split('}')) {
    const brace = block.lastIndexOf('{');
    if (brace === -1) continue;
    const selectors = block.slice(block.lastIndexOf('{', brace - 1) + 1, brace).trim();
    if (selectors.startsWith('@')) continue;
    yield { selectors: selectors.split(',').map((selector) => selector.trim()), declarations: block.slice(brace + 1) };
  }
}

/**
 * All elements reachable from the root, each after those that it refers to. Throws RenderError if an element draws
 * itself; gradients that inherit from each other draw nothing.
 */
export function topologicalOrder(graph: Graph, root: SvgElement): GraphNode[] {
  const order: GraphNode[] = [];
  const state = new Map<SvgElement, 'open' | 'done'>();
  const stack = [root];
  while (stack.length > 0) {
    const element = stack[stack.length - 1];
    const node = graph.get(element)!;
    if (state.get(element) !== undefined) {
      stack.pop();
      if (state.get(element) === 'open') order.push(node);
      state.set(element, 'done');
      continue;
    }
    state.set(element, 'open');
    for (const next of [...node.parts, ...node.uses]) {
      if (state.get(next) === undefined) stack.push(next);
      else if (state.get(next) === 'open' && !isGradient(next)) {
        throw unsupported('svg', `its ${next.name} element references itself`);
      }
    }
  }
  return order;
}
