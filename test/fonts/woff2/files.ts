// Takes WOFF2 and SFNT files apart, and packs WOFF2 files of given tables.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { readDirectory } from '../../../lib/fonts/woff2/directory.js';

export interface StoredTable {
  readonly tag: string;
  readonly isTransformed: boolean;
  /** Its length in the original font. */
  readonly length: number;
  /** As stored, transformed or not. */
  readonly data: Uint8Array;
}

export function storedTables(woff2: Uint8Array): StoredTable[] {
  const { tables, compressed } = readDirectory(woff2);
  const data = brotliDecompressSync(compressed);
  return tables.map(({ start, storedLength, ...table }) => ({
    ...table,
    data: data.subarray(start, start + storedLength),
  }));
}

function base128(value: number): number[] {
  const bytes = [value & 127];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 127) | 128);
  return bytes;
}

/** `fonts`: for each font of a collection the indexes of its tables. */
export function packWoff2(tables: readonly StoredTable[], fonts?: readonly (readonly number[])[]): Uint8Array {
  const directory = tables.flatMap(({ tag, isTransformed, length, data }) => {
    const isGlyph = tag === 'glyf' || tag === 'loca';
    const version = isGlyph === isTransformed ? 0 : isGlyph ? 3 : 1;
    return [
      63 | (version << 6),
      ...Buffer.from(tag, 'latin1'),
      ...base128(length),
      ...(isTransformed ? base128(data.length) : []),
    ];
  });
  if (fonts) {
    const entries = fonts.flatMap((indexes) => [indexes.length, 0, 1, 0, 0, ...indexes]);
    directory.push(0, 1, 0, 0, fonts.length, ...entries);
  }
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const compressed = brotliCompressSync(Buffer.concat(tables.map(({ data }) => data)), quality);
  const header = Buffer.alloc(48);
  header.write('wOF2');
  header.writeUInt32BE(fonts ? 0x74746366 : 0x10000, 4);
  header.writeUInt16BE(tables.length, 12);
  header.writeUInt32BE(12 + tables.reduce((sum, { length }) => sum + 16 + ((length + 3) & ~3), 0), 16);
  header.writeUInt32BE(compressed.length, 20);
  const used = header.length + directory.length + compressed.length;
  const file = Buffer.concat([header, Buffer.from(directory), compressed, Buffer.alloc(-used & 3)]);
  file.writeUInt32BE(file.length, 8);
  return file;
}

export interface SfntTable {
  readonly checksum: number;
  readonly data: Buffer;
}

/** By tag. `at` is the place of the directory: a collection has one for each font. */
export function sfntTables(sfnt: Uint8Array, at = 0): Map<string, SfntTable> {
  const file = Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength);
  return new Map(
    Array.from({ length: file.readUInt16BE(at + 4) }, (_, i) => {
      const record = at + 12 + 16 * i;
      const start = file.readUInt32BE(record + 8);
      const data = file.subarray(start, start + file.readUInt32BE(record + 12));
      return [file.toString('latin1', record, record + 4), { checksum: file.readUInt32BE(record + 4), data }];
    }),
  );
}
