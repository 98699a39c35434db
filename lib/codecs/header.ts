// A picture's bytes → format and size as shown, from the header alone. No decoder sees a byte, nothing large is allocated.
import { RenderError } from '../errors.js';
import type { ImageHeader, InputFormat } from './codec.js';
import { readGifHeader } from './gif.js';
import { readAvifHeader } from './isobmff.js';
import { readJpegHeader } from './jpegheader.js';
import { type Orientation, swapsSides } from './orientation.js';
import { readPngHeader } from './pngchunks.js';
import { describe, sniff } from './sniff.js';
import { readSvgRoot } from './svgroot.js';
import { readWebpHeader } from './webpheader.js';

/** Format and size. Throws RenderError `render_failed` when the bytes are no picture, or their header is broken. */
export function readHeader(bytes: Uint8Array): ImageHeader {
  const format = sniff(bytes);
  if (!format) {
    const expected = 'expected a PNG, JPEG, WebP, AVIF, GIF or SVG picture';
    throw new RenderError('render_failed', `${expected}, received ${describe(bytes)}`);
  }
  return { format, ...shownSize(format, bytes) };
}

function shownSize(format: InputFormat, bytes: Uint8Array): Omit<ImageHeader, 'format'> {
  switch (format) {
    case 'png':
      return stored(readPngHeader(bytes));
    case 'jpeg':
      return stored(readJpegHeader(bytes));
    case 'webp':
      return stored(readWebpHeader(bytes));
    case 'avif':
      return stored(readAvifHeader(bytes));
    case 'gif':
      return stored(readGifHeader(bytes));
    case 'svg': {
      const { width, height, hasRatio } = readSvgRoot(bytes);
      return { width, height, ...(!hasRatio && { ratioless: true }) };
    }
  }
}

function stored({ width, height, orientation }: { width: number; height: number; orientation?: Orientation }) {
  return orientation && swapsSides(orientation) ? { width: height, height: width } : { width, height };
}
