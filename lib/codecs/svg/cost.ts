// Estimates the cost of rendering an SVG before resvg runs: elements counted as often as they are drawn, layers held at
// once, pixels processed by filters. References make the elements a graph. Each node is added up once, after everything
// it refers to, so ten nested `use` of ten take ten additions and count as 10^10. No recursion; the work is linear in
// the file's length.
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import { type Bounds, boundsOf, INFINITE_BOUNDS, matrixOf, transformed, union } from './bounds.js';
import {
  type CanvasSize,
  elementTimeNs,
  gradientTimeNs,
  type InheritedStyle,
  inheritedStyle,
  layerAreaRatio,
  layerTimeNs,
  maxTimeNs,
  stylesheetTimeNs,
} from './element-time.js';
import { filterCost, filterPixels, filtersRegion, layerPixels, tilePixels } from './filter-cost.js';
import { buildGraph, type GraphNode, topologicalOrder } from './graph.js';
import { countVertices } from './path.js';
import { maxScales } from './scale.js';
import { MAX_DEPTH, type SvgElement, type SvgTree } from './scan.js';
import { buildStrokeLookup, inflate, type StrokeCost, type StrokeLookup } from './stroke.js';

/** Maximum elements drawn, each counted as often as references repeat it. */
export const MAX_DRAWN_ELEMENTS = 100_000;
/**
 * Maximum pixels of the layers that groups, masks and filters hold at once, 4 bytes each: 1 GiB, and less for a small
 * image, whose admission reserves little memory. Together with the image itself, this bounds the memory of one
 * rendering.
 */
const MAX_LAYER_PIXELS = 2 ** 28;
const maxLayerPixels = (pixels: number) => Math.min(MAX_LAYER_PIXELS, 2 ** 25 + 64 * pixels);
/** Maximum work of filters and patterns, in the units of svg/filter-cost.ts: 3 to 5 seconds of processor time. */
export const MAX_FILTER_UNITS = 5e8;

/** Sums are clamped to this: they stay exact integers, and no product of two is infinite. */
const LIMIT = 1e15;

/** The cost of one element, including its contents and everything it refers to. */
export interface SvgCost {
  /** Number of elements drawn. */
  drawnElements: number;
  /** Nesting depth of elements and references. */
  depth: number;
  /** Layers held at once, in multiples of the image size. */
  heldLayers: number;
  /** Filter work, in units. */
  filterUnits: number;
  /** Vertices that may get a marker. */
  vertices: number;
  /** Pixels painted, counting repetitions. */
  paintedPixels: number;
  /** Time of everything except filters, as estimated in svg/element-time.ts. */
  timeNs: number;
}

/** The costs of embedded images, by the elements that draw them. */
export type EmbeddedCosts = ReadonlyMap<SvgElement, SvgCost>;

/**
 * Estimates the cost of rendering `tree` at `width` × `height` pixels. Throws RenderError if elements reference
 * themselves, and what `check` throws.
 */
export function measureSvg(
  tree: SvgTree,
  width: number,
  height: number,
  embedded: EmbeddedCosts = new Map(),
  check: CheckTime = () => {},
): SvgCost {
  const order = topologicalOrder(buildGraph(tree, check), tree.root);
  const cost = accumulate(
    order,
    { width, height },
    inheritedStyle(tree),
    buildStrokeLookup(tree),
    maxScales(order, width, height),
    embedded,
    check,
  );
  return { ...cost, timeNs: cost.timeNs + stylesheetTimeNs(tree) };
}

/** Throws RenderError if rendering at `width` × `height` pixels would exceed a limit. */
export function checkCost(
  { drawnElements, depth, heldLayers, filterUnits, timeNs }: SvgCost,
  width: number,
  height: number,
): void {
  if (drawnElements > MAX_DRAWN_ELEMENTS) throw unsupported('svg', `it draws more than ${MAX_DRAWN_ELEMENTS} elements`);
  if (depth > MAX_DEPTH) throw unsupported('svg', `its references are nested more than ${MAX_DEPTH} levels deep`);
  if (heldLayers * width * height > maxLayerPixels(width * height)) {
    throw unsupported(
      'svg',
      `at ${width} × ${height} pixels its groups, filters and dashes hold ${Math.ceil(heldLayers)} layers of this size at once`,
    );
  }
  if (filterUnits > MAX_FILTER_UNITS) throw unsupported('svg', 'its filters and patterns process too many pixels');
  if (timeNs > maxTimeNs(width * height)) {
    throw unsupported('svg', `rendering it at ${width} × ${height} pixels would take too long`);
  }
}

