// The text that is edited on the canvas: its caret and selection over the glyphs of the picture, the input for the keys, and
// the toolbar of styles.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Affine, compose, invert } from '../../../lib/geometry/affine.js';
import type { TextRange } from '../../document/text-style.js';
import type { CanvasState } from '../canvas-state.js';
import { mapPoint, type Point } from '../geometry/frames.js';
import { paragraphAt, wordAt } from './boundaries.js';
import { stopNear } from './carets.js';
import { editingNotes } from './drawing.js';
import type { EditedTextProps } from './opening.js';
import { createTextSession, type ShownText, type TextSession } from './session.js';
import { StyleToolbar } from './style-toolbar.js';
import { TextInput } from './text-input.js';

/** Size of the toolbar, and its distance to the text, in pixels of the stage. */
const TOOLBAR = { width: 348, height: 36, gap: 12 };
const MIN_INPUT_HEIGHT = 12;

export function EditedText({ state, id }: EditedTextProps) {
  const { editor, viewport } = state;
  const session = useMemo(() => createTextSession(editor, id), [editor, id]);
  const root = useRef<HTMLDivElement>(null);
  useEnding(session, root);
  const text = session.visibleText.value;
  const { zoom, x, y } = viewport.value;
  const onStage = { a: zoom, b: 0, c: 0, d: zoom, e: x, f: y };
  const toStage = text ? compose(text.toCanvas, onStage) : onStage;
  const caret = text && caretOn(text, toStage);
  const stage = state.stage.value;
  // in sight, because browsers scroll to the focused input
  const within = (at: number, room: number) => Math.max(0, Math.min(room - MIN_INPUT_HEIGHT, at));
  return (
    <div
      ref={root}
      class="text-editing"
      onPointerDown={(event) => event.stopPropagation()}
      onPointerMove={(event) => event.stopPropagation()}
      onPointerUp={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onContextMenu={(event) => event.stopPropagation()}
    >
      {text && <CaretOverlay session={session} text={text} toStage={toStage} stage={stage} />}
      <TextInput
        session={session}
        x={within(caret?.x ?? 0, stage.width)}
        y={within(caret?.y ?? 0, stage.height)}
        height={Math.max(MIN_INPUT_HEIGHT, Math.min(caret?.height ?? 0, stage.height / 2))}
      />
      <FloatingToolbar state={state} session={session} toStage={toStage} />
    </div>
  );
}

/** Ends editing on a press outside the text, or when the focus goes elsewhere. */
function useEnding(session: TextSession, root: { readonly current: HTMLDivElement | null }): void {
  useEffect(() => {
    const element = root.current!;
    const surface = element.parentElement;
    const onPress = ({ target }: Event) => {
      if (!element.contains(target as Node) && !surface?.contains(target as Node)) session.end();
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget && relatedTarget !== surface && !element.contains(relatedTarget as Node)) session.end();
    };
    window.addEventListener('pointerdown', onPress, { capture: true });
    element.addEventListener('focusout', onFocusOut);
    return () => {
      window.removeEventListener('pointerdown', onPress, { capture: true });
      element.removeEventListener('focusout', onFocusOut);
      const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
      session.close();
      if (hadFocus) surface?.focus({ preventScroll: true });
    };
  }, [session]);
}

interface CaretPlace extends Point {
  readonly height: number;
}

/** The upper end of the caret on the stage, and its height there. */
function caretOn({ caret, carets }: ShownText, toStage: Affine): CaretPlace | undefined {
  const line = caret && carets.lines[caret.line];
  if (!line) return undefined;
  const [top, bottom] = [0, line.height].map((down) => mapPoint(toStage, { x: caret.x, y: line.y + down }));
  return { x: Math.min(top!.x, bottom!.x), y: Math.min(top!.y, bottom!.y), height: Math.abs(bottom!.y - top!.y) };
}

interface CaretOverlayProps {
  readonly session: TextSession;
  readonly text: ShownText;
  readonly toStage: Affine;
  readonly stage: { readonly width: number; readonly height: number };
}

function CaretOverlay({ session, text, toStage, stage }: CaretOverlayProps) {
  const { caret, carets, areas, box } = text;
  const { a, b, c, d, e, f } = toStage;
  const line = caret && carets.lines[caret.line];
  const bounds = textBounds(text, box);
  const press = useTextPress(session, text, toStage);
  return (
    <svg
      class="text-carets"
      data-current={text.isCurrent}
      width={stage.width}
      height={stage.height}
      aria-hidden="true"
      focusable="false"
    >
      <g transform={`matrix(${a} ${b} ${c} ${d} ${e} ${f})`}>
        <rect class="text-hit" {...bounds} {...press} />
        {areas.map((area, i) => (
          <rect key={i} class="text-selection" {...area} />
        ))}
        {caret && line && areas.length === 0 && (
          // a new element restarts the blinking
          <g key={`${caret.offset} ${caret.line} ${caret.x}`} class="text-caret">
            <path class="text-caret-edge" d={`M${caret.x} ${line.y}v${line.height}`} />
            <path d={`M${caret.x} ${line.y}v${line.height}`} />
          </g>
        )}
      </g>
    </svg>
  );
}

