// AVIF in, by libavif compiled to WebAssembly. The decoder leaves irot and imir alone, so they are applied here.
import decodeBytes, { init as initDecoder } from '@jsquash/avif/decode.js';
import { Pixmap } from '../raster/pixmap.js';
import { premultiply } from './alpha.js';
import { largestCoded } from './av1.js';
import { codedData } from './avifdata.js';
import { broken } from './broken.js';
import type { Decode } from './codec.js';
import { readAvifHeader } from './isobmff.js';
import { orient } from './orientation.js';
import { Reader } from './reader.js';
import { compileWasm, lazily, type StraightImage } from './wasm.js';

/** Pixels that a coded picture may always have: encoders pad small ones. */
const LEAST_CODED = 65_536;
/** Times that a file's bytes may belong to one of its pictures or tracks: each is looked through. */
const MOST_OVERLAP = 8;

/** The declared parameter is Emscripten's options, but the package takes a compiled module too, and needs one in Node. */
type Init = (module: WebAssembly.Module) => Promise<unknown>;

const isOrdinary = (cause: unknown) => cause instanceof Error && /^(Decoding|Encoding) error/.test(cause.message);

const withDecoder = lazily(async () => {
  await (initDecoder as unknown as Init)(await compileWasm('@jsquash/avif/codec/dec/avif_dec.wasm'));
  return decodeBytes as unknown as (bytes: Uint8Array) => Promise<StraightImage>;
}, isOrdinary);

/** Reads an AVIF whose header has been found to be within bounds. */
export const decodeAvif: Decode = async (bytes) => {
  const { width, height, orientation } = readAvifHeader(bytes);
  checkCodedSize(bytes, width * height);
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(bytes));
  } catch (cause) {
    throw broken('avif', 'its picture data is damaged or cut short', cause);
  }
  if (image.width !== width || image.height !== height) throw broken('avif', 'its picture contradicts its header');
  premultiply(image.data);
  return orient(new Pixmap(width, height, image.data), orientation);
};

/**
 * The decoder makes room for what the coded pictures say, whatever the boxes do: a file of 800 bytes took a gigabyte. Tiles
 * of a grid are smaller than the whole, or stand out of it by less than a tile.
 */
function checkCodedSize(bytes: Uint8Array, pixels: number): void {
  const most = Math.max(LEAST_CODED, 4 * pixels);
  let walked = 0;
  for (const data of codedData(new Reader(bytes, 'avif'), bytes)) {
    walked += data.length;
    if (walked > MOST_OVERLAP * bytes.length) throw broken('avif', 'its pictures lie over each other');
    const size = largestCoded(data);
    if (size && size.width * size.height > most) throw broken('avif', 'its picture contradicts its header');
  }
}
