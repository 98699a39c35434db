// Actions of menus, shortcuts and panels on the selected layers. An action creates the step that performs it, or none if it
// would change nothing, so that menus know which actions are available.
import { apply, type Command, type NewPlaces, type Target } from './commands.js';
import { boundsOf, fieldsIn, hasLayout, type Placements, spaceOf } from './coordinates.js';
import {
  type EditorDocument,
  type LayerNode,
  type ListName,
  type Located,
  locate,
  type NodeId,
  nameOf,
  selectedNodes,
} from './document.js';
import { type Json, textOf } from './json.js';
import type { EditorStore } from './store.js';

export interface Step {
  readonly command: Command;
  /** The step in words: "Duplicate Title". */
  readonly label: string;
}

export interface Action {
  /** The action's name in menus for the present document. */
  readonly name: (document: EditorDocument) => string;
  /** Key combinations in the notation of `keysOf`; menus show the first. */
  readonly keys: readonly string[];
  readonly step: (document: EditorDocument, placements: Placements) => Step | undefined;
}

/** Offset of a copy from its layer in pixels, right and down. */
export const COPY_OFFSET = 10;

/** "Title", or "3 layers". */
export function wordsFor(nodes: readonly LayerNode[]): string {
  const [first] = nodes;
  return nodes.length === 1 && first ? nameOf(first) : `${nodes.length} layers`;
}

const nodesFor = (selected: readonly Located[]): LayerNode[] => selected.map(({ node }) => node);

const idsOf = (selected: readonly Located[]): NodeId[] => selected.map(({ node }) => node.id);

type Make = (selected: readonly Located[], document: EditorDocument, placements: Placements) => Step | undefined;

/** Creates an action on the selection that has no step if nothing is selected or nothing would change. */
function action(name: string | Action['name'], keys: readonly string[], make: Make): Action {
  return {
    name: typeof name === 'string' ? () => name : name,
    keys,
    step(document, placements) {
      const selected = selectedNodes(document);
      const step = selected.length > 0 ? make(selected, document, placements) : undefined;
      return step && apply(document, step.command) !== document ? step : undefined;
    },
  };
}

/** Creates a step labelled with `verb` and the selected layers. */
const labelled = (verb: string, selected: readonly Located[], command: Command): Step => ({
  command,
  label: `${verb} ${wordsFor(nodesFor(selected))}`,
});

/** The siblings of a layer in drawing order, hotspots last because they lie over the layers. */
function stackOf(document: EditorDocument, { ancestors }: Located): readonly LayerNode[] {
  return ancestors.at(-1)?.children ?? [...document.layers, ...document.hotspots];
}

/** Moves layers with one parent to a place among their siblings: before the one that is at `place(lowest, highest, count)`. */
function reorder(verb: string, place: (lowest: number, highest: number, count: number) => number): Make {
  return (selected, document) => {
    const parent = selected[0]?.ancestors.at(-1)?.id;
    if (selected.some(({ ancestors }) => ancestors.at(-1)?.id !== parent)) return undefined;
    const stack = stackOf(document, selected[0]!);
    const positions = selected.map(({ node }) => stack.indexOf(node));
    const wanted = place(Math.min(...positions), Math.max(...positions), stack.length);
    if (wanted < 0 || wanted > stack.length) return undefined;
    const target = parent === undefined ? listTarget(document, wanted) : { parent, index: wanted };
    return labelled(verb, selected, { type: 'move', ids: idsOf(selected), ...target });
  };
}

/** Converts an index among all layers and hotspots to one in the list that contains it. */
export function listTarget(document: EditorDocument, place: number): { list: ListName; index: number } {
  const count = document.layers.length;
  return place >= count && document.hotspots.length > 0
    ? { list: 'hotspots', index: place - count }
    : { list: 'layers', index: place };
}

/** Creates the step that moves layers into another group, or out of all groups, without moving them on the canvas. */
export function moveStep(
  document: EditorDocument,
  placements: Placements,
  ids: readonly NodeId[],
  target: Target,
): Step | undefined {
  const moved = selectedNodes({ ...document, selection: ids });
  const group = target.parent === undefined ? undefined : locate(document, target.parent)?.node.raw;
  const to = { space: spaceOf(document, placements, target.parent), hasLayout: hasLayout(group ?? {}) };
  const strangers = moved.filter(({ ancestors }) => ancestors.at(-1)?.id !== target.parent);
  const places: NewPlaces = new Map(idsOf(strangers).map((id) => [id, fieldsIn(document, placements, id, to)]));
  const command: Command = { type: 'move', ids, ...target, places };
  if (moved.length === 0 || apply(document, command) === document) return undefined;
  return labelled('Move', moved, command);
}

