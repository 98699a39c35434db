// Polygons → their edges on a fine grid, and the points in which the edges touch or cross.
import type { Polygon } from './polygon.js';

/** Grid units a pixel: corners near others are moved by half a unit at most, so that points which coincide are equal. */
export const UNITS = 1024;
/** Coordinates in units stay below this: their products are then exact, and a pair of them fits in a number. */
const MAX_UNITS = 2 ** 25;
/** An end this near to an edge, in units, lies on it. Two points of the grid are farther apart. */
const TOUCH = 0.75;

/** What an edge counts as when it is sorted, and a cut, which takes memory. */
const SORT_STEPS = 16;
const CUT_STEPS = 64;

/** Elementary steps that may still be taken: pairs of edges compared, edges passed by a sample's ray, and their like. */
export interface StepBudget {
  steps: number;
}

/** A point of the grid as one number. */
export type Node = number;
export const nodeOf = (x: number, y: number): Node => x * MAX_UNITS + y;
export const xOf = (node: Node): number => Math.floor(node / MAX_UNITS);
export const yOf = (node: Node): number => node % MAX_UNITS;

export interface Contour {
  readonly polygon: Polygon;
  /** Which of the polygons, and which of its contours. */
  readonly owner: number;
  readonly index: number;
  /** Its edges: from corner to corner, the last one back to the first. */
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Edges {
  /** Where on the canvas the grid begins. */
  readonly left: number;
  readonly top: number;
  readonly contours: readonly Contour[];
  /** Each edge's first corner, in units, and the edge that follows it. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly next: Int32Array;
}

/** The polygons' edges on the grid; undefined when they are too large for it. */
export function toGrid(polygons: readonly Polygon[]): Edges | undefined {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  let corners = 0;
  for (const polygon of polygons) {
    const { length, points } = polygon;
    corners += length / 2;
    for (let i = 0; i < length; i += 2) {
      left = Math.min(left, points[i]);
      right = Math.max(right, points[i]);
      top = Math.min(top, points[i + 1]);
      bottom = Math.max(bottom, points[i + 1]);
    }
  }
  if (!(Math.max(right - left, bottom - top) * UNITS < MAX_UNITS - 1)) return undefined;
  const x = new Float64Array(corners);
  const y = new Float64Array(corners);
  const next = new Int32Array(corners);
  const contours: Contour[] = [];
  let count = 0;
  polygons.forEach((polygon, owner) => {
    const { points, starts } = polygon;
    for (let index = 0; index < starts.length; index++) {
      const start = count;
      const end = polygon.endOf(index);
      for (let i = starts[index]; i < end; i += 2) {
        const cornerX = Math.round((points[i] - left) * UNITS);
        const cornerY = Math.round((points[i + 1] - top) * UNITS);
        if (count > start && x[count - 1] === cornerX && y[count - 1] === cornerY) continue;
        x[count] = cornerX;
        y[count] = cornerY;
        next[count] = ++count;
      }
      if (count - start > 1 && x[count - 1] === x[start] && y[count - 1] === y[start]) count--;
      if (count > start) next[count - 1] = start;
      const [l, r] = extremes(x, start, count);
      const [t, b] = extremes(y, start, count);
      contours.push({ polygon, owner, index, start, end: count, left: l, top: t, right: r, bottom: b });
    }
  });
  return { left, top, contours, x: x.subarray(0, count), y: y.subarray(0, count), next };
}

function extremes(values: Float64Array, start: number, end: number): [least: number, most: number] {
  let least = Infinity;
  let most = -Infinity;
  for (let i = start; i < end; i++) {
    least = Math.min(least, values[i]);
    most = Math.max(most, values[i]);
  }
  return [least, most];
}

export interface Cuts {
  readonly junctions: ReadonlySet<Node>;
  /** Where an edge is cut between its ends: in no order, and some of them repeatedly. */
  readonly of: ReadonlyMap<number, Node[]>;
}

/** Finds where edges meet, by a sweep along the longer side of their bounds. Undefined once the budget is used up. */
export function findCuts(edges: Edges, budget: StepBudget): Cuts | undefined {
  const { x, y, next } = edges;
  const count = x.length;
  budget.steps -= count * SORT_STEPS;
  if (budget.steps < 0) return undefined;
  const isWide = spread(x) >= spread(y);
  const along = isWide ? x : y;
  const across = isWide ? y : x;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const least = along.map((value, i) => Math.min(value, along[next[i]]));
  order.sort((i, j) => least[i] - least[j] || i - j);
  const junctions = new Set<Node>();
  const of = new Map<number, Node[]>();
  const cut = (edge: number, node: Node) => {
    budget.steps -= CUT_STEPS;
    const nodes = of.get(edge);
    if (nodes) nodes.push(node);
    else of.set(edge, [node]);
    junctions.add(node);
  };
  const active = new Int32Array(count);
  let open = 0;
  for (const edge of order) {
    const low = Math.min(across[edge], across[next[edge]]) - 1;
    const high = Math.max(across[edge], across[next[edge]]) + 1;
    let kept = 0;
    budget.steps -= open;
    if (budget.steps < 0) return undefined;
    for (let i = 0; i < open; i++) {
      const other = active[i];
      const a = next[other];
      if (Math.max(along[other], along[a]) < least[edge] - 1) continue;
      active[kept++] = other;
      if (Math.max(across[other], across[a]) < low || Math.min(across[other], across[a]) > high) continue;
      meet(edges, edge, other, cut, junctions);
      if (budget.steps < 0) return undefined;
    }
    open = kept;
    active[open++] = edge;
  }
  return { junctions, of };
}

function spread(values: Float64Array): number {
  const [least, most] = extremes(values, 0, values.length);
  return most - least;
}

/** Cuts both edges where they touch or cross. */
function meet(
  { x, y, next }: Edges,
  one: number,
  other: number,
  cut: (edge: number, node: Node) => void,
  junctions: Set<Node>,
): void {
  // an end of one edge on the other; the corner that neighbours share is no junction by itself
  const touch = (end: number, edge: number) => {
    const to = next[edge];
    if (end === edge || end === to) return;
    const node = nodeOf(x[end], y[end]);
    if (node === nodeOf(x[edge], y[edge]) || node === nodeOf(x[to], y[to])) junctions.add(node);
    else if (distanceTo(x[edge], y[edge], x[to], y[to], x[end], y[end]) <= TOUCH) cut(edge, node);
  };
  touch(one, other);
  touch(next[one], other);
  touch(other, one);
  touch(next[other], one);
  const px = x[one];
  const py = y[one];
  const ux = x[next[one]] - px;
  const uy = y[next[one]] - py;
  const qx = x[other] - px;
  const qy = y[other] - py;
  const vx = x[next[other]] - x[other];
  const vy = y[next[other]] - y[other];
  const cross = ux * vy - uy * vx;
  if (cross === 0) return;
  const t = (qx * vy - qy * vx) / cross;
  const u = (qx * uy - qy * ux) / cross;
  if (!(t > 0 && t < 1 && u > 0 && u < 1)) return;
  const node = nodeOf(Math.round(px + t * ux), Math.round(py + t * uy));
  cut(one, node);
  cut(other, node);
}

/** From (x, y) to the segment; Infinity where its foot lies beyond the ends. */
function distanceTo(fromX: number, fromY: number, toX: number, toY: number, x: number, y: number): number {
  const ux = toX - fromX;
  const uy = toY - fromY;
  const square = ux * ux + uy * uy;
  const along = (x - fromX) * ux + (y - fromY) * uy;
  if (!(along > 0 && along < square)) return Infinity;
  return Math.abs((x - fromX) * uy - (y - fromY) * ux) / Math.sqrt(square);
}
