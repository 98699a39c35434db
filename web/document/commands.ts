// The commands of the editor: pure functions from a document and a command to the next document. Canvas, panels and the JSON
// view all dispatch them. A command that changes nothing returns the same document.
import { overridden } from '../../lib/contract/template/overrides.js';
import {
  childList,
  type EditorDocument,
  type Guides,
  type Ids,
  isEqual,
  isLayer,
  type LayerNode,
  LISTS,
  type ListName,
  type Located,
  locate,
  type NodeId,
  nodeIndex,
  nodesOf,
  selectedNodes,
  walk,
} from './document.js';
import {
  isList,
  isObject,
  type Json,
  numberOf,
  type Path,
  textOf,
  valueAt,
  withField,
  withFields,
  withValue,
} from './json.js';

/**
 * The place for layers: before the sibling at `index`, or behind all siblings without an index; in `parent`, or in the record's
 * list without a parent.
 * Fixed layers can't be among `hotspots`: if a layer is put there, the hotspots before it move to `layers`, which draws the
 * same.
 */
export interface Target {
  readonly parent?: NodeId | undefined;
  readonly list?: ListName | undefined;
  readonly index?: number | undefined;
}

/** Fields that layers get in a new place, such as x and y; undefined removes a field. */
export type NewPlaces = ReadonlyMap<NodeId, Json>;

/** New values for fields of one layer; undefined removes a field. */
export interface LayerChange {
  readonly id: NodeId;
  readonly fields: Json;
}

export type Command =
  /** Selects exactly these. */
  | { readonly type: 'select'; readonly ids: readonly NodeId[] }
  /** Sets one field of several layers: `path` leads to it within each. undefined removes it. */
  | { readonly type: 'set'; readonly ids: readonly NodeId[]; readonly path: Path; readonly value: unknown }
  /** Sets fields of layers: moving, resizing, turning, aligning. */
  | { readonly type: 'change'; readonly changes: readonly LayerChange[] }
  /** Sets a field of the record: `['width']`, `['background', 'color']`. */
  | { readonly type: 'setRecord'; readonly path: Path; readonly value: unknown }
  /** Adds raw layers and selects them. Keys and ids that are taken get a number. */
  | ({ readonly type: 'insert'; readonly layers: readonly Json[] } & Target)
  | { readonly type: 'remove'; readonly ids: readonly NodeId[] }
  /** Adds a copy above each layer, moved by (dx, dy), and selects the copies. */
  | { readonly type: 'duplicate'; readonly ids: readonly NodeId[]; readonly dx: number; readonly dy: number }
  /** Changes the order of layers, or moves them into or out of a group. */
  | ({ readonly type: 'move'; readonly ids: readonly NodeId[]; readonly places?: NewPlaces } & Target)
  /**
   * Puts layers in a group with this box, in the coordinates of the topmost layer's parent, and selects it. Layers without new
   * places are moved by its corner.
   */
  | {
      readonly type: 'group';
      readonly ids: readonly NodeId[];
      readonly box: readonly [x: number, y: number, width: number, height: number];
      readonly fields?: Json;
      readonly places?: NewPlaces;
    }
  /** Replaces groups by their layers. Layers without new places are moved by the group's corner. */
  | { readonly type: 'ungroup'; readonly ids: readonly NodeId[]; readonly places?: NewPlaces }
  /** Makes a layer a hotspot with the key; without a key, makes it fixed again. */
  | { readonly type: 'setKey'; readonly id: NodeId; readonly key: string | undefined }
  | { readonly type: 'hide' | 'lock'; readonly ids: readonly NodeId[]; readonly value: boolean }
  | { readonly type: 'setGuides'; readonly guides: Guides }
  /** Edits a size of the record; undefined edits the record itself. */
  | { readonly type: 'chooseSize'; readonly size: string | undefined }
  /** Replaces the record: by the JSON view, another version or an import. Layers keep their identities as far as they can. */
  | { readonly type: 'replace'; readonly record: Json; readonly text?: string | undefined };

