// Snaps polygons to a fine integer grid and finds the points where their edges touch or cross.
import type { Polygon } from './polygon.js';

/** Grid units per pixel. Snapping moves corners by at most half a unit, so that coinciding points become equal. */
export const UNITS = 1024;
/** Coordinates in units are below this: their products are exact, and a pair of them fits in a number. */
const MAX_UNITS = 2 ** 25;
/** An end point this close to an edge, in units, counts as on it. Distinct grid points are farther apart. */
const TOUCH_DISTANCE = 0.75;

/** Steps charged for sorting an edge, and for a cut, which takes memory. */
const SORT_STEPS = 16;
const CUT_STEPS = 64;

/** The elementary steps left: pairs of edges compared, edges tested against a ray, and so on. */
export interface StepBudget {
  steps: number;
}

/** A grid point packed into one number. */
export type GridNode = number;
export const nodeOf = (x: number, y: number): GridNode => x * MAX_UNITS + y;
export const xOf = (node: GridNode): number => Math.floor(node / MAX_UNITS);
export const yOf = (node: GridNode): number => node % MAX_UNITS;

export interface Contour {
  readonly polygon: Polygon;
  /** The polygon's index, and the contour's index in it. */
  readonly owner: number;
  readonly index: number;
  /** The contour's edges: [start, end) in `Edges`; the last edge leads back to the first corner. */
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Edges {
  /** The grid's origin on the canvas. */
  readonly left: number;
  readonly top: number;
  readonly contours: readonly Contour[];
  /** Each edge's first corner in units, and the index of the following edge. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly next: Int32Array;
}

/** Snaps the polygons' edges to the grid; undefined when they are too large for it. */
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

function extremes(values: Float64Array, start: number, end: number): [min: number, max: number] {
  let min = Infinity;
  let max = -Infinity;
  for (let i = start; i < end; i++) {
    min = Math.min(min, values[i]);
    max = Math.max(max, values[i]);
  }
  return [min, max];
}

export interface Cuts {
  readonly junctions: ReadonlySet<GridNode>;
  /** The points inside each edge where it is cut; unordered, may repeat. */
  readonly byEdge: ReadonlyMap<number, GridNode[]>;
}

/** Finds where edges meet, by a sweep along the longer side of their bounds. Undefined when the budget is exhausted. */
export function findCuts(edges: Edges, budget: StepBudget): Cuts | undefined {
  const { x, y, next } = edges;
  const count = x.length;
  budget.steps -= count * SORT_STEPS;
  if (budget.steps < 0) return undefined;
  const isWide = spread(x) >= spread(y);
  const along = isWide ? x : y;
  const across = isWide ? y : x;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const starts = along.map((value, i) => Math.min(value, along[next[i]]));
  order.sort((i, j) => starts[i] - starts[j] || i - j);
  const junctions = new Set<GridNode>();
  const byEdge = new Map<number, GridNode[]>();
  const cut = (edge: number, node: GridNode) => {
    budget.steps -= CUT_STEPS;
    const nodes = byEdge.get(edge);
    if (nodes) nodes.push(node);
    else byEdge.set(edge, [node]);
    junctions.add(node);
  };
  const active = new Int32Array(count);
  let activeCount = 0;
  for (const edge of order) {
    const low = Math.min(across[edge], across[next[edge]]) - 1;
    const high = Math.max(across[edge], across[next[edge]]) + 1;
    let mergedCount = 0;
    budget.steps -= activeCount;
    if (budget.steps < 0) return undefined;
    for (let i = 0; i < activeCount; i++) {
      const other = active[i];
      const a = next[other];
      if (Math.max(along[other], along[a]) < starts[edge] - 1) continue;
      active[mergedCount++] = other;
      if (Math.max(across[other], across[a]) < low || Math.min(across[other], across[a]) > high) continue;
      intersectEdges(edges, edge, other, cut, junctions);
      if (budget.steps < 0) return undefined;
    }
    activeCount = mergedCount;
    active[activeCount++] = edge;
  }
  return { junctions, byEdge };
}

function spread(values: Float64Array): number {
  const [min, max] = extremes(values, 0, values.length);
  return max - min;
}

/** Cuts both edges where they touch or cross. */
function intersectEdges(
  { x, y, next }: Edges,
  edge: number,
  other: number,
  cut: (edge: number, node: GridNode) => void,
  junctions: Set<GridNode>,
): void {
  // an end point of one edge on the other; the corner shared by consecutive edges is not a junction
  const touch = (end: number, from: number) => {
    const to = next[from];
    if (end === from || end === to) return;
    const node = nodeOf(x[end], y[end]);
    if (node === nodeOf(x[from], y[from]) || node === nodeOf(x[to], y[to])) junctions.add(node);
    else if (distanceTo(x[from], y[from], x[to], y[to], x[end], y[end]) <= TOUCH_DISTANCE) cut(from, node);
  };
  touch(edge, other);
  touch(next[edge], other);
  touch(other, edge);
  touch(next[other], edge);
  const px = x[edge];
  const py = y[edge];
  const ux = x[next[edge]] - px;
  const uy = y[next[edge]] - py;
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
  cut(edge, node);
  cut(other, node);
}

/** The distance from (x, y) to the segment; Infinity when the foot of the perpendicular is not inside the segment. */
function distanceTo(fromX: number, fromY: number, toX: number, toY: number, x: number, y: number): number {
  const ux = toX - fromX;
  const uy = toY - fromY;
  const square = ux * ux + uy * uy;
  const along = (x - fromX) * ux + (y - fromY) * uy;
  if (!(along > 0 && along < square)) return Infinity;
  return Math.abs((x - fromX) * uy - (y - fromY) * ux) / Math.sqrt(square);
}
