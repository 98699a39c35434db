// Finds the field or value at a position of a JSON text, and the schemas that apply to it.
import type { EditorState } from '@codemirror/state';
import { fieldsOf, matching, type Schema, type Step, schemasAt } from './schema.js';
import {
  containersOf,
  isValue,
  keyOf,
  memberValue,
  propertiesOf,
  type Range,
  type SyntaxNode,
  scalarOf,
  treeOf,
} from './tree.js';

/** The schema of all payloads, and the part of it for this text. */
export interface SchemaOf {
  readonly root: Schema;
  readonly start: Schema;
}

export type Place =
  | {
      readonly kind: 'key';
      /** Range of the part of the key that is typed, with its quotes. */
      readonly range: Range;
      /** Schemas of the object around the key. */
      readonly schemas: readonly Schema[];
      /** Other keys of the object. */
      readonly taken: ReadonlySet<string>;
      /** Whether a colon and a value follow. */
      readonly hasValue: boolean;
    }
  | { readonly kind: 'value'; readonly range: Range; readonly schemas: readonly Schema[] };

export function fieldsIn(state: EditorState, object: SyntaxNode): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const property of propertiesOf(object)) {
    const key = keyOf(state, property);
    const value = memberValue(property);
    if (key !== undefined) fields.set(key, value && scalarOf(state, value));
  }
  return fields;
}

function stepsTo(state: EditorState, node: SyntaxNode): Step[] {
  return containersOf(state, node).map(({ node: container, key }) => ({
    key,
    fields: container.name === 'Object' ? fieldsIn(state, container) : new Map(),
  }));
}

/** Finds the schemas of a value, or of a property's value. */
export const schemasOf = (state: EditorState, node: SyntaxNode, { root, start }: SchemaOf): Schema[] =>
  schemasAt(root, start, stepsTo(state, node));

/** Finds what may be written at `position`; undefined if neither a key nor a value can be there. */
export function placeAt(state: EditorState, position: number, schema: SchemaOf): Place | undefined {
  const node = treeOf(state).resolveInner(position, -1);
  if (node.name === 'PropertyName' && node.parent) {
    const isInside = position > node.from;
    return isInside ? keyPlace(state, node.parent, node, schema) : undefined;
  }
  if (isValue(node) && node.name !== 'Object' && node.name !== 'Array') {
    const isClosed = node.name === 'String' && position === node.to && position > node.from + 1;
    return isClosed ? undefined : valuePlace(state, node, node, schema);
  }
  // the parser skips a word without quotes
  const start = position - (/[\w$-]*$/.exec(state.sliceDoc(Math.max(0, position - 100), position))?.[0].length ?? 0);
  const before = lastTokenBefore(state, start);
  const empty = { from: start, to: position };
  const container = enclosing(node, position);
  if (!container) return undefined;
  if (container.name === 'Object') {
    const property = [...propertiesOf(container)].findLast(({ from }) => from < position);
    if (before === ':' && property) {
      return { kind: 'value', range: empty, schemas: schemasOf(state, property.firstChild ?? property, schema) };
    }
    if (before !== '{' && before !== ',') return undefined;
    const own = matching(schema.root, schemasOf(state, container, schema), fieldsIn(state, container));
    return {
      kind: 'key',
      range: empty,
      schemas: own,
      taken: new Set(fieldsIn(state, container).keys()),
      hasValue: false,
    };
  }
  if (before !== '[' && before !== ',') return undefined;
  const items = [...stepsTo(state, container), { key: 0, fields: new Map() }];
  return { kind: 'value', range: empty, schemas: schemasAt(schema.root, schema.start, items) };
}

function keyPlace(state: EditorState, property: SyntaxNode, name: SyntaxNode, schema: SchemaOf): Place | undefined {
  const object = property.parent;
  if (object?.name !== 'Object') return undefined;
  const fields = fieldsIn(state, object);
  const own = keyOf(state, property);
  if (own !== undefined) fields.delete(own);
  const schemas = matching(schema.root, schemasOf(state, object, schema), fields);
  const hasValue = /^\s*:/.test(state.sliceDoc(name.to, name.to + 100));
  return { kind: 'key', range: name, schemas, taken: new Set(fields.keys()), hasValue };
}

const valuePlace = (state: EditorState, node: SyntaxNode, range: Range, schema: SchemaOf): Place => ({
  kind: 'value',
  range: { from: range.from, to: range.to },
  schemas: schemasOf(state, node, schema),
});

/** Finds the innermost object or array that is open at `position`. */
function enclosing(inner: SyntaxNode, position: number): SyntaxNode | undefined {
  for (let node: SyntaxNode | null = inner; node; node = node.parent) {
    const isClosed = node.lastChild?.name === '}' || node.lastChild?.name === ']';
    const isAround = node.from < position && (position < node.to || !isClosed);
    if ((node.name === 'Object' || node.name === 'Array') && isAround) return node;
  }
  return undefined;
}

/** Number of characters before a position in which to search for the last token. */
const LOOK_BACK = 2000;

function lastTokenBefore(state: EditorState, position: number): string {
  return state
    .sliceDoc(Math.max(0, position - LOOK_BACK), position)
    .trimEnd()
    .slice(-1);
}

/** Finds the field at a position, on its key or its value, to show a hint about it. */
export function fieldAt(
  state: EditorState,
  position: number,
  side: -1 | 1,
  schema: SchemaOf,
): { readonly name: string; readonly range: Range; readonly schemas: readonly Schema[] } | undefined {
  const node = treeOf(state).resolveInner(position, side);
  const isOver = node.name === 'PropertyName' || (isValue(node) && node.name !== 'Object' && node.name !== 'Array');
  const property = isOver ? node.parent : null;
  if (property?.name !== 'Property' || property.parent?.name !== 'Object') return undefined;
  const name = keyOf(state, property);
  if (name === undefined) return undefined;
  const object = property.parent;
  const own = matching(schema.root, schemasOf(state, object, schema), fieldsIn(state, object));
  const field = fieldsOf(schema.root, own).find((each) => each.name === name);
  return field && { name, range: { from: node.from, to: node.to }, schemas: field.schemas };
}
