// Builds the reference graph of an SVG: what each element draws and refers to, and a topological order with referenced
// elements first.
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import { MAX_DEPTH, type SvgElement, type SvgTree } from './scan.js';
import { readStyles, stylesOf } from './style.js';

/** Elements that are not drawn in place, only by reference. */
const DEFINITIONS = new Set(
  'defs symbol pattern mask marker clipPath filter linearGradient radialGradient style'.split(' '),
);
/** Elements that draw the target of their `href`. Links, gradients and text on paths don't. */
const BY_HREF = new Set(['use', 'pattern', 'filter', 'feImage']);
export interface GraphNode {
  readonly element: SvgElement;
  /** Children that are drawn in place, and the target of `href`. */
  readonly parts: readonly SvgElement[];
  /** Elements that properties refer to, except gradients. */
  readonly uses: readonly SvgElement[];
  /** Number of times that the element applies each filter, if more than once. */
  readonly repeats: ReadonlyMap<SvgElement, number>;
  /** Total number of stops of the referenced gradients. */
  readonly stops: number;
  /** Whether it is drawn into a layer: due to its style, or because it clips its content. */
  readonly isIsolated: boolean;
  readonly isClipped: boolean;
  readonly functions: readonly { weight: number; layers: number }[];
}

/** Elements that clip their content to their own edges. */
const CLIPPING: ReadonlySet<string> = new Set(['svg', 'symbol', 'marker']);

type Graph = ReadonlyMap<SvgElement, GraphNode>;

export function buildGraph({ root, elements, styles }: SvgTree, check: CheckTime): Graph {
  const byId = new Map<string, SvgElement>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    // the first of several elements with the same id applies
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  const sheets = readStyles(styles);
  const graph = new Map<SvgElement, GraphNode>();
  for (const element of elements) {
    check(4);
    const parts = element.children.filter((child) => !DEFINITIONS.has(child.name));
    const target = BY_HREF.has(element.name) ? element.attributes.get('href')?.trim() : undefined;
    const hrefTarget = target?.startsWith('#') ? byId.get(target.slice(1)) : undefined;
    if (hrefTarget) parts.push(hrefTarget);
    // gradients and filter primitives have no such properties
    const hasNoReferences =
      element.name.startsWith('fe') || element.name.endsWith('Gradient') || element.name === 'stop';
    const own = hasNoReferences ? [] : stylesOf(element, sheets);
    const uses = new Set<SvgElement>();
    const repeats = new Map<SvgElement, number>();
    let stops = 0;
    for (const [id, count] of own.flatMap(({ ids }) => [...ids])) {
      const used = byId.get(id);
      if (used?.name.endsWith('Gradient')) stops += countStops(used, byId);
      else if (used) uses.add(used);
      if (used?.name === 'filter' && count > 1) repeats.set(used, Math.max(count, repeats.get(used) ?? 0));
    }
    const functions = own.map((style) => style.functions);
    graph.set(element, {
      element,
      parts,
      uses: [...uses],
      repeats,
      stops,
      functions,
      isIsolated: own.some((style) => style.isIsolated),
      isClipped: CLIPPING.has(element.name) && element !== root,
    });
  }
  return graph;
}

/**
 * The number of a gradient's stops, or else of the stops that it inherits; plus one for each gradient in its `href`
 * chain, since resvg searches all of them for missing attributes.
 */
function countStops(gradient: SvgElement, byId: ReadonlyMap<string, SvgElement>): number {
  const chain = new Set<SvgElement>();
  let stops = 0;
  for (let found: SvgElement | undefined = gradient; found && !chain.has(found); ) {
    chain.add(found);
    if (chain.size > MAX_DEPTH)
      throw unsupported('svg', `its gradients refer to each other more than ${MAX_DEPTH} levels deep`);
    if (stops === 0) stops = found.children.length;
    found = byId.get(found.attributes.get('href')?.trim().slice(1) ?? '');
  }
  return stops + chain.size - 1;
}

/** All elements reachable from the root, each after those that it refers to. */
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
      if (state.get(next) === 'open') throw unsupported('svg', `its ${next.name} element references itself`);
      if (state.get(next) === undefined) stack.push(next);
    }
  }
  return order;
}
