// Encodes pixels as PNG, JPEG, WebP or AVIF, without modifying them. Loads each codec on first use: together they are
// 40 modules, of which most payloads need one or two (measured: 0.93 of the cold start).
import type { Pixmap } from '../raster/pixmap.js';
import type { Encode, EncodeOptions, OutputFormat } from './codec.js';

const ENCODERS: Record<OutputFormat, () => Promise<Encode>> = {
  png: async () => (await import('./png/encode.js')).encodePng,
  jpeg: async () => (await import('./jpeg/codec.js')).encodeJpeg,
  webp: async () => (await import('./webp/codec.js')).encodeWebp,
  avif: async () => (await import('./avif/encode.js')).encodeAvif,
};

/** Encodes `pixmap`. `quality` (1–100) applies to JPEG, WebP and AVIF; PNG is always lossless. */
export async function encodeImage(pixmap: Pixmap, format: OutputFormat, options: EncodeOptions): Promise<Uint8Array> {
  const encode = await ENCODERS[format]();
  return encode(pixmap, options);
}
