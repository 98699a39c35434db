// Unpacks font containers (SFNT, collections, WOFF, WOFF2), detected by content, into an SFNT file. The output's size is
// bounded, but its tables are untrusted: sanitizer/sanitize.ts checks those.
import { inflateSync } from 'node:zlib';
import { describe } from '../codecs/sniff.js';
import { RenderError } from '../errors.js';

/** Bytes that a font may unpack to. The largest bundled face takes 10.6 MB. */
export const MAX_UNPACKED_BYTES = 31_457_280;

/** Tables of one font. A font with every optional table of Apple, Microsoft and SIL has about forty. */
export const MAX_TABLES = 128;

export interface Table {
  /** The four-byte name. */
  readonly tag: Uint8Array;
  readonly checksum: number;
  readonly data: Uint8Array;
}

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
    throw new RenderError('render_failed', `received a malformed font file: ${describeError(cause)}`, { cause });
  }
  throw new RenderError('render_failed', `received ${describe(bytes)}, expected a TTF, OTF, WOFF or WOFF2 font`);
}

/** zlib's messages name a buffer limit and a DataView's an offset: neither helps the user who sent the font. */
function describeError(cause: unknown): string {
  if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
    return 'a table is longer than its header claims';
  if (cause instanceof RangeError) return 'it is truncated or points outside itself';
  return cause instanceof Error ? cause.message : String(cause);
}

function signature(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 4));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Like `subarray`, but throws where that would silently return fewer bytes. */
function slice(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length > bytes.length) throw new RangeError('table outside the file');
  return bytes.subarray(offset, offset + length);
}

/** Reads the table count at offset `at`. Throws if it is 0 or too large. */
function readTableCount(view: DataView, at: number): number {
  const count = view.getUint16(at);
  if (count === 0) throw new Error('it has no tables');
  if (count > MAX_TABLES) throw new Error(`it has ${count} tables, ${MAX_TABLES} at most are read`);
  return count;
}

/** OpenType 1.9 "Font Collections": the header's first offset points to an ordinary table directory. */
function extractFirstFace(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const start = view.getUint32(12);
  const count = readTableCount(view, start + 4);
  const tables: Table[] = [];
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
  const tables: Table[] = [];
  let total = 0;
  for (let record = 44; record < 44 + 20 * count; record += 20) {
    const length = view.getUint32(record + 12);
    const compressed = slice(bytes, view.getUint32(record + 4), view.getUint32(record + 8));
    total += length;
    if (total > MAX_UNPACKED_BYTES) throw tooLarge();
    if (compressed.length > length) throw new Error('a compressed table is longer than its uncompressed length');
    const data = compressed.length < length ? inflateSync(compressed, { maxOutputLength: length }) : compressed;
    if (data.length !== length) throw new Error('the length of a table differs from its header');
    tables.push({ tag: slice(bytes, record, 4), checksum: view.getUint32(record + 16), data });
  }
  return buildSfnt(view.getUint32(4), tables);
}

/** The decoder limits its output to 30 MiB, but allocates the sizes that the headers claim, so those are checked first. */
async function unpackWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  checkWoff2(bytes);
  const { default: decompress } = await import('woff2-encoder/decompress');
  const sfnt = await decompress(bytes);
  return signature(sfnt) === 'ttcf' ? extractFirstFace(sfnt) : sfnt;
}

/** Indexes of known tags in the table directory; the index 63 is followed by an arbitrary four-byte tag. */
const WOFF2_ARBITRARY_TAG = 63;
const WOFF2_GLYF = 10;
const WOFF2_LOCA = 11;

/**
 * Checks a WOFF2 file's header and table directory (W3C WOFF2 sections 4.1 and 4.2) before the decoder allocates the sizes
 * that they claim. Throws an Error whose message completes "received a malformed font file: …", or a RangeError if the file is
 * truncated.
 */
function checkWoff2(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = readTableCount(view, 12);
  const compressedLength = view.getUint32(20);
  let total = view.getUint32(16);
  if (total > MAX_UNPACKED_BYTES) throw tooLarge();
  total = 0;
  let at = 48;
  for (let table = 0; table < count; table++) {
    const flags = view.getUint8(at++);
    const tag = flags & 63;
    const version = flags >> 6;
    if (tag === WOFF2_ARBITRARY_TAG) at += 4;
    let length = readBase128();
    // glyf and loca are transformed unless the version is 3; other tables unless it is 0.
    const isTransformed = tag === WOFF2_GLYF || tag === WOFF2_LOCA ? version !== 3 : version !== 0;
    if (isTransformed) length = Math.max(length, readBase128());
    total += length;
    if (total > MAX_UNPACKED_BYTES) throw tooLarge();
  }
  if (at + compressedLength > bytes.length) throw new RangeError('compressed data outside the file');

  /** UIntBase128: seven bits per byte, most significant first, at most five bytes, no leading zeros. */
  function readBase128(): number {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = view.getUint8(at++);
      if (i === 0 && byte === 0x80) break;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new Error('its table directory is malformed');
  }
}

function tooLarge(): Error {
  return new Error(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
}

/** Builds an SFNT file of these tables, each aligned to four bytes. */
export function buildSfnt(sfntVersion: number, tables: readonly Table[]): Uint8Array {
  const directoryLength = 12 + 16 * tables.length;
  const padded = (length: number) => (length + 3) & ~3;
  const total = tables.reduce((sum, { data }) => sum + padded(data.length), directoryLength);
  if (total > MAX_UNPACKED_BYTES) throw tooLarge();
  const sfnt = new Uint8Array(total);
  const view = viewOf(sfnt);
  const entrySelector = 31 - Math.clz32(tables.length);
  view.setUint32(0, sfntVersion);
  view.setUint16(4, tables.length);
  view.setUint16(6, 16 << entrySelector);
  view.setUint16(8, entrySelector);
  view.setUint16(10, 16 * tables.length - (16 << entrySelector));
  let offset = directoryLength;
  tables.forEach(({ tag, checksum, data }, index) => {
    const record = 12 + 16 * index;
    sfnt.set(tag, record);
    view.setUint32(record + 4, checksum);
    view.setUint32(record + 8, offset);
    view.setUint32(record + 12, data.length);
    sfnt.set(data, offset);
    offset += padded(data.length);
  });
  return sfnt;
}
