// Reads big-endian numbers of a font's tables. Bytes outside a table read as zero: offsets in a font may be wrong.

export class Data {
  readonly length: number;

  constructor(readonly bytes: Uint8Array) {
    this.length = bytes.length;
  }

  u8(at: number): number {
    return at >= 0 && at < this.length ? this.bytes[at] : 0;
  }

  u16(at: number): number {
    return at >= 0 && at + 1 < this.length ? (this.bytes[at] << 8) | this.bytes[at + 1] : 0;
  }

  i16(at: number): number {
    return (this.u16(at) << 16) >> 16;
  }

  u24(at: number): number {
    return (this.u16(at) << 8) | this.u8(at + 2);
  }

  u32(at: number): number {
    return this.u16(at) * 65_536 + this.u16(at + 2);
  }

  tag(at: number): string {
    return String.fromCharCode(this.u8(at), this.u8(at + 1), this.u8(at + 2), this.u8(at + 3));
  }
}

/** Fonts have up to about forty tables. */
const MAX_TABLES = 256;

/** The tables of an SFNT file; none for other files. */
export function readTables(bytes: Uint8Array): Map<string, Data> {
  const file = new Data(bytes);
  const tables = new Map<string, Data>();
  const signature = file.u32(0);
  if (signature !== 0x10000 && !['OTTO', 'true'].includes(file.tag(0))) return tables;
  const count = Math.min(MAX_TABLES, file.u16(4));
  for (let i = 0; i < count; i++) {
    const record = 12 + 16 * i;
    const start = file.u32(record + 8);
    const end = start + file.u32(record + 12);
    if (end <= bytes.length && end > start && !tables.has(file.tag(record))) {
      tables.set(file.tag(record), new Data(bytes.subarray(start, end)));
    }
  }
  return tables;
}