const group: Make = (selected, document, placements) => {
  const parent = selected.at(-1)?.ancestors.at(-1);
  const ids = idsOf(selected);
  const box = boundsOf(document, placements, ids, parent?.id);
  if (!box) return undefined;
  const [x, y] = box;
  const [a, b, c, d, e, f] = spaceOf(document, placements, parent?.id);
  const space = [a, b, c, d, a * x + c * y + e, b * x + d * y + f] as const;
  const places = new Map(ids.map((id) => [id, fieldsIn(document, placements, id, { space, hasLayout: false })]));
  // a layout decides where its groups are
  const fields = hasLayout(parent?.raw ?? {}) ? { x: undefined, y: undefined } : {};
  return labelled('Group', selected, { type: 'group', ids, box, places, fields });
};

const ungroup: Make = (selected, document, placements) => {
  const groups = selected.filter(({ node }) => node.raw.type === 'group');
  const places = new Map<NodeId, Json>();
  for (const { node, ancestors } of groups) {
    const parent = ancestors.at(-1);
    const to = { space: spaceOf(document, placements, parent?.id), hasLayout: hasLayout(parent?.raw ?? {}) };
    for (const { id } of node.children) places.set(id, fieldsIn(document, placements, id, to));
  }
  return groups.length === 0 ? undefined : labelled('Ungroup', groups, { type: 'ungroup', ids: idsOf(groups), places });
};

/** Moves the selection into the group just below in the stack, else just above. */
const moveInto: Make = (selected, document, placements) => {
  const stack = stackOf(document, selected[0]!);
  const positions = selected.map(({ node }) => stack.indexOf(node));
  const [below, above] = [stack[Math.min(...positions) - 1], stack[Math.max(...positions) + 1]];
  const isGroup = (node: LayerNode | undefined): node is LayerNode => node?.raw.type === 'group';
  const to = [below, above].find(isGroup);
  if (!to || positions.includes(-1)) return undefined;
  const index = to === below ? to.children.length : 0;
  return moveStep(document, placements, idsOf(selected), { parent: to.id, index });
};

/** Moves the selection out of its group, to the place above it. */
const moveOut: Make = (selected, document, placements) => {
  const parent = selected[0]?.ancestors.at(-1);
  if (!parent || selected.some(({ ancestors }) => ancestors.at(-1) !== parent)) return undefined;
  const { ancestors, list, index } = locate(document, parent.id)!;
  return moveStep(document, placements, idsOf(selected), { parent: ancestors.at(-1)?.id, list, index: index + 1 });
};

/** Creates an action that sets something on all selected layers, or takes it back if all have it. */
function toggle(
  verbs: readonly [set: string, reset: string],
  keys: readonly string[],
  has: (located: Located, document: EditorDocument) => boolean,
  command: (ids: readonly NodeId[], value: boolean) => Command,
): Action {
  const isSetIn = (selected: readonly Located[], document: EditorDocument) =>
    selected.length > 0 && selected.every((each) => has(each, document));
  const verbIn = (selected: readonly Located[], document: EditorDocument) => verbs[isSetIn(selected, document) ? 1 : 0];
  return action(
    (document) => verbIn(selectedNodes(document), document),
    keys,
    (selected, document) =>
      labelled(verbIn(selected, document), selected, command(idsOf(selected), !isSetIn(selected, document))),
  );
}

