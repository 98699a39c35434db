// Finds the layer under the pointer, and what a click or a marquee selects there.
import type { Rect } from '../../../lib/geometry/rect.js';
import { layerAt } from '../../document/commands.js';
import { hasLayout } from '../../document/coordinates.js';
import { type EditorDocument, type LayerNode, LISTS, type NodeId } from '../../document/document.js';
import type { Json } from '../../document/json.js';
import { boundsOf, cornersOf, type Frames, isInside, type Point } from './frames.js';

/** The groups around a layer from the outside in, then the layer. */
export type Chain = readonly NodeId[];

/** Whether a layer can be hit: it must be drawn, and not locked. */
const canHit = (document: EditorDocument, { id }: LayerNode, raw: Json): boolean =>
  raw.visible !== false && !document.hidden.has(id) && !document.locked.has(id);

/** Whether a group's box is visible: then it can be hit beside its layers, and resizing it leaves them as they are. */
export const isBoxed = (group: Json): boolean =>
  hasLayout(group) || group.clip === true || BOX_FIELDS.some((name) => Boolean(group[name]));

const BOX_FIELDS = ['backgroundColor', 'border', 'borderTop', 'borderRight', 'borderBottom', 'borderLeft'];

/** Finds the topmost layer at a point of the canvas. A point hits a layer from up to `slack` pixels away. */
export function hitAt(document: EditorDocument, frames: Frames, point: Point, slack = 0): Chain | undefined {
  const hitIn = (nodes: readonly LayerNode[]): Chain | undefined => {
    for (const node of nodes.toReversed()) {
      const frame = frames.get(node.id);
      const raw = layerAt(document, node.id);
      if (!frame || !canHit(document, node, raw)) continue;
      const isIn = isInside(frame, point, slack);
      if (node.raw.type !== 'group') {
        if (isIn) return [node.id];
        continue;
      }
      const inner = isIn || raw.clip !== true ? hitIn(node.children) : undefined;
      if (inner) return [node.id, ...inner];
      if (isIn && isBoxed(raw)) return [node.id];
    }
    return undefined;
  };
  // hotspots are over the layers
  for (const list of LISTS.toReversed()) {
    const hit = hitIn(document[list]);
    if (hit) return hit;
  }
  return undefined;
}

/** Returns the groups whose layers a click selects: those around the selected layers. */
function entered(document: EditorDocument, chainOf: (id: NodeId) => Chain): ReadonlySet<NodeId> {
  return new Set(document.selection.flatMap((id) => chainOf(id).slice(0, -1)));
}

/** Returns the layer that a click selects: the outermost group, or the next one within an entered group. */
export function targetOf(document: EditorDocument, chain: Chain, chainOf: (id: NodeId) => Chain): NodeId {
  const groups = entered(document, chainOf);
  const outside = chain.findLastIndex((id) => groups.has(id));
  return chain[outside + 1] ?? chain.at(-1)!;
}

/** Returns the layer that a double click selects, one level below the selected one. */
export function deeperTarget(document: EditorDocument, chain: Chain): NodeId {
  const selected = chain.findLastIndex((id) => document.selection.includes(id));
  return chain[selected + 1] ?? chain.at(-1)!;
}

/** Finds the layers of the canvas, or of the entered group, that a marquee touches. */
export function touchedBy(
  document: EditorDocument,
  frames: Frames,
  area: Rect,
  group: LayerNode | undefined,
): readonly NodeId[] {
  const nodes = group ? group.children : LISTS.flatMap((list) => document[list]);
  const touched: NodeId[] = [];
  for (const node of nodes) {
    const frame = frames.get(node.id);
    if (!frame || !canHit(document, node, layerAt(document, node.id))) continue;
    if (touches(frame, area)) touched.push(node.id);
  }
  return touched;
}

/** Whether a rotated box and an upright rectangle overlap, by the separating axis theorem. */
function touches(frame: Parameters<typeof boundsOf>[0], area: Rect): boolean {
  const bounds = boundsOf(frame);
  if (bounds.left > area.right || bounds.right < area.left || bounds.top > area.bottom || bounds.bottom < area.top) {
    return false;
  }
  const corners = cornersOf(frame);
  const others = [area.left, area.right].flatMap((x) => [area.top, area.bottom].map((y) => ({ x, y })));
  return [corners[1], corners[3]].every((end) => {
    const axis = { x: end.x - corners[0].x, y: end.y - corners[0].y };
    const along = ({ x, y }: Point) => x * axis.x + y * axis.y;
    const [own, theirs] = [corners.map(along), others.map(along)];
    return Math.min(...own) <= Math.max(...theirs) && Math.max(...own) >= Math.min(...theirs);
  });
}