export function apply(document: EditorDocument, command: Command): EditorDocument {
  switch (command.type) {
    case 'select':
      return withSelection(document, command.ids);
    case 'set': {
      const { ids, path, value } = command;
      const [field, ...rest] = path;
      if (typeof field !== 'string') return document;
      const changes = existing(document, ids).map(({ node: { id } }) => {
        const own = layerAt(document, id);
        return { id, fields: { [field]: withValue(own[field], rest, value) } };
      });
      return changeLayers(document, changes);
    }
    case 'change':
      return changeLayers(document, command.changes);
    case 'setRecord':
      return setRecord(document, command.path, command.value);
    case 'insert':
      return insert(document, command.layers, command);
    case 'remove':
      return remove(document, command.ids);
    case 'duplicate':
      return duplicate(document, command.ids, command.dx, command.dy);
    case 'move':
      return move(document, command.ids, command, command.places);
    case 'group':
      return group(document, command);
    case 'ungroup':
      return ungroup(document, command.ids, command.places);
    case 'setKey':
      return setKey(document, command.id, command.key);
    case 'hide':
      return withMembers(document, 'hidden', command.ids, command.value);
    case 'lock':
      return withMembers(document, 'locked', command.ids, command.value);
    case 'setGuides':
      return isEqual(document.guides, command.guides) ? document : { ...document, guides: command.guides };
    case 'chooseSize':
      return document.size === command.size ? document : { ...document, size: command.size };
    case 'replace':
      return replace(document, command.record, command.text);
  }
}

/** The edited size, if the record has it. */
function sizeOf({ record, size }: EditorDocument): Json | undefined {
  const found = size === undefined ? undefined : valueAt(record, ['sizes', size]);
  return isObject(found) ? found : undefined;
}

/** The name by which sizes refer to a layer. */
const sizeName = ({ key, id }: Json): string | undefined => textOf(key) ?? textOf(id);

/** The raw layer with the overrides of the edited size. */
export function layerAt(document: EditorDocument, id: NodeId): Json {
  const raw = locate(document, id)?.node.raw ?? {};
  const name = sizeName(raw);
  const override = name === undefined ? undefined : valueAt(sizeOf(document), ['layers', name]);
  return isObject(override) ? overridden(raw, override) : raw;
}

/** Width and height of the edited canvas. */
export function canvasSize(document: EditorDocument): { readonly width: number; readonly height: number } {
  const { width, height } = sizeOf(document) ?? document.record;
  return { width: numberOf(width) ?? 0, height: numberOf(height) ?? 0 };
}

/** The size of a picture in pixels of the layers' coordinates; it is smaller than the canvas if it ends where its layers do. */
export function pictureSize(
  document: EditorDocument,
  picture: { readonly width: number; readonly height: number } | undefined,
): { readonly width: number; readonly height: number } {
  const isFitted = ['autoWidth', 'autoHeight'].some((field) => recordValue(document, [field]) === true);
  if (!picture || !isFitted) return canvasSize(document);
  const scale = numberOf(recordValue(document, ['scale'])) ?? 1;
  return { width: picture.width / scale, height: picture.height / scale };
}

/** A field of the record with the overrides of the edited size. */
export function recordValue(document: EditorDocument, path: Path): unknown {
  const own = isSizeField(path) ? valueAt(sizeOf(document), path) : undefined;
  return own ?? valueAt(document.record, path);
}

/** Fields of the record that each size sets separately. */
const SIZE_FIELDS = ['width', 'height', 'scale', 'autoWidth', 'autoHeight', 'padding', 'background'];
const isSizeField = ([field]: Path): boolean => SIZE_FIELDS.includes(String(field));

function existing(document: EditorDocument, ids: readonly NodeId[]): Located[] {
  return ids.flatMap((id) => locate(document, id) ?? []).filter(({ node }) => isLayer(node));
}

