// The content of a text layer while it is edited: pieces of text that each may have fields of their own. A text without spans
// is one piece without fields, and becomes `text` again when no piece has a field left. Markup is edited as it is written.
import { isEqual } from './document.js';
import { isList, isObject, type Json, textOf, withFields } from './json.js';

export interface Span {
  readonly text: string;
  /** What the span has in place of its layer's, without its text. */
  readonly fields: Json;
}

/** No span is empty, and neighbours have different fields. An empty text has no spans. */
export type RichText = readonly Span[];

const NO_FIELDS: Json = {};

/** The content of a raw layer. Line ends are those of text fields in browsers: `\n`. */
export function richTextOf({ text, spans }: Json): RichText {
  if (!isList(spans)) return merged([{ text: normalLineEnds(textOf(text) ?? ''), fields: NO_FIELDS }]);
  return merged(
    spans.filter(isObject).map(({ text: own, ...fields }) => ({ text: normalLineEnds(textOf(own) ?? ''), fields })),
  );
}

export const normalLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

export const plainText = (content: RichText): string => content.map(({ text }) => text).join('');

/** The raw layer with another content; itself if the content is the same. */
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

/** The part between two offsets, which are in UTF-16 units of the whole text. */
export function slice(content: RichText, start: number, end: number): RichText {
  let at = 0;
  const parts = content.map(({ text, fields }) => {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += text.length;
    return { text: part, fields };
  });
  return merged(parts);
}

/** The content with `inserted` in place of a range. */
export function replaceRange(content: RichText, start: number, end: number, inserted: RichText): RichText {
  return merged([...slice(content, 0, start), ...inserted, ...slice(content, end, Infinity)]);
}

/** What is typed over a range: like its first character; at a caret, like the character before it, else the one after it. */
export function typeText(content: RichText, start: number, end: number, text: string): RichText {
  return replaceRange(content, start, end, [{ text, fields: fieldsFor(content, start, end) }]);
}

/** The fields of what is typed over a range. */
export function fieldsFor(content: RichText, start: number, end: number): Json {
  const [before] = slice(content, Math.max(0, start - 1), start);
  const [after] = slice(content, start, start + 1);
  return ((start < end ? after : before) ?? before ?? after)?.fields ?? NO_FIELDS;
}

/** Changes the fields of each piece of a range. */
export function mapFields(content: RichText, start: number, end: number, change: (fields: Json) => Json): RichText {
  const changed = slice(content, start, end).map(({ text, fields }) => ({ text, fields: change(fields) }));
  return replaceRange(content, start, end, changed);
}
