// An open editor: the state that its canvas, panels and page share. Each gets it as `editor`.
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { drawnRecord, type EditorDocument, type LayerNode, type NodeId } from '../document/document.js';
import type { Path } from '../document/json.js';
import { placeOf, recordPathOf } from '../document/places.js';
import type { EditorStore } from '../document/store.js';
import type { InspectedLayer } from '../engine/messages.js';
import type { PreviewParts } from '../preview/use-preview.js';
import { caretsPath, withoutOwnVariable, withRawText } from './text/drawing.js';

/** A fault or warning about a layer, or about the record if there is no node. */
export interface LayerFinding {
  readonly severity: 'error' | 'warning';
  readonly code?: string | undefined;
  readonly message: string;
  readonly node: LayerNode | undefined;
  /** Path within the layer, or within the record. */
  readonly field: Path;
  /** Path within the record. */
  readonly path: Path;
  /** Offset of a syntax error in the JSON view's text, which has no path. */
  readonly position?: number | undefined;
}

/** The panels to the right of the picture; `text` exists only in small windows. */
export type PanelId = 'properties' | 'variables' | 'text' | 'json' | 'warnings' | 'output';

export interface OpenEditor extends PreviewParts {
  readonly store: EditorStore;
  /** Whether the person may change the template. */
  readonly canEdit: boolean;
  /** The layers' places in the picture on screen. It may be of an earlier document, so layers may be absent. */
  readonly placements: ReadonlySignal<ReadonlyMap<NodeId, InspectedLayer>>;
  /** The faults and warnings of the latest document. */
  readonly findings: ReadonlySignal<readonly LayerFinding[]>;
  /** Values of the variables for the picture. */
  readonly variables: Signal<Readonly<Record<string, unknown>>>;
  /** The text layer that is being edited on the canvas. */
  readonly editedText: Signal<NodeId | undefined>;
  /** The layer for which the key dialog is open. */
  readonly keyedLayer: Signal<NodeId | undefined>;
  /** The text of the JSON view while it is not a valid record; the document is then an earlier one. */
  readonly brokenText: Signal<string | undefined>;
  /** The open panel to the right, and the one to the left. */
  readonly panel: Signal<PanelId>;
  readonly leftPanel: Signal<'layers' | 'assets'>;
  /** The finding that the JSON view is to show next. */
  readonly revealed: Signal<LayerFinding | undefined>;
  /** Draws the document at every change until the returned function is called. */
  keepDrawing(): () => void;
}

export type EditorOptions = PreviewParts & Pick<OpenEditor, 'store' | 'canEdit'>;

export function createOpenEditor({ store, preview, engine, canEdit }: EditorOptions): OpenEditor {
  /** The document of each payload that was drawn, since pictures come later than commands. */
  const drawn = new WeakMap<object, EditorDocument>();
  const placements = computed(() => {
    const picture = preview.latestPicture.value;
    const document = picture && drawn.get(picture.source.payload as object);
    // the first copy of a repeated layer is the one that handles move
    return new Map(document ? picture.layers.flatMap((layer) => placementOf(document, layer)).reverse() : []);
  });
  const editedText = signal<NodeId | undefined>(undefined);
  const drawing = computed(() => drawnRecord(withRawText(store.document.value, editedText.value)));
  const edited = computed(() => caretsPath(store.document.value, editedText.value));
  const size = computed(() => store.document.value.size);
  const variables = signal<Readonly<Record<string, unknown>>>({});
  const brokenText = signal<string | undefined>(undefined);
  const findings = computed(() =>
    preview.findings.value.map(({ severity, code, path, message, position }): LayerFinding => {
      const document = store.document.value;
      return { severity, code, message, position, path: recordPathOf(document, path), ...placeOf(document, path) };
    }),
  );
  return {
    store,
    preview,
    engine,
    canEdit,
    placements,
    findings,
    variables,
    editedText,
    keyedLayer: signal(undefined),
    brokenText,
    panel: signal<PanelId>('properties'),
    leftPanel: signal<'layers' | 'assets'>('layers'),
    revealed: signal(undefined),
    keepDrawing: () =>
      effect(() => {
        if (brokenText.value !== undefined) return preview.update(brokenText.value);
        drawn.set(drawing.value, store.document.peek());
        preview.show({
          payload: drawing.value,
          variables: withoutOwnVariable(store.document.value, editedText.value, variables.value),
          size: size.value,
          carets: edited.value,
        });
      }),
  };
}

/** Finds the node of an inspected layer; a layer that a variable brings has none. */
function placementOf(document: EditorDocument, layer: InspectedLayer): [NodeId, InspectedLayer][] {
  const { recordPath } = layer;
  if (recordPath === undefined) return [];
  const { node, field } = placeOf(document, recordPath);
  return node && field.length === 0 ? [[node.id, layer]] : [];
}