function withSelection(document: EditorDocument, ids: readonly NodeId[]): EditorDocument {
  const known = [...new Set(ids)].filter((id) => locate(document, id));
  return isEqual(known, document.selection) ? document : { ...document, selection: known };
}

function withMembers(
  document: EditorDocument,
  name: 'hidden' | 'locked',
  ids: readonly NodeId[],
  isMember: boolean,
): EditorDocument {
  const members = new Set(document[name]);
  for (const { node } of existing(document, ids)) isMember ? members.add(node.id) : members.delete(node.id);
  return isEqual([...members], [...document[name]]) ? document : { ...document, [name]: members };
}

/** Replaces nodes of the document: `change` returns the nodes that take the place of one. */
function mapNodes(document: EditorDocument, change: (node: LayerNode) => readonly LayerNode[]): EditorDocument {
  const mapped = (nodes: readonly LayerNode[]): readonly LayerNode[] => {
    const next = nodes.flatMap((node) => {
      const children = mapped(node.children);
      return change(children === node.children ? node : withChildren(node, children));
    });
    return next.length === nodes.length && next.every((node, i) => node === nodes[i]) ? nodes : next;
  };
  let changed = document;
  for (const list of LISTS) changed = withList(changed, list, mapped(document[list]));
  return changed;
}

function withChildren(node: LayerNode, children: readonly LayerNode[]): LayerNode {
  const raw = withField(
    node.raw,
    'layers',
    children.map(({ value }) => value),
  );
  return { ...withRaw(node, raw), children };
}

function withList(document: EditorDocument, list: ListName, nodes: readonly LayerNode[]): EditorDocument {
  if (nodes === document[list]) return document;
  const values = nodes.map(({ value }) => value);
  return withRecord({ ...document, [list]: nodes }, withField(document.record, list, values));
}

/** Replaces the record and drops `text`, which belonged to the old one. */
const withRecord = (document: EditorDocument, record: Json): EditorDocument =>
  record === document.record ? document : { ...document, record, text: undefined };

const withRaw = (node: LayerNode, raw: Json): LayerNode =>
  raw === node.raw || !isLayer(node) ? node : { ...node, raw, value: raw };

/** Fields that a layer shares between all sizes. */
const SHARED_FIELDS = ['key', 'label', 'type', 'id', 'name'];

function changeLayers(document: EditorDocument, changes: readonly LayerChange[]): EditorDocument {
  const usable = changes.filter(({ id }) => existing(document, [id]).length > 0);
  return sizeOf(document) ? changeInSize(document, usable) : changeRaw(document, usable);
}

function changeRaw(document: EditorDocument, changes: readonly LayerChange[]): EditorDocument {
  const ids: Ids = { next: document.nextId };
  const byId = new Map(changes.map(({ id, fields }) => [id, fields]));
  const changed = mapNodes(document, (node) => {
    const fields = byId.get(node.id);
    if (!fields) return [node];
    const next = withRaw(node, withFields(node.raw, fields));
    if (next === node || !('layers' in fields || 'type' in fields)) return [next];
    return [{ ...next, children: nodesOf(childList(next.raw), ids, node.children) }];
  });
  return settled({ ...withSizeNames(changed, document, changes), nextId: ids.next }, document);
}

/** Renames the overrides of sizes to the names that layers have now. */
function withSizeNames(
  changed: EditorDocument,
  before: EditorDocument,
  changes: readonly LayerChange[],
): EditorDocument {
  const { sizes } = changed.record;
  if (!isObject(sizes)) return changed;
  let renamed = sizes;
  for (const { id } of changes) {
    const [old, name] = [before, changed].map((document) => sizeName(locate(document, id)?.node.raw ?? {}));
    if (old === undefined || name === undefined || old === name) continue;
    for (const size of Object.keys(sizes)) {
      const layers = valueAt(renamed, [size, 'layers']);
      if (!isObject(layers) || !Object.hasOwn(layers, old) || Object.hasOwn(layers, name)) continue;
      const entries = Object.entries(layers).map(([key, value]) => [key === old ? name : key, value]);
      renamed = withValue(renamed, [size, 'layers'], Object.fromEntries(entries)) as Json;
    }
  }
  return withRecord(changed, withValue(changed.record, ['sizes'], renamed) as Json);
}

