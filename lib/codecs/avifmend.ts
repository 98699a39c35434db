// An AVIF that lacks what only its decoder asks for → one that has it, as browsers read such files: older encoders leave out
// the samples' depths (`pixi`), others spread the items' properties over several `ipma` boxes of one kind. A crop (`clap`) is
// left out: neither the decoder nor a browser heeds it, but the decoder refuses those that halved chroma can't follow.
import { box } from './boxwrite.js';
import { type Association, associations, type Box, boxes, child, ESSENTIAL } from './isobmff.js';
import type { Reader } from './reader.js';

/** What an item may have, by the byte that counts them. */
const MOST_PROPERTIES = 255;
/** Items of a file that is mended: a grid of 255 × 255 tiles has fewer. */
const MOST_ITEMS = 2 ** 16;

const CROP = 'clap';

interface Properties {
  readonly parent: Box;
  readonly store: Box;
  readonly stored: readonly Box[];
  readonly lists: readonly Box[];
}

/**
 * `known` itself when it lacks nothing. Otherwise its `meta` box stays as free space, so that every place in the file remains
 * what it was, and another one follows at the end. `reader` reads a file of the same boxes.
 */
export function mendedAvif(reader: Reader, known: Uint8Array): Uint8Array {
  const top = boxes(reader, 0, known.length, true);
  const meta = top.find(({ type }) => type === 'meta');
  const last = top[top.length - 1];
  // one that goes on to the end of the file would take in what follows
  const isOpen = last.end - last.start + 8 !== reader.u32(last.start - 8);
  const properties = meta && !isOpen ? propertiesOf(reader, meta) : undefined;
  if (!meta || !properties) return known;
  const entries: Association[] = [];
  for (const list of properties.lists) {
    for (const entry of associations(reader, list)) if (entries.push(entry) > MOST_ITEMS) return known;
  }
  const bare = entries.filter((entry) => has(properties, entry, 'ispe') && !has(properties, entry, 'pixi'));
  const isCropped = properties.stored.some(({ type }) => type === CROP);
  if (bare.length === 0 && properties.lists.length === 1 && !isCropped) return known;
  const renewed = renewedProperties(reader, properties, entries, new Set(bare));
  const children = boxes(reader, meta.start + 4, meta.end).map(({ type, start, end }) =>
    start === properties.parent.start ? renewed : box(type, reader.slice(start, end - start)),
  );
  const file = Buffer.concat([known, box('meta', reader.slice(meta.start, 4), ...children)]);
  // a length of eight bytes stands behind the type
  file.write('free', meta.start - (reader.text(meta.start - 4, 4) === 'meta' ? 4 : 12), 'latin1');
  return file;
}

function propertiesOf(reader: Reader, meta: Box): Properties | undefined {
  const parent = child(reader, meta, 'iprp', 4);
  const store = parent && child(reader, parent, 'ipco');
  if (!parent || !store) return undefined;
  const lists = boxes(reader, parent.start, parent.end).filter(({ type }) => type === 'ipma');
  return { parent, store, stored: boxes(reader, store.start, store.end), lists };
}

function property({ stored }: Properties, { properties }: Association, type: string): Box | undefined {
  return properties.map((index) => stored[(index & ~ESSENTIAL) - 1]).find((box) => box?.type === type);
}

function has(properties: Properties, entry: Association, type: string): boolean {
  return property(properties, entry, type) !== undefined;
}

/** `iprp` with one `ipma`, in the order of the items, and a `pixi` for each of `bare`. */
function renewedProperties(
  reader: Reader,
  properties: Properties,
  entries: readonly Association[],
  bare: ReadonlySet<Association>,
): Uint8Array {
  const { store, stored } = properties;
  const added: Uint8Array[] = [];
  const places = new Map<number, number>();
  const pixiOf = (entry: Association) => {
    // a grid has the depth of its tiles
    const config = property(properties, entry, 'av1C') ?? stored.find(({ type }) => type === 'av1C');
    const flags = config ? reader.u8(config.start + 2) & 0x70 : 0;
    const known = places.get(flags);
    if (known !== undefined) return known;
    const depth = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
    added.push(box('pixi', Uint8Array.from([0, 0, 0, 0, ...(flags & 0x10 ? [1, depth] : [3, depth, depth, depth])])));
    places.set(flags, stored.length + added.length);
    return stored.length + added.length;
  };
  const written = entries
    .toSorted((a, b) => a.item - b.item)
    .map((entry) => {
      const kept = entry.properties.filter((index) => stored[(index & ~ESSENTIAL) - 1]?.type !== CROP);
      const own = [...kept, ...(bare.has(entry) ? [pixiOf(entry)] : [])].slice(0, MOST_PROPERTIES);
      const bytes = Buffer.alloc(5 + 2 * own.length);
      bytes.writeUInt32BE(entry.item);
      bytes[4] = own.length;
      for (const [i, index] of own.entries()) bytes.writeUInt16BE(index, 5 + 2 * i);
      return bytes;
    });
  // version 1 and flag 1: items of 32 bits, places of 15
  const head = Buffer.from([1, 0, 0, 1, 0, 0, 0, 0]);
  head.writeUInt32BE(written.length, 4);
  const all = reader.slice(store.start, store.end - store.start);
  return box('iprp', box('ipco', all, ...added), box('ipma', head, ...written));
}
