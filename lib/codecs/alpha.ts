// Converts between straight alpha (as in image files) and premultiplied alpha (as in Pixmap). Both directions round to
// nearest; premultiplied → straight → premultiplied is lossless.
import type { Pixmap } from '../raster/pixmap.js';

/** Multiplies r, g and b by alpha in place: p = round(c × a / 255), exact. Skips opaque pixels. */
export function premultiply(data: Uint8ClampedArray): void {
  for (let i = 3; i < data.length; i += 4) {
    const a = data[i];
    if (a === 255) continue;
    // (t + (t >> 8)) >> 8 with t = c·a + 128 is round(c·a / 255) for every pair of bytes.
    const r = data[i - 3] * a + 128;
    const g = data[i - 2] * a + 128;
    const b = data[i - 1] * a + 128;
    data[i - 3] = (r + (r >> 8)) >> 8;
    data[i - 2] = (g + (g >> 8)) >> 8;
    data[i - 1] = (b + (b >> 8)) >> 8;
  }
}

/** The straight value of `premultiplied` under `alpha`: round(p × 255 / a), 0 where a is 0. */
export function straightValue(premultiplied: number, alpha: number): number {
  if (premultiplied >= alpha) return alpha === 0 ? 0 : 255;
  return Math.floor((premultiplied * 255 + (alpha >> 1)) / alpha);
}

let straightTable: Uint8Array | undefined;

/** Straight values indexed by `a << 8 | premultiplied`, for entire images. Built on first use, 64 KiB. */
export function straightValues(): Uint8Array {
  if (straightTable) return straightTable;
  const table = new Uint8Array(65536);
  for (let a = 1; a < 256; a++) {
    for (let p = 0; p < 256; p++) table[(a << 8) | p] = straightValue(p, a);
  }
  straightTable = table;
  return table;
}

/**
 * Returns the image with straight alpha, as other codecs expect it, at offset 0 of a separate buffer. An opaque image is the
 * same either way: the result is then the image's own data, which callers must not modify.
 */
export function straightPixels(pixmap: Pixmap): Uint8ClampedArray {
  if (pixmap.isOpaque()) return pixmap.data;
  const table = straightValues();
  const straight = pixmap.data.slice();
  for (let i = 3; i < straight.length; i += 4) {
    const a = straight[i];
    if (a === 255 || a === 0) continue;
    const row = a << 8;
    straight[i - 3] = table[row | straight[i - 3]];
    straight[i - 2] = table[row | straight[i - 2]];
    straight[i - 1] = table[row | straight[i - 1]];
  }
  return straight;
}