/** Writes what a size can override into the size, and the rest into the layers. A layer without a name gets an id. */
function changeInSize(document: EditorDocument, changes: readonly LayerChange[]): EditorDocument {
  const taken = takenNames(document);
  const own = changes.map(({ id, fields }): LayerChange => {
    const shared = Object.entries(fields).filter(([field]) => SHARED_FIELDS.includes(field) || field === 'layers');
    const { raw } = locate(document, id)!.node;
    const named = sizeName(raw) === undefined ? { id: taken.next(textOf(raw.type) ?? 'layer', 'id') } : {};
    return { id, fields: { ...named, ...Object.fromEntries(shared) } };
  });
  let changed = changeRaw(document, own);
  for (const { id, fields } of changes) {
    const raw = locate(changed, id)?.node.raw;
    if (!raw) continue;
    for (const [field, value] of Object.entries(fields)) {
      if (SHARED_FIELDS.includes(field) || field === 'layers') continue;
      // null restores the default if the layer has its own value
      const stored = value === undefined && raw[field] !== undefined ? null : value;
      const same = stored !== undefined && isEqual(stored, raw[field]);
      const path = ['sizes', document.size!, 'layers', sizeName(raw)!, field];
      changed = withRecord(changed, withValue(changed.record, path, same ? undefined : stored) as Json);
    }
  }
  return changed;
}

function setRecord(document: EditorDocument, path: Path, value: unknown): EditorDocument {
  const [first] = path;
  if (typeof first !== 'string') return document;
  const isOwn = sizeOf(document) !== undefined && isSizeField(path);
  const at = isOwn ? ['sizes', document.size!, ...path] : path;
  const record = withValue(document.record, at, value) as Json;
  if (!LISTS.includes(first as ListName)) return withRecord(document, record);
  return replace(document, record);
}

/** Collects the record's keys and ids, and hands out new ones. */
function takenNames(document: EditorDocument) {
  const taken = { key: new Set<unknown>(), id: new Set<unknown>() };
  for (const { node } of walk(document)) {
    for (const field of ['key', 'id'] as const) taken[field].add(node.raw[field]);
  }
  return {
    /** Returns `name`, with a number if it is taken. */
    next(name: string, field: 'key' | 'id'): string {
      const base = name.replace(/-\d+$/, '');
      let free = name;
      for (let i = 2; taken[field].has(free); i++) free = `${base}-${i}`;
      taken[field].add(free);
      return free;
    },
  };
}

/** Gives the raw layer names that nothing else in the record has. */
function withFreeNames(raw: Json, taken: ReturnType<typeof takenNames>): Json {
  const named: Record<string, unknown> = {};
  for (const field of ['key', 'id'] as const) {
    const name = textOf(raw[field]);
    if (name !== undefined) named[field] = taken.next(name, field);
  }
  const inner = childList(raw);
  if (isList(inner)) named.layers = inner.map((each) => (isObject(each) ? withFreeNames(each, taken) : each));
  return withFields(raw, named);
}

function insert(document: EditorDocument, layers: readonly Json[], target: Target): EditorDocument {
  const taken = takenNames(document);
  const ids: Ids = { next: document.nextId };
  const raws = layers.filter(isObject).map((raw) => withFreeNames(raw, taken));
  const nodes = nodesOf(raws, ids);
  if (nodes.length === 0) return document;
  const next = insertNodes({ ...document, nextId: ids.next }, nodes, target);
  return withSelection(
    next,
    nodes.map(({ id }) => id),
  );
}

