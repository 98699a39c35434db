// A picture's header → the memory that its decoder will hold at its peak, the finished picture included. Nothing is decoded.
// Measured as the growth of a render process over 25 million pixels of each kind.
import type { ImageHeader } from './codec.js';
import { readHeader } from './header.js';
import { readAvifHeader } from './isobmff.js';
import { ordinaryForm } from './jpegform.js';
import { isUnusuallySampled, type JpegHeader, readJpegHeader } from './jpegheader.js';
import type { Orientation } from './orientation.js';
import { CHANNELS, readPngHeader } from './pngchunks.js';
import { readWebpHeader, webpCoding } from './webpheader.js';

/** RGBA as it comes out. */
const FINISHED = 4;
/** Bytes a pixel: libwebp's own copy beside ours; without loss its working copy too, and with alpha that of the alpha. */
const WEBP = { lossy: 9, lossless: 13, lossyWithAlpha: 14 } as const;
/** Planes, their conversion, its copy and ours. Measured 22 at 8 bits, 44 at 10, both 4:4:4. */
const AVIF = { shallow: 24, deep: 46 } as const;
/** Indexes beside the picture. */
const GIF = 5;
/**
 * A file of the ordinary kind is read row by row; whether it is whole, and so ordinary, its header does not say: large ones
 * are weighed as if they were not (8 in mozjpeg). Progressive ones hold coefficients, 14 at 4:4:4; unusually sampled ones, 15;
 * CMYK ones of any form but the ordinary one, 39.
 */
const JPEG = { ordinary: 4, large: 9, progressive: 14, unusual: 16, fourComponents: 40 } as const;
const LARGE_JPEG = 2 ** 24;

export interface Weight extends ImageHeader {
  /** Bytes for each pixel, at the peak. */
  readonly bytesPerPixel: number;
}

/** Throws RenderError `render_failed` when the bytes are no picture, or their header is broken. */
export function weigh(bytes: Uint8Array): Weight {
  const header = readHeader(bytes);
  return { ...header, bytesPerPixel: perPixel(header, bytes) };
}

function perPixel({ format }: ImageHeader, bytes: Uint8Array): number {
  switch (format) {
    case 'png': {
      const { depth, colorType, orientation } = readPngHeader(bytes);
      return FINISHED + (depth * CHANNELS.get(colorType)!) / 8 + turned(orientation);
    }
    case 'jpeg': {
      const header = readJpegHeader(bytes);
      return JPEG[kindOf(header, bytes)] + turned(header.orientation);
    }
    case 'webp': {
      const header = readWebpHeader(bytes);
      // an animation's frame is put on its canvas
      return WEBP[webpCoding(bytes, header)] + (header.animated ? FINISHED : 0);
    }
    case 'avif':
      return readAvifHeader(bytes).isDeep ? AVIF.deep : AVIF.shallow;
    case 'gif':
      return GIF;
    case 'svg':
      return FINISHED;
  }
}

/** The picture as stored and as shown. */
function turned(orientation: Orientation): number {
  return orientation === 1 ? 0 : FINISHED;
}

function kindOf(header: JpegHeader, bytes: Uint8Array): keyof typeof JPEG {
  if (header.components.length === 4) return ordinaryForm(bytes, header) ? 'ordinary' : 'fourComponents';
  if (isUnusuallySampled(header)) return 'unusual';
  if (header.isProgressive) return 'progressive';
  return header.width * header.height > LARGE_JPEG ? 'large' : 'ordinary';
}
