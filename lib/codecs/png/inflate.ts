// Inflates the zlib stream of a PNG's IDAT chunks to its filtered rows, limited to the size that the header allows.
import { concatBytes } from '../../bytes/bytes.js';
import { InflateLimitError, inflateRaw } from '../../bytes/inflate.js';
import { host } from '../../host.js';
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
  const compressed = file.data.length === 1 ? file.data[0] : concatBytes(file.data);
  checkHeader(compressed);
  let raw: Uint8Array;
  try {
    raw = inflateUpTo(compressed.subarray(ZLIB_HEADER), total);
  } catch (cause) {
    const isTooLong =
      cause instanceof InflateLimitError ||
      (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE');
    if (isTooLong) throw malformed('png', 'it holds more data than its size allows', cause);
    throw malformed('png', 'its compressed data is corrupt', cause);
  }
  if (raw.length < total) throw malformed('png', 'its image data is truncated');
  return raw.subarray(0, total);
}

/** Bytes that a stream may hold beyond the rows. */
const SLACK = 65536;

function inflateUpTo(compressed: Uint8Array, total: number): Uint8Array {
  const { zlib } = host();
  if (!zlib) return inflateRaw(compressed, { maxLength: total + SLACK, mayBeTruncated: true });
  // one output chunk: joining several would take twice the memory. Memory for missing data is never touched, so it costs
  // nothing
  return zlib.inflateRawSync(compressed, {
    maxOutputLength: total + SLACK,
    chunkSize: total + 64,
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
  });
}

/** Checks method, window size and check bits of a zlib stream's first two bytes (RFC 1950 section 2.2). */
function checkHeader(compressed: Uint8Array): void {
  if (compressed.length <= ZLIB_HEADER) throw malformed('png', 'its image data is truncated');
  const [method, flags] = compressed;
  const isKnown = (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
  if (!isKnown || flags & DICTIONARY) throw malformed('png', 'its compressed data is corrupt');
}
