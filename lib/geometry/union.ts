// The boundary of a union of polygons: overlapping contours lose the parts that are inside the filled area.
// Edges are cut where they meet. A chain is the part between two such junctions; one sample on each side decides whether it
// is part of the boundary. A wrong sample, possible where edges nearly coincide, misplaces only that chain.
import {
  type Contour,
  type Cuts,
  type Edges,
  findCuts,
  type GridNode,
  nodeOf,
  type StepBudget,
  toGrid,
  UNITS,
  xOf,
  yOf,
} from './intersections.js';
import { Polygon } from './polygon.js';

/** The distance of samples from the edge, in units. */
const SAMPLE_DISTANCE = 3;

/**
 * The boundary of the union of `polygons`, each filled by the non-zero rule. Contours that meet no other contour are
 * returned bit-identical. Undefined when the budget is exhausted or the polygons are too large for the grid.
 */
export function unionBoundary(polygons: readonly Polygon[], budget: StepBudget): Polygon | undefined {
  const edges = toGrid(polygons);
  if (!edges) return undefined;
  const cuts = findCuts(edges, budget);
  if (!cuts) return undefined;
  const out = new Polygon();
  const chains: Chain[] = [];
  /** The side of the interior, taken from the first contour; it is the same for the whole boundary. */
  let inside = 0;
  for (let c = 0; c < edges.contours.length; c++) {
    const contour = edges.contours[c];
    const path = pathOf(edges, contour, cuts);
    const first = path.findIndex((node) => cuts.junctions.has(node));
    if (first < 0) {
      if (budget.steps < 0) return undefined;
      const side = path.length > 1 ? sideOf(edges, [...path, path[0]], budget) : 0;
      inside ||= side;
      if (side !== 0) copyContour(contour, out);
      if (side !== 0 && side !== inside) out.reverse(out.starts.length - 1);
      continue;
    }
    let chain = [path[first]];
    for (let i = 1; i <= path.length; i++) {
      const node = path[(first + i) % path.length];
      chain.push(node);
      if (!cuts.junctions.has(node)) continue;
      const side = sideOf(edges, chain, budget);
      if (budget.steps < 0) return undefined;
      inside ||= side;
      if (side !== 0) chains.push(side === inside ? chain : chain.reverse());
      chain = [node];
    }
  }
  for (const ring of ringsOf(chains)) {
    ring.forEach((node, i) => {
      const x = edges.left + xOf(node) / UNITS;
      const y = edges.top + yOf(node) / UNITS;
      if (i === 0) out.begin(x, y);
      else out.add(x, y);
    });
  }
  return out;
}

/** Nodes from one junction to the next. */
type Chain = GridNode[];

/** The contour's nodes in order, including its cuts. */
function pathOf({ x, y, next }: Edges, { start, end }: Contour, cuts: Cuts): GridNode[] {
  const path: GridNode[] = [];
  const add = (node: GridNode) => {
    if (path[path.length - 1] !== node) path.push(node);
  };
  for (let i = start; i < end; i++) {
    add(nodeOf(x[i], y[i]));
    const nodes = cuts.byEdge.get(i);
    if (!nodes) continue;
    const ux = x[next[i]] - x[i];
    const uy = y[next[i]] - y[i];
    const along = (node: GridNode) => xOf(node) * ux + yOf(node) * uy;
    nodes.sort((m, n) => along(m) - along(n) || m - n);
    nodes.forEach(add);
  }
  while (path.length > 1 && path[path.length - 1] === path[0]) path.pop();
  return path;
}

/** The side of the interior: 1 left of the chain, -1 right of it, 0 when the chain is not on the boundary. */
function sideOf(edges: Edges, chain: Chain, budget: StepBudget): -1 | 0 | 1 {
  let maxSquare = -1;
  let longest = 0;
  for (let i = 0; i + 1 < chain.length; i++) {
    const dx = xOf(chain[i + 1]) - xOf(chain[i]);
    const dy = yOf(chain[i + 1]) - yOf(chain[i]);
    if (dx * dx + dy * dy > maxSquare) {
      maxSquare = dx * dx + dy * dy;
      longest = i;
    }
  }
  if (maxSquare <= 0) return 0;
  const fromX = xOf(chain[longest]);
  const fromY = yOf(chain[longest]);
  const ux = xOf(chain[longest + 1]) - fromX;
  const uy = yOf(chain[longest + 1]) - fromY;
  const distance = SAMPLE_DISTANCE / Math.sqrt(maxSquare);
  const middleX = fromX + ux / 2;
  const middleY = fromY + uy / 2;
  const left = isInside(edges, middleX + uy * distance, middleY - ux * distance, budget);
  const right = isInside(edges, middleX - uy * distance, middleY + ux * distance, budget);
  return left === right ? 0 : left ? 1 : -1;
}

/** Whether any polygon has a non-zero winding number about the point. */
function isInside({ contours, x, y, next }: Edges, px: number, py: number, budget: StepBudget): boolean {
  let owner = -1;
  let winding = 0;
  budget.steps -= contours.length;
  for (const contour of contours) {
    if (px < contour.left || px > contour.right || py < contour.top || py > contour.bottom) continue;
    if (contour.owner !== owner) {
      if (winding !== 0) return true;
      owner = contour.owner;
    }
    budget.steps -= contour.end - contour.start;
    for (let i = contour.start; i < contour.end; i++) {
      const toY = y[next[i]];
      if (y[i] <= py === toY <= py) continue;
      const crossing = x[i] + ((py - y[i]) / (toY - y[i])) * (x[next[i]] - x[i]);
      if (crossing > px) winding += toY > y[i] ? 1 : -1;
    }
  }
  return winding !== 0;
}

function copyContour({ polygon, index }: Contour, out: Polygon): void {
  const { points, starts } = polygon;
  const start = starts[index];
  out.begin(points[start], points[start + 1]);
  for (let i = start + 2; i < polygon.endOf(index); i += 2) out.add(points[i], points[i + 1]);
}

/** Joins chains end to start into rings. An open ring is retraced backwards: its stroke then has round ends. */
function ringsOf(chains: readonly Chain[]): GridNode[][] {
  const chainsFrom = new Map<GridNode, Chain[]>();
  const edges = new Set<string>();
  for (const chain of chains) {
    // coinciding edges count once
    if (chain.length === 2) {
      const key = `${chain[0]} ${chain[1]}`;
      if (edges.has(key)) continue;
      edges.add(key);
    }
    const others = chainsFrom.get(chain[0]);
    if (others) others.push(chain);
    else chainsFrom.set(chain[0], [chain]);
  }
  const rings: GridNode[][] = [];
  for (const [start, waiting] of chainsFrom) {
    for (let chain = waiting.pop(); chain; chain = waiting.pop()) {
      const ring: GridNode[] = [];
      let current: Chain | undefined = chain;
      let end = start;
      while (current) {
        for (let i = 0; i + 1 < current.length; i++) ring.push(current[i]);
        end = current[current.length - 1];
        current = end === start ? undefined : chainsFrom.get(end)?.pop();
      }
      if (end !== start) ring.push(end, ...ring.slice(1).reverse());
      rings.push(ring);
    }
  }
  return rings;
}
