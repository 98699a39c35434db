// Reads a PNG file's header, palette, transparency and compressed rows. Validates chunks before anything is inflated:
// one IHDR, lengths inside the file, CRCs of the chunks that are used. Skips text and animation frames; of
// EXIF, reads the orientation.
import { malformed, unsupported } from '../errors.js';
import type { Orientation } from '../orientation.js';
import { exifOrientation } from '../orientation.js';
import type { DeclaredColors } from '../profile/declared.js';
import { Reader } from '../reader.js';
import { ColorChunks } from './colors.js';
import { crc32 } from './crc.js';

/** Colour types of IHDR (PNG specification table 11.1). */
export const GRAY = 0;
export const RGB = 2;
export const INDEXED = 3;
export const GRAY_ALPHA = 4;
export const RGBA = 6;

/** Samples per pixel, by colour type. */
export const CHANNELS = new Map([
  [GRAY, 1],
  [RGB, 3],
  [INDEXED, 1],
  [GRAY_ALPHA, 2],
  [RGBA, 4],
]);

const DEPTHS = new Map([
  [GRAY, [1, 2, 4, 8, 16]],
  [RGB, [8, 16]],
  [INDEXED, [1, 2, 4, 8]],
  [GRAY_ALPHA, [8, 16]],
  [RGBA, [8, 16]],
]);

/** Offset of the first chunk, after the signature. */
const FIRST_CHUNK = 8;

/**
 * Encoders write at least 8 KB per chunk: 500 MB in total. Views of one-byte chunks would take ten times the file's
 * size.
 */
const MAX_DATA_CHUNKS = 65_536;

/**
 * Chunks searched for EXIF and colours before the image data; files have a dozen. What follows more than these is not
 * read, nor more than a megabyte of EXIF.
 */
const MAX_HEADER_CHUNKS = 4096;
const MAX_EXIF_BYTES = 2 ** 20;

export interface PngHeader {
  /** Width as stored, before orientation. */
  readonly width: number;
  readonly height: number;
  /** Bits per sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  readonly colorType: number;
  readonly isInterlaced: boolean;
  readonly orientation: Orientation;
  readonly colors?: DeclaredColors;
}

export interface PngFile extends PngHeader {
  /** PLTE: three bytes per colour. */
  readonly palette?: Uint8Array;
  /** tRNS: an alpha for each palette entry, or the single transparent gray or RGB value, two bytes per sample. */
  readonly transparency?: Uint8Array;
  /** The zlib stream: all IDAT chunks in order. */
  readonly data: readonly Uint8Array[];
}

/** Reads IHDR, which must be the first chunk, the orientation and the colours. */
export function readPngHeader(bytes: Uint8Array): PngHeader {
  const reader = new Reader(bytes, 'png');
  if (reader.u32(8) !== 13 || reader.text(12, 4) !== 'IHDR')
    throw malformed('png', 'it does not start with an IHDR chunk');
  const width = reader.u32(16);
  const height = reader.u32(20);
  const depth = reader.u8(24);
  const colorType = reader.u8(25);
  if (width === 0 || height === 0) throw malformed('png', `its size is ${width} × ${height}`);
  if (!DEPTHS.get(colorType)?.includes(depth)) {
    throw malformed('png', `colour type ${colorType} does not allow a bit depth of ${depth}`);
  }
  if (reader.u8(26) !== 0 || reader.u8(27) !== 0)
    throw unsupported('png', 'its compression or filter method is unknown');
  if (reader.u8(28) > 1) throw unsupported('png', `its interlace method is ${reader.u8(28)}`);
  return { width, height, depth, colorType, isInterlaced: reader.u8(28) === 1, ...readBeforeData(reader) };
}

/**
 * The orientation in the first valid eXIf chunk before the image data (PNG specification section 11.3.4.5), where
 * browsers look for it, and the colours, which must be there.
 */
function readBeforeData(reader: Reader): Pick<PngHeader, 'orientation' | 'colors'> {
  const { bytes } = reader;
  let orientation: Orientation | undefined;
  const chunks = new ColorChunks();
  let at = FIRST_CHUNK + 12 + 13;
  for (let count = 0; count < MAX_HEADER_CHUNKS && at + 12 <= bytes.length; count++) {
    const length = reader.u32(at);
    const type = reader.text(at + 4, 4);
    const end = at + 8 + length;
    if (type === 'IDAT' || end + 4 > bytes.length) break;
    const isExif = type === 'eXIf' && orientation === undefined && length <= MAX_EXIF_BYTES;
    if ((isExif || chunks.needs(type, length)) && crc32(bytes.subarray(at + 4, end)) === reader.u32(end)) {
      const body = reader.slice(at + 8, length);
      if (isExif) orientation = exifOrientation(body);
      else chunks.add(type, body);
    }
    at = end + 4;
  }
  const { colors } = chunks;
  return { orientation: orientation ?? 1, ...(colors && { colors }) };
}

/**
 * Reads everything that decoding needs beside the header. A file may end anywhere after its first IDAT, even inside a chunk, if the data
 * contains every row; browsers accept such files too.
 */
export function readPngFile(bytes: Uint8Array, header: PngHeader): PngFile {
  const reader = new Reader(bytes, 'png');
  const data: Uint8Array[] = [];
  let palette: Uint8Array | undefined;
  let transparency: Uint8Array | undefined;
  for (let at = FIRST_CHUNK; at < bytes.length; ) {
    if (data.length > 0 && at + 8 > bytes.length) break;
    const length = reader.u32(at);
    const type = reader.text(at + 4, 4);
    if (type === 'IEND') break;
    if (at + 12 + length > bytes.length && (data.length > 0 || type === 'IDAT')) {
      if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
      break;
    }
    const body = reader.slice(at + 8, length);
    const isUsed = type === 'IHDR' || type === 'PLTE' || type === 'IDAT' || type === 'tRNS';
    if (isUsed && crc32(bytes.subarray(at + 4, at + 8 + length)) !== reader.u32(at + 8 + length)) {
      throw malformed('png', `its ${type} chunk is corrupt`);
    }
    if (type === 'IDAT') {
      if (length > 0) data.push(body);
      if (data.length > MAX_DATA_CHUNKS) throw unsupported('png', `it has more than ${MAX_DATA_CHUNKS} data chunks`);
    } else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    else if (type === 'IHDR' && at !== FIRST_CHUNK) throw malformed('png', 'it has two IHDR chunks');
    else if (!isUsed && type[0] >= 'A' && type[0] <= 'Z') throw unsupported('png', `its ${type} chunk is unknown`);
    at += 12 + length;
  }
  if (data.length === 0) throw malformed('png', 'it has no image data');
  if (header.colorType === INDEXED && (!palette || palette.length < 3))
    throw malformed('png', 'its palette is missing');
  return { ...header, data, ...(palette && { palette }), ...(transparency && { transparency }) };
}
