// Repairs AVIFs that browsers accept but the decoder rejects: older encoders omit the sample depths (`pixi`), others
// spread item properties over several `ipma` boxes. Removes crops (`clap`): neither the decoder nor browsers apply
// them, but the decoder rejects those that subsampled chroma cannot follow.

import { concatBytes, latin1Bytes } from '../../bytes/bytes.js';
import type { Reader } from '../reader.js';
import { type Association, associations, box, boxes, child, ESSENTIAL, type FileBox, u16, u32 } from './boxes.js';

/** Properties per item: the count has one byte. */
const MAX_PROPERTIES = 255;
/** Maximum items of a repaired file: a grid of 255 × 255 tiles has fewer. */
const MAX_ITEMS = 2 ** 16;

const CROP = 'clap';

interface Properties {
  readonly iprp: FileBox;
  readonly ipco: FileBox;
  readonly ipcoBoxes: readonly FileBox[];
  readonly ipmaBoxes: readonly FileBox[];
}

/**
 * Returns `file` unchanged if it needs no repair. Otherwise turns its `meta` box into free space, so that all file
 * offsets stay valid, and appends a new `meta` box. `reader` may read another file with the same boxes.
 */
export function repairAvif(reader: Reader, file: Uint8Array): Uint8Array {
  const top = boxes(reader, 0, file.length, true);
  const meta = top.find(({ type }) => type === 'meta');
  const last = top[top.length - 1];
  // a last box that extends to the end of the file would swallow the new box
  const isLastOpenEnded = last.end - last.start + 8 !== reader.u32(last.start - 8);
  const properties = meta && !isLastOpenEnded ? propertiesOf(reader, meta) : undefined;
  if (!meta || !properties) return file;
  const entries: Association[] = [];
  for (const list of properties.ipmaBoxes) {
    for (const entry of associations(reader, list)) if (entries.push(entry) > MAX_ITEMS) return file;
  }
  const withoutPixi = entries.filter(
    (entry) => hasProperty(properties, entry, 'ispe') && !hasProperty(properties, entry, 'pixi'),
  );
  const isCropped = properties.ipcoBoxes.some(({ type }) => type === CROP);
  if (withoutPixi.length === 0 && properties.ipmaBoxes.length === 1 && !isCropped) return file;
  const newProperties = rebuildProperties(reader, properties, entries, new Set(withoutPixi));
  const children = boxes(reader, meta.start + 4, meta.end).map(({ type, start, end }) =>
    start === properties.iprp.start ? newProperties : box(type, reader.slice(start, end - start)),
  );
  const repaired = concatBytes([file, box('meta', reader.slice(meta.start, 4), ...children)]);
  // the type is in front of the length if that has 64 bits
  repaired.set(latin1Bytes('free'), meta.start - (reader.text(meta.start - 4, 4) === 'meta' ? 4 : 12));
  return repaired;
}

function propertiesOf(reader: Reader, meta: FileBox): Properties | undefined {
  const iprp = child(reader, meta, 'iprp', 4);
  const ipco = iprp && child(reader, iprp, 'ipco');
  if (!iprp || !ipco) return undefined;
  const ipmaBoxes = boxes(reader, iprp.start, iprp.end).filter(({ type }) => type === 'ipma');
  return { iprp, ipco, ipcoBoxes: boxes(reader, ipco.start, ipco.end), ipmaBoxes };
}

function findProperty({ ipcoBoxes }: Properties, { properties }: Association, type: string): FileBox | undefined {
  return properties.map((index) => ipcoBoxes[(index & ~ESSENTIAL) - 1]).find((box) => box?.type === type);
}

function hasProperty(properties: Properties, entry: Association, type: string): boolean {
  return findProperty(properties, entry, type) !== undefined;
}

/** Builds `iprp` with a single `ipma` in item order and a `pixi` for each of `withoutPixi`. */
function rebuildProperties(
  reader: Reader,
  properties: Properties,
  entries: readonly Association[],
  withoutPixi: ReadonlySet<Association>,
): Uint8Array {
  const { ipco, ipcoBoxes } = properties;
  const added: Uint8Array[] = [];
  const indexByFlags = new Map<number, number>();
  const pixiOf = (entry: Association) => {
    // a grid has the depth of its tiles
    const config = findProperty(properties, entry, 'av1C') ?? ipcoBoxes.find(({ type }) => type === 'av1C');
    const flags = config ? reader.u8(config.start + 2) & 0x70 : 0;
    const known = indexByFlags.get(flags);
    if (known !== undefined) return known;
    const depth = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
    added.push(box('pixi', Uint8Array.from([0, 0, 0, 0, ...(flags & 0x10 ? [1, depth] : [3, depth, depth, depth])])));
    indexByFlags.set(flags, ipcoBoxes.length + added.length);
    return ipcoBoxes.length + added.length;
  };
  const serialized = entries
    .toSorted((a, b) => a.item - b.item)
    .map((entry) => {
      const withoutCrop = entry.properties.filter((index) => ipcoBoxes[(index & ~ESSENTIAL) - 1]?.type !== CROP);
      const indexes = [...withoutCrop, ...(withoutPixi.has(entry) ? [pixiOf(entry)] : [])].slice(0, MAX_PROPERTIES);
      return concatBytes([u32(entry.item), Uint8Array.of(indexes.length), u16(...indexes)]);
    });
  // version 1 and flag 1: 32-bit item ids, 15-bit property indexes
  const head = concatBytes([Uint8Array.of(1, 0, 0, 1), u32(serialized.length)]);
  const all = reader.slice(ipco.start, ipco.end - ipco.start);
  return box('iprp', box('ipco', all, ...added), box('ipma', head, ...serialized));
}
