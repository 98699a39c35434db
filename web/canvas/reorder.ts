// Drags layers of a row, column or grid to another place in it, or out of it.

import { invert } from '../../lib/geometry/affine.js';
import { moveStep, wordsFor } from '../document/actions.js';
import { layerAt } from '../document/commands.js';
import { flowAxis, hasLayout } from '../document/coordinates.js';
import { type LayerNode, type Located, locate, type NodeId, nameOf } from '../document/document.js';
import { numberOf } from '../document/json.js';
import type { CanvasState } from './canvas-state.js';
import { type Box, distanceIn, type Frame, isInside, mapPoint, type Point } from './geometry/frames.js';
import { begin, type Gesture, ghostsOf, type Pointer } from './gestures.js';

/** The group whose layout places all these layers, if there is one. */
export function layoutOf(located: readonly Located[]): LayerNode | undefined {
  const group = located[0]?.ancestors.at(-1);
  if (!group || !hasLayout(group.raw)) return undefined;
  const isItem = ({ node, ancestors }: Located) => ancestors.at(-1) === group && node.raw.position !== 'absolute';
  return located.every(isItem) ? group : undefined;
}

/** A place in a layout: before the layer at `index`, and the line that shows it. */
interface Place {
  readonly index: number;
  readonly line: readonly [Point, Point];
}

/** Pixels of the stage by which a layer may leave its group's box before it leaves the group. */
const LEAVE_REACH = 16;

export function reorderGesture(state: CanvasState, group: LayerNode, start: Point): Gesture {
  const { store, placements } = state.editor;
  const { document, own, located, end, cancel, frames, step } = begin(state, 'Move');
  const ids = own.map(({ id }) => id);
  const frame = frames.get(group.id)!;
  let drop: () => void = () => {};
  return {
    cursor: 'default',
    move(pointer) {
      const distance = { x: pointer.x - start.x, y: pointer.y - start.y };
      const ghosts = ghostsOf(own, distance);
      if (isInside(frame, pointer, LEAVE_REACH / state.viewport.value.zoom)) {
        const { index, line } = placeAt(state, group, pointer);
        state.feedback.value = { ghosts, insertion: line };
        drop = () => store.dispatch({ type: 'move', ids, parent: group.id, index }, step);
        return;
      }
      state.feedback.value = { ghosts, tip: { text: `Out of ${nameOf(group)}`, at: pointer } };
      drop = () => takeOut(pointer, distance);
    },
    end() {
      drop();
      end();
    },
    cancel,
  };

  function takeOut({ ctrl }: Pointer, distance: Point): void {
    const { ancestors, list, index } = locate(document, group.id)!;
    const parent = ancestors.at(-1)?.id;
    const move = moveStep(document, placements.value, ids, { parent, list, index: index + 1 });
    if (!move) return;
    const label = `Move ${wordsFor(located.map(({ node }) => node))} out of ${nameOf(group)}`;
    store.dispatch(move.command, { ...step, label });
    const by = distanceIn(frame.parent, distance);
    const changes = ids.flatMap((id) => {
      const { x, y } = layerAt(store.document.value, id);
      const [left, top] = [numberOf(x), numberOf(y)];
      // another layout places it
      if (left === undefined || top === undefined) return [];
      const at = (value: number) => (ctrl ? Math.round(value * 100) / 100 : Math.round(value));
      return [{ id, fields: { x: at(left + by.x), y: at(top + by.y) } }];
    });
    store.dispatch({ type: 'change', changes }, { ...step, label });
  }
}

/** Finds the place in a row or column that is nearest to a point of the canvas. */
function placeAt({ frames, editor }: CanvasState, group: LayerNode, point: Point): Place {
  const frame = frames.value.get(group.id)!;
  const document = editor.store.document.value;
  const axis = flowAxis(group.raw);
  const children = group.children
    .map(({ id }, index) => ({ index, frame: frames.value.get(id), raw: layerAt(document, id) }))
    .filter(({ frame: each, raw }) => each?.isLaidOut && raw.visible !== false);
  // in the coordinates of the layers
  const inner = mapPoint(invert(frame.toCanvas) ?? frame.toCanvas, point);
  const at = { x: inner.x - frame.box.x, y: inner.y - frame.box.y };
  const nearest = children.toSorted((p, q) => distanceTo(p.frame!.box, at) - distanceTo(q.frame!.box, at))[0];
  if (!nearest) return { index: 0, line: lineOf(frame, { x: 0, y: 0, width: 0, height: frame.box.height }, axis, 0) };
  const { box } = nearest.frame!;
  const isAfter = axis === 'x' ? at.x > box.x + box.width / 2 : at.y > box.y + box.height / 2;
  const neighbour = children[children.indexOf(nearest) + (isAfter ? 1 : -1)]?.frame?.box;
  return {
    index: nearest.index + (isAfter ? 1 : 0),
    line: lineOf(frame, box, axis, halfGap(box, neighbour, axis, isAfter)),
  };
}

/** Returns the offset of the line: the middle of the gap, else just beside the layer. */
function halfGap(box: Box, neighbour: Box | undefined, axis: 'x' | 'y', isAfter: boolean): number {
  const length = axis === 'x' ? 'width' : 'height';
  const gap = neighbour
    ? isAfter
      ? neighbour[axis] - box[axis] - box[length]
      : box[axis] - neighbour[axis] - neighbour[length]
    : 0;
  const beside = gap > 0 ? gap / 2 : 2;
  return isAfter ? box[length] + beside : -beside;
}

function lineOf(group: Frame, box: Box, axis: 'x' | 'y', offset: number): readonly [Point, Point] {
  const onCanvas = (x: number, y: number) => mapPoint(group.toCanvas, { x: group.box.x + x, y: group.box.y + y });
  return axis === 'x'
    ? [onCanvas(box.x + offset, box.y), onCanvas(box.x + offset, box.y + box.height)]
    : [onCanvas(box.x, box.y + offset), onCanvas(box.x + box.width, box.y + offset)];
}

function distanceTo({ x, y, width, height }: Box, point: Point): number {
  const outside = (at: number, start: number, length: number) => Math.max(start - at, 0, at - start - length);
  return Math.hypot(outside(point.x, x, width), outside(point.y, y, height));
}

/** Moves layers in their row or column by one place. Returns whether they moved. */
export function reorderBy(
  state: CanvasState,
  group: LayerNode,
  ids: readonly NodeId[],
  direction: 1 | -1,
  step: { label: string; merge?: string },
): boolean {
  const { store } = state.editor;
  const places = group.children.flatMap(({ id }, index) => (ids.includes(id) ? index : []));
  const index = direction > 0 ? Math.max(...places) + 2 : Math.min(...places) - 1;
  if (index < 0 || index > group.children.length) return false;
  store.dispatch({ type: 'move', ids, parent: group.id, index }, step);
  return true;
}
