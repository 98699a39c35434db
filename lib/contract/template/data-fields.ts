// Tells whether a payload has anything for lib/data: expressions, lists, conditions, components, tokens. Without zod.

import type { Detail } from '../../errors.js';
import { isObject } from '../json/is-object.js';
import { cellLayers } from '../layers/nested-layers.js';
import { isDynamic } from './expression-end.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields of a layer that lib/data reads, and that no layer has afterwards. */
export const CONTROL_FIELDS = ['each', 'else', 'when', 'switch', 'props', 'component'] as const;
const CONTROLS: ReadonlySet<string> = new Set(CONTROL_FIELDS);
const CANVAS_FIELDS = ['data', 'components', 'tokens', 'themes', 'theme'];
const RECORD_FIELDS = ['variables', 'components', 'tokens', 'themes'];

/** Whether a request with a canvas has it. */
export function canvasUsesData(payload: Json): boolean {
  return CANVAS_FIELDS.some((field) => payload[field] !== undefined && payload[field] !== null) || usesGroups(payload);
}

/** Levels of layers that are searched for types: values from a library's caller may hold themselves. */
const MAX_SEARCH_DEPTH = 64;

/** Whether a payload, a request with a canvas or a template's record, has a chart. */
export function usesCharts(payload: Json): boolean {
  return hasType(payload, ['chart']);
}

/** Whether it has layers that become groups: charts or tables. */
export function usesGroups(payload: Json): boolean {
  return hasType(payload, ['chart', 'table']);
}

function hasType({ layers, hotspots, components }: Json, types: readonly unknown[]): boolean {
  const isOne = (layer: unknown, depth: number): boolean =>
    isObject(layer) &&
    (types.includes(layer.type) ||
      hasOne(layer.layers, depth) ||
      hasOne(layer.else, depth) ||
      cellLayers(layer).some((cell) => depth < MAX_SEARCH_DEPTH && isOne(cell.layer, depth + 1)));
  const hasOne = (list: unknown, depth: number): boolean =>
    Array.isArray(list) && depth < MAX_SEARCH_DEPTH && list.some((layer) => isOne(layer, depth + 1));
  const others = isObject(components) ? Object.values(components) : [];
  return [{ layers }, { layers: hotspots }, ...others].some((each) => isOne(each, 0));
}

/** Whether a template's record has it. Only templates with placeholders have expressions. */
export function recordUsesData(record: Json): boolean {
  if (RECORD_FIELDS.some((field) => record[field] !== undefined && record[field] !== null)) return true;
  if (usesGroups(record)) return true;
  const hasExpressions = record.placeholders === true;
  const isUsed = (value: unknown): boolean => {
    if (typeof value === 'string') return (hasExpressions && value.includes('{{=')) || value.includes('var(--');
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some(isUsed);
    for (const key in value) if (CONTROLS.has(key) || isUsed((value as Json)[key])) return true;
    return false;
  };
  if (hasExpressions && typeof record.alt === 'string' && record.alt.includes('{{=')) return true;
  return [record.background, record.layers, record.hotspots, record.sizes].some(isUsed);
}

/**
 * Whether the fields of a payload that has nothing else for lib/data take something of a brand: a token, or one of these text
 * styles.
 */
export function usesBrand(fields: unknown, styles: ReadonlySet<string>): boolean {
  if (typeof fields === 'string') return fields.includes('var(--');
  if (Array.isArray(fields)) return fields.some((each) => usesBrand(each, styles));
  if (!isObject(fields)) return false;
  if (typeof fields.style === 'string' && styles.has(fields.style)) return true;
  return Object.values(fields).some((each) => usesBrand(each, styles));
}

/** The issues of a raw layer at `path` that are not about a field whose value is known when it is resolved. */
export function staticIssues(details: readonly Detail[], raw: Json, path: string): Detail[] {
  return details.filter((detail) => !isAboutDynamic(raw, detail.path.slice(path.length)));
}

/** Whether the field at the path, an object around it or a value in it is dynamic. */
function isAboutDynamic(raw: unknown, field: string): boolean {
  let value: unknown = raw;
  for (const [, index, name, quoted] of field.matchAll(/\[(\d+)\]|\.?([\w$]+)|\["((?:[^"\\]|\\.)*)"\]/g)) {
    if (isDynamic(value)) return true;
    const key = index ?? name ?? quoted;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Json)[key];
  }
  return field !== '' && hasDynamic(value);
}

/** Whether fields of the raw layer, or those of layers in it, are known only when it is resolved. */
export function isDynamicLayer(raw: Json): boolean {
  return CONTROL_FIELDS.some((field) => field in raw) || 'style' in raw || hasDynamic(raw);
}

function hasDynamic(value: unknown): boolean {
  if (typeof value === 'string') return isDynamic(value);
  if (Array.isArray(value)) return value.some(hasDynamic);
  return isObject(value) && Object.values(value).some(hasDynamic);
}

/** The raw layer as its schema sees it: a component is a group without layers of its own. */
export function plainShape(raw: Json): Json {
  if (!CONTROL_FIELDS.some((field) => field in raw)) return raw;
  const plain: Record<string, unknown> = { ...raw };
  for (const field of CONTROL_FIELDS) delete plain[field];
  if (raw.type === 'component') Object.assign(plain, { type: 'group', layers: [] });
  return plain;
}
