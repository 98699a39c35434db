// Decodes an image of any supported format to premultiplied, upright pixels. Checks the header against the limits
// before any decoder runs; loads each decoder on first use.
import { RenderError } from '../errors.js';
import type { Pixmap } from '../raster/pixmap.js';
import { type Decode, type DecodeOptions, type InputFormat, MAX_PIXELS } from './codec.js';
import { formatName } from './errors.js';
import { readHeader } from './header.js';

const DECODERS: Record<InputFormat, () => Promise<Decode>> = {
  png: async () => (await import('./png/decode.js')).decodePng,
  jpeg: async () => (await import('./jpeg/codec.js')).decodeJpeg,
  webp: async () => (await import('./webp/codec.js')).decodeWebp,
  avif: async () => (await import('./avif/decode.js')).decodeAvif,
  gif: async () => (await import('./gif/decode.js')).decodeGif,
  svg: async () => (await import('./svg/decode.js')).decodeSvg,
};

/** The maximum side of JPEG and GIF, and about what browsers display. */
const MAX_SIDE = 65_535;

/**
 * Decodes PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG, detected by content. Applies EXIF and AVIF orientation.
 * Throws RenderError `render_failed` if the bytes are not an image, are malformed, or hold more than `maxPixels`
 * pixels.
 *
 * The pixel limit also limits memory. Peak bytes per pixel that the header declares: PNG 4 plus its samples, up to 12;
 * GIF 5; JPEG up to 10, progressive CMYK 34 (jpeg-js); WebP up to 18 and AVIF up to 20, within WebAssembly's 2 GiB; SVG
 * 8 plus the 1 GiB of svg/cost.ts. Files that hold more than they declare are rejected.
 */
export async function decodeImage(bytes: Uint8Array, options: DecodeOptions = {}): Promise<Pixmap> {
  const { format, width, height } = readHeader(bytes);
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
  const decode = await DECODERS[format]();
  return decode(bytes, options);
}
