// Pointer control of the stage: decides which gesture a press begins, and what a click selects.
import { batch, type Signal, signal } from '@preact/signals';
import type { NodeId } from '../document/document.js';
import { type CanvasState, chainOf } from './canvas-state.js';
import type { Point } from './geometry/frames.js';
import { cursorOf, gripAt, isInQuad } from './geometry/handles.js';
import { deeperTarget, hitAt, targetOf } from './geometry/hit.js';
import { pan, toCanvas, zoomAt } from './geometry/viewport.js';
import { type Gesture, marqueeGesture, moveGesture, type Pointer, resizeGesture, rotateGesture } from './gestures.js';
import { layoutOf, reorderGesture } from './reorder.js';
import { editTextAt } from './text/opening.js';

/** Pixels of the stage that a press may move before it becomes a drag. */
const DRAG_START = 3;
/** Distance in pixels of the stage from which a thin layer is still hit. */
const HIT_SLACK = 3;

export interface PointerControl {
  readonly cursor: Signal<string>;
  /** Whether the space bar is held, so that a drag pans. */
  readonly isPanning: Signal<boolean>;
  /** Sets the stage once it is mounted. */
  attach(surface: HTMLElement | null): void;
  /** Begins a gesture with a press outside the stage: on a ruler or a guide. */
  begin(gesture: Gesture, event: PointerEvent): void;
  onDown(event: PointerEvent): void;
  onMove(event: PointerEvent): void;
  onUp(event: PointerEvent): void;
  onCancel(): void;
  onLeave(): void;
  onDoubleClick(event: MouseEvent): void;
  onContextMenu(event: MouseEvent): void;
  onWheel(event: WheelEvent): void;
  /** Handles Shift, Alt or Ctrl pressed or released during a gesture. */
  onModifier(event: KeyboardEvent): void;
  /** Ends a gesture or a press without effect. Returns whether there was one. */
  cancel(): boolean;
}

type Modifiers = Pick<MouseEvent, 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

const isCtrl = ({ ctrlKey, metaKey }: Modifiers): boolean => ctrlKey || metaKey;

