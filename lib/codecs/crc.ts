// The CRC-32 of PNG chunks (PNG specification annex D), by Node's own zlib where it has one (20.15, 22.2), else by table.
import * as zlib from 'node:zlib';

/** The CRC-32 of `bytes`, continuing from `start` (the CRC of what came before). */
export const crc32: (bytes: Uint8Array, start?: number) => number =
  typeof zlib.crc32 === 'function' ? zlib.crc32 : tableCrc32;

let table: Uint32Array | undefined;

/** The plain twin, a byte at a time. */
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
