// Decodes any image to premultiplied pixels, and encodes pixels as PNG, JPEG, WebP or AVIF. A format's codec is loaded when
// the format is first needed: together they are 40 modules, of which most payloads need one or two (measured: 0.93 of the cold
// start). An image's header must be within bounds before a decoder sees a byte.
import { RenderError } from '../errors.js';
import { hasWebAssembly } from '../kernels/kernels.js';
import type { Pixmap } from '../raster/pixmap.js';
import {
  type DecodeOptions,
  type DecoderOptions,
  type Encode,
  type EncodeOptions,
  type InputFormat,
  MAX_PIXELS,
  type OutputFormat,
} from './codec.js';
import { formatName } from './errors.js';
import { type ImageHeader, readHeader } from './header.js';
import { GRAY, GRAY_ALPHA } from './png/chunks.js';
import type { SampleKind } from './profile/declared.js';

/** The maximum side of JPEG and GIF, and about what browsers display. */
const MAX_SIDE = 65_535;

/**
 * Decodes PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG, detected by content. Applies EXIF and AVIF orientation, and
 * converts colours to sRGB where the file declares others; `decodeWarning` tells where that was not possible.
 * `header`: the file's, where the caller has read it.
 * Throws RenderError `render_failed` if the bytes are not an image, are malformed, or hold more than `maxPixels`
 * pixels.
 *
 * The pixel limit also limits memory. Peak bytes per pixel that the header declares: PNG 4 plus its samples, up to 12;
 * GIF 5; JPEG up to 10, progressive CMYK 34 (jpeg-js); WebP up to 18 and AVIF up to 20, within WebAssembly's 2 GiB; SVG
 * 8 plus the 1 GiB of svg/pixels.ts. Files that hold more than they declare are rejected.
 */
export async function decodeImage(
  bytes: Uint8Array,
  options: DecodeOptions = {},
  header: ImageHeader = readHeader(bytes),
): Promise<Pixmap> {
  const { format, width, height } = header;
  const maxPixels = options.maxPixels ?? MAX_PIXELS;
  if (format !== 'svg' && width * height > maxPixels) {
    const size = `the ${formatName(format)} is ${width} × ${height} pixels`;
    throw new RenderError('render_failed', `${size}, more than the ${maxPixels} pixels allowed`);
  }
  if (format !== 'svg' && Math.max(width, height) > MAX_SIDE) {
    throw new RenderError(
      'render_failed',
      `the ${formatName(format)} is ${width} × ${height} pixels; at most ${MAX_SIDE} per side are allowed`,
    );
  }
  await checkWebAssembly(format, 'decoding');
  const colors = await readDeclaredColors(header);
  const pixmap = await decode(bytes, header, { ...options, ...(colors?.transform && { toSrgb: colors.transform }) });
  if (colors?.ignored)
    warnings.set(pixmap, `the colour profile of the ${formatName(format)} is ignored: ${colors.ignored}`);
  return pixmap;
}

/** Warnings by the decoded image, which caches keep as it is. */
const warnings = new WeakMap<Pixmap, string>();

/** Returns the fault of a file that was decoded all the same, as a sentence. */
export function decodeWarning(pixmap: Pixmap): string | undefined {
  return warnings.get(pixmap);
}

/** Reads the colours that the header points to; loads nothing where there are none, as in most files. */
async function readDeclaredColors(header: ImageHeader) {
  const { stored } = header;
  if (!('colors' in stored) || !stored.colors) return undefined;
  const { readColors } = await import('./profile/index.js');
  return readColors(stored.colors, samplesOf(header));
}

function samplesOf({ format, stored }: ImageHeader): SampleKind {
  switch (format) {
    case 'jpeg':
      return stored.components.length === 4 ? 'cmyk' : stored.components.length === 1 ? 'gray' : 'rgb';
    case 'png':
      return stored.colorType === GRAY || stored.colorType === GRAY_ALPHA ? 'gray' : 'rgb';
    case 'avif':
      return stored.samples;
    default:
      return 'rgb';
  }
}

async function decode(bytes: Uint8Array, header: ImageHeader, options: DecoderOptions): Promise<Pixmap> {
  switch (header.format) {
    case 'png':
      return (await import('./png/decode.js')).decodePng(bytes, header.stored, options);
    case 'jpeg':
      return (await import('./jpeg/index.js')).decodeJpeg(bytes, header.stored, options);
    case 'webp':
      return (await import('./webp/index.js')).decodeWebp(bytes, header.stored, options);
    case 'avif':
      return (await import('./avif/decode.js')).decodeAvif(bytes, header.stored, options);
    case 'gif':
      return (await import('./gif/decode.js')).decodeGif(bytes, header.stored, options);
    case 'svg':
      return (await import('./svg/decode.js')).decodeSvg(bytes, header.stored, options);
  }
}

/** AVIF's codecs are too large to be translated to JavaScript. */
async function checkWebAssembly(format: InputFormat, action: string): Promise<void> {
  if (format !== 'avif' || (await hasWebAssembly())) return;
  throw new RenderError('render_failed', `${action} ${formatName(format)} needs WebAssembly, which this process lacks`);
}

/** Throws RenderError `render_failed` if images of this format can't be encoded here. */
export function checkOutputFormat(format: OutputFormat): Promise<void> {
  return checkWebAssembly(format, 'encoding');
}

const ENCODERS: Record<OutputFormat, () => Promise<Encode>> = {
  png: async () => (await import('./png/encode.js')).encodePng,
  jpeg: async () => (await import('./jpeg/index.js')).encodeJpeg,
  webp: async () => (await import('./webp/index.js')).encodeWebp,
  avif: async () => (await import('./avif/encode.js')).encodeAvif,
};

/** Encodes `pixmap`. `quality` (1–100) applies to JPEG, WebP and AVIF; PNG is always lossless. */
export async function encodeImage(pixmap: Pixmap, format: OutputFormat, options: EncodeOptions): Promise<Uint8Array> {
  const encode = await ENCODERS[format]();
  return encode(pixmap, options);
}
