// The cache of decoded images, shared between payloads.
import { type ByteCache, createByteCache } from '../cache/lru.js';
import type { Pixmap } from '../raster/pixmap.js';

/** Keyed by the file's content and, for an SVG, the size that it is rasterized at. */
export type ImageCache = Omit<ByteCache<Pixmap>, 'delete'>;

/** Creates an empty cache of up to `maxBytes` of pixels (4 bytes each). */
export function createImageCache(maxBytes: number): ImageCache {
  return createByteCache(maxBytes, ({ data }) => data.byteLength);
}
