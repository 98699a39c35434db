// The zlib stream of a PNG's IDAT chunks → its filtered rows, within the size that the header allows.
import { inflateSync } from 'node:zlib';
import { broken } from './broken.js';
import type { PngFile } from './pngchunks.js';

/** Exactly `total` bytes of rows. A little more in the file is let pass, as libpng does; a bomb is stopped. */
export function inflateRows(file: PngFile, total: number): Uint8Array {
  const packed = file.data.length === 1 ? file.data[0] : Buffer.concat(file.data);
  const slack = 65536;
  let raw: Uint8Array;
  try {
    // in one piece: pieces would be joined at the end, twice the memory. What a file lacks is never touched, so takes none
    raw = inflateSync(packed, { maxOutputLength: total + slack, chunkSize: total + 64 });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'Z_BUF_ERROR') throw broken('png', 'its picture data is cut short', cause);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw broken('png', 'it holds more data than its size says', cause);
    throw broken('png', 'its compressed data is damaged', cause);
  }
  if (raw.length < total) throw broken('png', 'its picture data is cut short');
  return raw.subarray(0, total);
}
