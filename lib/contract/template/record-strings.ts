// The strings of a template's record in which placeholders stand, and the variables that those name.
import type { Warning } from '../../errors.js';
import { type LayerString, layerStrings } from '../layers/layer-strings.js';
import { joinPath } from '../messages/issues.js';
import { fieldPath } from '../messages/origins.js';
import { isObject } from '../schema/fields.js';
import { isPlaceholder, type Placeholder, parsePlaceholders } from './placeholders.js';
import { recordLayers } from './record-layers.js';
import { nameLayers, sizeOverrides } from './sizes.js';

type Json = Readonly<Record<string, unknown>>;

/** A string of the record; its field is its path. */
export type RecordString = LayerString;

/** The strings of a record, its background, layers, hotspots and sizes, which need not be valid. */
export function* recordStrings(record: Json): Generator<RecordString> {
  yield* within({ alt: record.alt }, '');
  yield* within(backgroundLayer(record), 'background');
  for (const { raw, path } of recordLayers(record)) yield* within(raw, path);
  if (!isObject(record.sizes)) return;
  const named = nameLayers(record);
  for (const [name, size] of Object.entries(record.sizes)) {
    const path = joinPath('sizes', name);
    if (isObject(size)) yield* within(backgroundLayer(size), `${path}.background`);
    for (const { path: at, override, target } of sizeOverrides(size, path, named)) {
      if (!target || !isObject(override)) continue;
      yield* within({ ...override, type: target.raw.type }, at);
    }
  }
}

const backgroundLayer = ({ background }: Json) => (isObject(background) ? { ...background, type: 'image' } : {});

function* within(layer: Json, path: string): Generator<RecordString> {
  for (const each of layerStrings(layer)) yield { ...each, field: fieldPath(path, each.field) };
}

/** Whether placeholders in the record's strings are expanded. */
export const hasPlaceholders = ({ placeholders }: Json): boolean => placeholders === true;

/** A placeholder of the record with the path of its string. */
export interface PlacedPlaceholder {
  readonly path: string;
  readonly placeholder: Placeholder;
}

/** Every placeholder without a fault; none unless the record has `placeholders: true`. */
export function* recordPlaceholders(record: Json): Generator<PlacedPlaceholder> {
  if (!hasPlaceholders(record)) return;
  for (const { field: path, value } of recordStrings(record)) {
    for (const piece of parsePlaceholders(value).pieces) {
      if (isPlaceholder(piece)) yield { path, placeholder: piece };
    }
  }
}

/** The part of a template that a variable fills: a hotspot, or placeholders alone. */
export interface HotspotSummary {
  readonly key: string;
  /** The key, unless the hotspot has a label. */
  readonly label: string;
  /** Type of the hotspot's layer; `placeholder` for a variable that only placeholders name. */
  readonly type: string;
}

/** The hotspots of a template's record in drawing order, then its plain variables. Leaves out hotspots that are malformed. */
export function listHotspots(record: unknown): HotspotSummary[] {
  if (!isObject(record)) return [];
  const hotspots = [...recordLayers(record)].flatMap(({ raw: { key, label, type }, kind }) =>
    kind !== 'fixed' && typeof key === 'string' && typeof type === 'string'
      ? [{ key, label: typeof label === 'string' ? label : key, type }]
      : [],
  );
  const plain = plainVariables(record, hotspots).map((name) => ({ key: name, label: name, type: 'placeholder' }));
  return [...hotspots, ...plain];
}

/** The names in the placeholders of a record that are neither keys nor labels of its hotspots, in the record's order. */
export function plainVariables(
  record: Json,
  hotspots: readonly { readonly key: string; readonly label: string }[],
): string[] {
  const known = new Set(hotspots.flatMap(({ key, label }) => [key, label]));
  const names = new Set<string>();
  for (const { placeholder } of recordPlaceholders(record))
    if (!known.has(placeholder.name)) names.add(placeholder.name);
  return [...names];
}

/**
 * Warnings about the strings of a layer that have a placeholder, in a template that expands none. `path`: the layer's.
 * `skipped`: fields that come from a variable.
 */
export function literalPlaceholders(
  layer: Json,
  path: string,
  skipped: readonly string[] = [],
  isFilled: (name: string) => boolean = () => false,
): Warning[] {
  return layerStrings(layer).flatMap(({ field, value }): Warning[] => {
    const [top] = field.split(/[.[]/, 1);
    if (skipped.includes(top) || !value.includes('{{')) return [];
    const found = parsePlaceholders(value).pieces.find(
      (piece) => typeof piece !== 'string' && !(isPlaceholder(piece) && isFilled(piece.name)),
    );
    if (typeof found !== 'object') return [];
    const message = `${found.source} stays as it is: set "placeholders": true in the template to fill it with a variable`;
    const layerId = typeof layer.id === 'string' ? { layerId: layer.id } : {};
    return [{ code: 'literal_placeholder', path: fieldPath(path, field), ...layerId, message }];
  });
}
