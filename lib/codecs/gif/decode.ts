// Decodes the first frame of a GIF onto its transparent logical screen. Own implementation: the available package
// requires every frame of the file to be complete and prints warnings to stdout, which may carry an image.
import { Pixmap, packWord } from '../../raster/pixmap.js';
import type { Decode } from '../codec.js';
import { malformed } from '../errors.js';
import { Reader } from '../reader.js';
import { inflateLzw } from './lzw.js';

export interface GifHeader {
  /** The logical screen, extended to include the first frame, as in browsers. */
  readonly width: number;
  readonly height: number;
  readonly frame: GifFrame;
}

interface GifFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  /** Three bytes per colour; empty if the file has no palette at all. */
  readonly palette: Uint8Array;
  /** The transparent index, -1 for none. */
  readonly transparentIndex: number;
  /** Offset of the LZW data: minimum code size, then sub-blocks. */
  readonly dataOffset: number;
}

/** Reads everything before the first frame's pixels. */
export function readGifHeader(bytes: Uint8Array): GifHeader {
  const reader = new Reader(bytes, 'gif');
  const screenFlags = reader.u8(10);
  let at = 13;
  let palette = new Uint8Array(0);
  if (screenFlags & 0x80) {
    palette = Uint8Array.from(reader.slice(at, 3 << ((screenFlags & 7) + 1)));
    at += palette.length;
  }
  let transparentIndex = -1;
  for (;;) {
    const block = reader.u8(at++);
    if (block === 0x2c) break;
    if (block === 0x3b) throw malformed('gif', 'it has no image');
    if (block === 0) continue;
    if (block !== 0x21) throw malformed('gif', 'it has an unknown block type');
    const isControl = reader.u8(at++) === 0xf9;
    if (isControl && reader.u8(at) >= 4) transparentIndex = reader.u8(at + 1) & 1 ? reader.u8(at + 4) : -1;
    for (let length = reader.u8(at++); length !== 0; length = reader.u8(at++)) at += length;
  }
  const width = reader.u16(at + 4, true);
  const height = reader.u16(at + 6, true);
  if (width === 0 || height === 0) throw malformed('gif', `its frame is ${width} × ${height}`);
  const flags = reader.u8(at + 8);
  let dataOffset = at + 9;
  if (flags & 0x80) {
    palette = Uint8Array.from(reader.slice(dataOffset, 3 << ((flags & 7) + 1)));
    dataOffset += palette.length;
  }
  const [x, y] = [reader.u16(at, true), reader.u16(at + 2, true)];
  return {
    width: Math.max(reader.u16(6, true), x + width),
    height: Math.max(reader.u16(8, true), y + height),
    frame: { x, y, width, height, isInterlaced: (flags & 0x40) !== 0, palette, transparentIndex, dataOffset },
  };
}

/** Pixels without data stay transparent. */
export const decodeGif: Decode<GifHeader> = async (bytes, { width, height, frame }) => {
  const reader = new Reader(bytes, 'gif');
  const minCodeSize = reader.u8(frame.dataOffset);
  if (minCodeSize < 1 || minCodeSize > 11) throw malformed('gif', `its minimum LZW code size is ${minCodeSize}`);
  const indexes = new Uint8Array(frame.width * frame.height);
  const { lzwData, isComplete } = joinBlocks(reader, frame.dataOffset + 1);
  const written = inflateLzw(lzwData, minCodeSize, indexes);
  if (written === undefined) throw malformed('gif', 'its image data is corrupt');
  if (written === 0 && !isComplete) throw malformed('gif', 'it is truncated');

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
 * Concatenates the sub-blocks (each may hold a single byte) up to the empty one that ends them. For a truncated file,
 * returns what there is, with `isComplete` false.
 */
function joinBlocks({ bytes }: Reader, from: number): { lzwData: Uint8Array; isComplete: boolean } {
  let total = 0;
  let at = from;
  for (; at < bytes.length && bytes[at] !== 0; at += 1 + bytes[at]) {
    total += Math.min(bytes[at], bytes.length - at - 1);
  }
  const lzwData = new Uint8Array(total);
  for (let block = from, to = 0; to < total; block += 1 + bytes[block]) {
    const content = bytes.subarray(block + 1, block + 1 + bytes[block]);
    lzwData.set(content, to);
    to += content.length;
  }
  return { lzwData, isComplete: at < bytes.length };
}

/** The pixel value of every index; an index past the palette is opaque black. */
function colorTable({ palette, transparentIndex }: GifFrame): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    const at = index * 3;
    return index === transparentIndex ? 0 : packWord(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0, 255);
  });
}

/** The frame's rows in storage order (GIF89a appendix E). */
function rowOrder({ height, isInterlaced }: GifFrame): number[] {
  const rows: number[] = [];
  const passes = isInterlaced
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
