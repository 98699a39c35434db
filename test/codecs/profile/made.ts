// Writes ICC profiles byte by byte, and puts them into files of every format.
import { deflateSync } from 'node:zlib';
import { boxes, child } from '../../../lib/codecs/avif/boxes.js';
import { encodeImage } from '../../../lib/codecs/index.js';
import { Reader } from '../../../lib/codecs/reader.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { chunk } from '../png/maker.js';

const u32 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt32BE(value | 0, 4 * i);
  return bytes;
};
const u16 = (...values: readonly number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
/** s15Fixed16 numbers. */
const fixed = (...values: readonly number[]) => u32(...values.map((value) => Math.round(value * 65536)));

/** `para` of function type 0–4. */
export const para = (type: number, ...parameters: readonly number[]) =>
  Buffer.concat([Buffer.from('para\0\0\0\0'), u16(type, 0), fixed(...parameters)]);

/** `curv`: no entries, one gamma in 8.8 fixed point, or a table of 16-bit values. */
export const curv = (...entries: readonly number[]) =>
  Buffer.concat([Buffer.from('curv\0\0\0\0'), u32(entries.length), u16(...entries)]);

/** A table of `count` values of `curve`. */
export const table = (count: number, curve: (x: number) => number) =>
  curv(...Array.from({ length: count }, (_, i) => Math.round(65535 * curve(i / (count - 1)))));

export const xyz = (...values: readonly number[]) => Buffer.concat([Buffer.from('XYZ \0\0\0\0'), fixed(...values)]);

export interface ProfileOptions {
  readonly space?: string;
  readonly connection?: string;
  readonly version?: number;
  /** In 4-byte alignment, each with its own data. */
  readonly tags: Readonly<Record<string, Uint8Array>>;
}

export function profile({ space = 'RGB ', connection = 'XYZ ', version = 4, tags }: ProfileOptions): Buffer {
  const header = Buffer.alloc(128);
  header[8] = version;
  header.write(`mntr${space}${connection}`, 12, 'latin1');
  header.write('acsp', 36);
  header.set(fixed(0.9642, 1, 0.8249), 68);
  const entries = Object.entries(tags);
  const list: Buffer[] = [u32(entries.length)];
  const data: Uint8Array[] = [];
  let at = 132 + 12 * entries.length;
  for (const [name, bytes] of entries) {
    list.push(Buffer.from(name, 'latin1'), u32(at, bytes.length));
    const padded = Buffer.alloc((bytes.length + 3) & ~3);
    padded.set(bytes);
    data.push(padded);
    at += padded.length;
  }
  const whole = Buffer.concat([header, ...list, ...data]);
  whole.writeUInt32BE(whole.length);
  return whole;
}

/** Colorants as columns red, green and blue, relative to D50, as the profiles of these names have them. */
export const COLORANTS = {
  sRGB: [
    [0.43607, 0.22249, 0.01392],
    [0.38515, 0.71687, 0.09708],
    [0.14307, 0.06061, 0.7141],
  ],
  p3: [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
  adobe: [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
  proPhoto: [
    [0.79767, 0.28804, 0],
    [0.13519, 0.71187, 0],
    [0.03134, 0.00009, 0.82491],
  ],
} as const;

type Colorants = readonly (readonly number[])[];

export function matrixProfile(colorants: Colorants, curves: Uint8Array | readonly Uint8Array[], version = 4): Buffer {
  const [red, green, blue] = curves instanceof Uint8Array ? [curves, curves, curves] : curves;
  const [r, g, b] = colorants.map((column) => xyz(...column));
  return profile({ version, tags: { rXYZ: r, gXYZ: g, bXYZ: b, rTRC: red, gTRC: green, bTRC: blue } });
}

export const grayProfile = (curve: Uint8Array, connection = 'XYZ ') =>
  profile({ space: 'GRAY', connection, tags: { wtpt: xyz(0.9642, 1, 0.8249), kTRC: curve } });

export const SRGB_CURVE = para(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);

/** The profiles that pictures come with, and ones of every kind of curve. */
export const PROFILES: Readonly<Record<string, Buffer>> = {
  'Display P3': matrixProfile(COLORANTS.p3, SRGB_CURVE),
  'Adobe RGB': matrixProfile(COLORANTS.adobe, curv(Math.round(256 * (563 / 256))), 2),
  ProPhoto: matrixProfile(COLORANTS.proPhoto, para(3, 1.8, 1, 0, 1 / 16, 1 / 32)),
  'green, blue and red swapped': matrixProfile([COLORANTS.sRGB[1], COLORANTS.sRGB[2], COLORANTS.sRGB[0]], SRGB_CURVE),
  'green, blue and red swapped, version 2': matrixProfile(
    [COLORANTS.sRGB[1], COLORANTS.sRGB[2], COLORANTS.sRGB[0]],
    curv(563),
    2,
  ),
  linear: matrixProfile(COLORANTS.sRGB, curv()),
  'parametric 0': matrixProfile(COLORANTS.sRGB, para(0, 1.8)),
  'parametric 1': matrixProfile(COLORANTS.sRGB, para(1, 2.2, 1.1, -0.1)),
  'parametric 2': matrixProfile(COLORANTS.sRGB, para(2, 2.2, 0.9, 0, 0.1)),
  'parametric 3': matrixProfile(COLORANTS.p3, para(3, 1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081)),
  'parametric 4': matrixProfile(COLORANTS.sRGB, para(4, 2, 0.95, 0.05, 0.3, 0.1, 0, 0)),
  'a table for each channel': matrixProfile(COLORANTS.sRGB, [
    table(256, (x) => x ** 1.5),
    table(1024, (x) => x ** 2.2),
    table(33, (x) => x ** 3),
  ]),
  'a table of two': matrixProfile(COLORANTS.sRGB, curv(0, 65535)),
};

/** The PNG with chunks after its IHDR. */
export function withChunks(png: Uint8Array, ...chunks: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]));
}

