// What drawing an SVG would cost, counted before resvg sees it: elements as often as they are drawn, pictures held at once,
// pixels that filters go through. References make elements a graph; each is added up once, after all that it refers to, so
// that ten nested `use` of ten cost ten additions and count as 10^10. No recursion, and no more work than the file is long.
import { unsupported } from './broken.js';
import { type Bounds, boundsOf, EVERYWHERE, matrixOf, NOWHERE, transformed, union } from './svgbounds.js';
import { filterCost, regionPixels, tilePixels } from './svgfilter.js';
import { buildGraph, inOrder, type Node } from './svggraph.js';
import { verticesOf } from './svgpath.js';
import { scalesOf } from './svgscale.js';
import { MAX_DEPTH, type SvgElement, type SvgTree } from './svgscan.js';
import { grown, type StrokeOf, strokesOf } from './svgstroke.js';
import {
  type Canvas,
  coveredPixels,
  gradientWork,
  layerWork,
  ownWork,
  rulesWork,
  type Styling,
  spreadOf,
  stylingOf,
  workAllowed,
} from './svgwork.js';

/** Elements drawn, each as often as references repeat it. */
export const MAX_DRAWN = 100_000;
/**
 * Pixels of the pictures that groups, masks and filters hold at once, 4 bytes each: 1 GiB, and less of a small drawing,
 * which is let in as one. With the picture itself this is what bounds the memory of one drawing.
 */
const MAX_HELD_PIXELS = 2 ** 28;
const heldAllowed = (pixels: number) => Math.min(MAX_HELD_PIXELS, 2 ** 25 + 64 * pixels);
/** Pixels gone through by filters and patterns, in the units of svgfilter.ts: 10 to 30 seconds. */
export const MAX_FILTERED = 1e9;

/** Sums are kept below this: they stay whole numbers, and no product of two is infinite. */
const LIMIT = 1e15;

/** What one element comes to, with all that lies in it and all that it refers to. */
export interface SvgCost {
  /** Elements drawn. */
  drawn: number;
  /** How deep elements and references lead. */
  depth: number;
  /** Pictures held at once. */
  held: number;
  /** Filtered pixels, in units. */
  filtered: number;
  /** Vertices at which a marker may be drawn. */
  vertices: number;
  /** Pixels painted, each as often as it is. */
  painted: number;
  /** Nanoseconds of all that is no filter, estimated in svgwork.ts. */
  work: number;
  /** Where it is drawn, in its own units before its own transform; and the same with what strokes add. */
  bounds: Bounds;
  reach: Bounds;
}

/** What pictures embedded in an SVG add to the elements that draw them. */
export type EmbeddedCosts = ReadonlyMap<SvgElement, SvgCost>;

/** What drawing `tree` at `width` × `height` pixels comes to. Throws RenderError when elements draw themselves. */
export function measureSvg(tree: SvgTree, width: number, height: number, embedded: EmbeddedCosts = new Map()): SvgCost {
  const order = inOrder(buildGraph(tree), tree.root);
  const cost = addUp(
    order,
    { width, height },
    stylingOf(tree),
    strokesOf(tree),
    scalesOf(order, width, height),
    embedded,
  );
  return { ...cost, work: cost.work + rulesWork(tree) };
}

/** Throws RenderError when drawing at `width` × `height` pixels would pass a bound. */
export function checkCost({ drawn, depth, held, filtered, work }: SvgCost, width: number, height: number): void {
  if (drawn > MAX_DRAWN) throw unsupported('svg', `it draws more than ${MAX_DRAWN} elements`);
  if (depth > MAX_DEPTH) throw unsupported('svg', `its references lead more than ${MAX_DEPTH} deep`);
  if (held * width * height > heldAllowed(width * height)) {
    throw unsupported(
      'svg',
      `at ${width} × ${height} pixels its groups, filters and dashes hold ${Math.ceil(held)} pictures at once`,
    );
  }
  if (filtered > MAX_FILTERED) throw unsupported('svg', `its filters and patterns go through too many pixels`);
  if (work > workAllowed(width * height)) {
    throw unsupported('svg', `to draw it at ${width} × ${height} pixels would take too long`);
  }
}

