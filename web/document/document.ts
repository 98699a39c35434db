// The editor's document: a template's record, its layers as a tree with identities, and state that only editing needs. It is
// immutable; commands (commands.ts) create the next document, which shares everything that didn't change.
import { isList, isObject, type Json, ownValue, textOf, valueAt, withField } from './json.js';

/** The identity of a layer while it is edited: it stays the same when the layer moves or changes. */
export type NodeId = number;

export interface LayerNode {
  readonly id: NodeId;
  /** The raw layer with its nested layers; `{}` if the record has no object there. */
  readonly raw: Json;
  /** The record's value there, of any type. */
  readonly value: unknown;
  /** The nodes of a group's `raw.layers`, one for each. */
  readonly children: readonly LayerNode[];
}

/** The lists of a record that hold layers. Hotspots are drawn over the layers. */
export type ListName = 'layers' | 'hotspots';

export const LISTS: readonly ListName[] = ['layers', 'hotspots'];

/** Pixels of the canvas at which the person has placed guides. */
export interface Guides {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface EditorDocument {
  readonly record: Json;
  /** The text that the record was read from, until a command changes the record. */
  readonly text: string | undefined;
  /** The nodes of `record.layers` and `record.hotspots`. */
  readonly layers: readonly LayerNode[];
  readonly hotspots: readonly LayerNode[];
  /** The selected layers in the order of their selection. */
  readonly selection: readonly NodeId[];
  /** Layers that aren't drawn while editing. `visible` is the record's own field. */
  readonly hidden: ReadonlySet<NodeId>;
  /** Layers that can't be selected or moved on the canvas. */
  readonly locked: ReadonlySet<NodeId>;
  readonly guides: Guides;
  /** The edited size of the record; undefined for the record itself. */
  readonly size: string | undefined;
  /** The next free identity. */
  readonly nextId: NodeId;
}

export function createDocument(record: Json, text?: string): EditorDocument {
  const ids = { next: 1 };
  return {
    record,
    text,
    layers: nodesOf(record.layers, ids),
    hotspots: nodesOf(record.hotspots, ids),
    selection: [],
    hidden: new Set(),
    locked: new Set(),
    guides: { x: [], y: [] },
    size: undefined,
    nextId: ids.next,
  };
}

/** Hands out identities. */
export interface Ids {
  next: NodeId;
}

/**
 * Creates the nodes of a raw list of layers. Layers keep the identity of a node of `before`, an earlier list, that is equal or
 * has the same key, the same id, or the same place and type.
 */
export function nodesOf(list: unknown, ids: Ids, before: readonly LayerNode[] = []): LayerNode[] {
  if (!isList(list)) return [];
  const match = createMatcher(before);
  // exact matches come first, so that a new layer in between doesn't take the identity of the next
  const exact = list.map((value) => match((node) => isEqual(node.value, value)));
  return list.map((value, index) => {
    const raw = isObject(value) ? value : NOT_A_LAYER;
    const old =
      exact[index] ??
      match((node) => raw.key !== undefined && node.raw.key === raw.key) ??
      match((node) => raw.id !== undefined && node.raw.id === raw.id) ??
      match((node, at) => at === index && node.raw.type === raw.type);
    if (old && old.value === value) return old;
    const id = old?.id ?? ids.next++;
    return { id, raw, value, children: nodesOf(childList(raw), ids, old?.children) };
  });
}

function createMatcher(nodes: readonly LayerNode[]) {
  const taken = new Set<LayerNode>();
  return (isSame: (node: LayerNode, index: number) => boolean): LayerNode | undefined => {
    const found = nodes.find((node, index) => !taken.has(node) && isSame(node, index));
    if (found) taken.add(found);
    return found;
  };
}

/** Stands for values that aren't objects: they can't be edited, but keep their place. */
const NOT_A_LAYER: Json = {};

export const isLayer = ({ raw }: LayerNode): boolean => raw !== NOT_A_LAYER;

export const childList = ({ type, layers }: Json): unknown => (type === 'group' ? layers : undefined);

export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((each, i) => isEqual(each, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

export interface Located {
  readonly node: LayerNode;
  readonly list: ListName;
  /** The groups around it, from the outside in. */
  readonly ancestors: readonly LayerNode[];
  /** Its index among its siblings. */
  readonly index: number;
}

/** Yields every node in drawing order; a group comes before its layers. */
export function* walk(document: EditorDocument): Generator<Located> {
  for (const list of LISTS) yield* within(document[list], list, []);
}

function* within(nodes: readonly LayerNode[], list: ListName, ancestors: readonly LayerNode[]): Generator<Located> {
  for (const [index, node] of nodes.entries()) {
    yield { node, list, ancestors, index };
    if (node.children.length > 0) yield* within(node.children, list, [...ancestors, node]);
  }
}

const indexes = new WeakMap<EditorDocument, ReadonlyMap<NodeId, Located>>();

/** Maps identities to nodes. */
export function nodeIndex(document: EditorDocument): ReadonlyMap<NodeId, Located> {
  let index = indexes.get(document);
  if (!index) {
    index = new Map(Array.from(walk(document), (located) => [located.node.id, located]));
    indexes.set(document, index);
  }
  return index;
}

export const locate = (document: EditorDocument, id: NodeId): Located | undefined => nodeIndex(document).get(id);

/** The selected nodes in drawing order, without those in a selected group. */
export function selectedNodes(document: EditorDocument): Located[] {
  const selected = new Set(document.selection);
  return [...nodeIndex(document).values()].filter(
    ({ node, ancestors }) => selected.has(node.id) && !ancestors.some(({ id }) => selected.has(id)),
  );
}

/** Whether the node or a group around it is locked. */
export const isLocked = (document: EditorDocument, { node, ancestors }: Located): boolean =>
  [node, ...ancestors].some(({ id }) => document.locked.has(id));

/** Whether the node or a group around it is hidden while editing. */
export const isHidden = (document: EditorDocument, { node, ancestors }: Located): boolean =>
  [node, ...ancestors].some(({ id }) => document.hidden.has(id));

/** The name in the layers panel. A hotspot's `label` takes precedence over its key; `name` is only for people. */
export function nameOf(node: LayerNode): string {
  const { raw } = node;
  if (!isLayer(node)) return 'Not a layer';
  const { type, id, key, label, name } = raw;
  const named = [label, name, id, key].map(textOf).find((each) => each !== undefined && each !== '');
  if (named !== undefined) return named;
  const shapeName = type === 'shape' ? ownValue(SHAPE_NAMES, raw.shapeType) : undefined;
  return contentName(raw) ?? shapeName ?? ownValue(TYPE_NAMES, type) ?? String(type ?? 'Layer');
}

/** Names of the layer types for people. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  text: 'Text',
  image: 'Image',
  shape: 'Shape',
  qrcode: 'QR code',
  barcode: 'Barcode',
  table: 'Table',
  group: 'Group',
};

/** Names of the shapes for people. */
export const SHAPE_NAMES: Readonly<Record<string, string>> = {
  rectangle: 'Rectangle',
  rounded_rectangle: 'Rounded rectangle',
  circle: 'Circle',
  pill: 'Pill',
  line: 'Line',
  polygon: 'Polygon',
  star: 'Star',
  path: 'Path',
  arc: 'Arc',
};

const MAX_NAME_LENGTH = 40;

/** Returns the first words of a text. */
function contentName(raw: Json): string | undefined {
  const spans = isList(raw.spans) ? raw.spans.map((span) => textOf(valueAt(span, ['text'])) ?? '').join('') : undefined;
  const text = (textOf(raw.text) ?? spans ?? '').replace(/\s+/g, ' ').trim();
  if (text === '') return undefined;
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text;
}

const drawnRecords = new WeakMap<ReadonlySet<NodeId>, { readonly record: Json; readonly drawn: Json }>();

/** The record for drawing while editing, without hidden layers. It is the same object until either changes. */
export function drawnRecord(document: EditorDocument): Json {
  const { record, hidden } = document;
  if (hidden.size === 0) return record;
  const cachedRecord = drawnRecords.get(hidden);
  if (cachedRecord?.record === record) return cachedRecord.drawn;
  const drawn = withoutHidden(document);
  drawnRecords.set(hidden, { record, drawn });
  return drawn;
}

function withoutHidden(document: EditorDocument): Json {
  const { record, hidden } = document;
  const visibleLayers = (nodes: readonly LayerNode[]): unknown[] =>
    nodes.map((node) => {
      if (!isTouched(node)) return node.value;
      const { raw, children } = node;
      const inner = children.length > 0 ? { ...raw, layers: visibleLayers(children) } : raw;
      return hidden.has(node.id) ? { ...inner, visible: false } : inner;
    });
  const isTouched = (node: LayerNode): boolean => hidden.has(node.id) || node.children.some(isTouched);
  let drawn = record;
  for (const list of LISTS)
    if (document[list].length > 0) drawn = withField(drawn, list, visibleLayers(document[list]));
  return drawn;
}
