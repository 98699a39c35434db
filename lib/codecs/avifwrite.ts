// AVIF out, by libavif compiled to WebAssembly; what is too large for AVIF's baseline profile as a grid of tiles.
import encodePixels, { init as initEncoder } from '@jsquash/avif/encode.js';
import { Pixmap } from '../raster/pixmap.js';
import { straightPixels } from './alpha.js';
import { type Grid, gridOf, writeAvifGrid } from './avifgrid.js';
import type { Encode } from './codec.js';
import { compileWasm, lazily, type StraightImage } from './wasm.js';

/** The declared parameter is Emscripten's options, but the package takes a compiled module too, and needs one in Node. */
type Init = (module: WebAssembly.Module) => Promise<unknown>;
type Options = { quality: number; speed: number; subsample: number };

/** Values of the encoder's `subsample`: without colour (4:0:0), 4:2:0 and 4:4:4. */
const GRAY = 0;
const SUBSAMPLED = 1;
const FULL = 3;

const withEncoder = lazily(
  async () => {
    await (initEncoder as unknown as Init)(await compileWasm('@jsquash/avif/codec/enc/avif_enc.wasm'));
    return encodePixels as unknown as (image: StraightImage, options: Options) => Promise<ArrayBuffer>;
  },
  (cause) => cause instanceof Error && cause.message.startsWith('Encoding error'),
);

/**
 * Quality as given, for colour and alpha alike. Speed 8 of 0–10: speed 6, the encoder's default, takes about seven times
 * as long for a file a fifth smaller; speeds 9 and 10 take half as long, but a card with text grows by 70 %, a photograph
 * by 30 %. Tiles of AV1 itself gain nothing on one thread.
 */
export const encodeAvif: Encode = async (pixmap, { quality }) => {
  const grid = gridOf(pixmap.width, pixmap.height);
  if (grid) return encodeTiles(pixmap, grid, quality);
  // The encoder reads the whole buffer behind the array, whatever its offset: a Pixmap and straightPixels own theirs.
  const image = { data: straightPixels(pixmap), width: pixmap.width, height: pixmap.height };
  return encodeWhole(image, quality, SUBSAMPLED);
};

async function encodeWhole(image: StraightImage, quality: number, subsample: number): Promise<Uint8Array> {
  return new Uint8Array(await withEncoder((encode) => encode(image, { quality, speed: 8, subsample })));
}

async function encodeTiles(pixmap: Pixmap, grid: Grid, quality: number): Promise<Uint8Array> {
  // halved colour needs a grid of even sides (ISO/IEC 23000-22 section 7.3.11.4.2)
  const subsample = (grid.width | grid.height) & 1 ? FULL : SUBSAMPLED;
  const color: Uint8Array[] = [];
  const alpha = pixmap.isOpaque() ? undefined : ([] as Uint8Array[]);
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const tile = tileAt(pixmap, grid, column, row);
      // a picture for each plane: in a tile that happens to be opaque the encoder would leave out what its neighbours have
      const levels = alpha && takeAlpha(tile);
      color.push(await encodeWhole(tile, quality, subsample));
      if (levels) alpha.push(await encodeWhole(levels, quality, GRAY));
    }
  }
  return writeAvifGrid(grid, color, alpha);
}

/** A tile with straight alpha; where it stands out of the picture, the picture's last row and column go on. */
function tileAt(pixmap: Pixmap, { tileWidth, tileHeight }: Grid, column: number, row: number): StraightImage {
  const tile = new Pixmap(tileWidth, tileHeight);
  const left = column * tileWidth;
  const wide = Math.min(tileWidth, pixmap.width - left);
  for (let y = 0; y < tileHeight; y++) {
    const from = Math.min(row * tileHeight + y, pixmap.height - 1) * pixmap.width + left;
    const to = y * tileWidth;
    tile.words.set(pixmap.words.subarray(from, from + wide), to);
    tile.words.fill(pixmap.words[from + wide - 1], to + wide, to + tileWidth);
  }
  return { width: tileWidth, height: tileHeight, data: straightPixels(tile) };
}

/** The alpha of each pixel as an opaque gray; `tile` becomes opaque. */
function takeAlpha(tile: StraightImage): StraightImage {
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
