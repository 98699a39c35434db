// Builds single-image AVIFs box by box (ISO/IEC 14496-12, 23008-12), including ones that no encoder writes.

import { boxes, child } from '../../../lib/codecs/avif/boxes.js';
import { codedImages } from '../../../lib/codecs/avif/coded-pictures.js';
import { Reader } from '../../../lib/codecs/reader.js';

const u32 = (value: number) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), Buffer.from(type, 'latin1'), ...parts]);
}

/** `head`: the version in the first byte, flags in the other three. */
const fullBox = (type: string, head: number, ...parts: readonly Uint8Array[]) => box(type, u32(head), ...parts);

export interface Coded {
  /** AV1 OBUs. */
  readonly data: Uint8Array;
  /** The contents of `av1C`. */
  readonly config: Uint8Array;
}

/** The only image of a single-item file. */
export function codedOf(bytes: Uint8Array): Coded {
  const reader = new Reader(bytes, 'avif');
  const meta = boxes(reader, 0, bytes.length).find(({ type }) => type === 'meta')!;
  const config = child(reader, child(reader, child(reader, meta, 'iprp', 4)!, 'ipco')!, 'av1C')!;
  return { data: [...codedImages(reader, bytes)][0], config: reader.slice(config.start, config.end - config.start) };
}

export interface AvifOptions {
  readonly width: number;
  readonly height: number;
  /** Byte offsets at which the data is split into extents. */
  readonly cuts?: readonly number[];
  /** Bytes of the `pixi` property; `false` omits it. */
  readonly depths?: readonly number[] | false;
  /** The fractions of a `clap` crop: width, height and offsets, as numerator and denominator. */
  readonly crop?: readonly number[];
  /** Whether each property has its own `ipma`; the last one is then for an item without an image. */
  readonly isSpread?: boolean;
  /** Number of extra one-byte extents of unreferenced items. */
  readonly others?: readonly number[];
}

export function avifOf({ data, config }: Coded, options: AvifOptions): Buffer {
  const { width, height, cuts = [], depths = [8, 8, 8], crop, isSpread = false, others = [] } = options;
  const file = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));
  const edges = [0, ...cuts, data.length];
  const metaAt = (offset: number) => {
    const place = (at: number, length: number) => Buffer.concat([u32(offset + at), u32(length)]);
    const pieces = edges.slice(1).map((end, i) => place(edges[i], end - edges[i]));
    const items = [pieces, ...others.map((count) => Array<Buffer>(count).fill(place(0, 1)))];
    const locations = items.map((own, i) => Buffer.concat([u16(i + 1), u16(0), u16(own.length), ...own]));
    const info = (id: number, type: string) => fullBox('infe', 2 << 24, u16(id), u16(0), Buffer.from(type, 'latin1'));
    const infos = items.map((_, i) => info(i + 1, i === 0 ? 'av01\0' : 'mime\0a\0\0'));
    const store = [fullBox('ispe', 0, u32(width), u32(height)), box('av1C', config)];
    if (depths) store.push(fullBox('pixi', 0, Buffer.from([depths.length, ...depths])));
    if (crop) store.push(box('clap', ...crop.map(u32)));
    const list = (item: number, ...places: number[]) =>
      fullBox('ipma', 0, u32(1), u16(item), Buffer.from([places.length, ...places]));
    const lists = [list(1, 1, 0x82, ...(depths ? [3] : []), ...(crop ? [0x80 | store.length] : []))];
    if (isSpread) lists.unshift(list(2, 1));
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, Buffer.from(`\0\0\0\0pict${'\0'.repeat(13)}`, 'latin1')),
      fullBox('pitm', 0, u16(1)),
      fullBox('iloc', 0, u16(0x4400), u16(items.length), ...locations),
      fullBox('iinf', 0, u16(infos.length), ...infos),
      box('iprp', box('ipco', ...store), ...lists),
    );
  };
  return Buffer.concat([file, metaAt(file.length + metaAt(0).length + 8), box('mdat', data)]);
}
