// CRC-32 of PNG chunks (PNG specification annex D): Node's zlib implementation where it exists (20.15, 22.2), else
// table-driven.
import { host } from '../../host.js';

/** The CRC-32 of `bytes`, continuing from `start` (the CRC of the preceding bytes). */
export function crc32(bytes: Uint8Array, start = 0): number {
  return host().zlib?.crc32?.(bytes, start) ?? tableCrc32(bytes, start);
}

let table: Uint32Array | undefined;

/** Portable implementation, one byte at a time. */
export function tableCrc32(bytes: Uint8Array, start = 0): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  let crc = ~start;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}