function insertNodes(document: EditorDocument, nodes: readonly LayerNode[], target: Target): EditorDocument {
  const parent = target.parent === undefined ? undefined : locate(document, target.parent)?.node;
  const siblings = parent?.raw.type === 'group' ? parent.children : document[target.list ?? 'layers'];
  const index = Math.max(0, Math.min(target.index ?? siblings.length, siblings.length));
  const next = siblings.toSpliced(index, 0, ...nodes);
  if (siblings === parent?.children) {
    return mapNodes(document, (node) => [node.id === parent.id ? withChildren(node, next) : node]);
  }
  if (target.list !== 'hotspots' || nodes.every(isListedHotspot)) {
    return withList(document, target.list ?? 'layers', next);
  }
  const rest = withList(document, 'hotspots', siblings.slice(index));
  return withList(rest, 'layers', [...document.layers, ...siblings.slice(0, index), ...nodes]);
}

/** Whether it may be in `hotspots`, whose items need a key and a label. */
const isListedHotspot = ({ raw }: LayerNode): boolean =>
  textOf(raw.key) !== undefined && textOf(raw.label) !== undefined;

function remove(document: EditorDocument, ids: readonly NodeId[]): EditorDocument {
  const removed = new Set(ids);
  return settled(
    mapNodes(document, (node) => (removed.has(node.id) ? [] : [node])),
    document,
  );
}

/** Removes references to layers that were deleted. */
function settled(document: EditorDocument, before: EditorDocument): EditorDocument {
  if (document.layers === before.layers && document.hotspots === before.hotspots) return before;
  const isThere = (id: NodeId) => nodeIndex(document).has(id);
  const membersThere = (members: ReadonlySet<NodeId>) => new Set([...members].filter(isThere));
  return {
    ...document,
    selection: document.selection.filter(isThere),
    hidden: membersThere(document.hidden),
    locked: membersThere(document.locked),
  };
}

function duplicate(document: EditorDocument, ids: readonly NodeId[], dx: number, dy: number): EditorDocument {
  const originals = selectedNodes({ ...document, selection: ids });
  const copied = new Set(originals.map(({ node }) => node.id));
  const taken = takenNames(document);
  const fresh: Ids = { next: document.nextId };
  const copies: NodeId[] = [];
  const changed = mapNodes(document, (node) => {
    if (!copied.has(node.id) || !isLayer(node)) return [node];
    const [copy] = nodesOf([shifted(withFreeNames(node.raw, taken), dx, dy)], fresh);
    copies.push(copy!.id);
    return [node, copy!];
  });
  return withSelection({ ...changed, nextId: fresh.next }, copies);
}

/** Moves the raw layer. Coordinates that aren't numbers stay. */
function shifted(raw: Json, dx: number, dy: number): Json {
  const by = (field: 'x' | 'y', distance: number) => {
    const value = raw[field] ?? 0;
    return typeof value === 'number' && distance !== 0 ? { [field]: rounded(value + distance) } : {};
  };
  return withFields(raw, { ...by('x', dx), ...by('y', dy) });
}

/** Rounds coordinates for the record: hundredths of a pixel are enough. */
export const rounded = (pixels: number): number => Math.round(pixels * 100) / 100 + 0;

function move(
  document: EditorDocument,
  ids: readonly NodeId[],
  target: Target,
  places: NewPlaces = new Map(),
): EditorDocument {
  const moved = selectedNodes({ ...document, selection: ids });
  if (moved.length === 0) return document;
  const movedIds = new Set(moved.map(({ node }) => node.id));
  const parent = target.parent === undefined ? undefined : locate(document, target.parent);
  // a group can't be put into itself
  if (parent && [parent.node, ...parent.ancestors].some(({ id }) => movedIds.has(id))) return document;
  const list = target.list ?? parent?.list ?? moved[0]!.list;
  const siblings = parent ? parent.node.children : document[list];
  const index = target.index ?? siblings.length;
  // the index counts the siblings before any layer is taken out
  const before = siblings.slice(0, index).filter(({ id }) => movedIds.has(id)).length;
  // the order belongs to every size; the new places belong to the edited size
  const isInSize = sizeOf(document) !== undefined;
  const nodes = moved.map(({ node }) => withPlace(node, isInSize ? new Map() : places));
  const without = mapNodes(document, (node) => (movedIds.has(node.id) ? [] : [node]));
  const inserted = insertNodes(without, nodes, { parent: target.parent, list, index: index - before });
  const changes = isInSize ? [...places].map(([id, fields]): LayerChange => ({ id, fields })) : [];
  const next = changes.length > 0 ? changeInSize(inserted, changes) : inserted;
  return isEqual(next.record, document.record) ? document : next;
}

