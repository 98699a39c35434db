// WebP in and out, by libwebp compiled to WebAssembly; pictures of few colours go out lossless, by webplossless.ts. Of an
// animation, the first frame on its transparent canvas.
import decodeBytes, { init as initDecoder } from '@jsquash/webp/decode.js';
import encodePixels, { init as initEncoder } from '@jsquash/webp/encode.js';
import { Pixmap } from '../raster/pixmap.js';
import { premultiply } from './alpha.js';
import { broken } from './broken.js';
import type { Decode, Encode } from './codec.js';
import { compileWasm, lazily, type StraightImage } from './wasm.js';
import { alphaData } from './webpalpha.js';
import { solidColors } from './webpcolors.js';
import { webpChunk, webpFile, webpHeader } from './webpfile.js';
import { firstFrame, readWebpHeader } from './webpheader.js';
import { writeLosslessWebp } from './webplossless.js';

/** The declared parameter is Emscripten's options, but the package takes a compiled module too, and needs one in Node. */
type Init = (module: WebAssembly.Module) => Promise<unknown>;

const isOrdinary = (cause: unknown) => cause instanceof Error && /^(Decoding|Encoding) error/.test(cause.message);

const withDecoder = lazily(async () => {
  await (initDecoder as unknown as Init)(await compileWasm('@jsquash/webp/codec/dec/webp_dec.wasm'));
  return decodeBytes as unknown as (bytes: Uint8Array) => Promise<StraightImage>;
}, isOrdinary);

const withEncoder = lazily(async () => {
  // Every Node release that is supported has SIMD, and the package then always takes the SIMD loader.
  await (initEncoder as unknown as Init)(await compileWasm('@jsquash/webp/codec/enc/webp_enc_simd.wasm'));
  return encodePixels as unknown as (
    image: StraightImage,
    options: { quality: number; method: number },
  ) => Promise<ArrayBuffer>;
}, isOrdinary);

/** Reads a WebP whose header has been found to be within bounds. */
export const decodeWebp: Decode = async (bytes) => {
  const header = readWebpHeader(bytes);
  if (!header.animated) return still(bytes);
  const frame = firstFrame(bytes);
  if (frame.x + frame.width > header.width || frame.y + frame.height > header.height) {
    throw broken('webp', 'its first frame lies outside its canvas');
  }
  const picture = await still(frame.bytes);
  if (frame.width === header.width && frame.height === header.height) return picture;
  const canvas = new Pixmap(header.width, header.height);
  for (let y = 0; y < frame.height; y++) {
    const row = picture.words.subarray(y * frame.width, (y + 1) * frame.width);
    canvas.words.set(row, (frame.y + y) * header.width + frame.x);
  }
  return canvas;
};

async function still(bytes: Uint8Array): Promise<Pixmap> {
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(bytes));
  } catch (cause) {
    throw broken('webp', 'its picture data is damaged or cut short', cause);
  }
  premultiply(image.data);
  return new Pixmap(image.width, image.height, image.data);
}

/**
 * Up to here (2048 × 2048) the fastest method is sure to write whatever it is given. The file has room for 512 KiB of its
 * choices: 32 bytes for each 16 × 16 pixels of this; noise of 3000 × 3000 still fits, of 4096 × 4096 no longer.
 */
const FASTEST_PIXELS = 1 << 22;

/** Bits a pixel at quality 100 that a picture may take as it is, and less below: cards of text take 0.4–0.9 lossy at 90. */
const LOSSLESS_BITS = 1;

/**
 * Exact where the picture has few colours and takes few bytes so, at whatever quality. Else quality as given, lossy also at
 * 100; alpha is always exact. Method 0 of 0–6 where it serves: beside method 2 it takes 0.7 of the time of photographs and
 * 0.8–0.95 of that of drawn cards, at the same nearness to the picture, for files 2–3 % (drawn: 8–19 %) larger. Method 3
 * takes twice the time of method 2 for 2 % of the bytes. Fewer segments, no filter and no shaping of noise gain no time.
 */
export const encodeWebp: Encode = async (pixmap, { quality }) => {
  const { width, height } = pixmap;
  const exact = writeLosslessWebp(pixmap, (width * height * LOSSLESS_BITS * quality) / 800);
  if (exact) return exact;
  if (pixmap.isOpaque()) return lossy({ data: pixmap.data, width, height }, quality);
  // libwebp would pack the alpha of a picture in as much memory again as its colours take
  const alpha = webpChunk('ALPH', alphaData(pixmap));
  const file = await lossy({ data: solidColors(pixmap), width, height }, quality);
  return webpFile(webpHeader(width, height), alpha, file.subarray(FILE_HEADER));
};

/** What a file begins with; of a lossy one without alpha, all that follows is the chunk of its picture. */
const FILE_HEADER = 12;

async function lossy(image: StraightImage, quality: number): Promise<Uint8Array> {
  const method = image.width * image.height <= FASTEST_PIXELS ? 0 : 2;
  return new Uint8Array(await withEncoder((encode) => encode(image, { quality, method })));
}