export const NOTHING: SvgCost = {
  drawn: 0,
  depth: 0,
  held: 0,
  filtered: 0,
  vertices: 0,
  painted: 0,
  work: 0,
  bounds: NOWHERE,
  reach: NOWHERE,
};

/** The root's cost. */
function addUp(
  order: readonly Node[],
  canvas: Canvas,
  styling: Styling,
  strokeOf: StrokeOf,
  scaleAt: ReadonlyMap<SvgElement, number>,
  embedded: EmbeddedCosts,
): SvgCost {
  const pixels = canvas.width * canvas.height;
  const costs = new Map<SvgElement, SvgCost>();
  let last = NOTHING;
  for (const { element, parts, uses, stops, functions, isIsolated, isClipped } of order) {
    const scale = scaleAt.get(element)!;
    const bounds = boundsOf(element);
    const stroke = strokeOf(element);
    const reach = grown(bounds, stroke.reach);
    const drawing = ownWork(element, { bounds, reach, dashes: stroke.dashes }, scale, canvas, styling);
    const own: SvgCost = { ...NOTHING, drawn: 1, vertices: verticesOf(element), bounds, reach, ...drawing };
    for (const part of parts) {
      const cost = costs.get(part)!;
      add(own, cost, 1);
      const matrix = matrixOf(part);
      own.bounds = union(own.bounds, transformed(cost.bounds, matrix));
      own.reach = union(own.reach, transformed(cost.reach, matrix));
    }
    const picture = embedded.get(element);
    if (picture) add(own, picture, 1);
    // fill, stroke and markers are inherited: whatever lies within may be drawn with them
    const { drawn, vertices, painted } = own;
    if (stops > 0) own.work += gradientWork(stops, drawn, painted);
    let layers = isIsolated || isClipped ? 1 : 0;
    let filtering = 0;
    // most of those that are cut off are small and many: markers, symbols
    let plain = isIsolated ? 1 : 0;
    for (const used of uses) {
      const cost = costs.get(used)!;
      const times = used.name === 'pattern' ? drawn : used.name === 'marker' ? Math.max(1, vertices) : 1;
      add(own, { ...cost, vertices: 0 }, times);
      // of a mask there is what it hides, and what it hides by
      layers += used.name === 'mask' ? 2 : 1;
      // what filters and patterns take is counted as filtered
      if (used.name !== 'filter' && used.name !== 'pattern' && used.name !== 'marker') plain++;
      if (used.name === 'marker') own.reach = EVERYWHERE;
      if (used.name === 'pattern') own.filtered += drawn * 4 * tilePixels(used, pixels, scaleAt.get(used)!);
      if (used.name === 'filter') {
        const filter = filterCost(used, scale);
        own.filtered += filter.weight * regionPixels(used, own.bounds, pixels, scale);
        filtering += filter.layers;
      }
    }
    for (const filter of functions) {
      own.filtered += filter.weight * pixels;
      filtering += filter.layers;
    }
    if (plain > 0) own.work += layerWork(plain, coveredPixels(own.reach, scale, canvas));
    last = {
      drawn: Math.min(LIMIT, own.drawn),
      depth: Math.min(LIMIT, own.depth + 1),
      held: Math.min(LIMIT, own.held + filtering + layers * spreadOf(own.reach, scale, canvas)),
      filtered: Math.min(LIMIT, own.filtered),
      vertices: Math.min(LIMIT, own.vertices),
      painted: Math.min(LIMIT, own.painted),
      work: Math.min(LIMIT, own.work),
      bounds: own.bounds,
      reach: own.reach,
    };
    costs.set(element, last);
  }
  return last;
}

function add(sum: SvgCost, { drawn, depth, held, filtered, vertices, painted, work }: SvgCost, times: number): void {
  sum.drawn += drawn * times;
  sum.depth = Math.max(sum.depth, depth);
  sum.held = Math.max(sum.held, held);
  sum.filtered += filtered * times;
  sum.vertices += vertices;
  sum.painted += painted * times;
  sum.work += work * times;
}
