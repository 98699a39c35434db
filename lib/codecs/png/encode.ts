// Encodes PNG: indexed if the image has at most 256 colours, else RGB if it is opaque, else RGBA. Lossless: decoding
// the PNG restores the premultiplied pixels exactly. The same bytes on every machine and Node release.
import type { Pixmap } from '../../raster/pixmap.js';
import { straightValue } from '../alpha.js';
import type { Encode, EncodeOptions } from '../codec.js';
import { pixelsPerMetre } from '../resolution.js';
import { colorRows, type IndexedRows, indexedRows } from './bands.js';
import { INDEXED, type PngHeader, RGB, RGBA } from './chunks.js';
import { crc32 } from './crc.js';

/** What a file says beside its pixels. */
type Notes = Pick<EncodeOptions, 'dpi' | 'description'>;

type Chunk = readonly [type: string, body: Uint8Array];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The body of IHDR. */
function headerBody({ width, height, depth, colorType, isInterlaced }: Omit<PngHeader, 'orientation'>): Uint8Array {
  const body = new Uint8Array(13);
  const view = new DataView(body.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  body[8] = depth;
  body[9] = colorType;
  body[12] = isInterlaced ? 1 : 0;
  return body;
}

/** The body of pHYs: pixels per metre in both directions. */
function physicalBody(dpi: number): Uint8Array {
  const body = new Uint8Array(9);
  const view = new DataView(body.buffer);
  for (const at of [0, 4]) view.setUint32(at, pixelsPerMetre(dpi));
  body[8] = 1;
  return body;
}

/**
 * The body of iTXt: the keyword Description and the text in UTF-8, neither compressed nor in a named language (PNG 11.3.3.4).
 * Control characters but line feeds and tabs, which the specification discourages, become U+FFFD.
 */
function descriptionBody(text: string): Uint8Array {
  const plain = text.replace(/\r\n?/g, '\n').replace(CONTROL, '\ufffd');
  return new TextEncoder().encode(`Description\0\0\0\0\0${plain}`);
}

const CONTROL = /[^\t\n\u{20}-\u{7e}\u{a0}-\u{10ffff}]/gu;

/** The entire file: `chunks`, starting with IHDR, followed by IEND. */
function pngFile(chunks: readonly Chunk[]): Uint8Array {
  const all: Chunk[] = [...chunks, ['IEND', new Uint8Array(0)]];
  const bytes = new Uint8Array(8 + all.reduce((sum, [, body]) => sum + 12 + body.length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set(SIGNATURE);
  let at = 8;
  for (const [type, body] of all) {
    view.setUint32(at, body.length);
    for (let i = 0; i < 4; i++) bytes[at + 4 + i] = type.charCodeAt(i);
    bytes.set(body, at + 8);
    const end = at + 8 + body.length;
    view.setUint32(end, crc32(bytes.subarray(at + 4, end)));
    at = end + 4;
  }
  return bytes;
}

/**
 * Number of pixels below which the palette's chunks may cost more than they save: both variants are encoded and the smaller one
 * is used.
 */
const SMALL_PIXELS = 4096;

/** Encodes a PNG; ignores quality. */
export const encodePng: Encode = async (pixmap, notes) => {
  const rows = mayBeIndexed(pixmap) ? indexedRows(pixmap) : undefined;
  const indexed = rows && indexedFile(pixmap, rows, notes);
  if (indexed && pixmap.words.length > SMALL_PIXELS) return indexed;
  const colored = colorFile(pixmap, notes);
  return indexed && indexed.length <= colored.length ? indexed : colored;
};

/** False if a sample of every 61st pixel already has too many colours: rules out most photographs early. */
function mayBeIndexed({ words }: Pixmap): boolean {
  const colors = new Set<number>();
  for (let i = 0, last = -1; i < words.length; i += 61) {
    if (words[i] === last) continue;
    last = words[i];
    if (colors.add(last).size > 256) return false;
  }
  return true;
}

function indexedFile(pixmap: Pixmap, { rows, colors }: IndexedRows, notes: Notes): Uint8Array {
  const bytes = new Uint8Array(colors.buffer);
  const entries = new Uint8Array(colors.length * 3);
  const alphas: number[] = [];
  for (let index = 0; index < colors.length; index++) {
    const alpha = bytes[index * 4 + 3];
    for (let c = 0; c < 3; c++) entries[index * 3 + c] = straightValue(bytes[index * 4 + c], alpha);
    alphas.push(alpha);
  }
  // tRNS may end at the last colour that is not opaque
  while (alphas.at(-1) === 255) alphas.pop();
  const chunks: Chunk[] = [...header(pixmap, INDEXED, notes), ['PLTE', entries]];
  if (alphas.length > 0) chunks.push(['tRNS', Uint8Array.from(alphas)]);
  return file(chunks, rows);
}

function colorFile(pixmap: Pixmap, notes: Notes): Uint8Array {
  const opaque = pixmap.isOpaque();
  return file(header(pixmap, opaque ? RGB : RGBA, notes), colorRows(pixmap, opaque ? 3 : 4));
}

function header({ width, height }: Pixmap, colorType: number, { dpi, description }: Notes): Chunk[] {
  const chunks: Chunk[] = [['IHDR', headerBody({ width, height, depth: 8, colorType, isInterlaced: false })]];
  if (dpi !== undefined) chunks.push(['pHYs', physicalBody(dpi)]);
  if (description) chunks.push(['iTXt', descriptionBody(description)]);
  return chunks;
}

/** The chunks before the image data, then an IDAT chunk for each piece of the zlib stream. */
function file(chunks: readonly Chunk[], rows: readonly Uint8Array[]): Uint8Array {
  return pngFile([...chunks, ...rows.map((body): Chunk => ['IDAT', body])]);
}
