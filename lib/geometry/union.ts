// Polygons → the boundary of what they fill together: contours that overlap, themselves or each other, lose the parts that
// lie inside. Edges are cut where they meet; of each stretch between two such junctions one sample on either side tells
// whether it is boundary. A wrong answer, where edges all but coincide, misplaces one stretch and nothing else.
import {
  type Contour,
  type Cuts,
  type Edges,
  findCuts,
  type Node,
  nodeOf,
  type StepBudget,
  toGrid,
  UNITS,
  xOf,
  yOf,
} from './intersections.js';
import { Polygon } from './polygon.js';

/** How far beside an edge samples are taken, in units. */
const BESIDE = 3;

/**
 * The boundary of the union of `polygons`, each filled by the non-zero rule. Contours that meet no other come out as they
 * are, to the last bit. Undefined when the budget does not suffice, or the polygons are too large for the grid.
 */
export function unionBoundary(polygons: readonly Polygon[], budget: StepBudget): Polygon | undefined {
  const edges = toGrid(polygons);
  if (!edges) return undefined;
  const cuts = findCuts(edges, budget);
  if (!cuts) return undefined;
  const out = new Polygon();
  const stretches: Stretch[] = [];
  /** The side on which all of the boundary has its inside: the first contour's. */
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
    let stretch = [path[first]];
    for (let i = 1; i <= path.length; i++) {
      const node = path[(first + i) % path.length];
      stretch.push(node);
      if (!cuts.junctions.has(node)) continue;
      const side = sideOf(edges, stretch, budget);
      if (budget.steps < 0) return undefined;
      inside ||= side;
      if (side !== 0) stretches.push(side === inside ? stretch : stretch.reverse());
      stretch = [node];
    }
  }
  for (const ring of ringsOf(stretches)) {
    ring.forEach((node, i) => {
      const x = edges.left + xOf(node) / UNITS;
      const y = edges.top + yOf(node) / UNITS;
      if (i === 0) out.begin(x, y);
      else out.add(x, y);
    });
  }
  return out;
}

/** Nodes from junction to junction. */
type Stretch = Node[];

/** The contour's nodes in order, with those that it is cut at. */
function pathOf({ x, y, next }: Edges, { start, end }: Contour, cuts: Cuts): Node[] {
  const path: Node[] = [];
  const add = (node: Node) => {
    if (path[path.length - 1] !== node) path.push(node);
  };
  for (let i = start; i < end; i++) {
    add(nodeOf(x[i], y[i]));
    const nodes = cuts.of.get(i);
    if (!nodes) continue;
    const ux = x[next[i]] - x[i];
    const uy = y[next[i]] - y[i];
    const along = (node: Node) => xOf(node) * ux + yOf(node) * uy;
    nodes.sort((m, n) => along(m) - along(n) || m - n);
    nodes.forEach(add);
  }
  while (path.length > 1 && path[path.length - 1] === path[0]) path.pop();
  return path;
}

/** Where the inside lies: 1 on the left of the stretch, -1 on its right, 0 when it is no boundary. */
function sideOf(edges: Edges, stretch: Stretch, budget: StepBudget): -1 | 0 | 1 {
  let longest = -1;
  let at = 0;
  for (let i = 0; i + 1 < stretch.length; i++) {
    const dx = xOf(stretch[i + 1]) - xOf(stretch[i]);
    const dy = yOf(stretch[i + 1]) - yOf(stretch[i]);
    if (dx * dx + dy * dy > longest) {
      longest = dx * dx + dy * dy;
      at = i;
    }
  }
  if (longest <= 0) return 0;
  const fromX = xOf(stretch[at]);
  const fromY = yOf(stretch[at]);
  const ux = xOf(stretch[at + 1]) - fromX;
  const uy = yOf(stretch[at + 1]) - fromY;
  const beside = BESIDE / Math.sqrt(longest);
  const middleX = fromX + ux / 2;
  const middleY = fromY + uy / 2;
  const left = isInside(edges, middleX + uy * beside, middleY - ux * beside, budget);
  const right = isInside(edges, middleX - uy * beside, middleY + ux * beside, budget);
  return left === right ? 0 : left ? 1 : -1;
}

/** Whether any of the polygons has a winding number other than 0 about the point. */
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

/** Joins stretches end to start. One that leads nowhere is gone back along: its stroke then has round ends. */
function ringsOf(stretches: readonly Stretch[]): Node[][] {
  const from = new Map<Node, Stretch[]>();
  const edges = new Set<string>();
  for (const stretch of stretches) {
    // edges that lie on one another count once
    if (stretch.length === 2) {
      const key = `${stretch[0]} ${stretch[1]}`;
      if (edges.has(key)) continue;
      edges.add(key);
    }
    const others = from.get(stretch[0]);
    if (others) others.push(stretch);
    else from.set(stretch[0], [stretch]);
  }
  const rings: Node[][] = [];
  for (const [start, waiting] of from) {
    for (let stretch = waiting.pop(); stretch; stretch = waiting.pop()) {
      const ring: Node[] = [];
      let at: Stretch | undefined = stretch;
      let end = start;
      while (at) {
        for (let i = 0; i + 1 < at.length; i++) ring.push(at[i]);
        end = at[at.length - 1];
        at = end === start ? undefined : from.get(end)?.pop();
      }
      if (end !== start) ring.push(end, ...ring.slice(1).reverse());
      rings.push(ring);
    }
  }
  return rings;
}
