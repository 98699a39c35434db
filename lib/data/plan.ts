// Finds what is dynamic in the fields of one raw layer.
import { type LayerString, layerStrings } from '../contract/layers/layer-strings.js';
import { joinPath } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { CONTROL_FIELDS } from '../contract/template/data-fields.js';
import { type DynamicString, parseString } from './strings.js';

/** What a string holds: what placeholders may stand in, a value of any type, or CSS, which every other field has. */
export type StringKind = LayerString['kind'] | 'value' | 'css';

export interface DynamicField {
  /** `shadow.color`, `spans[0].text`. */
  readonly field: string;
  readonly keys: readonly (string | number)[];
  readonly kind: StringKind;
  readonly string: DynamicString;
}

type Json = Readonly<Record<string, unknown>>;

/** Fields at any depth that name something. */
const NAMES = new Set(['type', 'id', 'name', 'key', 'label', 'component']);
/** Fields of the layer itself that are evaluated on their own, and the layers in it. */
const APART = new Set<string>([...CONTROL_FIELDS, 'visible', 'layers']);
/** What a chart or table evaluates for each of its texts and cells: formats, and layers. */
const LATER: Readonly<Record<string, RegExp>> = {
  chart: /^axes\.[xy]\.format$/,
  table: /^(?:columns\[\d+\]\.(?:format|cell)|footer(?:\[\d+\]){1,2}\.cell|more)$/,
};
/** Fields of tables with texts and values. */
const TABLE_VALUES = /^(?:rows\b|footer\b(?!.*\.style\b)|columns\[\d+\]\.(?:header|field|format)$)/;
/** Rows of tables, whose fields have any names. */
const ROWS = /^rows\b/;

/** A text that is evaluated with more names than those around its layer. */
export interface LaterText {
  /** Within the layer: `axes.x.format`, `more`. */
  readonly field: string;
  readonly text: unknown;
  readonly names: readonly string[];
  /** Whether it is nothing without an expression. */
  readonly isFormat: boolean;
}

/** The texts of the raw layer that are evaluated later. */
export function laterTexts(layer: Json): LaterText[] {
  const found: LaterText[] = [];
  const add = (field: string, text: unknown, names: readonly string[], isFormat = true) => {
    if (text !== undefined && text !== null) found.push({ field, text, names, isFormat });
  };
  if (layer.type === 'chart' && isObject(layer.axes)) {
    for (const name of ['x', 'y']) {
      const axis = layer.axes[name];
      if (isObject(axis)) add(`axes.${name}.format`, axis.format, ['value']);
    }
  }
  if (layer.type === 'table') {
    for (const [i, column] of (Array.isArray(layer.columns) ? layer.columns : []).entries()) {
      if (isObject(column)) add(`columns[${i}].format`, column.format, CELL_NAMES);
    }
    add('more', layer.more, ['rest'], false);
  }
  return found;
}

/** What the cells of a table see. */
export const CELL_NAMES = ['value', 'row', 'i'] as const;

/** The dynamic fields of a raw layer but those in `fixed`, which have the values of variables. */
export function dynamicFields(layer: Json, isTemplate: boolean, fixed: readonly string[] = []): DynamicField[] {
  const kinds = new Map(layerStrings(layer).map(({ field, kind }) => [field, kind]));
  const found: DynamicField[] = [];
  const later = LATER[String(layer.type)];
  const visit = (value: unknown, keys: readonly (string | number)[], field: string): void => {
    if (later?.test(field)) return;
    if (typeof value === 'string') {
      const kind = kinds.get(field) ?? (isValue(layer, field) ? 'value' : 'css');
      const string = parseString(value, { isTemplate, isCss: kind === 'css' });
      if (string) found.push({ field, keys, kind, string });
    } else if (Array.isArray(value)) {
      for (const [i, each] of value.entries()) visit(each, [...keys, i], joinPath(field, i));
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (NAMES.has(key) && !(layer.type === 'table' && ROWS.test(field))) continue;
        if (keys.length === 0 && (APART.has(key) || fixed.includes(key))) continue;
        visit(value[key], [...keys, key], joinPath(field, key));
      }
    }
  };
  visit(layer, [], '');
  return found;
}

/** Whether a string is no CSS, but a value. What is evaluated later is alone in an object without a type. */
function isValue({ type }: Json, field: string): boolean {
  return type === 'table' ? TABLE_VALUES.test(field) : type === undefined && field === LATER_FIELD;
}

/** The field of an object with a text that is evaluated later. */
export const LATER_FIELD = 'laterText';

/** The object with another value at `keys`; undefined leaves the field out. Copies the containers on the way. */
export function withValue<Owner>(owner: Owner, keys: readonly (string | number)[], value: unknown): Owner {
  const [key, ...rest] = keys;
  if (Array.isArray(owner)) {
    const copy: unknown[] = [...owner];
    copy[key as number] = rest.length === 0 ? (value ?? null) : withValue(copy[key as number], rest, value);
    return copy as Owner;
  }
  const copy = { ...owner } as Record<string, unknown>;
  if (rest.length > 0) copy[key] = withValue(copy[key], rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy as Owner;
}
