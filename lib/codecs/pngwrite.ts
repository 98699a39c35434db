// Pixels → PNG. Indexed when the picture has at most 256 colours, else RGB when it is opaque, else RGBA; always exact:
// a premultiplied picture read back from its PNG is the same. Deterministic on one Node release.
import type { Pixmap } from '../raster/pixmap.js';
import { straightValues } from './alpha.js';
import type { Encode } from './codec.js';
import { deflateRows } from './deflate.js';
import { collectPalette, type Palette } from './palette.js';
import { type Chunk, headerBody, pngFile } from './pngbuild.js';
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
  const { colors, translucent } = palette;
  const straight = straightValues();
  const bytes = new Uint8Array(colors.buffer);
  const entries = new Uint8Array(colors.length * 3);
  const alphas = new Uint8Array(translucent);
  for (let index = 0; index < colors.length; index++) {
    const alpha = bytes[index * 4 + 3];
    for (let c = 0; c < 3; c++) entries[index * 3 + c] = straight[(alpha << 8) | bytes[index * 4 + c]];
    if (index < translucent) alphas[index] = alpha;
  }
  const chunks: Chunk[] = [header(pixmap, INDEXED), ['PLTE', entries]];
  if (translucent > 0) chunks.push(['tRNS', alphas]);
  return file(chunks, await deflateRows(palettePacker(pixmap, palette), pixmap.height));
}

async function colorFile(pixmap: Pixmap): Promise<Uint8Array> {
  const opaque = pixmap.isOpaque();
  const rows = await deflateRows(colorPacker(pixmap, opaque), pixmap.height);
  return file([header(pixmap, opaque ? RGB : RGBA)], rows);
}

function header({ width, height }: Pixmap, colorType: number): Chunk {
  return ['IHDR', headerBody({ width, height, depth: 8, colorType, interlaced: false })];
}

/** The chunks before the picture, then an IDAT for each piece of its zlib stream. */
function file(chunks: readonly Chunk[], rows: readonly Uint8Array[]): Uint8Array {
  return pngFile([...chunks, ...rows.map((body): Chunk => ['IDAT', body])]);
}
