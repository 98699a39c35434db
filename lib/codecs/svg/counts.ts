// Counts what an SVG draws before resvg parses it: elements, characters and path data as often as references repeat
// them, and the depth of the references. Each element is added up once, after everything that it refers to, so ten
// nested `use` of ten take ten additions and count as 10^10. No recursion; the work is linear in the file's length.
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import { buildGraph, isGradient, rulesOf, topologicalOrder } from './graph.js';
import { MAX_ATTRIBUTES, MAX_DEPTH, type SvgElement, type SvgTree } from './scan.js';

/** Maximum elements and characters of text drawn. */
const MAX_DRAWN = 100_000;
/** Maximum characters of path data and embedded images. */
const MAX_DATA = 2 ** 25;
/** Maximum elements matched against selectors of style sheets. */
const MAX_MATCHES = 1.5e8;
/** Resvg reads all characters of a text for each of its spans. It takes a character of a span this part of a drawn one. */
const SPAN_SHARE = 1 / 16;
/** Resvg clips an outline beyond this length for half a second, so it counts as this many elements. */
const HUGE_LENGTH = 1e15;
const HUGE_ELEMENTS = 5000;

/** Sums are clamped to this: no product of two is infinite. */
const LIMIT = 1e15;

/** What one element draws, including its contents and everything it refers to. */
export interface SvgCounts {
  /** Elements and characters of text. */
  drawn: number;
  /** Characters of text. */
  characters: number;
  /** Nesting depth of elements and references. */
  depth: number;
  /** Vertices that may get a marker. */
  vertices: number;
  /** Characters of path data and embedded images. */
  data: number;
}

/** The counts of embedded SVGs, by the elements that draw them. */
export type EmbeddedCounts = ReadonlyMap<SvgElement, SvgCounts>;

const NONE: SvgCounts = { drawn: 0, characters: 0, depth: 0, vertices: 0, data: 0 };
const TEXTS = new Set(['text', 'tspan', 'textPath', 'tref']);
const LENGTHS = 'x y width height cx cy r rx ry x1 y1 x2 y2'.split(' ');

/** Counts what `tree` draws. Throws RenderError beyond a limit or if an element draws itself, and what `check` throws. */
export function countSvg(tree: SvgTree, embedded: EmbeddedCounts, check: CheckTime): SvgCounts {
  checkStyles(tree);
  const counts = new Map<SvgElement, SvgCounts>();
  let own = NONE;
  for (const { element, parts, uses } of topologicalOrder(buildGraph(tree, check), tree.root)) {
    check(10);
    own = ownCounts(element);
    for (const part of parts) add(own, counts.get(part) ?? NONE, 1);
    add(own, embedded.get(element) ?? NONE, 1);
    if (element.name === 'text') own.drawn += (own.drawn - own.characters) * own.characters * SPAN_SHARE;
    // fill, stroke and markers are inherited, so any descendant may be drawn with them
    const { drawn, vertices } = own;
    for (const target of uses) {
      let times = 1;
      if (target.name === 'marker') times = Math.max(1, vertices);
      else if (target.name === 'pattern' || isGradient(target)) times = drawn;
      add(own, { ...counts.get(target)!, vertices: 0 }, times);
    }
    own.depth++;
    counts.set(element, own);
  }
  const { drawn, depth, data } = own;
  if (drawn > MAX_DRAWN) throw unsupported('svg', `it draws more than ${MAX_DRAWN} elements and characters of text`);
  if (depth > MAX_DEPTH) throw unsupported('svg', `its references are nested more than ${MAX_DEPTH} levels deep`);
  if (data > MAX_DATA) throw unsupported('svg', `it draws more than ${MAX_DATA} characters of path data and images`);
  return own;
}

function ownCounts({ name, attributes, characters }: SvgElement): SvgCounts {
  const data = attributes.get(name === 'path' ? 'd' : name === 'image' ? 'href' : 'points') ?? '';
  const isHuge = LENGTHS.some((length) => Math.abs(Number.parseFloat(attributes.get(length) ?? '')) >= HUGE_LENGTH);
  const own = { ...NONE, drawn: isHuge ? HUGE_ELEMENTS : 1, data: data.length };
  // the numbers of a path are an upper bound of its vertices
  if (name === 'path') own.vertices = (data.match(/[\d.]+/g)?.length ?? 0) + 1;
  else if (name === 'polyline' || name === 'polygon') own.vertices = (data.match(/[\d.]+/g)?.length ?? 0) / 2;
  else if (name === 'line') own.vertices = 2;
  else if (TEXTS.has(name)) {
    own.characters = characters;
    own.drawn += characters;
  }
  return own;
}

function add(sum: SvgCounts, { drawn, characters, depth, vertices, data }: SvgCounts, times: number): void {
  sum.drawn = Math.min(LIMIT, sum.drawn + drawn * times);
  sum.characters = Math.min(LIMIT, sum.characters + characters * times);
  sum.depth = Math.max(sum.depth, depth);
  sum.vertices = Math.min(LIMIT, sum.vertices + vertices * times);
  sum.data = Math.min(LIMIT, sum.data + data * times);
}

/**
 * Limits the style sheets. A selector is matched against every element; one with ancestors (`a b c`) against every way
 * to choose them, because resvg backtracks fully.
 */
function checkStyles({ elements, styles, depth }: SvgTree): void {
  let matches = 0;
  for (const { selectors, declarations } of rulesOf(styles)) {
    if (declarations.split(';', MAX_ATTRIBUTES + 1).length > MAX_ATTRIBUTES) {
      throw unsupported('svg', `a style has more than ${MAX_ATTRIBUTES} properties`);
    }
    for (const selector of selectors) {
      const ancestors = selector.split(/[\s>+~]+/).length - 1;
      let ways = 1;
      for (let i = 1; i <= ancestors && ways < LIMIT; i++) ways *= (depth + i) / i;
      matches += ways * elements.length;
    }
  }
  if (matches > MAX_MATCHES) throw unsupported('svg', 'its style sheets match too many elements');
}
