// Aligns and distributes the selection: several layers with each other, one layer with the canvas.
import { rectOf } from '../../lib/geometry/rect.js';
import { wordsFor } from '../document/actions.js';
import { canvasSize } from '../document/commands.js';
import type { CanvasState } from './canvas-state.js';
import { moveChanges } from './changes.js';
import { type Alignment, type Axis, alignBy, distributeBy } from './geometry/align.js';
import { boundsOf, type Frame, type Point, unionOf } from './geometry/frames.js';

/** The selected layers that no layout places. */
function selectedFrames(state: CanvasState): readonly Frame[] {
  const frames = state.movable.value.flatMap(({ node }) => state.frames.value.get(node.id) ?? []);
  return frames.filter(({ isLaidOut }) => !isLaidOut);
}

export const canAlign = (state: CanvasState): boolean => state.editor.canEdit && selectedFrames(state).length > 0;

export const canDistribute = (state: CanvasState): boolean => state.editor.canEdit && selectedFrames(state).length > 2;

export function align(state: CanvasState, alignment: Alignment): void {
  const frames = selectedFrames(state);
  const { width, height } = canvasSize(state.editor.store.document.value);
  const to = frames.length === 1 ? rectOf(0, 0, width, height) : unionOf(frames.map(boundsOf));
  if (!to) return;
  moveEach(
    state,
    `Align ${alignment}:`,
    frames,
    frames.map((frame) => alignBy(boundsOf(frame), to, alignment)),
  );
}

export function distribute(state: CanvasState, axis: Axis): void {
  const frames = selectedFrames(state);
  moveEach(
    state,
    axis === 'x' ? 'Distribute horizontally:' : 'Distribute vertically:',
    frames,
    distributeBy(frames.map(boundsOf), axis),
  );
}

function moveEach(
  { editor: { store }, movable }: CanvasState,
  verb: string,
  frames: readonly Frame[],
  by: readonly Point[],
) {
  const document = store.document.value;
  const changes = frames.flatMap((frame, i) => moveChanges(document, [frame], by[i]!));
  const nodes = movable.value.flatMap(({ node }) => (frames.some(({ id }) => id === node.id) ? node : []));
  store.dispatch({ type: 'change', changes }, { label: `${verb} ${wordsFor(nodes)}` });
}
