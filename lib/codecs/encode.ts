// Pixels → the bytes of a PNG, JPEG, WebP or AVIF. The pixmap stays as it is.
import type { Pixmap } from '../raster/pixmap.js';
import { encodeAvif } from './avif.js';
import type { Encode, EncodeOptions, OutputFormat } from './codec.js';
import { encodeJpeg } from './jpeg.js';
import { encodePng } from './pngwrite.js';
import { encodeWebp } from './webp.js';

const ENCODERS: Record<OutputFormat, Encode> = {
  png: encodePng,
  jpeg: encodeJpeg,
  webp: encodeWebp,
  avif: encodeAvif,
};

/** Encodes `pixmap`; `quality` (1–100) says how lossy JPEG, WebP and AVIF are, PNG is always exact. */
export async function encodeImage(pixmap: Pixmap, format: OutputFormat, options: EncodeOptions): Promise<Uint8Array> {
  return ENCODERS[format](pixmap, options);
}
