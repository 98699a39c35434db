// SFNT fonts and WOFF as containers of tables: directory, offsets and checksums are rewritten after each change.
import { deflateSync, inflateSync } from 'node:zlib';
import type { Container, Part } from './parts.js';

const TYPES =
  'cmap glyf loca head hhea hmtx maxp name OS/2 post GPOS GSUB GDEF CFF  CFF2 fvar gvar avar HVAR MVAR STAT kern'
    .match(/.{4}(?= |$)/g)!
    .concat('fpgm', 'prep', 'cvt ', 'gasp', 'COLR', 'CPAL', 'vhea', 'vmtx', 'VORG', 'BASE', 'morx', 'kerx', 'SVG ');

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** The sum of a table's 32-bit words (OpenType "Calculating checksums"). */
function checksum(bytes: Uint8Array): number {
  const words = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let sum = 0;
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) >>> 0;
  return sum;
}

/** The version stands in the first part, `0000`. */
export const SFNT: Container = {
  types: TYPES,
  split(bytes) {
    const source = Buffer.from(bytes);
    const parts: Part[] = [{ type: '0000', body: source.subarray(0, 4) }];
    for (let i = 0; i < source.readUInt16BE(4); i++) {
      const at = 12 + 16 * i;
      const offset = source.readUInt32BE(at + 8);
      const body = source.subarray(offset, offset + source.readUInt32BE(at + 12));
      parts.push({ type: latin1(source.subarray(at, at + 4)), body });
    }
    return parts;
  },
  join(parts) {
    const { version, tables } = sorted(parts);
    const directory = Buffer.alloc(12 + 16 * tables.length);
    directory.set(version);
    directory.writeUInt16BE(tables.length, 4);
    let offset = directory.length;
    const bodies = tables.map(({ type, body, lie }, i) => {
      const at = 12 + 16 * i;
      directory.write(type, at, 'latin1');
      directory.writeUInt32BE(checksum(body), at + 4);
      directory.writeUInt32BE(offset, at + 8);
      directory.writeUInt32BE((lie ?? body.length) >>> 0, at + 12);
      offset += (body.length + 3) & ~3;
      return Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
    });
    return Uint8Array.from(Buffer.concat([directory, ...bodies]));
  },
};

/** WOFF 1.0: the same tables, each deflated. The declared unpacked length may be wrong. */
export const WOFF: Container = {
  types: TYPES,
  split(bytes) {
    const source = Buffer.from(bytes);
    const parts: Part[] = [{ type: '0000', body: source.subarray(4, 8) }];
    for (let i = 0; i < source.readUInt16BE(12); i++) {
      const at = 44 + 20 * i;
      const [offset, packed, length] = [4, 8, 12].map((field) => source.readUInt32BE(at + field));
      const body = source.subarray(offset, offset + packed);
      parts.push({ type: latin1(source.subarray(at, at + 4)), body: packed < length ? inflateSync(body) : body });
    }
    return parts;
  },
  join(parts) {
    const { version, tables } = sorted(parts);
    const head = Buffer.alloc(44 + 20 * tables.length);
    head.write('wOFF');
    head.set(version, 4);
    head.writeUInt16BE(tables.length, 12);
    let offset = head.length;
    const bodies = tables.map(({ type, body, lie }, i) => {
      const at = 44 + 20 * i;
      const deflated = deflateSync(body, { level: 1 });
      const packed = deflated.length < body.length ? deflated : body;
      head.write(type, at, 'latin1');
      head.writeUInt32BE(offset, at + 4);
      head.writeUInt32BE(packed.length, at + 8);
      head.writeUInt32BE((lie ?? body.length) >>> 0, at + 12);
      head.writeUInt32BE(checksum(body), at + 16);
      offset += (packed.length + 3) & ~3;
      return Buffer.concat([packed, Buffer.alloc(-packed.length & 3)]);
    });
    const all = Buffer.concat([head, ...bodies]);
    all.writeUInt32BE(all.length, 8);
    all.writeUInt32BE(12 + tables.reduce((sum, { body }) => sum + 16 + ((body.length + 3) & ~3), 0), 16);
    return Uint8Array.from(all);
  },
};

/** The version's bytes, and the tables in the directory's order. */
function sorted(parts: readonly Part[]): { version: Uint8Array; tables: Part[] } {
  const version = parts.find(({ type }) => type === '0000')?.body ?? Uint8Array.of(0, 1, 0, 0);
  const tables = parts.filter(({ type }) => type !== '0000');
  tables.sort((one, other) => (one.type < other.type ? -1 : one.type > other.type ? 1 : 0));
  return { version: version.subarray(0, 4), tables };
}
