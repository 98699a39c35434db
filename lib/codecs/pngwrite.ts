// Pixels → PNG. Indexed when the picture has at most 256 colours, else RGB when it is opaque, else RGBA; always exact:
// a premultiplied picture read back from its PNG is the same. Deterministic on one Node release.
import type { Pixmap } from '../raster/pixmap.js';
import { straightValues } from './alpha.js';
import type { Encode } from './codec.js';
import { crc32 } from './crc.js';
import { deflateRows } from './deflate.js';
import { collectPalette, type Palette } from './palette.js';
import { INDEXED, RGB, RGBA } from './pngchunks.js';
import { colorPacker, palettePacker } from './pngpack.js';

/** Below this many pixels the chunks of a palette may cost more than it saves: both are written, the smaller one wins. */
const SMALL_PIXELS = 4096;

/** Writes a PNG; quality plays no part. */
export const encodePng: Encode = async (pixmap) => {
  const palette = collectPalette(pixmap);
  const indexed = palette && (await indexedFile(pixmap, palette));
  if (indexed && pixmap.words.length > SMALL_PIXELS) return indexed;
  const colored = await colorFile(pixmap);
  return indexed && indexed.length <= colored.length ? indexed : colored;
};

async function indexedFile(pixmap: Pixmap, palette: Palette): Promise<Uint8Array> {
  const { colors, translucent, depth } = palette;
  const straight = straightValues();
  const bytes = new Uint8Array(colors.buffer);
  const entries = new Uint8Array(colors.length * 3);
  const alphas = new Uint8Array(translucent);
  for (let index = 0; index < colors.length; index++) {
    const alpha = bytes[index * 4 + 3];
    for (let c = 0; c < 3; c++) entries[index * 3 + c] = straight[(alpha << 8) | bytes[index * 4 + c]];
    if (index < translucent) alphas[index] = alpha;
  }
  const chunks: Chunk[] = [['IHDR', header(pixmap, depth, INDEXED)]];
  chunks.push(['PLTE', entries]);
  if (translucent > 0) chunks.push(['tRNS', alphas]);
  return file(chunks, await deflateRows(palettePacker(pixmap, palette), pixmap.height));
}

async function colorFile(pixmap: Pixmap): Promise<Uint8Array> {
  const opaque = pixmap.isOpaque();
  const rows = await deflateRows(colorPacker(pixmap, opaque), pixmap.height);
  return file([['IHDR', header(pixmap, 8, opaque ? RGB : RGBA)]], rows);
}

type Chunk = readonly [type: string, body: Uint8Array];

function header({ width, height }: Pixmap, depth: number, colorType: number): Uint8Array {
  const body = new Uint8Array(13);
  const view = new DataView(body.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  body[8] = depth;
  body[9] = colorType;
  return body;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The chunks before the picture, an IDAT for each piece of its zlib stream, IEND. */
function file(chunks: Chunk[], rows: readonly Uint8Array[]): Uint8Array {
  const all: Chunk[] = [...chunks, ...rows.map((body): Chunk => ['IDAT', body]), ['IEND', new Uint8Array(0)]];
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