export const ZERO_COST: SvgCost = {
  drawnElements: 0,
  depth: 0,
  heldLayers: 0,
  filterUnits: 0,
  vertices: 0,
  paintedPixels: 0,
  timeNs: 0,
};

interface Boxes {
  /** Bounds of the element's own shape in its own units, and including its stroke. */
  readonly bounds: Bounds;
  readonly strokeBounds: Bounds;
  readonly stroke: StrokeCost;
  /** The same, including its contents. */
  readonly box: Bounds;
  readonly strokeBox: Bounds;
}

function boxesOf(
  order: readonly GraphNode[],
  strokeFor: StrokeLookup,
  check: CheckTime,
): ReadonlyMap<SvgElement, Boxes> {
  const boxes = new Map<SvgElement, Boxes>();
  for (const { element, parts, uses } of order) {
    check(5);
    const bounds = boundsOf(element);
    const stroke = strokeFor(element);
    const strokeBounds = inflate(bounds, stroke.outset);
    let [box, strokeBox] = [bounds, strokeBounds];
    for (const part of parts) {
      const matrix = matrixOf(part);
      const content = boxes.get(part)!;
      box = union(box, transformed(content.box, matrix));
      strokeBox = union(strokeBox, transformed(content.strokeBox, matrix));
    }
    if (uses.some(({ name }) => name === 'marker')) strokeBox = INFINITE_BOUNDS;
    boxes.set(element, { bounds, strokeBounds, stroke, box, strokeBox });
  }
  return boxes;
}

/** The pixels of the largest bitmap that each element is drawn into: the image, or the layer of a group around it. */
function maxTargetPixels(
  order: readonly GraphNode[],
  boxes: ReadonlyMap<SvgElement, Boxes>,
  scaleAt: ReadonlyMap<SvgElement, number>,
  canvas: CanvasSize,
): ReadonlyMap<SvgElement, number> {
  const found = new Map<SvgElement, number>();
  for (const { element, parts, uses, isIsolated, isClipped, functions } of [...order].reverse()) {
    let pixels = found.get(element) ?? canvas.width * canvas.height;
    const filters = uses.filter(({ name }) => name === 'filter');
    const hasLayer =
      isIsolated ||
      isClipped ||
      functions.some(({ layers }) => layers > 0) ||
      uses.some(({ name }) => LAYER_PROPERTIES.has(name));
    if (hasLayer) {
      const box = filters.length > 0 ? filtersRegion(filters, boxes.get(element)!.box) : boxes.get(element)!.strokeBox;
      pixels = Math.max(pixels, layerPixels(box, scaleAt.get(element)!, canvas));
    }
    found.set(element, pixels);
    for (const next of [...parts, ...uses]) found.set(next, Math.max(pixels, found.get(next) ?? 0));
  }
  return found;
}

const LAYER_PROPERTIES = new Set(['filter', 'mask', 'clipPath']);

