// Finds what a template's raw record has: its layers, those that variables fill among them, and the workspace's assets.
import { assetIdOf } from '../layers/asset-references.js';
import { walkLayers } from '../layers/nested-layers.js';
import { isObject } from '../schema/fields.js';
import { listSamples } from './samples.js';

/** A raw layer of a template's record. */
export interface RecordLayer {
  /** `layers[2]`, `layers[2].layers[0]` or `hotspots[0]`. */
  readonly path: string;
  readonly raw: Readonly<Record<string, unknown>>;
  /** A hotspot is one of `hotspots`, or in place: a layer with a key in `layers`, at any depth. */
  readonly kind: 'fixed' | 'hotspot in place' | 'hotspot';
  /** The groups that it is in. */
  readonly depth: number;
  /** Whether its group lays it out; undefined if the group's layout is wrong. */
  readonly isLaidOut: boolean | undefined;
  /** Whether it does so as a grid. */
  readonly isInGrid?: boolean | undefined;
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
  for (const { layer: raw, depth, ...place } of walkLayers(Array.isArray(list) ? list : [], name)) {
    if (!isObject(raw)) continue;
    const isFixed = raw.key === undefined || raw.key === null;
    const kind = name === 'hotspots' && depth === 0 ? 'hotspot' : isFixed ? 'fixed' : 'hotspot in place';
    yield { raw, kind, depth, ...place };
  }
}

/** The ids in `asset:ID` URLs of a record's background, layers, hotspots, sizes and sample sets, at any depth. */
export function listAssetIds(record: unknown): string[] {
  if (!isObject(record)) return [];
  const ids = new Set<string>();
  const add = (url: unknown) => {
    const id = typeof url === 'string' ? assetIdOf(url) : undefined;
    if (id !== undefined) ids.add(id);
  };
  const visit = (value: object) => {
    const { url, customFontUrl } = value as Record<string, unknown>;
    add(url);
    add(customFontUrl);
    // not Object.entries: it took a quarter of a second for a layer with 100,000 unknown fields
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null) visit(member);
    }
  };
  for (const part of [record.background, record.layers, record.hotspots, record.sizes]) {
    if (typeof part === 'object' && part !== null) visit(part);
  }
  for (const { variables } of listSamples(record)) {
    visit(variables);
    // a variable that is no object may be the URL of an image
    Object.values(variables).forEach(add);
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
