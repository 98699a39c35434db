// Estimates from an image's header the peak memory of decoding it, including the decoded image. Measured as the growth
// of a render process while it decodes 25 million pixels of each kind.

import type { ImageHeader } from './header.js';
import { baselineLayout } from './jpeg/baseline-layout.js';
import { isUnusuallySampled, type JpegHeader } from './jpeg/header.js';
import type { Orientation } from './orientation.js';
import { CHANNELS } from './png/chunks.js';
import { profileBytes } from './profile/declared.js';
import { webpCoding } from './webp/header.js';

/** The decoded RGBA image. */
const RGBA_BYTES = 4;
/**
 * Bytes per pixel: libwebp's own copy and ours; for lossless also its working copy, and with alpha that of the alpha.
 */
const WEBP = { lossy: 9, lossless: 13, lossyWithAlpha: 14 } as const;
/** Planes, their conversion, its copy and ours. Measured 22 at 8 bits and 44 at 10, both 4:4:4. */
const AVIF = { shallow: 24, deep: 46 } as const;
/** Indexes and the decoded image. */
const GIF = 5;
/**
 * A baseline file is decoded row by row. Its header does not tell whether it is complete, and so whether the kernels
 * can decode it: large files are estimated as if they cannot (8 in mozjpeg). Progressive files hold coefficients, 14 at
 * 4:4:4; files with unusual sampling factors, 15; CMYK that is not baseline, 39.
 */
const JPEG = { baseline: 4, large: 9, progressive: 14, unusual: 16, fourComponents: 40 } as const;
const LARGE_JPEG = 2 ** 24;

/** Peak bytes per pixel of decoding the image. Throws RenderError `render_failed` if the file ends too early to tell. */
export function decodeBytesPerPixel(bytes: Uint8Array, { format, stored }: ImageHeader): number {
  switch (format) {
    case 'png':
      return RGBA_BYTES + (stored.depth * CHANNELS.get(stored.colorType)!) / 8 + orientationBytes(stored.orientation);
    case 'jpeg':
      return JPEG[kindOf(stored, bytes)] + orientationBytes(stored.orientation);
    case 'webp':
      // an animation's frame is copied to its canvas
      return WEBP[webpCoding(bytes, stored)] + (stored.isAnimated ? RGBA_BYTES : 0);
    case 'avif':
      return stored.isDeep ? AVIF.deep : AVIF.shallow;
    case 'gif':
      return GIF;
    case 'svg':
      return RGBA_BYTES;
  }
}

/** Bytes that reading the image's colour profile takes, whatever its size. Converting the pixels takes none. */
export function profileMemory({ stored }: ImageHeader): number {
  return 'colors' in stored ? profileBytes(stored.colors) : 0;
}

/** Rotating holds the image as stored and as displayed. */
function orientationBytes(orientation: Orientation): number {
  return orientation === 1 ? 0 : RGBA_BYTES;
}

function kindOf(header: JpegHeader, bytes: Uint8Array): keyof typeof JPEG {
  if (header.components.length === 4) return baselineLayout(bytes, header) ? 'baseline' : 'fourComponents';
  if (isUnusuallySampled(header)) return 'unusual';
  if (header.isProgressive) return 'progressive';
  return header.width * header.height > LARGE_JPEG ? 'large' : 'baseline';
}
