// The canvas: the picture that the engine paints, and over it the handles for pointer and keyboard.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { pictureSize } from '../document/commands.js';
import { Menu } from '../ui/menu.js';
import { CanvasBar } from './canvas-bar.js';
import { type CanvasState, canvasOf } from './canvas-state.js';
import { PIXEL_GRID_ZOOM } from './geometry/viewport.js';
import { handleKey, selectionWords } from './keyboard.js';
import { LayerMenu } from './layer-menu.js';
import type { OpenEditor } from './open-editor.js';
import { Overlay } from './overlay.js';
import { createPointerControl, type PointerControl } from './pointer.js';
import { addGuide, Guides, Ruler, removeGuides } from './rulers.js';
import { TextEditing } from './text/text-editing.js';
import { useMedia } from './use-media.js';

export function Stage({ editor }: { readonly editor: OpenEditor }) {
  return useMedia(PHONE) ? <Picture editor={editor} /> : <Canvas editor={editor} />;
}

/** Windows too narrow for handles, which show the picture alone. */
export const PHONE = '(max-width: 640px)';

interface PictureProps {
  readonly editor: OpenEditor;
  /** Position and zoom of the picture. Without it, the picture fits its container. */
  readonly state?: CanvasState;
}

function Picture({ editor: { preview, store }, state }: PictureProps) {
  const viewport = state?.viewport.value;
  const current = preview.latestPicture.value;
  const { width, height } = pictureSize(store.document.value, current);
  const picture = (
    <canvas
      ref={preview.attach}
      class={`stage-picture ${current ? '' : 'stage-picture-empty'} ${viewport && viewport.zoom >= PIXEL_GRID_ZOOM ? 'stage-picture-pixels' : ''}`}
      role="img"
      aria-label="Preview"
      aria-busy={preview.isDrawing.value}
      width={1200}
      height={630}
      style={
        viewport && {
          left: `${viewport.x}px`,
          top: `${viewport.y}px`,
          width: `${width * viewport.zoom}px`,
          height: `${height * viewport.zoom}px`,
        }
      }
    />
  );
  return state ? picture : <div class="stage">{picture}</div>;
}

function Canvas({ editor }: { readonly editor: OpenEditor }) {
  const state = useMemo(() => canvasOf(editor), [editor]);
  const pointer = useMemo(() => createPointerControl(state), [state]);
  const surface = useRef<HTMLDivElement>(null);
  useSurface(state, pointer, surface);
  const cursor = pointer.isPanning.value ? 'grab' : pointer.cursor.value;
  return (
    <div class="canvas">
      <div class="canvas-corner" />
      <Ruler state={state} pointer={pointer} axis="x" />
      <Ruler state={state} pointer={pointer} axis="y" />
      <div
        ref={surface}
        class="canvas-surface"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: layers are selected and moved by keyboard here
        tabIndex={0}
        aria-label="Canvas"
        aria-describedby="canvas-selection"
        style={{ cursor }}
        onPointerDown={(event) => pointer.onDown(event)}
        onPointerMove={(event) => pointer.onMove(event)}
        onPointerUp={(event) => pointer.onUp(event)}
        onPointerCancel={() => pointer.onCancel()}
        onPointerLeave={() => pointer.onLeave()}
        onDblClick={(event) => pointer.onDoubleClick(event)}
        onContextMenu={(event) => pointer.onContextMenu(event)}
        onKeyDown={(event) => onKeyDown(event, state, pointer)}
        onKeyUp={(event) => onKeyUp(event, state, pointer)}
        onBlur={() => {
          pointer.isPanning.value = false;
        }}
      >
        <Picture editor={editor} state={state} />
        <Overlay state={state} />
        <Guides state={state} pointer={pointer} />
        <TextEditing state={state} />
      </div>
      <p id="canvas-selection" class="visually-hidden">
        {selectionWords(state)}. Tab selects the next layer, arrow keys move it, Ctrl and arrow keys resize it; Escape,
        then Tab leaves the canvas.
      </p>
      <CanvasBar state={state} />
      <CanvasMenu state={state} surface={surface.current} />
    </div>
  );
}

/** Observes the stage's size, and adds the listeners that Preact can't. */
function useSurface(
  state: CanvasState,
  pointer: PointerControl,
  surface: { readonly current: HTMLDivElement | null },
): void {
  useEffect(() => {
    const element = surface.current!;
    pointer.attach(element);
    const measure = () => {
      state.stage.value = { width: element.clientWidth, height: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    // Preact's listeners are passive for wheels
    const onWheel = (event: WheelEvent) => pointer.onWheel(event);
    element.addEventListener('wheel', onWheel, { passive: false });
    // the canvas gets the keys while nothing has the focus, except Tab, which continues from there
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document;
      const isFocusLost = activeElement === document.body || activeElement?.matches(':disabled');
      if (isFocusLost && event.key !== 'Tab') keyDown(event, state, pointer);
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
      pointer.attach(null);
    };
  }, [state]);
}

const MODIFIERS = ['Shift', 'Alt', 'Control', 'Meta'];

function onKeyDown(event: KeyboardEvent, state: CanvasState, pointer: PointerControl): void {
  // elements over the canvas, such as the edited text, handle their own keys
  if (event.target === event.currentTarget) keyDown(event, state, pointer);
}

function keyDown(event: KeyboardEvent, state: CanvasState, pointer: PointerControl): void {
  if (event.defaultPrevented) return;
  if (MODIFIERS.includes(event.key)) pointer.onModifier(event);
  else if (event.key === ' ') {
    pointer.isPanning.value = true;
    event.preventDefault();
  } else if ((event.key === 'Escape' && pointer.cancel()) || handleKey(state, event)) event.preventDefault();
}

function onKeyUp(event: KeyboardEvent, { editor }: CanvasState, pointer: PointerControl): void {
  if (MODIFIERS.includes(event.key)) pointer.onModifier(event);
  else if (event.key === ' ') pointer.isPanning.value = false;
  // the repeats of a held key are one step
  else if (event.key.startsWith('Arrow')) editor.store.endStep();
}

interface CanvasMenuProps {
  readonly state: CanvasState;
  readonly surface: HTMLElement | null;
}

/** The menu of the selected layers; without a selection, the canvas's. */
function CanvasMenu({ state, surface }: CanvasMenuProps) {
  const point = state.menu.value;
  const { editor } = state;
  if (!point || !surface || !editor.canEdit) return null;
  const { guides, selection } = editor.store.document.value;
  const guideItems = [
    { label: 'Add vertical guide', onSelect: () => addGuide(state, 'x') },
    { label: 'Add horizontal guide', onSelect: () => addGuide(state, 'y') },
    {
      label: 'Remove guides',
      isDisabled: guides.x.length + guides.y.length === 0,
      onSelect: () => removeGuides(state),
    },
  ];
  const { left, top } = surface.getBoundingClientRect();
  const place = {
    at: { x: left + point.x, y: top + point.y },
    onClose: () => {
      state.menu.value = undefined;
    },
  };
  if (selection.length === 0) return <Menu label="Canvas" items={[guideItems]} {...place} />;
  return <LayerMenu editor={editor} last={guideItems} {...place} />;
}
