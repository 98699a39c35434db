// AVIF in, by libavif compiled to WebAssembly. The decoder leaves irot and imir alone, so they are applied here.
import decodeBytes, { init as initDecoder } from '@jsquash/avif/decode.js';
import { Pixmap } from '../raster/pixmap.js';
import { premultiply } from './alpha.js';
import { dropLevels, readUnits } from './av1.js';
import { codedPictures } from './avifdata.js';
import { mendedAvif } from './avifmend.js';
import { broken, unsupported } from './broken.js';
import type { Decode } from './codec.js';
import { readAvifHeader } from './isobmff.js';
import { orient } from './orientation.js';
import { Reader } from './reader.js';
import { compileWasm, lazily, type StraightImage } from './wasm.js';

/** Pixels that a coded picture may always have: encoders pad small ones. */
const LEAST_CODED = 65_536;
/** One that is shown better and better has four, of two units each at most. Sixty of 32 megapixels took 15 s, in 21 KB. */
const MOST_FRAMES = 8;
/**
 * Of all frames but each picture's first, which the decoder keeps beside each other: four of 11 megapixels. Eight of 67, in
 * 6 KB, took 8 s and 2 GB.
 */
const MOST_REFINED_PIXELS = 2 ** 25;

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
  const known = knownAvif(bytes, width * height);
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(known));
  } catch (cause) {
    throw broken('avif', 'its picture data is damaged or cut short', cause);
  }
  if (image.width !== width || image.height !== height) throw broken('avif', 'its picture contradicts its header');
  premultiply(image.data);
  return orient(new Pixmap(width, height, image.data), orientation);
};

/**
 * The file as the decoder takes it. It makes room for what the coded pictures say, whatever the boxes do: a file of 800 bytes
 * took a gigabyte. Tiles of a grid are smaller than the whole, or stand out of it by less than a tile.
 */
function knownAvif(bytes: Uint8Array, pixels: number): Uint8Array {
  const most = Math.max(LEAST_CODED, 4 * pixels);
  const reader = new Reader(bytes, 'avif');
  let known = bytes;
  let refined = 0;
  for (const data of codedPictures(reader, bytes)) {
    const { largest, frames, unknownLevels } = readUnits(data);
    if (largest && largest.width * largest.height > most) throw broken('avif', 'its picture contradicts its header');
    if (largest && frames > MOST_FRAMES) throw broken('avif', `a picture of it has more than ${MOST_FRAMES} frames`);
    if (largest) refined += Math.max(0, frames - 1) * largest.width * largest.height;
    if (refined > MOST_REFINED_PIXELS)
      throw unsupported('avif', 'its pictures have more frames than their size allows');
    if (unknownLevels.length > 0 && data.buffer === bytes.buffer) {
      if (known === bytes) known = new Uint8Array(bytes);
      dropLevels(known.subarray(data.byteOffset - bytes.byteOffset), unknownLevels);
    }
  }
  return mendedAvif(reader, known);
}
