// State that the parts of an editor's canvas share: the visible area, the layers' places, and the feedback of the present
// gesture.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { pictureSize } from '../document/commands.js';
import { isHidden, isLocked, type Located, locate, type NodeId, selectedNodes } from '../document/document.js';
import { boundsOf, cornersOf, type Frame, type Frames, framesOf, type Point, unionOf } from './geometry/frames.js';
import type { Quad } from './geometry/handles.js';
import type { Gap, SnapLine } from './geometry/snap.js';
import { clampViewport, fit, type Size, toStage, type Viewport, zoomAt } from './geometry/viewport.js';
import type { OpenEditor } from './open-editor.js';

/** Feedback that a gesture shows beside the layers, in canvas coordinates. */
export interface Feedback {
  readonly lines?: readonly SnapLine[];
  readonly gaps?: readonly Gap[];
  /** Size below the selection, such as "120 × 80"; `tip` is beside the pointer, such as "15°". */
  readonly size?: string;
  readonly tip?: { readonly text: string; readonly at: Point };
  readonly marquee?: readonly [Point, Point];
  /** The line at which a dragged layer would go into a row or column. */
  readonly insertion?: readonly [Point, Point];
  /** Outlines of the dragged layers. */
  readonly ghosts?: readonly (readonly Point[])[];
}

export interface CanvasState {
  readonly editor: OpenEditor;
  /** Size of the stage in pixels. */
  readonly stage: Signal<Size>;
  readonly viewport: ReadonlySignal<Viewport>;
  readonly frames: ReadonlySignal<Frames>;
  /** The selected layers that gestures change: neither locked nor hidden. */
  readonly movable: ReadonlySignal<readonly Located[]>;
  /** The selection's outline on the stage: the box of one layer, or the bounds of several. */
  readonly quad: ReadonlySignal<Quad | undefined>;
  readonly feedback: Signal<Feedback | undefined>;
  readonly hovered: Signal<NodeId | undefined>;
  /** Position of the open context menu, in pixels of the window. */
  readonly menu: Signal<Point | undefined>;
  fit(): void;
  zoomTo(zoom: number, at?: Point): void;
  show(viewport: Viewport): void;
}

const states = new WeakMap<OpenEditor, CanvasState>();

export function canvasOf(editor: OpenEditor): CanvasState {
  let state = states.get(editor);
  if (!state) {
    state = createCanvasState(editor);
    states.set(editor, state);
  }
  return state;
}

function createCanvasState(editor: OpenEditor): CanvasState {
  const { store, placements, preview } = editor;
  const stage = signal<Size>({ width: 0, height: 0 });
  const canvas = computed(() => pictureSize(store.document.value, preview.latestPicture.value));
  /**
   * The viewport that the person chose; undefined fits the whole picture, even when the stage or the picture changes its size.
   */
  const chosen = signal<Viewport | undefined>(undefined);
  const viewport = computed(() => chosen.value ?? fit(canvas.value, stage.value));
  const frames = computed(() => framesOf(store.document.value, placements.value));
  const movable = computed(() => {
    const document = store.document.value;
    return selectedNodes(document).filter((each) => !isLocked(document, each) && !isHidden(document, each));
  });
  const show = (next: Viewport) => {
    chosen.value = clampViewport(next, canvas.value, stage.value);
  };
  return {
    editor,
    stage,
    viewport,
    frames,
    movable,
    quad: computed(() => {
      const corners = outlineOf(movable.value.flatMap(({ node }) => frames.value.get(node.id) ?? []));
      return corners && (corners.map((each) => toStage(viewport.value, each)) as unknown as Quad);
    }),
    feedback: signal(undefined),
    hovered: signal(undefined),
    menu: signal(undefined),
    fit() {
      chosen.value = undefined;
    },
    zoomTo(zoom, at) {
      const { width, height } = stage.value;
      show(zoomAt(viewport.value, zoom, at ?? { x: width / 2, y: height / 2 }));
    },
    show,
  };
}

/** Returns the corners of one layer's box, or of the bounds of several. */
export function outlineOf(frames: readonly Frame[]): Quad | undefined {
  if (frames.length === 1) return cornersOf(frames[0]!);
  const bounds = unionOf(frames.map(boundsOf));
  if (!bounds) return undefined;
  const { left, top, right, bottom } = bounds;
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

/** Returns the layer and the groups around it, from the outside in. */
export function chainOf({ editor }: CanvasState, id: NodeId): readonly NodeId[] {
  const located = locate(editor.store.document.value, id);
  return located ? [...located.ancestors.map((each) => each.id), id] : [];
}
