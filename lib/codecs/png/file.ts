// Builds a PNG file: the signature, then each chunk with its length and CRC, in the given order (PNG specification
// section 5).

import { pixelsPerMetre } from '../resolution.js';
import type { PngHeader } from './chunks.js';
import { crc32 } from './crc.js';

export type Chunk = readonly [type: string, body: Uint8Array];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The body of IHDR. */
export function headerBody({
  width,
  height,
  depth,
  colorType,
  isInterlaced,
}: Omit<PngHeader, 'orientation'>): Uint8Array {
  const body = new Uint8Array(13);
  const view = new DataView(body.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  body[8] = depth;
  body[9] = colorType;
  body[12] = isInterlaced ? 1 : 0;
  return body;
}

/** The body of pHYs: pixels per metre in both directions. */
export function physicalBody(dpi: number): Uint8Array {
  const body = new Uint8Array(9);
  const view = new DataView(body.buffer);
  for (const at of [0, 4]) view.setUint32(at, pixelsPerMetre(dpi));
  body[8] = 1;
  return body;
}

/** The entire file: `chunks`, starting with IHDR, followed by IEND. */
export function pngFile(chunks: readonly Chunk[]): Uint8Array {
  const all: Chunk[] = [...chunks, ['IEND', new Uint8Array(0)]];
  const bytes = new Uint8Array(8 + all.reduce((sum, [, body]) => sum + 12 + body.length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set(SIGNATURE);
  let at = 8;
  for (const [type, body] of all) {
    view.setUint32(at, body.length);
    for (let i = 0; i < 4; i++) bytes[at + 4 + i] = type.charCodeAt(i);
    bytes.set(body, at + 8);
    const end = at + 8 + body.length;
    view.setUint32(end, crc32(bytes.subarray(at + 4, end)));
    at = end + 4;
  }
  return bytes;
}
