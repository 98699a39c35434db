// Keyboard control of the canvas: selecting, moving and resizing by pixels, zooming, and the shortcuts of actions.
import { announce } from '../app/announce.js';
import { actionFor, keysOf, perform } from '../document/actions.js';
import { flowAxis } from '../document/coordinates.js';
import { type LayerNode, LISTS, locate, type NodeId, nameOf, selectedNodes, TYPE_NAMES } from '../document/document.js';
import { ownValue } from '../document/json.js';
import { type CanvasState, chainOf, outlineOf } from './canvas-state.js';
import { moveChanges, resizeChanges } from './changes.js';
import { type Point, pointAt } from './geometry/frames.js';
import { resizedBox, WHOLE } from './geometry/transform.js';
import { nextZoom, revealed, toStage } from './geometry/viewport.js';
import { begin } from './gestures.js';
import { layoutOf, reorderBy } from './reorder.js';

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Pixels by which arrow keys with Shift move a layer. */
const LONG_STEP = 10;

/** Handles a key on the stage. Returns whether it had a meaning. */
export function handleKey(state: CanvasState, event: KeyboardEvent): boolean {
  const { editor } = state;
  const { store } = editor;
  const keys = keysOf(event);
  const arrow = ARROWS[event.key];
  if (arrow && !event.altKey) {
    if (state.movable.value.length === 0 || !editor.canEdit) return false;
    const by = event.shiftKey ? LONG_STEP : 1;
    const distance = { x: arrow.x * by, y: arrow.y * by };
    if (event.ctrlKey || event.metaKey) resizeBy(state, distance);
    else nudge(state, distance);
    return true;
  }
  if (isZoomKey(state, event)) return true;
  switch (keys) {
    case 'Escape':
      return selectOuter(state);
    case 'Enter':
      return enter(state);
    case 'Shift+Enter':
      return selectOuter(state);
    case 'Tab':
      return selectNext(state, 1);
    case 'Shift+Tab':
      return selectNext(state, -1);
    case 'Ctrl+A':
      selectAll(state);
      return true;
    case 'Shift+F10':
    case 'ContextMenu':
      openMenu(state);
      return true;
  }
  const action = actionFor(keys);
  if (!action) return false;
  if (editor.canEdit) perform(store, editor.placements.value, action);
  return true;
}

/** Handles zooming, which people who may only read have too. */
function isZoomKey(state: CanvasState, { key, code, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (altKey) return false;
  const { zoom } = state.viewport.value;
  // other keyboards have digits with Shift, and signs elsewhere
  if (shiftKey && !ctrlKey && !metaKey && code === 'Digit1') state.fit();
  else if (shiftKey && !ctrlKey && !metaKey && code === 'Digit0') state.zoomTo(1);
  else if (key === '+' || key === '=') state.zoomTo(nextZoom(zoom, 1));
  else if (key === '-' || key === '_') state.zoomTo(nextZoom(zoom, -1));
  else return false;
  announce(`Zoom ${Math.round(state.viewport.value.zoom * 100)} %`);
  return true;
}

/** Milliseconds without another key after which a layer's place is announced. */
const QUIET_MS = 250;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Announces a text once no other follows: a held key repeats. */
function announceSoon(text: () => string): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => announce(text()), QUIET_MS);
}

function nudge(state: CanvasState, distance: Point): void {
  const located = state.movable.value;
  const group = layoutOf(located);
  const { own, document, step, change } = begin(state, 'Move');
  const ids = own.map(({ id }) => id);
  const name = nameOf(located[0]!.node);
  if (group) {
    const along = distance[flowAxis(group.raw)];
    const word = String(group.raw.layout);
    const isMoved = along !== 0 && reorderBy(state, group, ids, along > 0 ? 1 : -1, { label: step.label });
    const place = locate(state.editor.store.document.value, ids[0]!)!.index + 1;
    announceSoon(() =>
      along === 0
        ? `The ${word} ${nameOf(group)} places its layers: X and Y have no effect on ${name}`
        : `${name}, ${place} of ${group.children.length} in the ${word}${isMoved ? '' : ', no further place'}`,
    );
    return;
  }
  const free = own.filter(({ isLaidOut }) => !isLaidOut);
  change(moveChanges(document, free, distance), { label: step.label, merge: `nudge ${ids.join()}` });
  announceSoon(() => (located.length === 1 ? placeWords(state, ids[0]!) : `${located.length} layers moved`));
}

function resizeBy(state: CanvasState, distance: Point): void {
  const { own, document, frames, step, change } = begin(state, 'Resize');
  const changes = own.flatMap((frame) => {
    const { box } = frame;
    // along the layer's own axes
    const { a, b, c, d } = frame.toCanvas;
    const along = { x: a * distance.x + c * distance.y, y: b * distance.x + d * distance.y };
    const handle = { x: distance.x === 0 ? 0 : 1, y: distance.y === 0 ? 0 : 1 } as const;
    const to = resizedBox(frame, handle, along, { exact: WHOLE });
    return to === box ? [] : resizeChanges(document, frames, frame.id, to, WHOLE);
  });
  change(changes, { label: step.label, merge: `resize ${own.map(({ id }) => id).join()}` });
  announceSoon(() => (own.length === 1 ? sizeWords(state, own[0]!.id) : `${own.length} layers resized`));
}

