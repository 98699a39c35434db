// Finds values of a JSON text by their path, and the path of a position, in the tree of CodeMirror's parser, which also reads
// text with syntax errors.
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { JsonPath } from './paths.js';

export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds for completing the tree of the whole text. */
const PARSE_MS = 30;

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

export const isValue = (node: SyntaxNode): boolean => VALUES.has(node.name);

export function treeOf(state: EditorState): SyntaxNode {
  return (ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state)).topNode;
}

function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

export function* propertiesOf(object: SyntaxNode): Generator<SyntaxNode> {
  for (const child of childrenOf(object)) if (child.name === 'Property') yield child;
}

export function keyOf(state: EditorState, property: SyntaxNode): string | undefined {
  const name = property.firstChild;
  if (name?.name !== 'PropertyName') return undefined;
  return textOf(state, name);
}

/** Returns the text of a string or key without quotes and escapes; as written if it is malformed. */
function textOf(state: EditorState, node: SyntaxNode): string {
  const source = state.sliceDoc(node.from, node.to);
  try {
    return String(JSON.parse(source));
  } catch {
    return source.replace(/^"|"$/g, '');
  }
}

export function memberValue(property: SyntaxNode): SyntaxNode | undefined {
  for (const child of childrenOf(property)) if (isValue(child)) return child;
  return undefined;
}

/** Returns the value of a scalar; undefined for objects and arrays. */
export function scalarOf(state: EditorState, node: SyntaxNode): string | number | boolean | null | undefined {
  switch (node.name) {
    case 'String':
      return textOf(state, node);
    case 'Number':
      return Number(state.sliceDoc(node.from, node.to));
    case 'True':
      return true;
    case 'False':
      return false;
    case 'Null':
      return null;
    default:
      return undefined;
  }
}

/**
 * Finds the range to mark for a path: the value or, if the text lacks it, the opening bracket of the nearest object or array
 * around it. Returns undefined if the path's first key is absent: then it refers to something else, such as the variables.
 */
export function rangeOfPath(state: EditorState, path: JsonPath): Range | undefined {
  let node = rootOf(state);
  if (!node) return undefined;
  for (const [depth, key] of path.entries()) {
    const next = childAt(state, node, key);
    if (!next) return depth === 0 && path.length > 1 ? undefined : openingOf(node);
    node = next;
  }
  return node.name === 'Object' || node.name === 'Array' ? openingOf(node) : { from: node.from, to: node.to };
}

function rootOf(state: EditorState): SyntaxNode | undefined {
  for (const child of childrenOf(treeOf(state))) if (isValue(child)) return child;
  return undefined;
}

/** Finds the child with a key. If a key occurs twice, the last one counts, as in JSON.parse. */
function childAt(state: EditorState, node: SyntaxNode, key: string | number): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  if (typeof key === 'number' && node.name === 'Array') {
    let index = 0;
    for (const child of childrenOf(node)) if (isValue(child) && index++ === key) return child;
  } else if (node.name === 'Object') {
    for (const property of propertiesOf(node)) {
      if (keyOf(state, property) === String(key)) found = memberValue(property);
    }
  }
  return found;
}

const openingOf = (node: SyntaxNode): Range =>
  node.name === 'Object' || node.name === 'Array'
    ? { from: node.from, to: node.from + 1 }
    : { from: node.from, to: node.to };

/** Lists the objects and arrays around a node from the outermost, with the key that leads into each next one. */
export function containersOf(state: EditorState, inner: SyntaxNode): { node: SyntaxNode; key: string | number }[] {
  const found: { node: SyntaxNode; key: string | number }[] = [];
  let below: SyntaxNode = inner;
  for (let node = inner.parent; node; below = node, node = node.parent) {
    if (node.name === 'Object' && below.name === 'Property') {
      found.unshift({ node, key: keyOf(state, below) ?? '' });
    } else if (node.name === 'Array') {
      found.unshift({ node, key: indexIn(node, below) });
    }
  }
  return found;
}

function indexIn(array: SyntaxNode, item: SyntaxNode): number {
  let index = 0;
  for (const child of childrenOf(array)) {
    if (child.from >= item.from) break;
    if (isValue(child)) index++;
  }
  return index;
}
