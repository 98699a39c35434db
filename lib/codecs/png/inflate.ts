// Inflates the zlib stream of a PNG's IDAT chunks to its filtered rows, limited to the size that the header allows.
import { constants, inflateRawSync } from 'node:zlib';
import { malformed } from '../errors.js';
import type { PngFile } from './chunks.js';

const ZLIB_HEADER = 2;
/** Flag for a preset dictionary, which PNG does not use. */
const DICTIONARY = 0x20;

/**
 * Returns exactly `total` bytes of rows. Tolerates a little extra data, as libpng does, a missing end of the stream,
 * and a wrong checksum: the chunks' CRCs already verified the bytes. Rejects decompression bombs.
 */
export function inflateRows(file: PngFile, total: number): Uint8Array {
  const compressed = file.data.length === 1 ? file.data[0] : Buffer.concat(file.data);
  checkHeader(compressed);
  const slack = 65536;
  let raw: Uint8Array;
  try {
    // one output chunk: joining several would take twice the memory. Memory for missing data is never touched, so it
    // costs nothing
    raw = inflateRawSync(compressed.subarray(ZLIB_HEADER), {
      maxOutputLength: total + slack,
      chunkSize: total + 64,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw malformed('png', 'it holds more data than its size allows', cause);
    throw malformed('png', 'its compressed data is corrupt', cause);
  }
  if (raw.length < total) throw malformed('png', 'its image data is truncated');
  return raw.subarray(0, total);
}

/** Checks method, window size and check bits of a zlib stream's first two bytes (RFC 1950 section 2.2). */
function checkHeader(compressed: Uint8Array): void {
  if (compressed.length <= ZLIB_HEADER) throw malformed('png', 'its image data is truncated');
  const [method, flags] = compressed;
  const isKnown = (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
  if (!isKnown || flags & DICTIONARY) throw malformed('png', 'its compressed data is corrupt');
}
