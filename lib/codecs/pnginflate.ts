// The zlib stream of a PNG's IDAT chunks → its filtered rows, within the size that the header allows.
import { constants, inflateRawSync } from 'node:zlib';
import { broken } from './broken.js';
import type { PngFile } from './pngchunks.js';

const ZLIB_HEADER = 2;
/** The bit that asks for a dictionary, which PNG has none of. */
const DICTIONARY = 0x20;

/**
 * Exactly `total` bytes of rows. A little more in the file is let pass, as libpng does, and so is a stream without
 * its end, or with another sum than its rows have: the chunks' CRCs have found the bytes to be as written. A bomb is stopped.
 */
export function inflateRows(file: PngFile, total: number): Uint8Array {
  const packed = file.data.length === 1 ? file.data[0] : Buffer.concat(file.data);
  checkHeader(packed);
  const slack = 65536;
  let raw: Uint8Array;
  try {
    // in one piece: pieces would be joined at the end, twice the memory. What a file lacks is never touched, so takes none
    raw = inflateRawSync(packed.subarray(ZLIB_HEADER), {
      maxOutputLength: total + slack,
      chunkSize: total + 64,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw broken('png', 'it holds more data than its size says', cause);
    throw broken('png', 'its compressed data is damaged', cause);
  }
  if (raw.length < total) throw broken('png', 'its picture data is cut short');
  return raw.subarray(0, total);
}

/** Method, window and sum of a zlib stream's first two bytes (RFC 1950 section 2.2). */
function checkHeader(packed: Uint8Array): void {
  if (packed.length <= ZLIB_HEADER) throw broken('png', 'its picture data is cut short');
  const [method, flags] = packed;
  const isKnown = (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
  if (!isKnown || flags & DICTIONARY) throw broken('png', 'its compressed data is damaged');
}