const lengthText = (length: number): string => String(Math.round(length * 100) / 100);

function placeWords({ frames, editor }: CanvasState, id: NodeId): string {
  const { box } = frames.value.get(id)!;
  return `${nameOf(locate(editor.store.document.value, id)!.node)}, x ${lengthText(box.x)}, y ${lengthText(box.y)}`;
}

function sizeWords({ frames, editor }: CanvasState, id: NodeId): string {
  const { box } = frames.value.get(id)!;
  const name = nameOf(locate(editor.store.document.value, id)!.node);
  return `${name}, ${lengthText(box.width)} × ${lengthText(box.height)}`;
}

/** Describes the selection in words. */
export function selectionWords(state: CanvasState): string {
  const document = state.editor.store.document.value;
  const [first, ...others] = selectedNodes(document);
  if (!first) return 'Nothing selected';
  if (others.length > 0) return `${others.length + 1} layers selected`;
  const { node } = first;
  const frame = state.frames.value.get(node.id);
  const type = ownValue(TYPE_NAMES, node.raw.type) ?? 'Layer';
  if (!frame) return `${nameOf(node)}, ${type}`;
  const place = frame.isLaidOut
    ? `placed by ${nameOf(first.ancestors.at(-1)!)}`
    : `x ${lengthText(frame.box.x)}, y ${lengthText(frame.box.y)}`;
  const turn = frame.rotation ? `, turned by ${lengthText(frame.rotation)}°` : '';
  return `${nameOf(node)}, ${type}, ${place}, ${lengthText(frame.box.width)} × ${lengthText(frame.box.height)}${turn}`;
}

/** Selects by keyboard: announces the selection, and brings it into sight. */
export function selectAloud(state: CanvasState, ids: readonly NodeId[]): void {
  state.editor.store.select(ids);
  clearTimeout(waiting);
  announce(selectionWords(state));
  const frame = ids[0] === undefined ? undefined : state.frames.value.get(ids[0]);
  if (!frame) return;
  const stage = state.stage.value;
  const { x, y } = toStage(state.viewport.value, pointAt(frame, 0.5, 0.5));
  const isInSight = x >= 0 && y >= 0 && x <= stage.width && y <= stage.height;
  if (!isInSight) state.show(revealed(state.viewport.value, pointAt(frame, 0.5, 0.5), stage));
}

/** Stages that Tab leaves, because Escape was pressed with nothing selected. */
const leaving = new WeakSet<CanvasState>();

function selectOuter(state: CanvasState): boolean {
  const { selection } = state.editor.store.document.value;
  const [first] = selection;
  if (first === undefined) leaving.add(state);
  else selectAloud(state, chainOf(state, first).slice(0, -1).slice(-1));
  return true;
}

/** Enters a group, or begins to edit a text. */
function enter(state: CanvasState): boolean {
  const { editor } = state;
  const [located] = selectedNodes(editor.store.document.value);
  if (!located) return selectNext(state, 1);
  const { node } = located;
  if (node.raw.type === 'text') {
    if (editor.canEdit) editor.editedText.value = node.id;
  } else if (node.children.length > 0) selectAloud(state, [node.children.at(-1)!.id]);
  return true;
}

function siblings(state: CanvasState): readonly LayerNode[] {
  const document = state.editor.store.document.value;
  const [first] = document.selection;
  const parent = first === undefined ? undefined : locate(document, first)?.ancestors.at(-1);
  const nodes = parent ? parent.children : LISTS.flatMap((list) => document[list]);
  return nodes.filter(({ id }) => !document.hidden.has(id) && !document.locked.has(id));
}

/** Selects the layer above or below. After the last one, the focus leaves the canvas. */
function selectNext(state: CanvasState, direction: 1 | -1): boolean {
  const nodes = siblings(state);
  const { selection } = state.editor.store.document.value;
  const isLeaving = leaving.delete(state);
  const from = nodes.findIndex(({ id }) => id === selection.at(-1));
  const start = direction > 0 ? 0 : nodes.length - 1;
  const next = nodes[selection.length > 0 ? from + direction : start];
  if (!next || (isLeaving && selection.length === 0)) return false;
  selectAloud(state, [next.id]);
  return true;
}

function selectAll(state: CanvasState): void {
  selectAloud(
    state,
    siblings(state).map(({ id }) => id),
  );
}

/** Opens the menu beside the selection. */
function openMenu(state: CanvasState): void {
  const frames = selectedNodes(state.editor.store.document.value).flatMap(
    ({ node }) => state.frames.value.get(node.id) ?? [],
  );
  const { width, height } = state.stage.value;
  const outline = outlineOf(frames);
  state.menu.value = outline ? toStage(state.viewport.value, outline[2]) : { x: width / 2, y: height / 2 };
}
