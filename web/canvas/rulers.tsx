// The rulers at the upper and left edge of the stage, and the guides that are dragged out of them.
import { useEffect, useRef } from 'preact/hooks';
import { canvasSize } from '../document/commands.js';
import type { CanvasState } from './canvas-state.js';
import type { Axis } from './geometry/align.js';
import { boundsOf, unionOf } from './geometry/frames.js';
import type { Viewport } from './geometry/viewport.js';
import { guideGesture } from './gestures.js';
import type { PointerControl } from './pointer.js';
import { useMedia } from './use-media.js';

interface Props {
  readonly state: CanvasState;
  readonly pointer: PointerControl;
}

/** Thickness of a ruler, and smallest distance between two numbers on it, in pixels. */
const THICKNESS = 20;
const LABEL_SPACING = 64;
const LABEL_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

export function Ruler({ state, pointer, axis }: Props & { readonly axis: Axis }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { stage, viewport, frames, movable, editor } = state;
  const length = axis === 'x' ? stage.value.width : stage.value.height;
  const bounds = unionOf(movable.value.flatMap(({ node }) => frames.value.get(node.id) ?? []).map(boundsOf));
  const [from, to] = bounds ? (axis === 'x' ? [bounds.left, bounds.right] : [bounds.top, bounds.bottom]) : [0, 0];
  const { value: view } = viewport;
  const isDark = useMedia('(prefers-color-scheme: dark)');
  useEffect(() => {
    if (canvas.current && length > 0) draw(canvas.current, axis, length, view, from, to);
  }, [length, view, from, to, isDark]);
  // a ruler makes the guides that run along it
  const made = axis === 'x' ? 'y' : 'x';
  return (
    <div
      class={`ruler ruler-${axis}`}
      onPointerDown={(event) => {
        if (editor.canEdit && event.button === 0) pointer.begin(guideGesture(state, made, undefined), event);
      }}
    >
      <canvas ref={canvas} />
    </div>
  );
}

function draw(
  canvas: HTMLCanvasElement,
  axis: Axis,
  length: number,
  { zoom, x, y }: Viewport,
  from: number,
  to: number,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio;
  const [width, height] = axis === 'x' ? [length, THICKNESS] : [THICKNESS, length];
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const { color, outlineColor, font } = getComputedStyle(canvas.parentElement!);
  context.scale(ratio, ratio);
  // along the ruler, whichever way it lies
  if (axis === 'y') {
    context.rotate(-Math.PI / 2);
    context.scale(-1, 1);
  }
  const origin = axis === 'x' ? x : y;
  context.fillStyle = outlineColor;
  if (to > from) context.fillRect(from * zoom + origin, 0, (to - from) * zoom, THICKNESS);
  context.fillStyle = color;
  context.font = font;
  const step = LABEL_STEPS.find((each) => each * zoom >= LABEL_SPACING) ?? LABEL_STEPS.at(-1)!;
  const minor = step % 10 === 0 ? step / 10 : step / 5;
  for (let i = Math.floor(-origin / zoom / minor); i * minor * zoom + origin < length; i++) {
    const at = Math.round(i * minor * zoom + origin);
    const isMajor = Math.round(i * minor) % step === 0 && Math.abs(i * minor - Math.round(i * minor)) < 1e-9;
    context.fillRect(at, isMajor ? THICKNESS - 8 : THICKNESS - 4, 1, 8);
    if (isMajor) write(context, String(Math.round(i * minor)), at, axis);
  }
}

function write(context: CanvasRenderingContext2D, text: string, at: number, axis: Axis): void {
  context.save();
  context.translate(at + 3, 9);
  // the ruler at the left is drawn mirrored
  if (axis === 'y') {
    context.scale(-1, 1);
    context.translate(-context.measureText(text).width, 0);
  }
  context.fillText(text, 0, 0);
  context.restore();
}

const NUDGES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The guides: lines that can be dragged, moved with arrow keys and removed with Delete. */
export function Guides({ state, pointer }: Props) {
  const { editor, viewport } = state;
  const { store } = editor;
  const document = store.document.value;
  const { zoom, x, y } = viewport.value;
  const { width, height } = canvasSize(document);
  return (
    <>
      {(['x', 'y'] as const).flatMap((axis) =>
        document.guides[axis].map((at, index) => {
          const offset = Math.round(at * zoom + (axis === 'x' ? x : y));
          const set = (places: readonly number[], label: string, merge?: string) =>
            store.dispatch({ type: 'setGuides', guides: { ...document.guides, [axis]: places } }, { label, merge });
          return (
            <div
              key={`${axis}${index}`}
              class={`guide guide-${axis}`}
              style={axis === 'x' ? { left: `${offset}px` } : { top: `${offset}px` }}
              role="slider"
              tabIndex={0}
              aria-label={axis === 'x' ? 'Vertical guide' : 'Horizontal guide'}
              aria-orientation={axis === 'x' ? 'horizontal' : 'vertical'}
              aria-valuenow={at}
              aria-valuemin={0}
              aria-valuemax={axis === 'x' ? width : height}
              onPointerDown={(event) => {
                event.stopPropagation();
                if (editor.canEdit && event.button === 0) pointer.begin(guideGesture(state, axis, index), event);
              }}
              onKeyDown={(event) => {
                const step = (NUDGES[event.key] ?? 0) * (event.shiftKey ? 10 : 1);
                const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
                if (!editor.canEdit || (step === 0 && !isRemoved)) return;
                event.preventDefault();
                event.stopPropagation();
                const places = document.guides[axis];
                if (isRemoved) return set(places.toSpliced(index, 1), 'Remove guide');
                const to = Math.max(0, Math.min(at + step, axis === 'x' ? width : height));
                set(places.with(index, to), 'Move guide', `guide ${axis}${index}`);
              }}
            />
          );
        }),
      )}
    </>
  );
}

/** Adds a guide in the middle of the canvas, for moving by keyboard. */
export function addGuide({ editor: { store } }: CanvasState, axis: Axis): void {
  const document = store.document.value;
  const { width, height } = canvasSize(document);
  const at = Math.round((axis === 'x' ? width : height) / 2);
  const guides = { ...document.guides, [axis]: [...document.guides[axis], at] };
  store.dispatch(
    { type: 'setGuides', guides },
    { label: axis === 'x' ? 'Add vertical guide' : 'Add horizontal guide' },
  );
}

export function removeGuides({ editor: { store } }: CanvasState): void {
  store.dispatch({ type: 'setGuides', guides: { x: [], y: [] } }, { label: 'Remove guides' });
}