/** Puts the layer in its new place; if it has none, moves it by (dx, dy). */
function withPlace(node: LayerNode, places: NewPlaces, dx = 0, dy = 0): LayerNode {
  const fields = places.get(node.id);
  return withRaw(node, fields ? withFields(node.raw, fields) : shifted(node.raw, dx, dy));
}

function group(document: EditorDocument, command: Command & { type: 'group' }): EditorDocument {
  const { ids, box, fields = {}, places = new Map() } = command;
  const [x, y, width, height] = box;
  const members = selectedNodes({ ...document, selection: ids }).filter(({ node }) => isLayer(node));
  const top = members.at(-1);
  if (!top) return document;
  const parent = top.ancestors.at(-1);
  const memberIds = new Set(members.map(({ node }) => node.id));
  const nextId = document.nextId + 1;
  const children = members.map(({ node }) => withPlace(node, places, -x, -y));
  const sides = Object.entries({ x, y, width, height }).map(([field, value]) => [field, rounded(value)]);
  const layers = children.map(({ value }) => value);
  const raw = withFields({ type: 'group', ...Object.fromEntries(sides), layers }, fields);
  const siblings = parent ? parent.children : document[top.list];
  const index = siblings.slice(0, top.index + 1).filter(({ id }) => !memberIds.has(id)).length;
  const without = mapNodes({ ...document, nextId }, (node) => (memberIds.has(node.id) ? [] : [node]));
  const grouped = insertNodes(without, [{ id: document.nextId, raw, value: raw, children }], {
    parent: parent?.id,
    list: top.list,
    index,
  });
  return withSelection(grouped, [document.nextId]);
}

function ungroup(document: EditorDocument, ids: readonly NodeId[], places: NewPlaces = new Map()): EditorDocument {
  const groups = existing(document, [...new Set(ids)]).filter(({ node }) => node.raw.type === 'group');
  let changed = document;
  const freed: NodeId[] = [];
  for (const { node: group } of groups) {
    // an enclosing group may have been taken apart too
    const { node, ancestors, list, index } = locate(changed, group.id)!;
    const { x, y } = node.raw;
    const children = node.children.map((child) => withPlace(child, places, numberOf(x) ?? 0, numberOf(y) ?? 0));
    freed.push(...children.map(({ id }) => id));
    changed = mapNodes(changed, (each) => (each.id === node.id ? [] : [each]));
    changed = insertNodes(changed, children, { parent: ancestors.at(-1)?.id, list, index });
  }
  return changed === document ? document : withSelection(settled(changed, document), freed);
}

function setKey(document: EditorDocument, id: NodeId, key: string | undefined): EditorDocument {
  const located = locate(document, id);
  if (!located || !isLayer(located.node)) return document;
  const fields = key === undefined ? { key, label: undefined } : { key };
  const changed = changeRaw(document, [{ id, fields }]);
  if (key !== undefined || located.list === 'layers' || located.ancestors.length > 0) return changed;
  // it takes its place among the layers
  return move(changed, [id], { list: 'hotspots', index: located.index });
}

function replace(document: EditorDocument, record: Json, text?: string): EditorDocument {
  if (isEqual(record, document.record) && (text === undefined || text === document.text)) return document;
  const ids: Ids = { next: document.nextId };
  const layers = nodesOf(record.layers, ids, document.layers);
  const hotspots = nodesOf(record.hotspots, ids, document.hotspots);
  return settled({ ...document, record, text, layers, hotspots, nextId: ids.next }, document);
}
