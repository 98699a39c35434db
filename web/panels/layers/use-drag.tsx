// Drags layers over the rows: finds the target, and draws the line that shows it.
import type { ComponentChild, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { moveStep } from '../../document/actions.js';
import type { NodeId } from '../../document/document.js';
import { type Drop, dropAt, INDENT, ROW_HEIGHT } from './drop-target.js';
import type { Row } from './rows.js';

/** Pixels that the pointer must move before a press becomes a drag. */
const THRESHOLD = 4;
/** Height in pixels of the edges where dragging scrolls the list, and the distance per move. */
const EDGE = 24;
const SCROLL_STEP = 12;

export interface DragOptions {
  readonly editor: OpenEditor;
  readonly rows: readonly Row[];
  readonly list: RefObject<HTMLDivElement | null>;
  readonly isFiltered: boolean;
}

export interface Drag {
  /** The present target of the layers. */
  readonly drop: Drop | undefined;
  readonly line: ComponentChild;
  /** Handles a press on a row. Calls `onClick` if it does not become a drag. */
  readonly start: (event: PointerEvent, id: NodeId, onClick: () => void) => void;
}

export function useDrag(options: DragOptions): Drag {
  const [drop, setDrop] = useState<Drop>();
  // the drag continues while the list is drawn anew
  const latest = useRef(options);
  latest.current = options;
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  const start: Drag['start'] = (press, id, onClick) => {
    const element = options.list.current!;
    const listening = new AbortController();
    const { signal } = listening;
    let isDragging = false;
    let current: Drop | undefined;
    const end = () => {
      listening.abort();
      setDrop(undefined);
    };
    stop.current = end;
    const move = (event: PointerEvent) => {
      const { editor, rows, isFiltered } = latest.current;
      isDragging ||= Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > THRESHOLD;
      if (!isDragging || isFiltered || !editor.canEdit) return;
      scrollAtEdge(element.parentElement!, event.clientY);
      const { left, top } = element.getBoundingClientRect();
      const dragged = new Set([...editor.store.document.value.selection, id]);
      current = dropAt(rows, dragged, { x: event.clientX - left, y: event.clientY - top });
      setDrop(current);
    };
    const release = () => {
      const { editor } = latest.current;
      end();
      if (!isDragging) onClick();
      if (!current) return;
      const { store, placements } = editor;
      const { selection } = store.document.value;
      const step = moveStep(store.document.value, placements.value, selection, current.target);
      if (step) store.dispatch(step.command, { label: step.label });
    };
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', release, { signal });
    addEventListener('pointercancel', end, { signal });
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !isDragging) return;
        event.stopPropagation();
        end();
      },
      { signal, capture: true },
    );
  };

  const line = drop?.line && (
    <div
      class="layers-line"
      style={{ top: `${drop.line.before * ROW_HEIGHT}px`, marginLeft: `${drop.line.level * INDENT + 8}px` }}
    />
  );
  return { drop, line, start };
}

function scrollAtEdge(scroller: HTMLElement, y: number): void {
  const { top, bottom } = scroller.getBoundingClientRect();
  if (y < top + EDGE) scroller.scrollTop -= SCROLL_STEP;
  else if (y > bottom - EDGE) scroller.scrollTop += SCROLL_STEP;
}