export function createPointerControl(state: CanvasState): PointerControl {
  const { editor, viewport } = state;
  const { store } = editor;
  const cursor = signal('default');
  const isPanning = signal(false);
  let surface: HTMLElement | null = null;
  let gesture: Gesture | undefined;
  /** A press that is no drag yet: the gesture that it would begin, and the action of a click. */
  let pressed: { at: Point; drag: (() => Gesture) | undefined; click: () => void } | undefined;
  let pointerId: number | undefined;
  let last: { at: Point; modifiers: Modifiers } | undefined;
  let frame = 0;
  /** The touches on the stage; two of them zoom. */
  const touches = new Map<number, Point>();

  function stagePoint({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = surface!.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  const onCanvas = (at: Point, modifiers: Modifiers): Pointer => {
    const { shiftKey: shift, altKey: alt } = modifiers;
    return { ...toCanvas(viewport.value, at), shift, alt, ctrl: isCtrl(modifiers) };
  };

  const hit = (at: Point) =>
    hitAt(store.document.value, state.frames.value, toCanvas(viewport.value, at), HIT_SLACK / viewport.value.zoom);

  function targetAt(at: Point, isDeep: boolean): NodeId | undefined {
    const chain = hit(at);
    if (!chain) return undefined;
    return isDeep ? chain.at(-1) : targetOf(store.document.value, chain, (id) => chainOf(state, id));
  }

  /** Handles at most one move per frame of the screen: the latest. */
  function schedule(): void {
    frame ||= requestAnimationFrame(flush);
  }

  function flush(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!last) return;
    const { at, modifiers } = last;
    if (gesture) batch(() => gesture?.move(onCanvas(at, modifiers)));
    else hover(at, isCtrl(modifiers));
  }

  function hover(at: Point, isDeep: boolean): void {
    const { value: quad } = state.quad;
    const grip = quad && editor.canEdit ? gripAt(quad, at) : undefined;
    state.hovered.value = grip || isPanning.value ? undefined : targetAt(at, isDeep);
    cursor.value = !grip ? 'default' : grip.type === 'rotate' ? 'grab' : cursorOf(quad!, grip.handle);
  }

  function start(next: Gesture): void {
    gesture = next;
    cursor.value = next.cursor;
    state.hovered.value = undefined;
  }

  function capture(event: PointerEvent): void {
    pointerId = event.pointerId;
    surface?.setPointerCapture(event.pointerId);
  }

  function release(): void {
    if (pointerId !== undefined && surface?.hasPointerCapture(pointerId)) surface.releasePointerCapture(pointerId);
    pointerId = undefined;
    pressed = undefined;
    gesture = undefined;
    last = undefined;
  }

  function panGesture(from: Point): Gesture {
    const before = viewport.value;
    const at = { x: 0, y: 0 };
    return {
      cursor: 'grabbing',
      move() {
        const to = last?.at ?? from;
        [at.x, at.y] = [to.x - from.x, to.y - from.y];
        state.show(pan(before, at.x, at.y));
      },
      end() {},
      cancel: () => state.show(before),
    };
  }

  /** Decides what a press does on a layer, on the selection, or beside all layers. */
  function press(at: Point, event: PointerEvent): typeof pressed {
    const document = store.document.value;
    const { value: quad } = state.quad;
    const point = onCanvas(at, event);
    const grip = quad && editor.canEdit ? gripAt(quad, at) : undefined;
    if (grip) {
      const grab = grip.type === 'rotate' ? () => rotateGesture(state, point) : undefined;
      const { handle } = grip as { handle: { x: -1 | 0 | 1; y: -1 | 0 | 1 } };
      return { at, drag: grab ?? (() => resizeGesture(state, handle, point, cursorOf(quad!, handle))), click() {} };
    }
    const target = targetAt(at, isCtrl(event));
    const isOnSelection = quad !== undefined && isInQuad(quad, at);
    const isSelected = target !== undefined && document.selection.includes(target);
    let click = () => {};
    if (event.shiftKey && target !== undefined) {
      if (isSelected) click = () => store.select(document.selection.filter((id) => id !== target));
      else store.select([...document.selection, target]);
    } else if (isSelected || isOnSelection) {
      click = () => store.select(target === undefined ? [] : [target]);
    } else if (target !== undefined) store.select([target]);
    else {
      if (!event.shiftKey) store.select([]);
      return { at, drag: () => marqueeGesture(state, point), click };
    }
    return { at, drag: editor.canEdit ? () => moveSelected(point) : undefined, click };
  }

  function moveSelected(point: Point): Gesture {
    const group = layoutOf(state.movable.value);
    return group ? reorderGesture(state, group, point) : moveGesture(state, point);
  }

  function pinch(id: number, to: Point): void {
    const other = [...touches].find(([each]) => each !== id)?.[1];
    const from = touches.get(id);
    touches.set(id, to);
    if (!other || !from) return;
    const distance = (p: Point) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
    const middle = { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 };
    const moved = pan(viewport.value, (to.x - from.x) / 2, (to.y - from.y) / 2);
    state.show(zoomAt(moved, (moved.zoom * distance(to)) / distance(from), middle));
  }

  return {
    cursor,
    isPanning,
    attach(next) {
      surface = next;
    },
    begin(next, event) {
      event.preventDefault();
      capture(event);
      start(next);
    },
    onDown(event) {
      if (event.button > 1 || !surface) return;
      const at = stagePoint(event);
      if (event.pointerType === 'touch') {
        touches.set(event.pointerId, at);
        if (touches.size > 1) {
          this.cancel();
          return;
        }
      }
      editor.editedText.value = undefined;
      state.menu.value = undefined;
      capture(event);
      last = { at, modifiers: event };
      if (event.button === 1 || isPanning.value) {
        event.preventDefault();
        start(panGesture(at));
      } else pressed = press(at, event);
    },
    onMove(event) {
      const at = stagePoint(event);
      if (touches.size > 1) {
        pinch(event.pointerId, at);
        return;
      }
      last = { at, modifiers: event };
      if (pressed && !gesture) {
        if (Math.hypot(at.x - pressed.at.x, at.y - pressed.at.y) < DRAG_START || !pressed.drag) return;
        start(pressed.drag());
      }
      schedule();
    },
    onUp(event) {
      touches.delete(event.pointerId);
      if (event.pointerId !== pointerId) return;
      if (gesture) {
        last = { at: stagePoint(event), modifiers: event };
        flush();
        gesture.end();
      } else pressed?.click();
      release();
      cursor.value = 'default';
    },
    onCancel() {
      touches.clear();
      this.cancel();
    },
    onLeave() {
      if (!gesture) state.hovered.value = undefined;
    },
    onDoubleClick(event) {
      const document = store.document.value;
      const chain = hit(stagePoint(event));
      if (!chain || isCtrl(event) || event.shiftKey) return;
      const target = deeperTarget(document, chain);
      const isText = state.movable.value.some(({ node }) => node.id === target && node.raw.type === 'text');
      if (!document.selection.includes(target)) store.select([target]);
      else if (isText && editor.canEdit) editTextAt(editor, target, toCanvas(viewport.value, stagePoint(event)));
    },
    onContextMenu(event) {
      event.preventDefault();
      // the keyboard opens the menu beside the selection
      if (event.button !== 2) return;
      const at = stagePoint(event);
      const { value: quad } = state.quad;
      const target = targetAt(at, isCtrl(event));
      if (!quad || !isInQuad(quad, at)) store.select(target === undefined ? [] : [target]);
      state.menu.value = at;
    },
    onWheel(event) {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const [x, y] = [event.deltaX * unit, event.deltaY * unit];
      if (isCtrl(event)) {
        // a notch of a wheel is far more than a step of a pinch
        const factor = Math.exp(-Math.max(-40, Math.min(40, y)) / 100);
        state.zoomTo(viewport.value.zoom * factor, stagePoint(event));
      } else if (event.shiftKey && x === 0) state.show(pan(viewport.value, -y, 0));
      else state.show(pan(viewport.value, -x, -y));
    },
    onModifier(event) {
      if (!last || !gesture) return;
      last = { at: last.at, modifiers: event };
      schedule();
    },
    cancel() {
      const had = gesture !== undefined || pressed !== undefined;
      gesture?.cancel();
      release();
      cursor.value = 'default';
      return had;
    },
  };
}
