// Completes the keys and values that the payload's schema knows.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { type Place, placeAt, type SchemaOf } from './place.js';
import { choicesOf, type Field, fieldsOf, hintOf, type Schema, typeText } from './schema.js';

/** Text to insert, and the cursor's position in it. */
interface Insertion {
  readonly text: string;
  readonly cursor: number;
}

/** Creates a completion source for `schema`. `info` shows a hint beside a completion. */
export function completeFrom(schema: SchemaOf, info?: (field: Field) => Node | null) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const place = placeAt(state, pos, schema);
    if (!place) return null;
    const isWritten = place.range.from < pos;
    // don't open after each comma and bracket
    if (!isWritten && !explicit) return null;
    const options = place.kind === 'key' ? keys(place, schema, info) : values(place.schemas);
    return options.length === 0
      ? null
      : { from: place.range.from, to: pos, options, validFor: /^"?[\w$-]*$/, filter: true };
  };
}

type KeyPlace = Extract<Place, { readonly kind: 'key' }>;

function keys(place: KeyPlace, { root }: SchemaOf, info?: (field: Field) => Node | null): Completion[] {
  return fieldsOf(root, place.schemas)
    .filter(({ name }) => !place.taken.has(name))
    .map((field) => ({
      label: `"${field.name}"`,
      displayLabel: field.name,
      detail: typeText(field.schemas),
      type: 'property',
      boost: field.isRequired ? 1 : 0,
      ...(info && { info: () => info(field) }),
      apply: (view: EditorView, _completion: Completion, from: number) => {
        const { text, cursor } = keyInsertion(field, place.hasValue);
        insert(view, from, endOf(view, place, from), text, cursor);
      },
    }));
}

export function keyInsertion({ name, schemas }: Pick<Field, 'name' | 'schemas'>, hasValue: boolean): Insertion {
  const key = JSON.stringify(name);
  if (hasValue) return { text: key, cursor: key.length };
  const [before, after] = emptyValue(schemas);
  return { text: `${key}: ${before}${after}`, cursor: key.length + 2 + before.length };
}

/** The start of a value: its text before and after the cursor. */
function emptyValue(schemas: readonly Schema[]): readonly [string, string] {
  const [first, ...others] = schemas;
  if (!first) return ['', ''];
  if (first.const !== undefined && others.length === 0) return [JSON.stringify(first.const), ''];
  switch (first.type ?? typeof first.enum?.[0]) {
    case 'string':
      return ['"', '"'];
    case 'object':
      return ['{', '}'];
    case 'array':
      return ['[', ']'];
    default:
      return ['', ''];
  }
}

function values(schemas: readonly Schema[]): Completion[] {
  const labels = new Set(schemas.flatMap(choicesOf).map((value) => JSON.stringify(value)));
  const standard = hintOf('', schemas).standard;
  return [...labels].map((label) => ({
    label,
    type: 'enum',
    ...(label === standard && { detail: 'default' }),
    apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
      const closing = label.startsWith('"') && view.state.sliceDoc(to, to + 1) === '"' ? 1 : 0;
      insert(view, from, to + closing, label, label.length);
    },
  }));
}

/** The end of a key that continues behind the cursor. */
function endOf({ state }: EditorView, place: KeyPlace, from: number): number {
  const rest = /^"?[\w$-]*"?/.exec(state.sliceDoc(from, from + 200))?.[0] ?? '';
  const written = from + rest.length;
  return place.hasValue ? written : Math.max(written, state.selection.main.head);
}

function insert(view: EditorView, from: number, to: number, text: string, cursor: number): void {
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + cursor },
    scrollIntoView: true,
    userEvent: 'input.complete',
  });
}
