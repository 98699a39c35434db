// Compares two records of a template field by field. Layers are matched by key, then by id, then by their place in their group.
import { tableCrc32 } from '../codecs/png/crc.js';
import { joinPath } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { type RecordLayer, recordLayers } from '../contract/template/record-layers.js';

export interface FieldDifference {
  /** `hotspots.KEY.color`, `layers.ID.x`, `layers[2].x`, `background.url`; `order` for the drawing order. */
  readonly path: string;
  /** Absent if the field was added. Long text is shortened to its length and checksum. */
  readonly before?: unknown;
  /** Absent if the field was removed. */
  readonly after?: unknown;
}

/** Maximum length of a text that is listed whole, in characters. */
const MAX_TEXT_LENGTH = 200;
/** Characters that are listed of a longer text. */
const EXCERPT_LENGTH = 40;

/** The fields that differ between two records. Values are JSON; neither record needs to be valid. */
export function diffTemplates(before: unknown, after: unknown): FieldDifference[] {
  if (!isObject(before) || !isObject(after)) return [...valueDifferences(before, after, '')];
  const { layers: _layers, hotspots: _hotspots, ...fieldsBefore } = before;
  const { layers: _otherLayers, hotspots: _otherHotspots, ...fieldsAfter } = after;
  return [...valueDifferences(fieldsBefore, fieldsAfter, ''), ...layerDifferences(before, after)];
}

function* layerDifferences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Generator<FieldDifference> {
  const [old, current] = [identified(before), identified(after)];
  for (const [identity, { raw, list, name }] of old) {
    const other = current.get(identity);
    if (!other) {
      yield { path: name, before: shortened(raw) };
      continue;
    }
    yield* valueDifferences(raw, other.raw, name);
    if (list.identity !== other.list.identity) {
      yield { path: name, before: `in ${list.name}`, after: `in ${other.list.name}` };
    }
  }
  for (const [identity, { raw, name }] of current) {
    if (!old.has(identity)) yield { path: name, after: shortened(raw) };
  }
  const namesOf = (layers: typeof old, others: typeof old) =>
    [...layers.keys()].filter((identity) => others.has(identity)).map((identity) => old.get(identity)!.name);
  const [order, newOrder] = [namesOf(old, current), namesOf(current, old)];
  if (order.some((name, index) => name !== newOrder[index])) yield { path: 'order', before: order, after: newOrder };
}

/** A list that contains layers. */
interface Identified {
  /** The same in both records. */
  readonly identity: string;
  /** Name in paths. */
  readonly name: string;
}

interface IdentifiedLayer {
  readonly raw: RecordLayer['raw'];
  /** `layers`, `hotspots` or a group. */
  readonly list: Identified;
  /** Name in paths. */
  readonly name: string;
}

/**
 * The layers, each by what identifies it in both records: its key, its id, or its number among those of its list that have
 * neither, or have that of an earlier layer.
 */
function identified(record: Readonly<Record<string, unknown>>): Map<string, IdentifiedLayer> {
  const layers = new Map<string, IdentifiedLayer>();
  const groups: Identified[] = [];
  for (const { raw: rawLayer, kind, path, depth } of recordLayers(record)) {
    // the layers in a group are listed by themselves
    const { layers: nested, ...fields } = rawLayer;
    const raw = rawLayer.type === 'group' && Array.isArray(nested) ? fields : rawLayer;
    const top = kind === 'hotspot' ? 'hotspots' : 'layers';
    const list = depth === 0 ? { identity: top, name: top } : groups[depth - 1];
    const named = [
      ...(kind !== 'fixed' && typeof raw.key === 'string' ? [joinPath('hotspots', raw.key)] : []),
      ...(typeof raw.id === 'string' ? [joinPath('layers', raw.id)] : []),
    ].find((name) => !layers.has(name));
    let number = 0;
    while (named === undefined && layers.has(`${list.identity} ${number}`)) number++;
    const identity = named ?? `${list.identity} ${number}`;
    const name = named ?? path;
    layers.set(identity, { raw, list, name });
    groups[depth] = { identity, name };
  }
  return layers;
}

function* valueDifferences(before: unknown, after: unknown, path: string): Generator<FieldDifference> {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* valueDifferences(own(before, key), own(after, key), joinPath(path, key));
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
      yield* valueDifferences(before[i], after[i], joinPath(path, i));
    }
  } else if (!Object.is(before, after)) {
    yield {
      path,
      ...(before !== undefined && { before: shortened(before) }),
      ...(after !== undefined && { after: shortened(after) }),
    };
  }
}

/** Returns an own property, unlike `value[key]`, which would find inherited ones. */
function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** `value` with every long text in it shortened to its beginning, length and checksum. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) {
    const checksum = tableCrc32(new TextEncoder().encode(value)).toString(16).padStart(8, '0');
    return `${value.slice(0, EXCERPT_LENGTH)}… (${value.length} characters, CRC-32 ${checksum})`;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}
