// Decodes AVIF with libavif compiled to WebAssembly. The decoder ignores irot and imir, so they are applied here.
import decodeBytes, { init as initDecoder } from '@jsquash/avif/decode.js';
import { host } from '../../host.js';
import { Pixmap } from '../../raster/pixmap.js';
import { premultiply } from '../alpha.js';
import type { Decode } from '../codec.js';
import { malformed, unsupported } from '../errors.js';
import { orient } from '../orientation.js';
import { Reader } from '../reader.js';
import { recreateOnTrap, type StraightImage } from '../wasm.js';
import type { AvifHeader } from './boxes.js';
import { codedImages } from './coded-pictures.js';
import { dropLevels, readObus } from './obu.js';
import { repairAvif } from './repair.js';

/** Coded pixels that are always allowed: encoders pad small images. */
const MIN_CODED_PIXELS = 65_536;
/**
 * Frames per coded image. A progressive image has four, of at most two OBUs each. Sixty frames of 32 megapixels took
 * 15 s, in a file of 21 KB.
 */
const MAX_FRAMES = 8;
/**
 * Pixels of all frames except each image's first; the decoder keeps them all in memory: four of 11 megapixels. Eight of
 * 67 megapixels, in 6 KB, took 8 s and 2 GB.
 */
const MAX_REFINEMENT_PIXELS = 2 ** 25;

/** Typed as Emscripten's options, but the package also accepts a compiled module, and requires one in Node. */
type Init = (module: WebAssembly.Module) => Promise<unknown>;

const isCodecError = (cause: unknown) => cause instanceof Error && /^(Decoding|Encoding) error/.test(cause.message);

const withDecoder = recreateOnTrap(async () => {
  await (initDecoder as unknown as Init)(await host().loadWasm('avif-decoder'));
  return decodeBytes as unknown as (bytes: Uint8Array) => Promise<StraightImage>;
}, isCodecError);

export const decodeAvif: Decode<AvifHeader> = async (bytes, { width, height, orientation }, { toSrgb }) => {
  const prepared = prepareAvif(bytes, width * height);
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(prepared));
  } catch (cause) {
    throw malformed('avif', 'its image data is corrupt or truncated', cause);
  }
  if (image.width !== width || image.height !== height)
    throw malformed('avif', 'its image data does not match its header');
  const pixmap = new Pixmap(width, height, image.data);
  toSrgb?.(pixmap);
  premultiply(image.data);
  return orient(pixmap, orientation);
};

/**
 * Checks and prepares the file for the decoder. The decoder allocates what the coded images declare, whatever the boxes
 * say: a file of 800 bytes took a gigabyte. Tiles of a grid are smaller than the whole image, or exceed it by less than
 * a tile.
 */
function prepareAvif(bytes: Uint8Array, pixels: number): Uint8Array {
  const maxCodedPixels = Math.max(MIN_CODED_PIXELS, 4 * pixels);
  const reader = new Reader(bytes, 'avif');
  let prepared = bytes;
  let refinementPixels = 0;
  for (const data of codedImages(reader, bytes)) {
    const { largest, frames, unknownLevels } = readObus(data);
    if (largest && largest.width * largest.height > maxCodedPixels)
      throw malformed('avif', 'its image data does not match its header');
    if (largest && frames > MAX_FRAMES) throw malformed('avif', `one of its images has more than ${MAX_FRAMES} frames`);
    if (largest) refinementPixels += Math.max(0, frames - 1) * largest.width * largest.height;
    if (refinementPixels > MAX_REFINEMENT_PIXELS)
      throw unsupported('avif', 'its images have too many frames for their size');
    if (unknownLevels.length > 0 && data.buffer === bytes.buffer) {
      if (prepared === bytes) prepared = new Uint8Array(bytes);
      dropLevels(prepared.subarray(data.byteOffset - bytes.byteOffset), unknownLevels);
    }
  }
  return repairAvif(reader, prepared);
}
