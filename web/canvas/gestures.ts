// Gestures with the pointer. Each is a series of commands that start from the document at its beginning, and one step of the
// history.
import { wordsFor } from '../document/actions.js';
import { canvasSize, type LayerChange } from '../document/commands.js';
import type { EditorDocument, LayerNode, Located, NodeId } from '../document/document.js';
import { type CanvasState, outlineOf } from './canvas-state.js';
import { moveChanges, resizeChanges, turnChange } from './changes.js';
import { boundsOf, centreOf, type Frame, isUpright, type Point, unionOf } from './geometry/frames.js';
import { touchedBy } from './geometry/hit.js';
import { snapMove, snapSides } from './geometry/snap.js';
import {
  EXACT,
  type Exact,
  type Handle,
  halfTurn,
  resizedBox,
  scaledBox,
  scaleOf,
  turnedBox,
  WHOLE,
  wholeDistance,
} from './geometry/transform.js';
import { snapTargets } from './snap-targets.js';

/** The pointer's position on the canvas, and the modifier keys that are held. */
export interface Pointer extends Point {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

export interface Gesture {
  /** The cursor during the gesture. */
  readonly cursor: string;
  move(pointer: Pointer): void;
  end(): void;
  cancel(): void;
}

/** Distance in pixels of the stage within which layers snap. */
const SNAP_REACH = 6;
/** Rotation with Shift goes in steps of this many degrees. */
const TURN_STEP = 15;

/** Number of gestures so far; it names each one's series of commands, so that each is a separate step. */
let gestures = 0;
export const mergeName = (): string => `gesture ${++gestures}`;

const minus = (p: Point, q: Point): Point => ({ x: p.x - q.x, y: p.y - q.y });

const nodesOf = (located: readonly Located[]): readonly LayerNode[] => located.map(({ node }) => node);

export interface Step {
  readonly label: string;
  readonly merge: string;
}

/** Begins a gesture that changes layers, and returns the ways to end it. */
export function begin(state: CanvasState, verb: string) {
  const { store } = state.editor;
  const before = store.history.value;
  const located = state.movable.value;
  const frames = state.frames.value;
  return {
    before,
    document: before.present,
    located,
    frames,
    own: located.flatMap(({ node }) => frames.get(node.id) ?? []),
    step: { label: `${verb} ${wordsFor(nodesOf(located))}`, merge: mergeName() },
    change(changes: readonly LayerChange[], step: Step) {
      store.dispatch({ type: 'change', changes }, step);
    },
    end() {
      state.feedback.value = undefined;
      store.endStep();
    },
    /** Restores the state before the gesture. */
    cancel() {
      state.feedback.value = undefined;
      if (store.history.value !== before) store.open(before);
    },
  };
}

export function moveGesture(state: CanvasState, start: Point): Gesture {
  const { store } = state.editor;
  const { before, located, own, end, cancel, change, step } = begin(state, 'Move');
  const copyStep = { ...step, label: `Duplicate ${wordsFor(nodesOf(located))}` };
  const free = own.filter(({ isLaidOut }) => !isLaidOut);
  const bounds = unionOf(free.map(boundsOf));
  const targets = snapTargets(state, free);
  /** The document with the layers that move; while Alt is held, with copies of them. */
  let base: EditorDocument = before.present;
  let moved = free;
  let copies = false;

  function setCopies(wanted: boolean): void {
    if (wanted === copies) return;
    copies = wanted;
    store.open(before);
    if (copies) {
      const ids = free.map(({ id }) => id);
      store.dispatch({ type: 'duplicate', ids, dx: 0, dy: 0 }, copyStep);
    }
    base = store.document.value;
    moved = copies ? free.map((frame, i) => ({ ...frame, id: base.selection[i] ?? frame.id })) : free;
  }

  return {
    cursor: 'default',
    move(pointer) {
      if (!bounds || !free[0]) return;
      setCopies(pointer.alt);
      let distance = minus(pointer, start);
      let exact: Exact = pointer.ctrl ? EXACT : WHOLE;
      if (pointer.shift) {
        distance = Math.abs(distance.x) >= Math.abs(distance.y) ? { x: distance.x, y: 0 } : { x: 0, y: distance.y };
      }
      if (!pointer.ctrl) {
        const { left, top, right, bottom } = bounds;
        const { x, y } = distance;
        const reach = SNAP_REACH / state.viewport.value.zoom;
        const at = { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
        const { by, isSnapped, lines, gaps } = snapMove(at, targets, reach);
        // Shift keeps the layers where they are along the other axis
        const [keepsX, keepsY] = [pointer.shift && x === 0, pointer.shift && y === 0];
        distance = { x: keepsX ? 0 : x + by.x, y: keepsY ? 0 : y + by.y };
        exact = { x: keepsX || isSnapped.x, y: keepsY || isSnapped.y };
        state.feedback.value = { lines, gaps };
      } else state.feedback.value = undefined;
      change(moveChanges(base, moved, wholeDistance(free[0], distance, exact)), copies ? copyStep : step);
    },
    end,
    cancel,
  };
}

export function resizeGesture(state: CanvasState, handle: Handle, start: Point, cursor: string): Gesture {
  const { document, frames, own, end, cancel, change, step } = begin(state, 'Resize');
  const bounds = unionOf(own.map(boundsOf))!;
  const [only] = own.length === 1 ? own : [];
  const targets = snapTargets(state, own);
  const canSnap = !only || isUpright(only.toCanvas);
  // a mirrored layer has its left side at the right
  const onCanvas = {
    x: handle.x * (only && only.toCanvas.a < 0 ? -1 : 1),
    y: handle.y * (only && only.toCanvas.d < 0 ? -1 : 1),
  };

  return {
    cursor,
    move(pointer) {
      let distance = minus(pointer, start);
      const isExact = pointer.ctrl;
      let exact: Exact = isExact ? EXACT : WHOLE;
      let driver: 'x' | 'y' | undefined;
      if (canSnap && !isExact) {
        const resized = {
          left: bounds.left + (onCanvas.x < 0 ? distance.x : 0),
          right: bounds.right + (onCanvas.x > 0 ? distance.x : 0),
          top: bounds.top + (onCanvas.y < 0 ? distance.y : 0),
          bottom: bounds.bottom + (onCanvas.y > 0 ? distance.y : 0),
        };
        const snapped = snapSides(resized, onCanvas, targets, SNAP_REACH / state.viewport.value.zoom);
        distance = { x: distance.x + snapped.by.x, y: distance.y + snapped.by.y };
        exact = snapped.isSnapped;
        if (snapped.isSnapped.x !== snapped.isSnapped.y) driver = snapped.isSnapped.x ? 'x' : 'y';
        state.feedback.value = { lines: snapped.lines };
      }
      const options = { keepsRatio: pointer.shift, fromCentre: pointer.alt, exact, driver };
      const changes = only
        ? resizeChanges(document, frames, only.id, resizedBox(only, handle, distance, options), exact)
        : scaledChanges(distance, options);
      change(changes, step);
      const { width, height } = sizeOf(state, only?.id);
      state.feedback.value = { ...state.feedback.value, size: `${lengthText(width)} × ${lengthText(height)}` };
    },
    end,
    cancel,
  };

  function scaledChanges(distance: Point, options: Parameters<typeof scaleOf>[3] & { readonly exact: Exact }) {
    const map = scaleOf(bounds, handle, distance, options);
    return own.flatMap((frame) => {
      return resizeChanges(document, frames, frame.id, scaledBox(frame, map, options.exact), options.exact);
    });
  }
}

const lengthText = (length: number): string => String(Math.round(length * 100) / 100);

/** Returns the size of a layer, or of the selection's bounds. */
export function sizeOf(state: CanvasState, id: NodeId | undefined): { width: number; height: number } {
  const frame = id === undefined ? undefined : state.frames.value.get(id);
  if (frame) return frame.box;
  const frames = state.movable.value.flatMap(({ node }) => state.frames.value.get(node.id) ?? []);
  const { left, top, right, bottom } = unionOf(frames.map(boundsOf)) ?? { left: 0, top: 0, right: 0, bottom: 0 };
  return { width: right - left, height: bottom - top };
}

const angleOf = ({ x, y }: Point): number => (Math.atan2(y, x) * 180) / Math.PI;

export function rotateGesture(state: CanvasState, start: Point): Gesture {
  const { document, own, end, cancel, change, step } = begin(state, 'Rotate');
  const about = centreOfAll(own);
  const first = angleOf(minus(start, about));
  const [only] = own.length === 1 ? own : [];
  return {
    cursor: 'grabbing',
    move(pointer) {
      const turned = angleOf(minus(pointer, about)) - first;
      const before = only?.rotation ?? 0;
      const unit = pointer.shift ? TURN_STEP : pointer.ctrl ? 0.1 : 1;
      // the layer itself comes to whole degrees, or to multiples of 15
      const degrees = Math.round((before + turned) / unit) * unit - before;
      change(
        own.map((frame) => turnChange(document, frame, turnedBox(frame, degrees, about))),
        step,
      );
      state.feedback.value = { tip: { text: `${lengthText(halfTurn(before + degrees))}°`, at: pointer } };
    },
    end,
    cancel,
  };
}

function centreOfAll(frames: readonly Frame[]): Point {
  if (frames.length === 1) return centreOf(frames[0]!);
  const { left, top, right, bottom } = unionOf(frames.map(boundsOf))!;
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Selects the layers that a rectangle touches; with Shift, adds them to the selection. */
export function marqueeGesture(state: CanvasState, start: Point): Gesture {
  const { store } = state.editor;
  const before = store.document.value.selection;
  return {
    cursor: 'default',
    move(pointer) {
      state.feedback.value = { marquee: [start, pointer] };
      const area = {
        left: Math.min(start.x, pointer.x),
        top: Math.min(start.y, pointer.y),
        right: Math.max(start.x, pointer.x),
        bottom: Math.max(start.y, pointer.y),
      };
      const touched = touchedBy(store.document.value, state.frames.value, area, undefined);
      const selection = pointer.shift ? before : [];
      store.select([...selection, ...touched.filter((id) => !selection.includes(id))]);
    },
    end() {
      state.feedback.value = undefined;
    },
    cancel() {
      state.feedback.value = undefined;
      store.select(before);
    },
  };
}

/** Moves a guide, or creates one. Outside the stage the guide is removed. `index` is that of an existing guide. */
export function guideGesture(state: CanvasState, axis: 'x' | 'y', index: number | undefined): Gesture {
  const { store } = state.editor;
  const before = store.history.value;
  const { guides } = before.present;
  const others = guides[axis].filter((_, i) => i !== index);
  const { width, height } = canvasSize(before.present);
  const label = index === undefined ? 'Add guide' : 'Move guide';
  const merge = mergeName();
  const set = (places: readonly number[], said = label) =>
    store.dispatch({ type: 'setGuides', guides: { ...guides, [axis]: places } }, { label: said, merge });
  return {
    cursor: axis === 'x' ? 'ew-resize' : 'ns-resize',
    move(pointer) {
      const at = pointer.ctrl ? Math.round(pointer[axis] * 100) / 100 : Math.round(pointer[axis]);
      if (at < 0 || at > (axis === 'x' ? width : height)) {
        set(others, 'Remove guide');
        state.feedback.value = undefined;
        return;
      }
      set([...others, at]);
      state.feedback.value = { tip: { text: String(at), at: pointer } };
    },
    end() {
      state.feedback.value = undefined;
      store.endStep();
    },
    cancel() {
      state.feedback.value = undefined;
      if (store.history.value !== before) store.open(before);
    },
  };
}

/** Returns the outlines of frames moved by a distance. */
export const ghostsOf = (frames: readonly Frame[], { x, y }: Point): readonly (readonly Point[])[] =>
  frames.map((frame) => outlineOf([frame])!.map((corner) => ({ x: corner.x + x, y: corner.y + y })));
