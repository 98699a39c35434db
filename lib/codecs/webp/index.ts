// Decodes and encodes WebP with libwebp compiled to WebAssembly; images with few colours are encoded losslessly by lossless.ts.
// An animation is decoded as its first frame on its transparent canvas.
import decodeBytes, { init as initDecoder } from '@jsquash/webp/decode.js';
import { defaultOptions } from '@jsquash/webp/meta.js';
import { initEmscriptenModule } from '@jsquash/webp/utils.js';
import { hasWebAssembly } from '../../kernels/kernels.js';
import { withModule } from '../../kernels/wasm-module.js';
import { Pixmap } from '../../raster/pixmap.js';
import { premultiply, straightPixels } from '../alpha.js';
import type { Decode, Encode } from '../codec.js';
import { malformed } from '../errors.js';
import type { ColorTransform } from '../profile/transform.js';
import { exifResolution } from '../resolution.js';
import { recreateOnTrap, type StraightImage } from '../wasm.js';
import { encodeAlpha } from './alpha.js';
import { FILE_HEADER_BYTES, webpChunk, webpFile, webpHeader, withMetadata } from './container.js';
import { fillTransparent } from './fill-transparent.js';
import { firstFrame, type WebpHeader } from './header.js';
import { writeLosslessWebp } from './lossless.js';

/** Typed as Emscripten's options, but the package also accepts a compiled module, and requires one in Node. */
type Init = (module: WebAssembly.Module) => Promise<unknown>;

const isCodecError = (cause: unknown) => cause instanceof Error && /^(Decoding|Encoding) error/.test(cause.message);

const withDecoder = recreateOnTrap(async () => {
  await withModule('webp-decoder', initDecoder as unknown as Init);
  return decodeBytes as unknown as (bytes: Uint8Array) => Promise<StraightImage>;
}, isCodecError);

interface Encoder {
  encode(data: Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null;
}

/** The module with SIMD, which every engine with WebAssembly has, has a loader of its own. */
const importLoader = async () =>
  (await hasWebAssembly())
    ? import('@jsquash/webp/codec/enc/webp_enc_simd.js')
    : import('@jsquash/webp/codec/enc/webp_enc.js');

const withEncoder = recreateOnTrap(async () => {
  const { default: loader } = await importLoader();
  const start = initEmscriptenModule as unknown as (
    load: typeof loader,
    module: WebAssembly.Module,
  ) => Promise<Encoder>;
  const encoder = await withModule('webp-encoder', (module) => start(loader, module));
  return async (
    { data, width, height }: StraightImage,
    options: { quality: number; method: number; lossless?: number },
  ) => {
    const file = encoder.encode(data, width, height, { ...defaultOptions, ...options });
    if (!file) throw new Error('Encoding error.');
    return file;
  };
}, isCodecError);

export const decodeWebp: Decode<WebpHeader> = async (bytes, header, { toSrgb }) => {
  if (!header.isAnimated) return decodeStill(bytes, toSrgb);
  const frame = firstFrame(bytes);
  if (frame.x + frame.width > header.width || frame.y + frame.height > header.height) {
    throw malformed('webp', 'its first frame is outside its canvas');
  }
  const image = await decodeStill(frame.bytes, toSrgb);
  if (frame.width === header.width && frame.height === header.height) return image;
  const canvas = new Pixmap(header.width, header.height);
  for (let y = 0; y < frame.height; y++) {
    const row = image.words.subarray(y * frame.width, (y + 1) * frame.width);
    canvas.words.set(row, (frame.y + y) * header.width + frame.x);
  }
  return canvas;
};

async function decodeStill(bytes: Uint8Array, toSrgb?: ColorTransform): Promise<Pixmap> {
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(bytes));
  } catch (cause) {
    throw malformed('webp', 'its image data is corrupt or truncated', cause);
  }
  const pixmap = new Pixmap(image.width, image.height, image.data);
  toSrgb?.(pixmap);
  premultiply(image.data);
  return pixmap;
}

/**
 * Maximum pixels for method 0 (2048 × 2048), which is then sure to succeed for any input. Its mode decisions must fit
 * in 512 KiB of the file: 32 bytes per 16 × 16 pixels at this size. Noise of 3000 × 3000 still fits, of 4096 × 4096
 * does not.
 */
const MAX_METHOD_0_PIXELS = 1 << 22;

/**
 * Maximum bits per pixel for lossless coding at quality 100, and proportionally less below: cards of text take 0.4–0.9
 * lossy at 90.
 */
const MAX_LOSSLESS_BITS = 1;

/**
 * Lossless if the image has few colours and stays small, at any quality. Otherwise lossy at the given quality, even at
 * 100; alpha is always lossless. Uses method 0 of 0–6 where it succeeds: compared with method 2 it takes 0.7 of the
 * time for photographs and 0.8–0.95 for drawn cards, with the same error, for files 2–3 % (drawn: 8–19 %) larger.
 * Method 3 takes twice the time of method 2 for 2 % of the bytes. Fewer segments, no filter and no noise shaping save
 * no time.
 */
export const encodeWebp: Encode = async (pixmap, { quality, dpi, lossless, description }) => {
  const { width, height } = pixmap;
  const file = lossless ? await encodeLossless(pixmap) : await encodeSmall(pixmap, quality);
  if (dpi === undefined && !description) return file;
  return withMetadata(
    file,
    { width, height, hasAlpha: !pixmap.isOpaque() },
    {
      exif: dpi === undefined ? undefined : exifResolution(dpi),
      xmp: description ? (await import('../xmp.js')).xmpDescription(description) : undefined,
    },
  );
};

/** Lossless where that is small. */
async function encodeSmall(pixmap: Pixmap, quality: number): Promise<Uint8Array> {
  const { width, height } = pixmap;
  const lossless = writeLosslessWebp(pixmap, (width * height * MAX_LOSSLESS_BITS * quality) / 800);
  if (lossless) return lossless;
  if (pixmap.isOpaque()) return encodeLossy({ data: pixmap.data, width, height }, quality);
  // libwebp would compress the alpha in as much additional memory as the colours take
  const alpha = webpChunk('ALPH', encodeAlpha(pixmap));
  const file = await encodeLossy({ data: fillTransparent(pixmap), width, height }, quality);
  // without alpha, only the image chunk follows the RIFF header
  return webpFile(webpHeader(width, height), alpha, file.subarray(FILE_HEADER_BYTES));
}

/** The effort of libwebp's lossless encoder, 0–100: the time grows faster than the file shrinks. */
const LOSSLESS_EFFORT = 20;

/** The colours of transparent pixels are not kept; they can't be seen. */
async function encodeLossless(pixmap: Pixmap): Promise<Uint8Array> {
  const indexed = writeLosslessWebp(pixmap, Number.POSITIVE_INFINITY);
  if (indexed) return indexed;
  const { width, height } = pixmap;
  const image = { data: straightPixels(pixmap), width, height };
  const options = { quality: LOSSLESS_EFFORT, method: 0, lossless: 1 };
  return await withEncoder((encode) => encode(image, options));
}

async function encodeLossy(image: StraightImage, quality: number): Promise<Uint8Array> {
  const method = image.width * image.height <= MAX_METHOD_0_PIXELS ? 0 : 2;
  return await withEncoder((encode) => encode(image, { quality, method }));
}
