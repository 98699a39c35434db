// Finds what a template's raw record names: its hotspots, the layers that variables fill, and the workspace's assets.
import { assetIdOf } from './asset-url.js';
import { isObject } from './fields.js';
import { walkLayers } from './nested-layers.js';

/** A raw layer of a template's record. */
export interface RecordLayer {
  /** `layers[2]`, `layers[2].layers[0]` or `hotspots[0]`. */
  readonly path: string;
  readonly raw: Readonly<Record<string, unknown>>;
  /** A hotspot is one of `hotspots`, or in place: a layer with a key in `layers`, at any depth. */
  readonly kind: 'fixed' | 'hotspot in place' | 'hotspot';
  /** The groups that it is in. */
  readonly depth: number;
}

/**
 * The layers and hotspots of a record, which need not be valid, in drawing order; the layers in a group follow the group.
 * Leaves out values that are not objects.
 */
export function* recordLayers({ layers, hotspots }: Readonly<Record<string, unknown>>): Generator<RecordLayer> {
  yield* objectsIn(layers, 'layers');
  yield* objectsIn(hotspots, 'hotspots');
}

function* objectsIn(list: unknown, name: 'layers' | 'hotspots'): Generator<RecordLayer> {
  for (const { layer: raw, path, depth } of walkLayers(Array.isArray(list) ? list : [], name)) {
    if (!isObject(raw)) continue;
    const isFixed = raw.key === undefined || raw.key === null;
    const kind = name === 'hotspots' && depth === 0 ? 'hotspot' : isFixed ? 'fixed' : 'hotspot in place';
    yield { raw, path, kind, depth };
  }
}

export interface HotspotSummary {
  readonly key: string;
  /** The key, unless the hotspot has a label. */
  readonly label: string;
  readonly type: string;
}

/** The hotspots of a template's record in drawing order. Leaves out those that are malformed. */
export function listHotspots(record: unknown): HotspotSummary[] {
  if (!isObject(record)) return [];
  return [...recordLayers(record)].flatMap(({ raw: { key, label, type }, kind }) =>
    kind !== 'fixed' && typeof key === 'string' && typeof type === 'string'
      ? [{ key, label: typeof label === 'string' ? label : key, type }]
      : [],
  );
}

/** The ids in `asset:ID` URLs of a record's background, layers and hotspots, at any depth. */
export function listAssetIds(record: unknown): string[] {
  if (!isObject(record)) return [];
  const ids = new Set<string>();
  const visit = (value: object) => {
    const { url, customFontUrl } = value as Record<string, unknown>;
    for (const each of [url, customFontUrl]) {
      const id = typeof each === 'string' ? assetIdOf(each) : undefined;
      if (id !== undefined) ids.add(id);
    }
    // not Object.entries: it took a quarter of a second for a layer with 100,000 unknown fields
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null) visit(member);
    }
  };
  for (const part of [record.background, record.layers, record.hotspots]) {
    if (typeof part === 'object' && part !== null) visit(part);
  }
  return [...ids];
}

/** Fields that a template's record has, and a request lacks or has in its canvas. */
const RECORD_FIELDS = ['name', 'width', 'height'];

/** Whether `payload` is a template's record rather than a request of either shape. */
export function isTemplate(payload: unknown): boolean {
  if (!isObject(payload)) return false;
  if ('hotspots' in payload) return true;
  return RECORD_FIELDS.every((field) => field in payload) && !('canvas' in payload) && !('templateId' in payload);
}