export const iccp = (bytes: Uint8Array) => chunk('iCCP', Buffer.concat([Buffer.from('ICC\0\0'), deflateSync(bytes)]));

export const gama = (value: number) => chunk('gAMA', u32(value));
export const chrm = (...values: readonly number[]) => chunk('cHRM', u32(...values));

/** The JPEG with the profile in segments of at most `size` bytes, in the order of `order` (from 0). */
export function withSegments(jpeg: Uint8Array, bytes: Uint8Array, size = 65519, order?: readonly number[]): Uint8Array {
  const count = Math.ceil(bytes.length / size);
  const segments = Array.from({ length: count }, (_, i) => {
    const part = bytes.subarray(i * size, (i + 1) * size);
    return Buffer.concat([
      Uint8Array.of(0xff, 0xe2),
      u16(16 + part.length),
      Buffer.from('ICC_PROFILE\0'),
      Uint8Array.of(i + 1, count),
      part,
    ]);
  });
  const ordered = order ? order.map((i) => segments[i]) : segments;
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), ...ordered, jpeg.subarray(2)]));
}

/** The WebP, which has no VP8X header, with one and the profile. */
export function withIccpChunk(webp: Uint8Array, { width, height }: Pixmap, bytes: Uint8Array): Uint8Array {
  const riff = (type: string, body: Uint8Array) => {
    const head = Buffer.from(`${type}....`);
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
  };
  const header = Buffer.alloc(10);
  header[0] = 0x20;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  return new Uint8Array(
    riff('RIFF', Buffer.concat([Buffer.from('WEBP'), riff('VP8X', header), riff('ICCP', bytes), webp.subarray(12)])),
  );
}

/** The AVIF of our encoder with another `colr`, whose contents are given. */
export function withColr(avif: Uint8Array, colr: Uint8Array): Uint8Array {
  const reader = new Reader(avif, 'avif');
  const meta = boxes(reader, 0, avif.length).find(({ type }) => type === 'meta')!;
  const iprp = child(reader, meta, 'iprp', 4)!;
  const ipco = child(reader, iprp, 'ipco')!;
  const old = child(reader, ipco, 'colr')!;
  const growth = colr.length - (old.end - old.start);
  const file = Buffer.concat([avif.subarray(0, old.start), colr, avif.subarray(old.end)]);
  for (const { start } of [meta, iprp, ipco, old]) file.writeUInt32BE(file.readUInt32BE(start - 8) + growth, start - 8);
  // one extent of four-byte offset and length for each item
  const iloc = child(reader, meta, 'iloc', 4)!;
  const shift = iloc.start > old.start ? growth : 0;
  for (let i = 0; i < reader.u16(iloc.start + 6); i++) {
    const at = iloc.start + 8 + 14 * i + 6 + shift;
    file.writeUInt32BE(file.readUInt32BE(at) + growth, at);
  }
  return new Uint8Array(file);
}

export const nclx = (primaries: number, transfer: number, matrix = 1) =>
  Buffer.concat([Buffer.from('nclx'), u16(primaries, transfer, matrix), Uint8Array.of(0x80)]);

export const prof = (bytes: Uint8Array) => Buffer.concat([Buffer.from('prof'), bytes]);

/** The picture as a PNG, which loses nothing. */
export const asPng = (pixmap: Pixmap) => encodeImage(pixmap, 'png', { quality: 90 });
