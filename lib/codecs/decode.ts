// Any picture's bytes → premultiplied pixels, upright. Its header must be within bounds before a decoder sees a byte, and
// a decoder is loaded when its format first comes.
import { RenderError } from '../errors.js';
import type { Pixmap } from '../raster/pixmap.js';
import { formatName } from './broken.js';
import { type Decode, type DecodeOptions, type InputFormat, MAX_PIXELS } from './codec.js';
import { readHeader } from './header.js';

const DECODERS: Record<InputFormat, () => Promise<Decode>> = {
  png: async () => (await import('./pngread.js')).decodePng,
  jpeg: async () => (await import('./jpeg.js')).decodeJpeg,
  webp: async () => (await import('./webp.js')).decodeWebp,
  avif: async () => (await import('./avif.js')).decodeAvif,
  gif: async () => (await import('./gif.js')).decodeGif,
  svg: async () => (await import('./svg.js')).decodeSvg,
};

/** JPEG's and GIF's longest side, and about what browsers draw. */
const MAX_SIDE = 65_535;

/**
 * Decodes PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG, known by content. EXIF and AVIF orientation are applied.
 * Throws RenderError `render_failed` when the bytes are no picture, are broken, or hold more than `maxPixels` pixels.
 *
 * The bound is on memory too. At their peak decoders hold, for each pixel that the header declares: PNG 4 bytes and its
 * samples, up to 12; GIF 5; JPEG up to 10, 34 of progressive CMYK (jpeg-js); WebP up to 18, and AVIF up to 20, within the 2 GiB that
 * WebAssembly has at most; an SVG 8 and the 1 GiB of svgcost.ts. Files that hold more than they declare are stopped there.
 */
export async function decodeImage(bytes: Uint8Array, options: DecodeOptions = {}): Promise<Pixmap> {
  const { format, width, height } = readHeader(bytes);
  const maxPixels = options.maxPixels ?? MAX_PIXELS;
  if (format !== 'svg' && width * height > maxPixels) {
    const size = `the ${formatName(format)} is ${width} × ${height} pixels`;
    throw new RenderError('render_failed', `${size}, more than the ${maxPixels} allowed`);
  }
  if (format !== 'svg' && Math.max(width, height) > MAX_SIDE) {
    throw new RenderError(
      'render_failed',
      `the ${formatName(format)} is ${width} × ${height} pixels, ${MAX_SIDE} a side at most`,
    );
  }
  const decode = await DECODERS[format]();
  return decode(bytes, options);
}
