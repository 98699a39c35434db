// AVIF in and out, by libavif compiled to WebAssembly. The decoder leaves irot and imir alone, so they are applied here.
import decodeBytes, { init as initDecoder } from '@jsquash/avif/decode.js';
import encodePixels, { init as initEncoder } from '@jsquash/avif/encode.js';
import { Pixmap } from '../raster/pixmap.js';
import { premultiply, straightPixels } from './alpha.js';
import { largestCoded } from './av1.js';
import { codedData } from './avifdata.js';
import { broken } from './broken.js';
import type { Decode, Encode } from './codec.js';
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
type Options = { quality: number; speed: number; subsample: number };

const isOrdinary = (cause: unknown) => cause instanceof Error && /^(Decoding|Encoding) error/.test(cause.message);

const withDecoder = lazily(async () => {
  await (initDecoder as unknown as Init)(await compileWasm('@jsquash/avif/codec/dec/avif_dec.wasm'));
  return decodeBytes as unknown as (bytes: Uint8Array) => Promise<StraightImage>;
}, isOrdinary);

const withEncoder = lazily(async () => {
  await (initEncoder as unknown as Init)(await compileWasm('@jsquash/avif/codec/enc/avif_enc.wasm'));
  return encodePixels as unknown as (image: StraightImage, options: Options) => Promise<ArrayBuffer>;
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

/**
 * Quality as given, for colour and alpha alike. Speed 8 of 0–10: speed 6, the encoder's default, takes about seven times
 * as long for a file a fifth smaller; speeds 9 and 10 take half as long, but a card with text grows by 70 %, a photograph
 * by 30 %. Tiles gain nothing on one thread.
 */
export const encodeAvif: Encode = async (pixmap, { quality }) => {
  // The encoder reads the whole buffer behind the array, whatever its offset: a Pixmap and straightPixels own theirs.
  const image = { data: straightPixels(pixmap), width: pixmap.width, height: pixmap.height };
  return new Uint8Array(await withEncoder((encode) => encode(image, { quality, speed: 8, subsample: 1 })));
};
