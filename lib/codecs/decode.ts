// Any picture's bytes → premultiplied pixels, upright. Its header must be within bounds before a decoder sees a byte.
import { RenderError } from '../errors.js';
import type { Pixmap } from '../raster/pixmap.js';
import { decodeAvif } from './avif.js';
import { formatName } from './broken.js';
import { type Decode, type DecodeOptions, type InputFormat, MAX_PIXELS } from './codec.js';
import { decodeGif } from './gif.js';
import { readHeader } from './header.js';
import { decodeJpeg } from './jpeg.js';
import { decodePng } from './pngread.js';
import { decodeSvg } from './svg.js';
import { decodeWebp } from './webp.js';

const DECODERS: Record<InputFormat, Decode> = {
  png: decodePng,
  jpeg: decodeJpeg,
  webp: decodeWebp,
  avif: decodeAvif,
  gif: decodeGif,
  svg: decodeSvg,
};

/**
 * Decodes PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG, known by content. EXIF and AVIF orientation are applied.
 * Throws RenderError `render_failed` when the bytes are no picture, are broken, or hold more than `maxPixels` pixels.
 */
export async function decodeImage(bytes: Uint8Array, options: DecodeOptions = {}): Promise<Pixmap> {
  const { format, width, height } = readHeader(bytes);
  const maxPixels = options.maxPixels ?? MAX_PIXELS;
  if (format !== 'svg' && width * height > maxPixels) {
    const size = `the ${formatName(format)} is ${width} × ${height} pixels`;
    throw new RenderError('render_failed', `${size}, more than the ${maxPixels} allowed`);
  }
  return DECODERS[format](bytes, options);
}
