// The content of an edited text layer: spans of text that may have fields. A text without spans is one span without fields, and
// becomes `text` again when no span has a field left. Markup is edited in its source form.
import { isEqual } from './document.js';
import { isList, isObject, type Json, textOf, withFields } from './json.js';

export interface Span {
  readonly text: string;
  /** Fields that override the layer's, without the span's text. */
  readonly fields: Json;
}

/** Spans with different fields than their neighbours; none is empty. An empty text has no spans. */
export type RichText = readonly Span[];

const NO_FIELDS: Json = {};

/** Reads the content of a raw layer. Line ends become `\n`, as in browsers' text fields. */
export function richTextOf({ text, spans }: Json): RichText {
  if (!isList(spans)) return merged([{ text: normalLineEnds(textOf(text) ?? ''), fields: NO_FIELDS }]);
  return merged(
    spans.filter(isObject).map(({ text: own, ...fields }) => ({ text: normalLineEnds(textOf(own) ?? ''), fields })),
  );
}

export const normalLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

export const plainText = (content: RichText): string => content.map(({ text }) => text).join('');

/** Returns the raw layer with another content, or the same object if the content is equal. */
export function withContent(raw: Json, content: RichText): Json {
  if (isSame(richTextOf(raw), content)) return raw;
  if (content.every(({ fields }) => Object.keys(fields).length === 0)) {
    return withFields(raw, { text: plainText(content), spans: undefined });
  }
  const spans = content.map(({ text, fields }) => ({ text, ...fields }));
  return withFields(raw, { text: undefined, spans });
}

function isSame(a: RichText, b: RichText): boolean {
  return (
    a.length === b.length && a.every(({ text, fields }, i) => text === b[i]!.text && isEqual(fields, b[i]!.fields))
  );
}

function merged(content: RichText): RichText {
  const spans: Span[] = [];
  for (const { text, fields } of content) {
    const last = spans.at(-1);
    if (text === '') continue;
    if (last && isEqual(last.fields, fields)) spans[spans.length - 1] = { text: last.text + text, fields: last.fields };
    else spans.push({ text, fields });
  }
  return spans;
}

/** Returns the part between two offsets, which are UTF-16 units of the whole text. */
export function slice(content: RichText, start: number, end: number): RichText {
  let at = 0;
  const parts = content.map(({ text, fields }) => {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += text.length;
    return { text: part, fields };
  });
  return merged(parts);
}

/** Replaces a range with `inserted`. */
export function replaceRange(content: RichText, start: number, end: number, inserted: RichText): RichText {
  return merged([...slice(content, 0, start), ...inserted, ...slice(content, end, Infinity)]);
}

/**
 * Replaces a range with typed text, which takes the fields of the range's first character; at a caret, those of the character
 * before it, else after it.
 */
export function typeText(content: RichText, start: number, end: number, text: string): RichText {
  return replaceRange(content, start, end, [{ text, fields: fieldsFor(content, start, end) }]);
}

/** The fields for text typed over a range. */
export function fieldsFor(content: RichText, start: number, end: number): Json {
  const [before] = slice(content, Math.max(0, start - 1), start);
  const [after] = slice(content, start, start + 1);
  return ((start < end ? after : before) ?? before ?? after)?.fields ?? NO_FIELDS;
}

/** Changes the fields of each span of a range. */
export function mapFields(content: RichText, start: number, end: number, change: (fields: Json) => Json): RichText {
  const changed = slice(content, start, end).map(({ text, fields }) => ({ text, fields: change(fields) }));
  return replaceRange(content, start, end, changed);
}
