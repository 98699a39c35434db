// An SVG's elements → what each draws and is drawn with, and an order in which all that an element leads to comes before it.
import { unsupported } from './broken.js';
import { MAX_DEPTH, type SvgElement, type SvgTree } from './svgscan.js';
import { readStyles, stylesOf } from './svgstyle.js';

/** Not drawn where they stand: only where something refers to them. */
const DEFINITIONS = new Set(
  'defs symbol pattern mask marker clipPath filter linearGradient radialGradient style'.split(' '),
);
/** Elements that draw what their `href` names. Links, gradients and text on paths don't. */
const BY_HREF = new Set(['use', 'pattern', 'filter', 'feImage']);
export interface Node {
  readonly element: SvgElement;
  /** Children that are drawn in place, and what `href` names. */
  readonly parts: readonly SvgElement[];
  /** What properties refer to, gradients apart. */
  readonly uses: readonly SvgElement[];
  /** Stops of the gradients among them. */
  readonly stops: number;
  /** Whether it is drawn into a picture of its own, by its style, or since it is cut off at its edges. */
  readonly isIsolated: boolean;
  readonly isClipped: boolean;
  readonly functions: readonly { weight: number; layers: number }[];
}

/** What they draw is cut off at their own edges. */
const CLIPPED: ReadonlySet<string> = new Set(['svg', 'symbol', 'marker']);

type Graph = ReadonlyMap<SvgElement, Node>;

export function buildGraph({ root, elements, styles }: SvgTree): Graph {
  const byId = new Map<string, SvgElement>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    // of two that share an id the first is meant
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  const sheets = readStyles(styles);
  const graph = new Map<SvgElement, Node>();
  for (const element of elements) {
    const parts = element.children.filter((child) => !DEFINITIONS.has(child.name));
    const target = BY_HREF.has(element.name) ? element.attributes.get('href')?.trim() : undefined;
    const named = target?.startsWith('#') ? byId.get(target.slice(1)) : undefined;
    if (named) parts.push(named);
    // gradients, and what filters are made of, are drawn with no properties of these kinds
    const plain = element.name.startsWith('fe') || element.name.endsWith('Gradient') || element.name === 'stop';
    const own = plain ? [] : stylesOf(element, sheets);
    const uses = new Set<SvgElement>();
    let stops = 0;
    for (const id of own.flatMap(({ ids }) => ids)) {
      const used = byId.get(id);
      if (used?.name.endsWith('Gradient')) stops += stopsOf(used, byId);
      else if (used) uses.add(used);
    }
    const functions = own.map((style) => style.functions);
    graph.set(element, {
      element,
      parts,
      uses: [...uses],
      stops,
      functions,
      isIsolated: own.some((style) => style.isIsolated),
      isClipped: CLIPPED.has(element.name) && element !== root,
    });
  }
  return graph;
}

/**
 * A gradient's own stops, else those of the one that it is made after; and one for each that it goes back to: what it does
 * not say itself is looked for in all of them.
 */
function stopsOf(gradient: SvgElement, byId: ReadonlyMap<string, SvgElement>): number {
  const chain = new Set<SvgElement>();
  let stops = 0;
  for (let found: SvgElement | undefined = gradient; found && !chain.has(found); ) {
    chain.add(found);
    if (chain.size > MAX_DEPTH)
      throw unsupported('svg', `its gradients refer to each other more than ${MAX_DEPTH} deep`);
    if (stops === 0) stops = found.children.length;
    found = byId.get(found.attributes.get('href')?.trim().slice(1) ?? '');
  }
  return stops + chain.size - 1;
}

/** Every element that the root leads to, each after those that it leads to. */
export function inOrder(graph: Graph, root: SvgElement): Node[] {
  const order: Node[] = [];
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
      if (state.get(next) === 'open') throw unsupported('svg', `its ${next.name} element draws itself`);
      if (state.get(next) === undefined) stack.push(next);
    }
  }
  return order;
}
