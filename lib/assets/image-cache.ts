// Decoded images, kept from payload to payload.
import { type ByteCache, createByteCache } from '../cache/lru.js';
import type { Pixmap } from '../raster/pixmap.js';

/** By the content of the file and, for an SVG, the size that it is drawn at. */
export type ImageCache = Omit<ByteCache<Pixmap>, 'delete'>;

/** An empty cache that holds up to `maxBytes` of pixels (4 bytes each). */
export function createImageCache(maxBytes: number): ImageCache {
  return createByteCache(maxBytes, ({ data }) => data.byteLength);
}
