// GIF bytes → the first frame on its transparent logical screen. Ours, because the package at hand wants every frame of the
// file to be whole and prints its warnings on stdout, which may be carrying a picture.
import { Pixmap, packWord } from '../raster/pixmap.js';
import { broken } from './broken.js';
import type { Decode } from './codec.js';
import { inflateLzw } from './lzw.js';
import { Reader } from './reader.js';

export interface GifHeader {
  /** The logical screen, and the first frame where it stands out of it, as browsers have it. */
  readonly width: number;
  readonly height: number;
  readonly frame: GifFrame;
}

interface GifFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
  /** Three bytes a colour; empty when the file has no palette at all. */
  readonly palette: Uint8Array;
  /** The index that is not painted, -1 for none. */
  readonly clear: number;
  /** Where the LZW data begins: its code size, then sub-blocks. */
  readonly dataAt: number;
}

/** Everything up to the first frame's pixels. */
export function readGifHeader(bytes: Uint8Array): GifHeader {
  const reader = new Reader(bytes, 'gif');
  const screenFlags = reader.u8(10);
  let at = 13;
  let palette = new Uint8Array(0);
  if (screenFlags & 0x80) {
    palette = Uint8Array.from(reader.slice(at, 3 << ((screenFlags & 7) + 1)));
    at += palette.length;
  }
  let clear = -1;
  for (;;) {
    const block = reader.u8(at++);
    if (block === 0x2c) break;
    if (block === 0x3b) throw broken('gif', 'it has no picture');
    if (block === 0) continue;
    if (block !== 0x21) throw broken('gif', 'its blocks do not fit together');
    const isControl = reader.u8(at++) === 0xf9;
    if (isControl && reader.u8(at) >= 4) clear = reader.u8(at + 1) & 1 ? reader.u8(at + 4) : -1;
    for (let length = reader.u8(at++); length !== 0; length = reader.u8(at++)) at += length;
  }
  const width = reader.u16(at + 4, true);
  const height = reader.u16(at + 6, true);
  if (width === 0 || height === 0) throw broken('gif', `its frame is ${width} × ${height}`);
  const flags = reader.u8(at + 8);
  let dataAt = at + 9;
  if (flags & 0x80) {
    palette = Uint8Array.from(reader.slice(dataAt, 3 << ((flags & 7) + 1)));
    dataAt += palette.length;
  }
  const [x, y] = [reader.u16(at, true), reader.u16(at + 2, true)];
  return {
    width: Math.max(reader.u16(6, true), x + width),
    height: Math.max(reader.u16(8, true), y + height),
    frame: { x, y, width, height, interlaced: (flags & 0x40) !== 0, palette, clear, dataAt },
  };
}

/** Reads a GIF whose header has been found to be within bounds. Pixels that the data does not reach stay transparent. */
export const decodeGif: Decode = async (bytes) => {
  const { width, height, frame } = readGifHeader(bytes);
  const reader = new Reader(bytes, 'gif');
  const minimum = reader.u8(frame.dataAt);
  if (minimum < 1 || minimum > 11) throw broken('gif', `its code size is ${minimum}`);
  const indexes = new Uint8Array(frame.width * frame.height);
  const { packed, isWhole } = joinBlocks(reader, frame.dataAt + 1);
  const written = inflateLzw(packed, minimum, indexes);
  if (written === undefined) throw broken('gif', 'its picture data is damaged');
  if (written === 0 && !isWhole) throw broken('gif', 'it is cut short');

  const colors = colorTable(frame);
  const { words } = new Pixmap(width, height);
  const rows = rowOrder(frame);
  for (let row = 0, from = 0; from < written; row++, from += frame.width) {
    const count = Math.min(frame.width, written - from);
    for (let x = 0, to = (frame.y + rows[row]) * width + frame.x; x < count; x++, to++)
      words[to] = colors[indexes[from + x]];
  }
  return new Pixmap(width, height, new Uint8ClampedArray(words.buffer));
};

/**
 * The sub-blocks' contents in one array: blocks may have a byte each. Up to the empty one that ends them, or, not whole, what
 * there is of a file that is cut short.
 */
function joinBlocks({ bytes }: Reader, from: number): { packed: Uint8Array; isWhole: boolean } {
  let total = 0;
  let at = from;
  for (; at < bytes.length && bytes[at] !== 0; at += 1 + bytes[at]) {
    total += Math.min(bytes[at], bytes.length - at - 1);
  }
  const packed = new Uint8Array(total);
  for (let block = from, to = 0; to < total; block += 1 + bytes[block]) {
    const content = bytes.subarray(block + 1, block + 1 + bytes[block]);
    packed.set(content, to);
    to += content.length;
  }
  return { packed, isWhole: at < bytes.length };
}

/** The word of every index; one beyond the palette is opaque black. */
function colorTable({ palette, clear }: GifFrame): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    const at = index * 3;
    return index === clear ? 0 : packWord(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0, 255);
  });
}

/** The frame's rows in the order in which they are stored (GIF89a appendix E). */
function rowOrder({ height, interlaced }: GifFrame): number[] {
  const rows: number[] = [];
  const passes = interlaced
    ? [
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ]
    : [[0, 1]];
  for (const [start, step] of passes) for (let y = start; y < height; y += step) rows.push(y);
  return rows;
}
