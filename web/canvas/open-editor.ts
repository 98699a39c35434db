// An open editor: what its canvas, panels and page share. Each gets it as `editor`.
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { drawnRecord, type EditorDocument, type LayerNode, type NodeId } from '../document/document.js';
import type { Path } from '../document/json.js';
import { placeOf, recordPathOf } from '../document/places.js';
import type { EditorStore } from '../document/store.js';
import type { InspectedLayer } from '../engine/messages.js';
import type { PreviewParts } from '../preview/use-preview.js';
import { caretsPath, withoutOwnVariable, withRawText } from './text/drawing.js';

/** What is wrong or doubtful about a layer, or about the record where there is no node. */
export interface LayerFinding {
  readonly severity: 'error' | 'warning';
  readonly code?: string | undefined;
  readonly message: string;
  readonly node: LayerNode | undefined;
  /** Within the layer, or within the record. */
  readonly field: Path;
  /** Within the record. */
  readonly path: Path;
  /** Of a syntax error in the text of the JSON view, which has no path. */
  readonly position?: number | undefined;
}

/** The panels at the right of the picture; `text` is one of small windows. */
export type PanelId = 'properties' | 'variables' | 'text' | 'json' | 'warnings' | 'output';

export interface OpenEditor extends PreviewParts {
  readonly store: EditorStore;
  /** Whether the person may change the template. */
  readonly canEdit: boolean;
  /** What the picture on screen shows of each layer. It may be of an earlier document: layers may be absent. */
  readonly placements: ReadonlySignal<ReadonlyMap<NodeId, InspectedLayer>>;
  /** The faults and warnings of the latest document. */
  readonly findings: ReadonlySignal<readonly LayerFinding[]>;
  /** The variables that the picture is filled with. */
  readonly variables: Signal<Readonly<Record<string, unknown>>>;
  /** The text layer whose text is edited on the canvas. */
  readonly editedText: Signal<NodeId | undefined>;
  /** The layer whose key is asked for. */
  readonly keyedLayer: Signal<NodeId | undefined>;
  /** The text of the JSON view while it is no record: the document is an earlier one. */
  readonly brokenText: Signal<string | undefined>;
  /** The panel at the right that is in view, and the one at the left. */
  readonly panel: Signal<PanelId>;
  readonly leftPanel: Signal<'layers' | 'assets'>;
  /** What the JSON view is to show next. */
  readonly revealed: Signal<LayerFinding | undefined>;
  /** Draws the document at every change, until the result is called. */
  keepDrawing(): () => void;
}

export type EditorOptions = PreviewParts & Pick<OpenEditor, 'store' | 'canEdit'>;

export function createOpenEditor({ store, preview, engine, canEdit }: EditorOptions): OpenEditor {
  /** The document of each payload that was drawn: pictures come later than commands. */
  const drawn = new WeakMap<object, EditorDocument>();
  const placements = computed(() => {
    const shown = preview.shown.value;
    const document = shown && drawn.get(shown.source.payload as object);
    return new Map(document ? shown.layers.flatMap((layer) => placementOf(document, layer)) : []);
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

/** Layers that a variable brings belong to no node. */
function placementOf(document: EditorDocument, layer: InspectedLayer): [NodeId, InspectedLayer][] {
  const { recordPath } = layer;
  if (recordPath === undefined) return [];
  const { node, field } = placeOf(document, recordPath);
  return node && field.length === 0 ? [[node.id, layer]] : [];
}
