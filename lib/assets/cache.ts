// Decoded pictures, kept between payloads as long as they fit: the least recently used one goes first.
import type { Pixmap } from '../raster/pixmap.js';

/** Pictures by content: whoever takes one out may read it only, for the next payload gets the same. */
export interface ImageCache {
  get(key: string): Pixmap | undefined;
  /** Keeps `pixmap`, unless it alone is larger than the cache. */
  set(key: string, pixmap: Pixmap): void;
  /** Bytes of pixels held now. */
  readonly bytes: number;
}

/** An empty cache that holds up to `maxBytes` of pixels (4 bytes each). */
export function createImageCache(maxBytes: number): ImageCache {
  // A Map iterates in the order of insertion: the first entry is the one unused for longest.
  const entries = new Map<string, Pixmap>();
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    get(key) {
      const pixmap = entries.get(key);
      if (pixmap) {
        entries.delete(key);
        entries.set(key, pixmap);
      }
      return pixmap;
    },
    set(key, pixmap) {
      if (pixmap.data.byteLength > maxBytes) return;
      bytes += pixmap.data.byteLength - (entries.get(key)?.data.byteLength ?? 0);
      entries.delete(key);
      entries.set(key, pixmap);
      for (const [oldest, { data }] of entries) {
        if (bytes <= maxBytes) break;
        entries.delete(oldest);
        bytes -= data.byteLength;
      }
    },
  };
}
