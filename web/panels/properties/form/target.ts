// The object that a form edits: the selected layers, or the template. Fields read and write it by their paths.
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { LayerFinding, OpenEditor } from '../../../canvas/open-editor.js';
import { layerAt, recordValue } from '../../../document/commands.js';
import { isEqual, isLayer, locate, type NodeId, selectedNodes } from '../../../document/document.js';
import { isObject, type Json, type Path, textOf, valueAt, withValue } from '../../../document/json.js';

/** The value of a field that differs between the selected layers. */
export const MIXED = Symbol('mixed');

/** Paths of overrides from the record on. */
type Override = readonly Path[];

export interface FormTarget {
  readonly canEdit: boolean;
  /** Identifies the edited objects: when it changes, so do the values. */
  readonly identity: ReadonlySignal<string>;
  /** Returns the value at a path; MIXED if the layers differ. */
  read(path: Path): unknown;
  /** Sets the value everywhere; undefined removes it. Consecutive writes to one path are one step until `endStep`. */
  write(path: Path, value: unknown, label: string): void;
  /** Changes each layer's value separately. */
  update(path: Path, change: (value: unknown) => unknown, label: string): void;
  /** Sets several fields in one step. */
  assign(fields: Json, label: string): void;
  endStep(): void;
  /** Whether a field may be an expression. */
  readonly canBind: boolean;
  /** Returns the faults and warnings at a path and below it. */
  findings(path: Path): readonly LayerFinding[];
  /** Returns the overrides of the chosen size for the field. */
  overrides(path: Path): Override;
  /** Removes these overrides. */
  reset(overrides: Override, label: string): void;
  /** Returns typed text that can't become the field's value; it stays until the value changes. */
  draft(path: Path): string | undefined;
  keepDraft(path: Path, text: string | undefined): void;
}

type Reading = Pick<
  FormTarget,
  'identity' | 'read' | 'write' | 'update' | 'assign' | 'findings' | 'canBind' | 'overrides'
>;

function createTarget({ store, canEdit }: OpenEditor, reading: Reading): FormTarget {
  const drafts = signal<ReadonlyMap<string, { readonly text: string; readonly value: unknown }>>(new Map());
  const keyOf = (path: Path) => `${reading.identity.value} ${path.join('.')}`;
  return {
    ...reading,
    canEdit,
    endStep: () => store.endStep(),
    reset(overrides, label) {
      batch(() => {
        for (const path of overrides) {
          store.dispatch({ type: 'setRecord', path, value: undefined }, { label, merge: 'reset' });
        }
        store.endStep();
      });
    },
    draft(path) {
      const draft = drafts.value.get(keyOf(path));
      return draft && isEqual(draft.value, reading.read(path)) ? draft.text : undefined;
    },
    keepDraft(path, text) {
      const key = keyOf(path);
      if (text === undefined && !drafts.value.has(key)) return;
      const next = new Map(drafts.value);
      if (text === undefined) next.delete(key);
      else next.set(key, { text, value: reading.read(path) });
      drafts.value = next;
    },
  };
}

/** A constant, so that nothing is drawn again for it. */
const NONE: readonly never[] = [];

function orNone<Item>(items: readonly Item[]): readonly Item[] {
  return items.length > 0 ? items : NONE;
}

const startsWith = (field: Path, path: Path): boolean => path.every((key, index) => field[index] === key);

/** Returns the target for the selected layers. */
export function layersTarget(editor: OpenEditor): FormTarget & { readonly ids: ReadonlySignal<readonly NodeId[]> } {
  const { store, findings } = editor;
  const identity = computed(() => {
    const nodes = selectedNodes(store.document.value).filter(({ node }) => isLayer(node));
    return nodes.map(({ node }) => node.id).join(' ');
  });
  const ids = computed(() => (identity.value === '' ? [] : identity.value.split(' ').map(Number)));
  const layers = computed(() => ids.value.map((id) => layerAt(store.document.value, id)));
  const mergeOf = (path: Path) => `${identity.value} ${path.join('.')}`;
  const target = createTarget(editor, {
    identity,
    canBind: true,
    read(path) {
      const [first, ...others] = layers.value.map((layer) => valueAt(layer, path));
      return others.every((each) => isEqual(each, first)) ? first : MIXED;
    },
    write(path, value, label) {
      store.dispatch({ type: 'set', ids: ids.value, path, value }, { label, merge: mergeOf(path) });
    },
    update(path, change, label) {
      const [field, ...rest] = path as [string, ...Path];
      const changes = ids.value.map((id, index) => {
        const own = layers.value[index]!;
        return { id, fields: { [field]: withValue(own[field], rest, change(valueAt(own, path))) } };
      });
      store.dispatch({ type: 'change', changes }, { label, merge: mergeOf(path) });
    },
    assign(fields, label) {
      store.dispatch({ type: 'change', changes: ids.value.map((id) => ({ id, fields })) }, { label });
    },
    findings: (path) =>
      orNone(
        findings.value.filter(({ node, field }) => node && ids.value.includes(node.id) && startsWith(field, path)),
      ),
    overrides(path) {
      const { record, size } = store.document.value;
      if (size === undefined) return NONE;
      const found = ids.value.flatMap((id) => {
        const raw: Json = locate(store.document.value, id)?.node.raw ?? {};
        const name = textOf(raw.key) ?? textOf(raw.id);
        const at = ['sizes', size, 'layers', name ?? '', path[0] ?? ''];
        return name !== undefined && valueAt(record, at) !== undefined ? [at] : [];
      });
      return orNone(found);
    },
  });
  return { ...target, ids };
}

/** Returns the target for the template: its canvas in the edited size. */
export function recordTarget(editor: OpenEditor): FormTarget {
  const { store, findings } = editor;
  const identity = computed(() => `size ${store.document.value.size ?? ''}`);
  const write: FormTarget['write'] = (path, value, label) =>
    store.dispatch({ type: 'setRecord', path, value }, { label, merge: `record ${path.join('.')}` });
  const read = (path: Path) => recordValue(store.document.value, path);
  return createTarget(editor, {
    identity,
    canBind: false,
    read,
    write,
    update: (path, change, label) => write(path, change(read(path)), label),
    assign(fields, label) {
      for (const [field, value] of Object.entries(fields)) {
        store.dispatch({ type: 'setRecord', path: [field], value }, { label, merge: 'record' });
      }
      store.endStep();
    },
    findings(path) {
      const { size } = store.document.value;
      const found = findings.value.filter(({ node, field }) => {
        const own = field[0] === 'sizes' && field[1] === size ? field.slice(2) : field;
        return !node && startsWith(own, path);
      });
      return orNone(found);
    },
    overrides([field = '']) {
      const { record, size } = store.document.value;
      // a size always has its own width and height
      if (size === undefined || field === 'width' || field === 'height') return NONE;
      const at = ['sizes', size, field];
      return isObject(valueAt(record, ['sizes', size])) && valueAt(record, at) !== undefined ? [at] : NONE;
    },
  });
}
