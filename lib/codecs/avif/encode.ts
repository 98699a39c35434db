// Encodes AVIF with libavif compiled to WebAssembly. Images too large for AVIF's baseline profile become a grid of
// tiles.
import encodePixels, { init as initEncoder } from '@jsquash/avif/encode.js';
import { host } from '../../host.js';
import { Pixmap } from '../../raster/pixmap.js';
import { straightPixels } from '../alpha.js';
import type { Encode } from '../codec.js';
import { exifResolution } from '../resolution.js';
import { recreateOnTrap, type StraightImage } from '../wasm.js';
import { withExif } from './exif.js';
import { gridFor, type TileGrid, writeAvifGrid } from './grid.js';

/** Typed as Emscripten's options, but the package also accepts a compiled module, and requires one in Node. */
type Init = (module: WebAssembly.Module) => Promise<unknown>;
type Options = { quality: number; speed: number; subsample: number; lossless?: boolean };

/** Values of the encoder's `subsample`: monochrome (4:0:0), 4:2:0 and 4:4:4. */
const MONOCHROME = 0;
const SUBSAMPLED = 1;
const NOT_SUBSAMPLED = 3;

const withEncoder = recreateOnTrap(
  async () => {
    await (initEncoder as unknown as Init)(await host().loadWasm('avif-encoder'));
    return encodePixels as unknown as (image: StraightImage, options: Options) => Promise<ArrayBuffer>;
  },
  (cause) => cause instanceof Error && cause.message.startsWith('Encoding error'),
);

/**
 * Uses the same quality for colour and alpha. Speed 8 of 0–10: speed 6, the encoder's default, takes about seven times
 * as long for a file a fifth smaller; speeds 9 and 10 take half as long, but a card with text grows by 70 %, a
 * photograph by 30 %. AV1's own tiles bring nothing on one thread.
 */
export const encodeAvif: Encode = async (pixmap, { quality, dpi, lossless = false }) => {
  const file = await encodeFile(pixmap, lossless ? LOSSLESS : quality);
  return dpi === undefined ? file : withExif(file, exifResolution(dpi));
};

/** Replaces a quality. */
const LOSSLESS = 'lossless';
type Quality = number | typeof LOSSLESS;

async function encodeFile(pixmap: Pixmap, quality: Quality): Promise<Uint8Array> {
  const grid = gridFor(pixmap.width, pixmap.height);
  if (grid) return encodeTiles(pixmap, grid, quality);
  // The encoder reads the array's entire buffer from offset 0: Pixmap and straightPixels own their buffers.
  const image = { data: straightPixels(pixmap), width: pixmap.width, height: pixmap.height };
  return encodeSingle(image, quality, SUBSAMPLED);
}

async function encodeSingle(image: StraightImage, quality: Quality, subsample: number): Promise<Uint8Array> {
  let options: Options = { quality: 100, speed: 8, subsample };
  // the encoder's own lossless mode keeps red, green and blue apart; of gray, quality 100 loses nothing
  if (quality !== LOSSLESS) options = { ...options, quality };
  else if (subsample !== MONOCHROME) options = { ...options, subsample: NOT_SUBSAMPLED, lossless: true };
  return new Uint8Array(await withEncoder((encode) => encode(image, options)));
}

async function encodeTiles(pixmap: Pixmap, grid: TileGrid, quality: Quality): Promise<Uint8Array> {
  // 4:2:0 needs a grid with even sides (ISO/IEC 23000-22 section 7.3.11.4.2)
  const subsample = (grid.width | grid.height) & 1 ? NOT_SUBSAMPLED : SUBSAMPLED;
  const color: Uint8Array[] = [];
  const alpha = pixmap.isOpaque() ? undefined : ([] as Uint8Array[]);
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const tile = tileAt(pixmap, grid, column, row);
      // encode each plane separately: for a tile that happens to be opaque, the encoder would omit the alpha that its
      // neighbours have
      const alphaTile = alpha && extractAlpha(tile);
      color.push(await encodeSingle(tile, quality, subsample));
      if (alphaTile) alpha.push(await encodeSingle(alphaTile, quality, MONOCHROME));
    }
  }
  return writeAvifGrid(grid, color, alpha);
}

/** A tile with straight alpha. Where it extends past the image, it repeats the last row and column. */
function tileAt(pixmap: Pixmap, { tileWidth, tileHeight }: TileGrid, column: number, row: number): StraightImage {
  const tile = new Pixmap(tileWidth, tileHeight);
  const left = column * tileWidth;
  const columns = Math.min(tileWidth, pixmap.width - left);
  for (let y = 0; y < tileHeight; y++) {
    const from = Math.min(row * tileHeight + y, pixmap.height - 1) * pixmap.width + left;
    const to = y * tileWidth;
    tile.words.set(pixmap.words.subarray(from, from + columns), to);
    tile.words.fill(pixmap.words[from + columns - 1], to + columns, to + tileWidth);
  }
  return { width: tileWidth, height: tileHeight, data: straightPixels(tile) };
}

/** Extracts alpha as opaque gray; makes `tile` opaque. */
function extractAlpha(tile: StraightImage): StraightImage {
  const { data } = tile;
  const gray = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3];
    gray[i] = alpha;
    gray[i + 1] = alpha;
    gray[i + 2] = alpha;
    gray[i + 3] = 255;
    data[i + 3] = 255;
  }
  return { ...tile, data: gray };
}