/** The root's cost. */
function accumulate(
  order: readonly GraphNode[],
  canvas: CanvasSize,
  inherited: InheritedStyle,
  strokeFor: StrokeLookup,
  scaleAt: ReadonlyMap<SvgElement, number>,
  embedded: EmbeddedCosts,
  check: CheckTime,
): SvgCost {
  const boxes = boxesOf(order, strokeFor, check);
  const targetPixels = maxTargetPixels(order, boxes, scaleAt, canvas);
  const pixels = canvas.width * canvas.height;
  const costs = new Map<SvgElement, SvgCost>();
  let last = ZERO_COST;
  for (const { element, parts, uses, repeats, stops, functions, isIsolated, isClipped } of order) {
    check(10);
    const scale = scaleAt.get(element)!;
    const { bounds, strokeBounds, box, strokeBox, stroke } = boxes.get(element)!;
    const shape = { bounds, strokeBounds, dashes: stroke.dashes, maxPixels: targetPixels.get(element)! };
    const drawing = elementTimeNs(element, shape, scale, canvas, inherited);
    const own: SvgCost = {
      ...ZERO_COST,
      drawnElements: 1,
      vertices: countVertices(element),
      ...drawing,
    };
    for (const part of parts) add(own, costs.get(part)!, 1);
    const embeddedImage = embedded.get(element);
    if (embeddedImage) add(own, embeddedImage, 1);
    // fill, stroke and markers are inherited, so any descendant may be drawn with them
    const { drawnElements, vertices, paintedPixels } = own;
    if (stops > 0) own.timeNs += gradientTimeNs(stops, drawnElements, paintedPixels);
    let layers = isIsolated || isClipped ? 1 : 0;
    let filterLayers = 0;
    // clipped elements (markers, symbols) are mostly small and numerous, so their layers cost memory, but no time
    let timedLayers = isIsolated ? 1 : 0;
    const region = filtersRegion(
      uses.filter(({ name }) => name === 'filter'),
      box,
    );
    for (const target of uses) {
      const cost = costs.get(target)!;
      let times = repeats.get(target) ?? 1;
      if (target.name === 'pattern') times = drawnElements;
      if (target.name === 'marker') times = Math.max(1, vertices);
      let bitmapPixels = 0;
      if (target.name === 'pattern') {
        bitmapPixels = Math.min(LIMIT, tilePixels(target, box, scale, canvas));
        own.filterUnits += times * 4 * bitmapPixels;
      } else if (target.name === 'filter') {
        const filter = filterCost(target, box, scale);
        bitmapPixels = Math.min(LIMIT, filterPixels(target, region, scale, canvas));
        own.filterUnits += times * filter.weight * bitmapPixels;
        filterLayers += filter.layers * Math.max(1, bitmapPixels / pixels);
      }
      add(own, { ...timesPixels(cost, Math.max(1, bitmapPixels / pixels)), vertices: 0 }, times);
      // a mask needs two layers: the masked content and the mask
      layers += target.name === 'mask' ? 2 : 1;
      // the work of filters and patterns is counted in filterUnits
      if (target.name !== 'filter' && target.name !== 'pattern' && target.name !== 'marker') timedLayers++;
    }
    for (const filter of functions) {
      own.filterUnits += filter.weight * pixels;
      filterLayers += filter.layers;
    }
    if (timedLayers > 0) own.timeNs += layerTimeNs(timedLayers, layerPixels(strokeBox, scale, canvas));
    last = {
      drawnElements: Math.min(LIMIT, own.drawnElements),
      depth: Math.min(LIMIT, own.depth + 1),
      heldLayers: Math.min(LIMIT, own.heldLayers + filterLayers + layers * layerAreaRatio(strokeBox, scale, canvas)),
      filterUnits: Math.min(LIMIT, own.filterUnits),
      vertices: Math.min(LIMIT, own.vertices),
      paintedPixels: Math.min(LIMIT, own.paintedPixels),
      timeNs: Math.min(LIMIT, own.timeNs),
    };
    costs.set(element, last);
  }
  return last;
}

/** The cost of drawing into a bitmap that has `ratio` times the pixels of the image. */
function timesPixels(cost: SvgCost, ratio: number): SvgCost {
  return {
    ...cost,
    heldLayers: cost.heldLayers * ratio,
    filterUnits: cost.filterUnits * ratio,
    paintedPixels: cost.paintedPixels * ratio,
    timeNs: cost.timeNs * ratio,
  };
}

function add(
  sum: SvgCost,
  { drawnElements, depth, heldLayers, filterUnits, vertices, paintedPixels, timeNs }: SvgCost,
  times: number,
): void {
  sum.drawnElements += drawnElements * times;
  sum.depth = Math.max(sum.depth, depth);
  sum.heldLayers = Math.max(sum.heldLayers, heldLayers);
  sum.filterUnits += filterUnits * times;
  sum.vertices += vertices;
  sum.paintedPixels += paintedPixels * times;
  sum.timeNs += timeNs * times;
}
