// Unpacks font containers (SFNT, collections, WOFF, WOFF2), detected by content, into an SFNT file. The output's size is
// bounded, but its tables are untrusted: sanitizer/sanitize.ts checks those.
import { InflateLimitError, inflate } from '../bytes/inflate.js';
import { describe } from '../codecs/sniff.js';
import { CodedError, RenderError } from '../errors.js';
import { buildSfnt, MAX_UNPACKED_BYTES, readTableCount, type SfntTable, tooLarge, viewOf } from './sfnt.js';

/**
 * Unpacks a TTF, OTF, WOFF or WOFF2 file, or the first face of a collection, to SFNT bytes.
 * Throws RenderError `render_failed`, with a description of the input, for other files and for malformed containers.
 */
export async function unpackFont(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    switch (signature(bytes)) {
      case '\0\x01\0\0':
      case 'OTTO':
      case 'true':
        return bytes;
      case 'ttcf':
        return extractFirstFace(bytes);
      case 'wOFF':
        return unpackWoff(bytes);
      case 'wOF2':
        return await unpackWoff2(bytes);
    }
  } catch (cause) {
    // the decoder could not be loaded
    if (cause instanceof CodedError) throw cause;
    throw new RenderError('render_failed', `received a malformed font file: ${describeError(cause)}`, { cause });
  }
  throw new RenderError('render_failed', `received ${describe(bytes)}, expected a TTF, OTF, WOFF or WOFF2 font`);
}

/** zlib's messages name a buffer limit and a DataView's an offset: neither helps the user who sent the font. */
function describeError(cause: unknown): string {
  const { code } = cause as { readonly code?: unknown };
  const isTooLong = cause instanceof InflateLimitError || code === 'ERR_BUFFER_TOO_LARGE';
  if (isTooLong) return 'a table is longer than its header claims';
  if (cause instanceof RangeError) return 'it is truncated or points outside itself';
  return cause instanceof Error ? cause.message : String(cause);
}

function signature(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 4));
}

/** Like `subarray`, but throws where that would silently return fewer bytes. */
function slice(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length > bytes.length) throw new RangeError('table outside the file');
  return bytes.subarray(offset, offset + length);
}

/** OpenType 1.9 "Font Collections": the header's first offset points to an ordinary table directory. */
function extractFirstFace(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const start = view.getUint32(12);
  const count = readTableCount(view, start + 4);
  const tables: SfntTable[] = [];
  for (let record = start + 12; record < start + 12 + 16 * count; record += 16) {
    tables.push({
      tag: slice(bytes, record, 4),
      checksum: view.getUint32(record + 4),
      data: slice(bytes, view.getUint32(record + 8), view.getUint32(record + 12)),
    });
  }
  return buildSfnt(view.getUint32(start), tables);
}

/** WOFF 1.0: each table is deflated separately, or stored if that is no smaller. Sizes are checked before inflating. */
function unpackWoff(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const count = readTableCount(view, 12);
  const tables: SfntTable[] = [];
  let total = 0;
  for (let record = 44; record < 44 + 20 * count; record += 20) {
    const length = view.getUint32(record + 12);
    const compressed = slice(bytes, view.getUint32(record + 4), view.getUint32(record + 8));
    total += length;
    if (total > MAX_UNPACKED_BYTES) throw tooLarge();
    if (compressed.length > length) throw new Error('a compressed table is longer than its uncompressed length');
    const data = compressed.length < length ? inflate(compressed, length) : compressed;
    if (data.length !== length) throw new Error('the length of a table differs from its header');
    tables.push({ tag: slice(bytes, record, 4), checksum: view.getUint32(record + 16), data });
  }
  return buildSfnt(view.getUint32(4), tables);
}

/** The decoder is loaded on first use: most texts need no WOFF2. */
async function unpackWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  const { decodeWoff2 } = await import('./woff2/decode.js');
  return decodeWoff2(bytes);
}
