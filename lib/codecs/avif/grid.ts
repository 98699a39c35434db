// Combines AVIF images into one AVIF: a grid of tiles, with a second grid for alpha (ISO/IEC 23008-12 section 6.6.2.3).

import { concatBytes, latin1Bytes, latin1Text } from '../../bytes/bytes.js';
import { Reader } from '../reader.js';
import { box, boxes, child, fullBox, u16, u32 } from './boxes.js';

/**
 * All sizes in pixels. The tiles have equal size and cover the image; the last of a row or column may extend past it.
 */
export interface TileGrid {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** Maximum pixels of an image in AVIF's baseline profile (level 5.1 of AV1); encoding 8192 × 8192 took 1.6 GB. */
const MAX_SINGLE_PIXELS = 8_912_896;
/** Maximum side of a tile; sides must be multiples of 64. */
const MAX_TILE_SIDE = 2048;
const TILE_STEP = 64;

/** The grid for an image of this size; undefined if it is small enough for a single image. */
export function gridFor(width: number, height: number): TileGrid | undefined {
  if (width * height <= MAX_SINGLE_PIXELS) return undefined;
  const columns = Math.ceil(width / MAX_TILE_SIDE);
  const rows = Math.ceil(height / MAX_TILE_SIDE);
  const side = (length: number) => Math.ceil(length / TILE_STEP) * TILE_STEP;
  return { width, height, columns, rows, tileWidth: side(width / columns), tileHeight: side(height / rows) };
}

/**
 * The tiles of one plane (colour or alpha): their AV1 data in reading order, and the property boxes that all of them
 * share.
 */
interface Plane {
  readonly tiles: readonly Uint8Array[];
  readonly properties: readonly Uint8Array[];
}

interface Item {
  readonly id: number;
  readonly type: 'grid' | 'av01';
  readonly data: Uint8Array;
  /** 1-based property indexes, in file order; the high bit marks an essential property. */
  readonly properties: readonly number[];
}

const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0';
/** Flag of an association: readers must support the property. */
const ESSENTIAL = 0x80;
/** Flag of an item: not to be displayed on its own. */
const HIDDEN = 1;

/**
 * Writes the file. `color` and `alpha`: the tiles row by row, each a single-image AVIF; those of `alpha` are
 * monochrome.
 */
export function writeAvifGrid(grid: TileGrid, color: readonly Uint8Array[], alpha?: readonly Uint8Array[]): Uint8Array {
  const planes = [planeOf(color)];
  if (alpha) planes.push(planeOf(alpha));
  const ipco: Uint8Array[] = [size(grid.width, grid.height), size(grid.tileWidth, grid.tileHeight)];
  const items: Item[] = [];
  const references: Uint8Array[] = [];
  for (const { tiles, properties } of planes) {
    const gridId = items.length + 1;
    const ids = tiles.map((_, i) => gridId + 1 + i);
    const indexes = properties.map((_, i) => ipco.length + 1 + i);
    const isCodecConfig = (index: number) => latin1Text(properties[index - ipco.length - 1].subarray(4, 8)) === 'av1C';
    const isAlpha = gridId > 1;
    const auxiliary = isAlpha ? [ipco.length + properties.length + 1] : [];
    const tileProperties = indexes.map((index) => (isCodecConfig(index) ? index | ESSENTIAL : index));
    const gridProperties = indexes.filter((index) => !isCodecConfig(index));
    items.push({ id: gridId, type: 'grid', data: gridData(grid), properties: [1, ...gridProperties, ...auxiliary] });
    for (const [i, id] of ids.entries()) {
      items.push({ id, type: 'av01', data: tiles[i], properties: [2, ...tileProperties, ...auxiliary] });
    }
    references.push(box('dimg', u16(gridId, ids.length, ...ids)));
    if (isAlpha) references.push(box('auxl', u16(gridId, 1, items[0].id)));
    ipco.push(...properties);
    if (isAlpha) ipco.push(fullBox('auxC', 0, latin1Bytes(ALPHA)));
  }
  // `ftyp` from the encoder: the baseline profile, unless chroma is not subsampled
  const ftyp = color[0].subarray(0, new Reader(color[0], 'avif').u32(0));
  const metaAt = (offset: number) => metaBox(items, references, ipco, offset);
  const offset = ftyp.length + metaAt(0).length + 8;
  return concatBytes([ftyp, metaAt(offset), box('mdat', ...items.map(({ data }) => data))]);
}

/** Takes the common properties from the first tile: all tiles have the same encoder, size and depth. */
function planeOf(files: readonly Uint8Array[]): Plane {
  const reader = new Reader(files[0], 'avif');
  const ipco = child(reader, child(reader, topBox(files[0], 'meta'), 'iprp', 4)!, 'ipco')!;
  const properties = boxes(reader, ipco.start, ipco.end)
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

/** Writes the meta box. `offset` is the file offset of the items' data, which is stored consecutively. */
function metaBox(items: readonly Item[], references: Uint8Array[], ipco: Uint8Array[], offset: number): Uint8Array {
  let at = offset;
  const locations = items.map(({ id, data }) => {
    const location = concatBytes([u16(id, 0, 1), u32(at, data.length)]);
    at += data.length;
    return location;
  });
  const infos = items.map(({ id, type }) =>
    fullBox('infe', (2 << 24) | (type === 'av01' ? HIDDEN : 0), u16(id, 0), latin1Bytes(`${type}\0`)),
  );
  const associations = items.map(({ id, properties }) =>
    concatBytes([u16(id), Uint8Array.from([properties.length, ...properties])]),
  );
  return fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, latin1Bytes(`\0\0\0\0pict${'\0'.repeat(13)}`)),
    fullBox('pitm', 0, u16(items[0].id)),
    // offsets and lengths have four bytes each
    fullBox('iloc', 0, u16(0x4400, items.length), ...locations),
    fullBox('iinf', 0, u16(items.length), ...infos),
    fullBox('iref', 0, ...references),
    box('iprp', box('ipco', ...ipco), fullBox('ipma', 0, u32(items.length), ...associations)),
  );
}

function gridData({ width, height, columns, rows }: TileGrid): Uint8Array {
  return concatBytes([Uint8Array.from([0, 0, rows - 1, columns - 1]), u16(width, height)]);
}

const size = (width: number, height: number) => fullBox('ispe', 0, u32(width, height));