/** The bounds of the layer's box together with the lines that exceed it. */
function textBounds({ carets }: ShownText, [x, y, width, height]: ShownText['box']) {
  const { lines } = carets;
  const left = Math.min(x, ...lines.map((line) => line.x));
  const top = Math.min(y, ...lines.map((line) => line.y));
  const right = Math.max(x + width, ...lines.map((line) => line.x + line.width));
  const bottom = Math.max(y + height, ...lines.map((line) => line.y + line.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Handles pressing and dragging: a second and a third click select words and paragraphs, Shift extends. */
function useTextPress(session: TextSession, text: ShownText, toStage: Affine) {
  const drag = useRef<{ readonly from: TextRange; readonly clicks: number } | undefined>(undefined);
  const offsetAt = (event: MouseEvent) => {
    const surface = (event.currentTarget as SVGElement).ownerSVGElement!.getBoundingClientRect();
    const inverse = invert(toStage);
    const at = { x: event.clientX - surface.left, y: event.clientY - surface.top };
    return inverse && text.isCurrent ? stopNear(text.carets, mapPoint(inverse, at)) : undefined;
  };
  const rangeAt = (offset: number, clicks: number): TextRange => {
    if (clicks === 2) return wordAt(session.text.peek(), offset);
    return clicks > 2 ? paragraphAt(session.text.peek(), offset) : { start: offset, end: offset };
  };
  return {
    onMouseDown(event: MouseEvent) {
      // the text field keeps the focus
      event.preventDefault();
      const input = (event.currentTarget as Element).closest('.text-editing')?.querySelector('textarea');
      input?.focus({ preventScroll: true });
      const stop = offsetAt(event);
      if (!stop || event.button !== 0) return;
      const clicks = event.detail;
      if (event.shiftKey && clicks === 1) {
        const { anchor } = session.selection.peek();
        drag.current = { from: { start: anchor, end: anchor }, clicks };
        session.select({ anchor, focus: stop.offset, stop });
        return;
      }
      const from = rangeAt(stop.offset, clicks);
      drag.current = { from, clicks };
      session.select({ anchor: from.start, focus: from.end, stop: clicks === 1 ? stop : undefined });
    },
    onPointerDown(event: PointerEvent) {
      if (event.button === 0) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const stop = drag.current && event.buttons & 1 ? offsetAt(event) : undefined;
      if (!drag.current || !stop) return;
      const { from, clicks } = drag.current;
      const to = rangeAt(stop.offset, clicks);
      const next =
        to.start < from.start
          ? { anchor: from.end, focus: to.start }
          : { anchor: from.start, focus: Math.max(from.end, to.end) };
      const { anchor, focus } = session.selection.peek();
      if (anchor !== next.anchor || focus !== next.focus) session.select({ ...next, stop });
    },
    onPointerUp() {
      drag.current = undefined;
    },
  };
}

interface FloatingToolbarProps {
  readonly state: CanvasState;
  readonly session: TextSession;
  readonly toStage: Affine;
}

/** The toolbar above the text, or below it if there is no room. */
function FloatingToolbar({ state, session, toStage }: FloatingToolbarProps) {
  const { editor } = state;
  const stage = state.stage.value;
  const text = session.visibleText.value;
  const notes = editingNotes(editor.store.document.value, session.id, editor.variables.value);
  const { x, y, width, height } = text ? textBounds(text, text.box) : { x: 0, y: 0, width: 0, height: 0 };
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([cornerX = 0, cornerY = 0]) => mapPoint(toStage, { x: cornerX, y: cornerY }));
  const above = Math.min(...corners.map((each) => each.y)) - TOOLBAR.gap - TOOLBAR.height;
  const below = Math.max(...corners.map((each) => each.y)) + TOOLBAR.gap;
  const room = Math.max(0, stage.height - TOOLBAR.height);
  const left = Math.max(0, Math.min(...corners.map((each) => each.x), stage.width - TOOLBAR.width));
  const top = above >= 0 ? above : Math.min(below, room);
  return (
    <div class="text-floating" hidden={!text} style={{ left: `${left}px`, top: `${top}px` }}>
      <StyleToolbar session={session} />
      {notes.length > 0 && (
        <p class="text-note" role="status">
          {notes.join(' ')}
        </p>
      )}
    </div>
  );
}
