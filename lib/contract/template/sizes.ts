// The sizes of a template: other canvases of the same design. Each overrides fields of layers, which it names by key or by id.
import type { Detail } from '../../errors.js';
import { mapLayers } from '../layers/nested-layers.js';
import { closestMatch, didYouMean } from '../messages/closest-match.js';
import { issue, joinPath, mismatchOf } from '../messages/issues.js';
import { choiceHint, expectedChoice } from '../messages/value-hints.js';
import { isObject } from '../schema/fields.js';
import { overridden } from './overrides.js';
import { type RecordLayer, recordLayers } from './record-layers.js';

type Json = Readonly<Record<string, unknown>>;

/** Unknown names of a size that are compared with every key and id. */
const MAX_SUGGESTIONS = 10;

/** The names of the sizes of a record, which need not be valid. */
export function sizeNames({ sizes }: Json): string[] {
  return isObject(sizes) ? Object.keys(sizes) : [];
}

/** The issue at `path` of a name that no size of the record has. */
export function sizeIssue(record: Json, name: string, path: string): Detail | undefined {
  const names = sizeNames(record);
  if (names.includes(name)) return undefined;
  const expected = names.length === 0 ? 'none: the template has no sizes' : expectedChoice(names);
  return issue(path, name, expected, choiceHint(name, names));
}

/** An override of one layer in a size. */
export interface SizeOverride {
  /** `sizes.story.layers.title`. */
  readonly path: string;
  readonly override: unknown;
  /** The layer that it is of. */
  readonly target: RecordLayer | undefined;
  /** The reason that there is none. */
  readonly fault?: Detail;
}

/** The layers of a record by the names that sizes have for them. */
export interface NamedLayers {
  readonly byKey: ReadonlyMap<string, RecordLayer>;
  readonly byId: ReadonlyMap<string, readonly RecordLayer[]>;
}

export function nameLayers(record: Json): NamedLayers {
  const byKey = new Map<string, RecordLayer>();
  const byId = new Map<string, RecordLayer[]>();
  for (const layer of recordLayers(record)) {
    const { key, id } = layer.raw;
    if (typeof key === 'string' && !byKey.has(key)) byKey.set(key, layer);
    if (typeof id === 'string') byId.set(id, [...(byId.get(id) ?? []), layer]);
  }
  return { byKey, byId };
}

/** The overrides of a size at `path`, which need not be valid. */
export function sizeOverrides(size: unknown, path: string, { byKey, byId }: NamedLayers): SizeOverride[] {
  const layerFields = isObject(size) && isObject(size.layers) ? size.layers : {};
  const firstOf = new Map<RecordLayer, string>();
  let suggestions = 0;
  return Object.entries(layerFields).map(([name, override]): SizeOverride => {
    const at = joinPath(joinPath(path, 'layers'), name);
    const faulty = (message: string, suggestion?: string): SizeOverride => {
      const fault: Detail = { code: 'invalid_value', path: at, message, ...mismatchOf(name, suggestion) };
      return { path: at, override, target: undefined, fault };
    };
    const found = byKey.get(name) ?? byId.get(name) ?? [];
    const layers = Array.isArray(found) ? (found as RecordLayer[]) : [found as RecordLayer];
    const [target] = layers;
    if (!target) {
      const meant = suggestions++ < MAX_SUGGESTIONS ? closestMatch(name, [...byKey.keys(), ...byId.keys()]) : undefined;
      return faulty(`names no layer of the template, by its key or its id${didYouMean(meant)}`, meant);
    }
    if (layers.length > 1) return faulty(`is the id of ${layers.length} layers: give each an id of its own`);
    const earlier = firstOf.get(target);
    if (earlier !== undefined) return faulty(`names the layer of ${earlier} again`);
    firstOf.set(target, at);
    return { path: at, override, target };
  });
}

/** Fields that a size without them has from the template. */
const INHERITED = ['scale', 'autoWidth', 'autoHeight', 'padding'] as const;

/** The record as it is in that size, which it has: with the size's canvas, background and overrides. */
export function sizedRecord(record: Json, name: string): Json {
  const { sizes } = record;
  const size = isObject(sizes) && Object.hasOwn(sizes, name) ? sizes[name] : undefined;
  if (!isObject(size)) return record;
  const overrides = new Map<unknown, Json>();
  for (const { target, override } of sizeOverrides(size, '', nameLayers(record))) {
    if (target && isObject(override)) overrides.set(identityOf(target.raw), override);
  }
  const change = (layer: unknown) => {
    const override = isObject(layer) ? overrides.get(identityOf(layer)) : undefined;
    return override ? overridden(layer as Json, override) : layer;
  };
  const changed = (list: unknown) => (Array.isArray(list) ? mapLayers<unknown>(list, change) : list);
  const { width, height, background } = size;
  const own = INHERITED.filter((field) => size[field] !== undefined && size[field] !== null);
  return {
    ...record,
    width,
    height,
    ...Object.fromEntries(own.map((field) => [field, size[field]])),
    ...(isObject(background) && { background: { ...(record.background as Json | undefined), ...background } }),
    ...(record.layers !== undefined && { layers: changed(record.layers) }),
    ...(record.hotspots !== undefined && { hotspots: changed(record.hotspots) }),
  };
}

/** The same for a layer and its copies, and another for any other layer that an override may name. */
function identityOf({ key, id }: Json): string | undefined {
  if (typeof key === 'string') return `key ${key}`;
  return typeof id === 'string' ? `id ${id}` : undefined;
}

/** The sizes of a record, which is valid, for lists. */
export function listSizes(record: unknown): { size: string; width: unknown; height: unknown }[] {
  if (!isObject(record) || !isObject(record.sizes)) return [];
  return Object.entries(record.sizes).flatMap(([name, size]) =>
    isObject(size) ? [{ size: name, width: size.width, height: size.height }] : [],
  );
}
