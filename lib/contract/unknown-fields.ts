// Warns about fields that a schema does not have, which parsing ignores, and suggests the closest known name.
import type * as z from 'zod';
import type { Warning } from '../errors.js';
import { canvasRequest, documentPagesRequest, templateRequest } from './api/request.js';
import { type ExpandedType, expandedKind, expandedType } from './layers/expanded/types.js';
import { LAYER_SCHEMAS, type LayerType } from './layers/index.js';
import { cellLayers, walkLayers } from './layers/nested-layers.js';
import { LAYER_TYPES } from './layers/parse.js';
import { didYouMean } from './messages/closest-match.js';
import { joinPath, mismatchOf } from './messages/issues.js';
import { fieldPath } from './messages/origins.js';
import { suggestField, synonymOf } from './messages/synonyms.js';
import { isObject } from './schema/fields.js';
import { CONTROL_FIELDS } from './template/data-fields.js';
import { hotspotSchemas, templateRecord, templateSamples, templateSize } from './template/parse.js';

/** The fields of an object with their schemas. */
export type KnownFields = ReadonlyMap<string, z.core.$ZodType>;

/** Fields that are accepted everywhere without a warning, although they have no effect. */
const TOLERATED = new Set(['workspaceId', 'id', 'name', '$schema']);

/** Fields that any layer may have, or those of a component. They are gone when the layer is checked. */
const CONTROLS = new Set<string>([...CONTROL_FIELDS, 'style']);

const found = new WeakMap<z.core.$ZodType, KnownFields | null>();

/** The fields of `schema`; undefined if it is not an object schema. */
export function knownFields(schema: z.core.$ZodType): KnownFields | undefined {
  let fields = found.get(schema);
  if (fields === undefined) {
    fields = findFields(schema) ?? null;
    found.set(schema, fields);
  }
  return fields ?? undefined;
}

function findFields(schema: z.core.$ZodType): KnownFields | undefined {
  const { def } = schema._zod;
  if ('shape' in def) return new Map(Object.entries(def.shape as Readonly<Record<string, z.core.$ZodType>>));
  // an array has those of its elements, a union those of all its kinds
  if ('element' in def) return knownFields(def.element as z.core.$ZodType);
  if ('options' in def) {
    const kinds = (def.options as z.core.$ZodType[]).flatMap((kind) => [...(knownFields(kind) ?? [])]);
    return kinds.length > 0 ? new Map(kinds) : undefined;
  }
  // optional, default, prefault and transforms wrap another schema
  const inner = 'innerType' in def ? def.innerType : 'in' in def ? def.in : undefined;
  return inner ? knownFields(inner as z.core.$ZodType) : undefined;
}

const REQUESTS = { canvas: canvasRequest, template: templateRequest, pages: documentPagesRequest };

/** The unknown fields of a request of that shape: its own and its canvas's. Layers are checked separately. */
export function unknownInRequest(request: unknown, shape: keyof typeof REQUESTS): Iterable<Warning> {
  return unknownFields(request, knownFields(REQUESTS[shape])!, '');
}

/** The unknown fields of a template's record: its own, and those of its background, its sample sets and its sizes. */
export function* unknownInTemplate(record: unknown): Generator<Warning> {
  yield* unknownFields(record, knownFields(templateRecord)!, '');
  if (!isObject(record)) return;
  yield* unknownFields(record.samples, knownFields(templateSamples)!, 'samples');
  if (!isObject(record.sizes)) return;
  for (const [name, size] of Object.entries(record.sizes)) {
    yield* unknownFields(size, knownFields(templateSize)!, joinPath('sizes', name));
  }
}

/** The unknown fields of a raw layer at `path`; none when its type is unknown, which is an error. */
export function unknownInLayer(raw: Readonly<Record<string, unknown>>, path: string): Iterable<Warning> {
  const type = LAYER_TYPES.find((known) => known === raw.type);
  if (type) return unknownOfType(raw, type, knownFields(LAYER_SCHEMAS[type])!, path);
  const expanded = expandedType(raw);
  return expanded ? unknownInExpanded(raw, expanded, path) : [];
}

