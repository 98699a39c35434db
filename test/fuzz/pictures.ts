// The image formats as containers of parts, with lengths and checksums recomputed after a change.
import { deflateSync, inflateSync } from 'node:zlib';
import { tableCrc32 } from '../../lib/codecs/png/crc.js';
import { mutateBytes } from './bytes.js';
import { type Container, mutateParts, type Part } from './parts.js';
import type { Random } from './random.js';

const ascii = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Limit in bytes of unpacked PNG rows. */
const MAX_ROWS = 4 * 2 ** 20;

export const PNG: Container = {
  types: [
    'IHDR',
    'PLTE',
    'tRNS',
    'IDAT',
    'IEND',
    'gAMA',
    'cHRM',
    'sRGB',
    'cICP',
    'iCCP',
    'zTXt',
    'iTXt',
    'acTL',
    'fcTL',
    'fdAT',
    'eXIf',
    'caBX',
  ],
  split(bytes) {
    const source = Buffer.from(bytes);
    const parts: Part[] = [];
    for (let at = 8; at + 12 <= source.length; ) {
      const length = source.readUInt32BE(at);
      parts.push({ type: ascii(source.subarray(at + 4, at + 8)), body: source.subarray(at + 8, at + 8 + length) });
      at += 12 + length;
    }
    return oneStream(parts);
  },
  join(parts) {
    const chunks = parts.map(({ type, body, lie }) => {
      const chunk = Buffer.alloc(12 + body.length);
      chunk.writeUInt32BE((lie ?? body.length) >>> 0);
      chunk.write(type, 4, 'latin1');
      chunk.set(body, 8);
      chunk.writeUInt32BE(tableCrc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
      return chunk;
    });
    return Uint8Array.from(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]));
  },
  /** The rows within the stream: filters and samples that no change of packed bytes would leave readable. */
  inside(random, part) {
    if (part.type !== 'IDAT') return undefined;
    try {
      const rows = inflateSync(part.body, { maxOutputLength: MAX_ROWS });
      return { ...part, body: deflateSync(mutateBytes(random, rows, [], [])) };
    } catch {
      return undefined;
    }
  },
};

