// Builds SFNT files, and bounds what a font may unpack to.

/** Bytes that a font may unpack to. The largest bundled face takes 10.6 MB. */
export const MAX_UNPACKED_BYTES = 31_457_280;

/** Tables of one font. A font with every optional table of Apple, Microsoft and SIL has about forty. */
export const MAX_TABLES = 128;

export interface SfntTable {
  /** The four-byte name. */
  readonly tag: Uint8Array;
  readonly checksum: number;
  readonly data: Uint8Array;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads the table count at offset `at`. Throws if it is 0 or too large. */
export function readTableCount(view: DataView, at: number): number {
  const count = view.getUint16(at);
  if (count === 0) throw new Error('it has no tables');
  if (count > MAX_TABLES) throw new Error(`it has ${count} tables, ${MAX_TABLES} at most are read`);
  return count;
}

export function tooLarge(): Error {
  return new Error(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
}

/** Builds an SFNT file of these tables, each aligned to four bytes. */
export function buildSfnt(sfntVersion: number, tables: readonly SfntTable[]): Uint8Array {
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

/** The sum of a table's 32-bit words, modulo 2^32, as if zeros followed it (OpenType 1.9 "Calculating Checksums"). */
export function checksumOf(data: Uint8Array): number {
  const view = viewOf(data);
  const whole = data.length & ~3;
  let sum = 0;
  for (let at = 0; at < whole; at += 4) sum = (sum + view.getInt32(at)) | 0;
  for (let at = whole; at < data.length; at++) sum = (sum + (data[at] << (24 - 8 * (at & 3)))) | 0;
  return sum >>> 0;
}
