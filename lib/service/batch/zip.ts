// Writes a ZIP archive of stored entries (APPNOTE.TXT 6.3.10), with ZIP64 where an offset does not fit into 32 bits. Entries
// are at hand when they are written, so that their headers have their sizes.
import { crc32 } from '../../codecs/png/crc.js';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const ZIP64_END_OF_DIRECTORY = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_EXTRA = 0x0001;
const VERSION_STORED = 10;
const VERSION_ZIP64 = 45;
/** Version 6.3 of the format on Unix, which makes the permissions below count. */
const MADE_BY = (3 << 8) | 63;
/** A file that everyone may read. */
const PERMISSIONS = 0o100644;
/** The name is UTF-8: bit 11. */
const FLAGS = 0x0800;
const TIME = 0;
/** 1980-01-01, the first date that there is: the same pictures give the same archive. */
const DATE = (0 << 9) | (1 << 5) | 1;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

/** An entry as the directory lists it. */
export interface ZipEntry {
  readonly name: string;
  readonly crc: number;
  readonly size: number;
  /** Offset of its header in the archive. */
  readonly offset: number;
}

/** Writes the header before the bytes of an entry. */
export function localHeader({ name, crc, size }: ZipEntry): Uint8Array {
  const file = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION_STORED, 4);
  writeShared(header, 6, crc, size, file.length);
  return Buffer.concat([header, file]);
}

/** The flags, method, time, checksum, sizes and length of the name, which both headers have. */
function writeShared(header: Buffer, at: number, crc: number, size: number, nameLength: number): void {
  header.writeUInt16LE(FLAGS, at);
  header.writeUInt16LE(0, at + 2);
  header.writeUInt16LE(TIME, at + 4);
  header.writeUInt16LE(DATE, at + 6);
  header.writeUInt32LE(crc, at + 8);
  header.writeUInt32LE(size, at + 12);
  header.writeUInt32LE(size, at + 16);
  header.writeUInt16LE(nameLength, at + 20);
}

/** Writes the end of the archive: the directory, which starts at `offset`. */
export function directory(entries: readonly ZipEntry[], offset: number): Uint8Array {
  const headers = entries.map(directoryHeader);
  const size = headers.reduce((sum, { length }) => sum + length, 0);
  const isLarge = offset + size >= MAX_32 || entries.length >= MAX_16;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(isLarge ? MAX_16 : entries.length, 8);
  end.writeUInt16LE(isLarge ? MAX_16 : entries.length, 10);
  end.writeUInt32LE(isLarge ? MAX_32 : size, 12);
  end.writeUInt32LE(isLarge ? MAX_32 : offset, 16);
  return Buffer.concat([...headers, ...(isLarge ? [zip64End(entries.length, size, offset)] : []), end]);
}

function directoryHeader({ name, crc, size, offset }: ZipEntry): Buffer {
  const file = Buffer.from(name);
  const isFar = offset >= MAX_32;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(DIRECTORY_HEADER, 0);
  header.writeUInt16LE(MADE_BY, 4);
  header.writeUInt16LE(isFar ? VERSION_ZIP64 : VERSION_STORED, 6);
  writeShared(header, 8, crc, size, file.length);
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(ZIP64_EXTRA, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE((PERMISSIONS << 16) >>> 0, 38);
  header.writeUInt32LE(isFar ? MAX_32 : offset, 42);
  return Buffer.concat([header, file, extra]);
}

/** The record that has what does not fit into the end of the directory, and the locator that finds it. */
function zip64End(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(ZIP64_END_OF_DIRECTORY, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_BY, 12);
  record.writeUInt16LE(VERSION_ZIP64, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(ZIP64_LOCATOR, 56);
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** An archive that is written entry by entry. */
export class ZipWriter {
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  /** The header of the entry, then its bytes, which are not copied. Entries are smaller than 4 GiB. */
  *add(name: string, bytes: Uint8Array): Generator<Uint8Array> {
    const entry = { name, crc: crc32(bytes), size: bytes.length, offset: this.#offset };
    const header = localHeader(entry);
    this.#entries.push(entry);
    this.#offset += header.length + bytes.length;
    yield header;
    yield bytes;
  }

  end(): Uint8Array {
    return directory(this.#entries, this.#offset);
  }
}
