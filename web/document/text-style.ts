// Reads and sets the styles of ranges of a text layer. A style of the whole text becomes a field of the layer, so that it stays
// when a variable replaces the text.
import { type Json, textOf, withField } from './json.js';
import { fieldsFor, mapFields, plainText, type RichText, richTextOf, slice, withContent } from './rich-text.js';

/** Styles that are on or off. */
export type Toggle = 'bold' | 'italic' | 'underline' | 'strike';

/** Fields of spans that mean the same on a layer, and that toggles don't write. */
export type StyleField = 'color' | 'fontSize' | 'fontFamily' | 'letterSpacing' | 'textTransform';

/** A change of style; undefined restores the layer's style. */
export type StyleChange =
  | { readonly toggle: Toggle; readonly isOn: boolean }
  | { readonly field: StyleField; readonly value: unknown };

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** From this weight on, CSS draws the bold face of a family that has two. */
const BOLD_FROM = 600;

function isBold(weight: unknown): boolean {
  return weight === 'bold' || Number(weight) >= BOLD_FROM;
}

/** The fields of each span in a range; at a caret, the fields for text typed there. */
function fieldsIn(raw: Json, { start, end }: TextRange): readonly Json[] {
  const content = richTextOf(raw);
  const fields = slice(content, start, end).map((span) => span.fields);
  return fields.length > 0 ? fields : [fieldsFor(content, start, end)];
}

/** Whether the whole range has the style. */
export function hasStyle(raw: Json, range: TextRange, toggle: Toggle): boolean {
  return fieldsIn(raw, range).every((fields) => isOn(raw, fields, toggle));
}

function isOn(raw: Json, fields: Json, toggle: Toggle): boolean {
  switch (toggle) {
    case 'bold':
      return isBold(fields.fontWeight ?? raw.fontWeight);
    case 'italic':
      return (fields.fontStyle ?? raw.fontStyle) === 'italic';
    default:
      return hasLine(fields.textDecoration, LINES[toggle]) || hasLine(raw.textDecoration, LINES[toggle]);
  }
}

/** The value that the whole range has for a field, the layer's included; undefined if its parts differ. */
export function sharedStyle(raw: Json, range: TextRange, field: StyleField): unknown {
  const values = fieldsIn(raw, range).map((fields) => fields[field] ?? raw[field]);
  const [first] = values;
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : undefined;
}

/** Sets a style in a range of the raw layer. An empty text gets it as a whole. */
export function withStyle(raw: Json, { start, end }: TextRange, change: StyleChange): Json {
  const content = richTextOf(raw);
  const isWhole = start === 0 && end >= plainText(content).length;
  return isWhole ? ofWhole(raw, content, change) : ofPart(raw, content, { start, end }, change);
}

function ofWhole(raw: Json, content: RichText, change: StyleChange): Json {
  const cleared = (field: string) =>
    withContent(
      raw,
      mapFields(content, 0, Infinity, (fields) => withField(fields, field, undefined)),
    );
  if ('field' in change) return setField(cleared(change.field), change.field, change.value);
  const { toggle, isOn } = change;
  switch (toggle) {
    case 'bold':
      // a heavier weight than bold stays
      return setField(cleared('fontWeight'), 'fontWeight', weightFor(raw.fontWeight, isOn));
    case 'italic':
      return setField(cleared('fontStyle'), 'fontStyle', isOn ? 'italic' : undefined);
    default: {
      const spans = mapFields(content, 0, Infinity, (fields) => withSpanLine(fields, LINES[toggle], false));
      const { textDecoration } = raw;
      return setField(withContent(raw, spans), 'textDecoration', withLine(textDecoration, LINES[toggle], isOn));
    }
  }
}

const weightFor = (own: unknown, isOn: boolean) => (isBold(own) === isOn ? own : isOn ? 'bold' : undefined);

function ofPart(raw: Json, content: RichText, { start, end }: TextRange, change: StyleChange): Json {
  const set = (field: string, value: unknown) =>
    withContent(
      raw,
      mapFields(content, start, end, (fields) => setField(fields, field, value)),
    );
  if ('field' in change) {
    const isOfLayer = JSON.stringify(change.value) === JSON.stringify(raw[change.field]);
    return set(change.field, isOfLayer ? undefined : change.value);
  }
  const { toggle, isOn } = change;
  switch (toggle) {
    case 'bold':
      return set('fontWeight', isBold(raw.fontWeight) === isOn ? undefined : isOn ? 'bold' : 'normal');
    case 'italic':
      return set('fontStyle', (raw.fontStyle === 'italic') === isOn ? undefined : isOn ? 'italic' : 'normal');
    default: {
      const line = LINES[toggle];
      const { textDecoration } = raw;
      if (!hasLine(textDecoration, line)) {
        const changed = mapFields(content, start, end, (fields) => withSpanLine(fields, line, isOn));
        return withContent(raw, changed);
      }
      if (isOn) return raw;
      // the layer's lines are drawn in addition to those of its spans, so the spans that keep the line get it themselves
      const own = mapFields(content, 0, Infinity, (fields) => withSpanLine(fields, line, true, textDecoration));
      const changed = mapFields(own, start, end, (fields) => withSpanLine(fields, line, false));
      return setField(withContent(raw, changed), 'textDecoration', withLine(textDecoration, line, false));
    }
  }
}

const setField = (fields: Json, field: string, value: unknown): Json =>
  value === undefined && !Object.hasOwn(fields, field) ? fields : withField(fields, field, value);

type Line = 'underline' | 'line-through';

const LINES: Readonly<Record<'underline' | 'strike', Line>> = { underline: 'underline', strike: 'line-through' };

/** The names of the lines in a `textDecoration`, which is text or an object. */
function linesOf(decoration: unknown): readonly string[] {
  const names = typeof decoration === 'object' && decoration !== null ? (decoration as Json).line : decoration;
  return (textOf(names) ?? '').split(' ').filter((name) => name !== '' && name !== 'none');
}

const hasLine = (decoration: unknown, line: Line): boolean => linesOf(decoration).includes(line);

/**
 * Adds a line to a `textDecoration` or removes it; undefined if none is left. `like` is a decoration whose style a new one
 * copies.
 */
function withLine(decoration: unknown, line: Line, isOn: boolean, like?: unknown): unknown {
  if (hasLine(decoration, line) === isOn) return decoration;
  const names = linesOf(decoration);
  const next = ['underline', 'line-through'].filter((name) => (name === line ? isOn : names.includes(name)));
  if (next.length === 0) return undefined;
  const look = typeof decoration === 'object' && decoration !== null ? decoration : decoration === undefined && like;
  return typeof look === 'object' && look !== null ? { ...look, line: next.join(' ') } : next.join(' ');
}

const withSpanLine = (fields: Json, line: Line, isOn: boolean, like?: unknown): Json =>
  setField(fields, 'textDecoration', withLine(fields.textDecoration, line, isOn, like));
