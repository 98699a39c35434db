// Collects the targets that a gesture snaps to: the canvas, guides, and the layers that don't move.
import { type Rect, rectOf } from '../../lib/geometry/rect.js';
import { canvasSize, layerAt } from '../document/commands.js';
import { LISTS, locate, type NodeId } from '../document/document.js';
import type { CanvasState } from './canvas-state.js';
import { boundsOf, type Frame } from './geometry/frames.js';
import type { SnapTargets } from './geometry/snap.js';

/** Collects the siblings of the layers, and the groups around them with their siblings. */
export function snapTargets({ editor, frames }: CanvasState, moved: readonly Frame[]): SnapTargets {
  const document = editor.store.document.value;
  const { width, height } = canvasSize(document);
  const own = new Set<NodeId>(moved.map(({ id }) => id));
  const groups = new Set(moved.flatMap(({ id }) => locate(document, id)?.ancestors ?? []));
  const beside = [LISTS.flatMap((list) => document[list]), ...[...groups].map(({ children }) => children)].flat();
  const isTarget = ({ id }: { id: NodeId }) =>
    !own.has(id) && !document.hidden.has(id) && layerAt(document, id).visible !== false;
  const rects: Rect[] = [rectOf(0, 0, width, height)];
  for (const node of beside.filter(isTarget)) {
    const frame = frames.value.get(node.id);
    if (frame) rects.push(boundsOf(frame));
  }
  return { rects, guides: document.guides };
}
