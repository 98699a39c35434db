// Prepares the document for drawing while a text is edited: the picture shows the text as it is written, so that the caret
// moves through what the keys change. It ignores the layer's variable and path, and shows markup and placeholders as
// characters.
import { apply, layerAt } from '../../document/commands.js';
import { type EditorDocument, locate, type NodeId, walk } from '../../document/document.js';
import { isList, isObject, type Json, textOf, withField } from '../../document/json.js';
import { pathOf, writtenPath } from '../../document/places.js';

/** Whether the layer has a text that can be edited. */
export const hasText = (document: EditorDocument, id: NodeId | undefined): id is NodeId =>
  id !== undefined && locate(document, id)?.node.raw.type === 'text';

/** Returns the document to draw while this text is edited. */
export function withRawText(document: EditorDocument, id: NodeId | undefined): EditorDocument {
  if (!hasText(document, id)) return document;
  const { text, spans, markup, textPath } = layerAt(document, id);
  const fields: Record<string, unknown> = {};
  if (markup === true) fields.markup = undefined;
  if (textPath !== undefined) fields.textPath = undefined;
  if (document.record.placeholders === true) {
    if (isPlaceholder(text)) fields.text = literal(text);
    if (isList(spans)) fields.spans = spans.map((span) => (isObject(span) ? literalSpan(span) : span));
  }
  return Object.keys(fields).length > 0 ? apply(document, { type: 'change', changes: [{ id, fields }] }) : document;
}

const isPlaceholder = (text: unknown): text is string => textOf(text)?.includes('{{') === true;

/** Escapes placeholders with a backslash, and doubles the backslashes before them. */
const literal = (text: string): string => text.replace(/(\\*)\{\{/g, '$1$1\\{{');

const literalSpan = (span: Json): Json =>
  isPlaceholder(span.text) ? withField(span, 'text', literal(span.text)) : span;

/** Returns the layer's path for the engine. */
export function caretsPath(document: EditorDocument, id: NodeId | undefined): string | undefined {
  return hasText(document, id) ? writtenPath(pathOf(document, locate(document, id)!)) : undefined;
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * Returns the names under which `variables` have a value for the layer: its key, or its label if that isn't another layer's
 * key.
 */
function ownNames(document: EditorDocument, id: NodeId, variables: Variables): string[] {
  const { key, label } = locate(document, id)!.node.raw;
  if (textOf(key) === undefined) return [];
  const isKey = (name: unknown) => [...walk(document)].some(({ node }) => node.raw.key === name);
  return [key, ...(isKey(label) ? [] : [label])].filter((name): name is string =>
    Object.hasOwn(variables, String(name)),
  );
}

/** Returns the variables without the edited text's. */
export function withoutOwnVariable(document: EditorDocument, id: NodeId | undefined, variables: Variables): Variables {
  const names = hasText(document, id) ? ownNames(document, id, variables) : [];
  return names.length > 0
    ? Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)))
    : variables;
}

/** Says in words how the picture differs from what renders show. */
export function editingNotes(document: EditorDocument, id: NodeId, variables: Variables): string[] {
  const { markup, textPath, text, spans } = layerAt(document, id);
  const isFilled = ownNames(document, id, variables).length > 0;
  const hasPlaceholder = [text, ...(isList(spans) ? spans.map((span) => (span as Json)?.text) : [])].some(
    isPlaceholder,
  );
  return [
    isFilled && 'The value of the variable is left out: you edit the template’s own text.',
    markup === true && 'Markup is shown as it is written.',
    document.record.placeholders === true && hasPlaceholder && 'Placeholders are shown as they are written.',
    textPath !== undefined && 'The text goes along its path again when you are done.',
  ].filter((note) => note !== false);
}
