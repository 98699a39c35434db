// Pictures of an AVIF beside each other → one AVIF: a grid of tiles, its transparency another (ISO/IEC 23008-12 section 6.6.2.3).
import { box, fullBox, u16, u32 } from './boxwrite.js';
import { boxes, child } from './isobmff.js';
import { Reader } from './reader.js';

/** All in pixels. The tiles, all of one size, cover the whole; the last of a row or column may stand out of it. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** The most pixels of a picture of AVIF's baseline profile (level 5.1 of AV1); 8192 × 8192 took the encoder 1.6 GB. */
const WHOLE_PIXELS = 8_912_896;
/** The longest side of a tile; and what tiles' sides are multiples of, as the format asks. */
const TILE_SIDE = 2048;
const TILE_STEP = 64;

/** The grid that a picture of this size is written as; undefined when it is small enough to be written whole. */
export function gridOf(width: number, height: number): Grid | undefined {
  if (width * height <= WHOLE_PIXELS) return undefined;
  const columns = Math.ceil(width / TILE_SIDE);
  const rows = Math.ceil(height / TILE_SIDE);
  const side = (length: number) => Math.ceil(length / TILE_STEP) * TILE_STEP;
  return { width, height, columns, rows, tileWidth: side(width / columns), tileHeight: side(height / rows) };
}

/** Of the tiles of one plane: their AV1 data in reading order, and the property boxes that are true of each. */
interface Plane {
  readonly tiles: readonly Uint8Array[];
  readonly properties: readonly Buffer[];
}

interface Item {
  readonly id: number;
  readonly type: 'grid' | 'av01';
  readonly data: Uint8Array;
  /** Places of its properties, from 1, in the order of the file; the high bit says that a reader must know them. */
  readonly properties: readonly number[];
}

const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0';
/** Of the associations: not to be passed over. */
const ESSENTIAL = 0x80;
/** Of an item: not a picture to be shown by itself. */
const HIDDEN = 1;

/** The file. `color` and `alpha`: the tiles row by row, each an AVIF of one picture; those of `alpha` are without colour. */
export function writeAvifGrid(grid: Grid, color: readonly Uint8Array[], alpha?: readonly Uint8Array[]): Uint8Array {
  const planes = [planeOf(color)];
  if (alpha) planes.push(planeOf(alpha));
  const store: Buffer[] = [size(grid.width, grid.height), size(grid.tileWidth, grid.tileHeight)];
  const items: Item[] = [];
  const references: Buffer[] = [];
  for (const { tiles, properties } of planes) {
    const grids = items.length + 1;
    const ids = tiles.map((_, i) => grids + 1 + i);
    const places = properties.map((_, i) => store.length + 1 + i);
    const isCode = (place: number) => properties[place - store.length - 1].toString('latin1', 4, 8) === 'av1C';
    const isAlpha = grids > 1;
    const auxiliary = isAlpha ? [store.length + properties.length + 1] : [];
    const ofTile = places.map((place) => (isCode(place) ? place | ESSENTIAL : place));
    const ofGrid = places.filter((place) => !isCode(place));
    items.push({ id: grids, type: 'grid', data: gridData(grid), properties: [1, ...ofGrid, ...auxiliary] });
    for (const [i, id] of ids.entries()) {
      items.push({ id, type: 'av01', data: tiles[i], properties: [2, ...ofTile, ...auxiliary] });
    }
    references.push(box('dimg', u16(grids, ids.length, ...ids)));
    if (isAlpha) references.push(box('auxl', u16(grids, 1, items[0].id)));
    store.push(...properties);
    if (isAlpha) store.push(fullBox('auxC', 0, Buffer.from(ALPHA, 'latin1')));
  }
  // as the encoder has it: the baseline profile, unless colour is not halved
  const start = Buffer.from(color[0].subarray(0, new Reader(color[0], 'avif').u32(0)));
  const metaAt = (offset: number) => metaBox(items, references, store, offset);
  const offset = start.length + metaAt(0).length + 8;
  return Buffer.concat([start, metaAt(offset), box('mdat', ...items.map(({ data }) => data))]);
}

/** What tiles of one encoder, size and depth have in common is taken from the first. */
function planeOf(files: readonly Uint8Array[]): Plane {
  const reader = new Reader(files[0], 'avif');
  const store = child(reader, child(reader, topBox(files[0], 'meta'), 'iprp', 4)!, 'ipco')!;
  const properties = boxes(reader, store.start, store.end)
    .filter(({ type }) => type === 'pixi' || type === 'av1C' || type === 'colr')
    .map(({ type, start, end }) => box(type, reader.slice(start, end - start)));
  const tiles = files.map((file) => {
    const { start, end } = topBox(file, 'mdat');
    return file.subarray(start, end);
  });
  return { tiles, properties };
}

const topBox = (file: Uint8Array, type: string) =>
  boxes(new Reader(file, 'avif'), 0, file.length).find((box) => box.type === type)!;

/** `offset`: where the items' data begin in the file, one after the other. */
function metaBox(items: readonly Item[], references: Buffer[], store: Buffer[], offset: number): Buffer {
  let at = offset;
  const locations = items.map(({ id, data }) => {
    const place = Buffer.concat([u16(id, 0, 1), u32(at, data.length)]);
    at += data.length;
    return place;
  });
  const infos = items.map(({ id, type }) =>
    fullBox('infe', (2 << 24) | (type === 'av01' ? HIDDEN : 0), u16(id, 0), Buffer.from(`${type}\0`, 'latin1')),
  );
  const associations = items.map(({ id, properties }) =>
    Buffer.concat([u16(id), Buffer.from([properties.length, ...properties])]),
  );
  return fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, Buffer.from(`\0\0\0\0pict${'\0'.repeat(13)}`, 'latin1')),
    fullBox('pitm', 0, u16(items[0].id)),
    // offsets and lengths of four bytes each
    fullBox('iloc', 0, u16(0x4400, items.length), ...locations),
    fullBox('iinf', 0, u16(items.length), ...infos),
    fullBox('iref', 0, ...references),
    box('iprp', box('ipco', ...store), fullBox('ipma', 0, u32(items.length), ...associations)),
  );
}

function gridData({ width, height, columns, rows }: Grid): Buffer {
  return Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), u16(width, height)]);
}

const size = (width: number, height: number) => fullBox('ispe', 0, u32(width, height));
