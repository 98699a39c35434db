// Font files of any container → the SFNT tables within, known by content. What comes out is bounded, not yet trusted:
// it is within the size that a font may have, and nothing is said of what its tables hold (fontcheck/check.ts does).
import { inflateSync } from 'node:zlib';
import { describe } from '../codecs/sniff.js';
import { RenderError } from '../errors.js';

/** The most that a font may unpack to, in bytes. The largest bundled face takes 10.6 MB. */
export const MAX_UNPACKED = 31_457_280;

/** Tables of one font; those with every optional table of Apple, Microsoft and SIL have about forty. */
export const MAX_TABLES = 128;

export interface Table {
  /** Four bytes of name. */
  readonly tag: Uint8Array;
  readonly checksum: number;
  readonly data: Uint8Array;
}

/**
 * A TTF, OTF, WOFF or WOFF2 file, or the first face of a collection, as SFNT bytes.
 * Throws RenderError `render_failed`, saying what was received, for anything else and for a broken container.
 */
export async function unpackFont(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    switch (signature(bytes)) {
      case '\0\x01\0\0':
      case 'OTTO':
      case 'true':
        return bytes;
      case 'ttcf':
        return firstFace(bytes);
      case 'wOFF':
        return unpackWoff(bytes);
      case 'wOF2':
        return await unpackWoff2(bytes);
    }
  } catch (cause) {
    throw new RenderError('render_failed', `received a broken font file: ${reasonOf(cause)}`, { cause });
  }
  throw new RenderError('render_failed', `received ${describe(bytes)}, expected a TTF, OTF, WOFF or WOFF2 font`);
}

/** zlib's own words name a Buffer's limit, a DataView's an offset: neither means anything to whoever sent the font. */
function reasonOf(cause: unknown): string {
  if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'a table is longer than its header says';
  if (cause instanceof RangeError) return 'it is cut short or points outside itself';
  return cause instanceof Error ? cause.message : String(cause);
}

function signature(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 4));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A slice that throws where `subarray` would silently give less. */
function slice(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length > bytes.length) throw new RangeError('table outside the file');
  return bytes.subarray(offset, offset + length);
}

/** The number of tables that stands at `at`. */
export function tableCount(view: DataView, at: number): number {
  const count = view.getUint16(at);
  if (count === 0) throw new Error('it has no tables');
  if (count > MAX_TABLES) throw new Error(`it has ${count} tables, ${MAX_TABLES} at most are read`);
  return count;
}

/** OpenType 1.9 "Font Collections": the first offset of the header leads to an ordinary table directory. */
function firstFace(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const start = view.getUint32(12);
  const count = tableCount(view, start + 4);
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

/** WOFF 1.0: every table deflated by itself, or stored where that would not help. Bounded before anything is inflated. */
function unpackWoff(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const count = tableCount(view, 12);
  const tables: Table[] = [];
  let total = 0;
  for (let record = 44; record < 44 + 20 * count; record += 20) {
    const length = view.getUint32(record + 12);
    const packed = slice(bytes, view.getUint32(record + 4), view.getUint32(record + 8));
    total += length;
    if (total > MAX_UNPACKED) throw tooLarge();
    if (packed.length > length) throw new Error('a table is longer packed than unpacked');
    const data = packed.length < length ? inflateSync(packed, { maxOutputLength: length }) : packed;
    if (data.length !== length) throw new Error('a table has not the length that its header gives');
    tables.push({ tag: slice(bytes, record, 4), checksum: view.getUint32(record + 16), data });
  }
  return buildSfnt(view.getUint32(4), tables);
}

/** The decoder bounds what it writes to 30 MiB as well, but takes the memory that the headers ask for: they are checked first. */
async function unpackWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  checkWoff2(bytes);
  const { default: decompress } = await import('woff2-encoder/decompress');
  const sfnt = await decompress(bytes);
  return signature(sfnt) === 'ttcf' ? firstFace(sfnt) : sfnt;
}

/** Each table's name in the directory: an index of 63 is followed by four bytes of it. */
const WOFF2_OTHER_TAG = 63;
const WOFF2_GLYF = 10;
const WOFF2_LOCA = 11;

/**
 * Checks a WOFF2 file's header and table directory (W3C WOFF2 sections 4.1 and 4.2) before its decoder allocates the sizes that
 * they give. Throws an Error whose message completes "received a broken font file: …", or a RangeError where the file is cut short.
 */
function checkWoff2(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = tableCount(view, 12);
  const packed = view.getUint32(20);
  let total = view.getUint32(16);
  if (total > MAX_UNPACKED) throw tooLarge();
  total = 0;
  let at = 48;
  for (let table = 0; table < count; table++) {
    const flags = view.getUint8(at++);
    const tag = flags & 63;
    const version = flags >> 6;
    if (tag === WOFF2_OTHER_TAG) at += 4;
    let length = number();
    // glyf and loca are transformed unless version 3 says that they aren't, others unless version 0 does
    const isTransformed = tag === WOFF2_GLYF || tag === WOFF2_LOCA ? version !== 3 : version !== 0;
    if (isTransformed) length = Math.max(length, number());
    total += length;
    if (total > MAX_UNPACKED) throw tooLarge();
  }
  if (at + packed > bytes.length) throw new RangeError('packed data outside the file');

  /** UIntBase128: seven bits a byte, the highest first, five bytes at most, no zeros before it. */
  function number(): number {
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
  return new Error(`it unpacks to more than ${MAX_UNPACKED} bytes`);
}

/** An SFNT file of these tables, each on a boundary of four bytes. */
export function buildSfnt(flavour: number, tables: readonly Table[]): Uint8Array {
  const head = 12 + 16 * tables.length;
  const padded = (length: number) => (length + 3) & ~3;
  const total = tables.reduce((sum, { data }) => sum + padded(data.length), head);
  if (total > MAX_UNPACKED) throw tooLarge();
  const sfnt = new Uint8Array(total);
  const view = viewOf(sfnt);
  const power = 31 - Math.clz32(tables.length);
  view.setUint32(0, flavour);
  view.setUint16(4, tables.length);
  view.setUint16(6, 16 << power);
  view.setUint16(8, power);
  view.setUint16(10, 16 * tables.length - (16 << power));
  let offset = head;
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
