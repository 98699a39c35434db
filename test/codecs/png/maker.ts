// A simple PNG encoder for tests: any colour type, bit depth, interlacing and filter, from rows of samples.
import { deflateSync } from 'node:zlib';
import { tableCrc32 } from '../../../lib/codecs/png/crc.js';

export interface PngRecipe {
  readonly width: number;
  readonly height: number;
  readonly colorType: number;
  readonly depth: number;
  readonly interlaced?: boolean;
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
  /** The value of sample `channel` of pixel (x, y). */
  readonly sample: (x: number, y: number, channel: number) => number;
  /** The filter of the nth row written; default 0. */
  readonly filter?: (row: number) => number;
}

const CHANNELS = [1, 0, 3, 1, 2, 0, 4];
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

export function chunk(type: string, body: Uint8Array | readonly number[]): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(tableCrc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

export const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function ihdr(width: number, height: number, depth: number, colorType: number, interlaced = false): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width);
  body.writeUInt32BE(height, 4);
  body.set([depth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', body);
}

/** The entire file; its zlib stream is split into IDAT chunks of 100 bytes. */
export function makePng(recipe: PngRecipe): Uint8Array {
  const { width, height, depth, colorType, interlaced = false } = recipe;
  const packed = deflateSync(packPasses(recipe));
  const parts: Buffer[] = [SIGNATURE, ihdr(width, height, depth, colorType, interlaced), chunk('tEXt', [65, 0, 66])];
  if (recipe.palette) parts.push(chunk('PLTE', recipe.palette));
  if (recipe.transparency) parts.push(chunk('tRNS', recipe.transparency));
  for (let at = 0; at < packed.length; at += 100) parts.push(chunk('IDAT', packed.subarray(at, at + 100)));
  return new Uint8Array(Buffer.concat([...parts, chunk('IEND', [])]));
}

function packPasses({ width, height, depth, colorType, interlaced, sample, filter = () => 0 }: PngRecipe): Buffer {
  const channels = CHANNELS[colorType];
  const bits = channels * depth;
  const rows: Buffer[] = [];
  for (const [left, top, stepX, stepY] of interlaced ? ADAM7 : [[0, 0, 1, 1]]) {
    if (left >= width || top >= height) continue;
    const columns = Math.ceil((width - left) / stepX);
    let above = Buffer.alloc(Math.ceil((columns * bits) / 8));
    for (let y = top; y < height; y += stepY) {
      const row = Buffer.alloc(above.length);
      for (let i = 0; i < columns; i++) {
        for (let c = 0; c < channels; c++) put(row, (i * channels + c) * depth, depth, sample(left + i * stepX, y, c));
      }
      rows.push(filtered(row, above, filter(rows.length), Math.max(1, bits >> 3)));
      above = row;
    }
  }
  return Buffer.concat(rows);
}

function put(row: Buffer, bit: number, depth: number, value: number): void {
  if (depth === 16) row.writeUInt16BE(value, bit >> 3);
  else row[bit >> 3] |= value << (8 - depth - (bit & 7));
}

function filtered(row: Buffer, above: Buffer, filter: number, step: number): Buffer {
  const out = Buffer.alloc(row.length + 1);
  out[0] = filter;
  for (let i = 0; i < row.length; i++) {
    const a = i < step ? 0 : row[i - step];
    const b = above[i];
    const c = i < step ? 0 : above[i - step];
    const p = a + b - c;
    const paeth =
      Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c)
        ? a
        : Math.abs(p - b) <= Math.abs(p - c)
          ? b
          : c;
    out[i + 1] = row[i] - [0, a, b, (a + b) >> 1, paeth][filter];
  }
  return out;
}