export const ACTIONS = {
  duplicate: action('Duplicate', ['Ctrl+D'], (selected) => {
    const command = { type: 'duplicate', ids: idsOf(selected), dx: COPY_OFFSET, dy: COPY_OFFSET } as const;
    return labelled('Duplicate', selected, command);
  }),
  remove: action('Delete', ['Delete', 'Backspace'], (selected) =>
    labelled('Delete', selected, { type: 'remove', ids: idsOf(selected) }),
  ),
  group: action('Group', ['Ctrl+G'], group),
  ungroup: action('Ungroup', ['Ctrl+Shift+G'], ungroup),
  bringToFront: action(
    'Bring to front',
    [']'],
    reorder('Bring to front', (_lowest, _highest, count) => count),
  ),
  bringForward: action(
    'Bring forward',
    ['Ctrl+]', 'Alt+ArrowUp'],
    reorder('Bring forward', (_lowest, highest) => highest + 2),
  ),
  sendBackward: action(
    'Send backward',
    ['Ctrl+[', 'Alt+ArrowDown'],
    reorder('Send backward', (lowest) => lowest - 1),
  ),
  sendToBack: action(
    'Send to back',
    ['['],
    reorder('Send to back', () => 0),
  ),
  moveOut: action('Move out of group', ['Alt+ArrowLeft'], moveOut),
  moveInto: action('Move into group', ['Alt+ArrowRight'], moveInto),
  hide: toggle(
    ['Hide', 'Show'],
    ['Ctrl+Shift+H'],
    ({ node }, document) => document.hidden.has(node.id),
    (ids, value) => ({ type: 'hide', ids, value }),
  ),
  lock: toggle(
    ['Lock', 'Unlock'],
    ['Ctrl+Shift+L'],
    ({ node }, document) => document.locked.has(node.id),
    (ids, value) => ({ type: 'lock', ids, value }),
  ),
  /** Toggles `visible`, which renders read. */
  draw: toggle(
    ['Leave out of renders', 'Draw in renders'],
    [],
    ({ node }) => node.raw.visible === false,
    (ids, value) => ({ type: 'set', ids, path: ['visible'], value: value ? false : undefined }),
  ),
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof ACTIONS;

/** Performs an action. Returns whether there was something to do. */
export function perform(store: EditorStore, placements: Placements, { step }: Action): boolean {
  const made = step(store.document.value, placements);
  if (made) store.dispatch(made.command, { label: made.label });
  return made !== undefined;
}

/** Writes a key event in the notation of shortcuts: `Ctrl+Shift+G`. Ctrl is Command on a Mac. */
export function keysOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isLetter = /^[a-z]$/i.test(key);
  // other characters already include Shift
  const hasShift = shiftKey && (isLetter || key.length > 1);
  return [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', hasShift && 'Shift', isLetter ? key.toUpperCase() : key]
    .filter(Boolean)
    .join('+');
}

/** Finds the action for these keys. */
export const actionFor = (keys: string): Action | undefined =>
  Object.values<Action>(ACTIONS).find((each) => each.keys.includes(keys));

/** Says why a layer can't have this key; undefined if it can. */
export function keyFault(document: EditorDocument, id: NodeId, key: string): string | undefined {
  if (key === '') return 'Type a key.';
  if (key.length > MAX_NAME_LENGTH) return `${key.length} characters, expected at most ${MAX_NAME_LENGTH}.`;
  const owner = ownerOf(document, key, id);
  return owner && `“${nameOf(owner)}” has the key ${key} already. Keys are different in one template.`;
}

/** The limit in the schema of templates. */
export const MAX_NAME_LENGTH = 200;

function ownerOf(document: EditorDocument, key: string, besides: NodeId): LayerNode | undefined {
  const within = (nodes: readonly LayerNode[]): LayerNode | undefined => {
    for (const node of nodes) {
      if (node.id !== besides && node.raw.key === key) return node;
      const inner = within(node.children);
      if (inner) return inner;
    }
    return undefined;
  };
  return within(document.layers) ?? within(document.hotspots);
}

/** Makes a layer a variable with this key, or a fixed one again. */
export function keyStep(node: LayerNode, key: string | undefined): Step {
  const label = `${key === undefined ? 'Make fixed' : 'Make a variable'}: ${nameOf(node)}`;
  return { command: { type: 'setKey', id: node.id, key }, label };
}

/** The field that holds a layer's name. Variables use the label, which the people who fill them see too. */
export const nameField = ({ raw }: LayerNode): 'label' | 'name' => (textOf(raw.key) === undefined ? 'name' : 'label');

/** Renames a layer; an empty name makes the editor derive one from the layer's content. */
export function renameStep({ node, list, ancestors }: Located, name: string): Step | undefined {
  const field = nameField(node);
  // `hotspots` must have a label, `layers` may have one
  const isNeeded = field === 'label' && list === 'hotspots' && ancestors.length === 0;
  const value = name.trim().slice(0, MAX_NAME_LENGTH) || (isNeeded ? textOf(node.raw.key) : undefined);
  if (value === node.raw[field]) return undefined;
  const label = value === undefined ? `Remove the name of ${nameOf(node)}` : `Rename ${nameOf(node)} to ${value}`;
  return { command: { type: 'set', ids: [node.id], path: [field], value }, label };
}