/** The same of a chart or table, whose cells may have layers. */
function* unknownInExpanded(
  raw: Readonly<Record<string, unknown>>,
  type: ExpandedType,
  path: string,
): Generator<Warning> {
  const kind = expandedKind(type);
  if (kind) yield* unknownOfType(raw, type, knownFields(kind.schema)!, path);
  for (const { layer: cell, field } of cellLayers(raw)) {
    const at = fieldPath(path, field);
    for (const { layer, path: inner } of walkLayers<unknown>([cell], '')) {
      if (isObject(layer)) yield* unknownInLayer(layer, at + inner.slice('[0]'.length));
    }
  }
}

/** The same of a fixed layer of a template, where a key would make it a hotspot. */
export function* unknownInFixedLayer(raw: Readonly<Record<string, unknown>>, path: string): Generator<Warning> {
  const { label, ...rest } = raw;
  yield* unknownInLayer(rest, path);
  if (label === undefined || label === null) return;
  yield {
    code: 'no_effect',
    path: joinPath(path, 'label'),
    message: 'has no effect without a key',
    ...mismatchOf(label),
  };
}

/** The same of a raw hotspot. `type`: its own, or that of the hotspot that an object overrides fields of. */
export function unknownInHotspot(
  raw: Readonly<Record<string, unknown>>,
  path: string,
  type: unknown = raw.type,
): Iterable<Warning> {
  const known = LAYER_TYPES.find((each) => each === type);
  return known ? unknownOfType(raw, known, knownFields(hotspotSchemas()[known])!, path) : [];
}

/** Fields that others use for the order of drawing. */
const ORDER = new Set(['zIndex', 'z-index', 'z', 'zOrder']);
/** Only these shapes have a radius at their corners; that of another is its size. */
const ROUNDED: readonly unknown[] = [undefined, 'rectangle', 'rounded_rectangle'];

/** Distinguishes fields of other layer types from misspellings. */
function* unknownOfType(
  raw: Readonly<Record<string, unknown>>,
  type: LayerType | ExpandedType,
  known: KnownFields,
  path: string,
): Generator<Warning> {
  const hasRadius = type !== 'shape' || ROUNDED.includes(raw.shapeType);
  const meant = hasRadius ? known : new Map([...known].filter(([field]) => field !== 'borderRadius'));
  const explain = (key: string) => {
    if (ORDER.has(key)) return { message: `${IGNORED}; layers are drawn in their order, the first at the bottom` };
    const owners = LAYER_TYPES.filter((other) => knownFields(LAYER_SCHEMAS[other])!.has(key));
    if (owners.length === 0) return meant === known ? undefined : ignored(key, meant);
    const synonym = synonymOf(key, meant);
    const layer = `${type === 'image' ? 'an' : 'a'} ${type} layer`;
    const message = `belongs to ${owners.join(' and ')} layers; ${layer} ignores it${didYouMean(synonym)}`;
    return { message, suggestion: synonym };
  };
  const { id } = raw;
  for (const warning of unknownFields(raw, known, path, explain)) {
    yield typeof id === 'string' ? { ...warning, layerId: id } : warning;
  }
}

const IGNORED = 'is no known field and is ignored';

interface Explanation {
  readonly message: string;
  readonly suggestion?: string | undefined;
}

/**
 * Lazy: a caller that takes the first hundred warnings does no further work. Null counts as absent.
 * `explain`: returns a message for a field, instead of a suggestion.
 */
export function* unknownFields(
  value: unknown,
  known: KnownFields,
  path: string,
  explain: (key: string) => Explanation | undefined = () => undefined,
): Generator<Warning> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* unknownFields(each, known, joinPath(path, index), explain);
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const fieldValue = value[key];
    if (fieldValue === undefined || fieldValue === null) continue;
    const field = known.get(key);
    if (field) {
      const within = knownFields(field);
      if (within) yield* unknownFields(fieldValue, within, joinPath(path, key));
    } else if (!TOLERATED.has(key) && !CONTROLS.has(key)) {
      const { message, suggestion } = explain(key) ?? ignored(key, known);
      yield { code: 'unknown_field', path: joinPath(path, key), message, ...mismatchOf(fieldValue, suggestion) };
    }
  }
}

function ignored(key: string, known: KnownFields): Explanation {
  const suggestion = suggestField(key, known);
  return { message: `${IGNORED}${didYouMean(suggestion)}`, suggestion };
}
