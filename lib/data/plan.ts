// Finds what is dynamic in the fields of one raw layer.
import { type LayerString, layerStrings } from '../contract/layers/layer-strings.js';
import { joinPath } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { CONTROL_FIELDS } from '../contract/template/data-fields.js';
import { type DynamicString, parseString } from './strings.js';

/** What a string holds: what placeholders may stand in, or CSS, which every other field has. */
export type StringKind = LayerString['kind'] | 'css';

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
/** Formats of a chart's axes, which are evaluated for each of their texts. */
const FORMAT = /^axes\.[xy]\.format$/;

/** The formats that the raw layer has, with their paths within it. */
export function formatsOf(layer: Json): { readonly field: string; readonly format: unknown }[] {
  const axes = layer.type === 'chart' && isObject(layer.axes) ? layer.axes : {};
  return ['x', 'y'].flatMap((name) => {
    const axis = axes[name];
    const format = isObject(axis) ? axis.format : undefined;
    return format === undefined || format === null ? [] : [{ field: `axes.${name}.format`, format }];
  });
}

/** The dynamic fields of a raw layer but those in `fixed`, which have the values of variables. */
export function dynamicFields(layer: Json, isTemplate: boolean, fixed: readonly string[] = []): DynamicField[] {
  const kinds = new Map(layerStrings(layer).map(({ field, kind }) => [field, kind]));
  const found: DynamicField[] = [];
  const visit = (value: unknown, keys: readonly (string | number)[], field: string): void => {
    if (typeof value === 'string') {
      if (layer.type === 'chart' && FORMAT.test(field)) return;
      const kind = kinds.get(field) ?? 'css';
      const string = parseString(value, { isTemplate, isCss: kind === 'css' });
      if (string) found.push({ field, keys, kind, string });
    } else if (Array.isArray(value)) {
      for (const [i, each] of value.entries()) visit(each, [...keys, i], joinPath(field, i));
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (NAMES.has(key) || (keys.length === 0 && (APART.has(key) || fixed.includes(key)))) continue;
        visit(value[key], [...keys, key], joinPath(field, key));
      }
    }
  };
  visit(layer, [], '');
  return found;
}

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
