// Changes one field of the outermost object and leaves the rest of the text as it is.
import type { ChangeSpec, EditorState } from '@codemirror/state';
import { keyOf, memberValue, propertiesOf, type SyntaxNode, treeOf } from './tree.js';

/**
 * Returns the change that sets `name` to `value`, or removes the field if `value` is undefined; undefined if nothing changes.
 */
export function fieldChange(state: EditorState, name: string, value: unknown): ChangeSpec | undefined {
  const object = treeOf(state).firstChild;
  if (object?.name !== 'Object') return undefined;
  const properties = [...propertiesOf(object)];
  const index = properties.findLastIndex((property) => keyOf(state, property) === name);
  if (index >= 0) {
    if (value === undefined) return removal(properties, index);
    const old = memberValue(properties[index]!);
    return old && { from: old.from, to: old.to, insert: JSON.stringify(value) };
  }
  if (value === undefined) return undefined;
  const field = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const last = properties.at(-1);
  if (!last) return { from: object.from + 1, insert: ` ${field} ` };
  return { from: last.to, insert: `,${blanksBefore(state, last, object)}${field}` };
}

/** Returns the blanks before a property, back to the comma or brace, so that a new property gets the same. */
function blanksBefore(state: EditorState, property: SyntaxNode, object: SyntaxNode): string {
  return /[ \t\r\n]*$/.exec(state.sliceDoc(object.from + 1, property.from))?.[0] || ' ';
}

/** Removes a property together with the comma before it, or the comma behind it if it comes first. */
function removal(properties: readonly SyntaxNode[], index: number): ChangeSpec {
  const [before, own, after] = [properties[index - 1], properties[index]!, properties[index + 1]];
  if (before) return { from: before.to, to: own.to };
  return { from: own.from, to: after ? after.from : own.to };
}