/** The chunks of one IDAT stream are one part. */
function oneStream(parts: readonly Part[]): Part[] {
  const first = parts.findIndex(({ type }) => type === 'IDAT');
  const data = parts.filter(({ type }) => type === 'IDAT').map(({ body }) => body);
  if (first < 0) return [...parts];
  const stream = { type: 'IDAT', body: Buffer.concat(data) };
  return parts.flatMap((part, i) => (i === first ? [stream] : part.type === 'IDAT' ? [] : [part]));
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

/** Segments are named by their marker in hexadecimal; a scan's part ends where the next marker begins. */
export const JPEG: Container = {
  types: [
    'c0',
    'c1',
    'c2',
    'c3',
    'c4',
    'c9',
    'cc',
    'd0',
    'd8',
    'd9',
    'da',
    'db',
    'dc',
    'dd',
    'e0',
    'e1',
    'e2',
    'ee',
    'fe',
  ],
  split(bytes) {
    const parts: Part[] = [];
    for (let at = 2; at + 4 <= bytes.length; ) {
      if (bytes[at] !== 0xff) break;
      const marker = bytes[at + 1];
      let end = at + 2 + (bytes[at + 2] << 8) + bytes[at + 3];
      if (marker === 0xda) while (end < bytes.length && !(bytes[end] === 0xff && isMarker(bytes[end + 1]))) end++;
      parts.push({ type: hex(marker), body: bytes.subarray(at + 4, end) });
      at = end;
    }
    return parts;
  },
  join(parts) {
    const segments = parts.map(({ type, body, lie }) => {
      const length = (lie ?? (type === 'da' ? 2 + 4 + 2 * (body[0] ?? 0) : body.length + 2)) & 0xffff;
      return Buffer.concat([Uint8Array.of(0xff, Number.parseInt(type, 16), length >> 8, length & 255), body]);
    });
    return Uint8Array.from(Buffer.concat([Uint8Array.of(0xff, 0xd8), ...segments, Uint8Array.of(0xff, 0xd9)]));
  },
};

function isMarker(byte: number): boolean {
  return byte !== 0 && (byte < 0xd0 || byte > 0xd7);
}

export const RIFF: Container = {
  types: ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP '],
  split(bytes) {
    const source = Buffer.from(bytes);
    const parts: Part[] = [];
    for (let at = 12; at + 8 <= source.length; ) {
      const length = source.readUInt32LE(at + 4);
      parts.push({ type: ascii(source.subarray(at, at + 4)), body: source.subarray(at + 8, at + 8 + length) });
      at += 8 + length + (length & 1);
    }
    return parts;
  },
  join(parts) {
    const chunks = parts.map(({ type, body, lie }) => {
      const head = Buffer.alloc(8);
      head.write(type, 'latin1');
      head.writeUInt32LE((lie ?? body.length) >>> 0, 4);
      return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
    });
    const all = Buffer.concat([Buffer.from('RIFF....WEBP'), ...chunks]);
    all.writeUInt32LE(all.length - 8, 4);
    return Uint8Array.from(all);
  },
};

const NESTED = new Map([
  ['meta', 4],
  ['iprp', 0],
  ['ipco', 0],
  ['iinf', 6],
  ['dinf', 0],
  ['iref', 4],
  ['moov', 0],
  ['trak', 0],
]);

export const ISOBMFF: Container = {
  types: [
    'ftyp',
    'meta',
    'hdlr',
    'pitm',
    'iloc',
    'iinf',
    'infe',
    'iprp',
    'ipco',
    'ispe',
    'pixi',
    'av1C',
    'ipma',
    'irot',
  ].concat(['imir', 'clap', 'auxC', 'colr', 'iref', 'dimg', 'auxl', 'idat', 'mdat', 'grid', 'moov', 'trak', 'free']),
  split(bytes) {
    const source = Buffer.from(bytes);
    const parts: Part[] = [];
    for (let at = 0; at + 8 <= source.length; ) {
      const length = source.readUInt32BE(at) || source.length - at;
      if (length < 8) break;
      parts.push({ type: ascii(source.subarray(at + 4, at + 8)), body: source.subarray(at + 8, at + length) });
      at += length;
    }
    return parts;
  },
  join(parts) {
    const boxes = parts.map(({ type, body, lie }) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE((lie ?? body.length + 8) >>> 0);
      head.write(type, 4, 'latin1');
      return Buffer.concat([head, body]);
    });
    return Uint8Array.from(Buffer.concat(boxes));
  },
  inside(random, part) {
    const skip = NESTED.get(part.type);
    if (skip === undefined) return undefined;
    const children = mutateParts(random, ISOBMFF, part.body.slice(skip), []);
    return { ...part, body: Buffer.concat([part.body.subarray(0, skip), children]) };
  },
};

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** Blocks are named by their introducer; the first part is the header with its colour table. */
export const GIF: Container = {
  types: ['21', '2c', '3b', '00'],
  split(bytes) {
    const tableLength = bytes[10] & 0x80 ? 3 * 2 ** ((bytes[10] & 7) + 1) : 0;
    let at = 13 + tableLength;
    const parts: Part[] = [{ type: 'head', body: bytes.subarray(0, at) }];
    while (at < bytes.length) {
      const start = at;
      const kind = bytes[at];
      if (kind === EXTENSION) at += 2;
      else if (kind === IMAGE) at += 11 + (bytes[at + 9] & 0x80 ? 3 * 2 ** ((bytes[at + 9] & 7) + 1) : 0);
      else break;
      while (bytes[at] > 0) at += bytes[at] + 1;
      at++;
      parts.push({ type: hex(kind), body: bytes.subarray(start + 1, at) });
    }
    return parts;
  },
  join(parts) {
    const blocks = parts.map(({ type, body }) =>
      type === 'head' ? body : Buffer.concat([Uint8Array.of(Number.parseInt(type, 16)), body]),
    );
    return Uint8Array.from(Buffer.concat([...blocks, Uint8Array.of(0x3b)]));
  },
};

/** Parts or bytes, as chance has it; some inputs get both. */
export function mutateFile(
  random: Random,
  container: Container,
  input: Uint8Array,
  others: readonly Uint8Array[],
): Uint8Array {
  const how = random.below(5);
  if (how < 2) return mutateBytes(random, input, others, container.types);
  const changed = mutateParts(random, container, input, others);
  return how === 4 ? mutateBytes(random, changed, others, container.types) : changed;
}
