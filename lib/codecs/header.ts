// Reads an image's format and displayed size from its header alone: runs no decoder, allocates nothing large.
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

/** Format and size. Throws RenderError `render_failed` if the bytes are not an image or the header is malformed. */
export function readHeader(bytes: Uint8Array): ImageHeader {
  const format = sniff(bytes);
  if (!format) {
    const expected = 'expected a PNG, JPEG, WebP, AVIF, GIF or SVG image';
    throw new RenderError('render_failed', `${expected}, received ${describe(bytes)}`);
  }
  return { format, ...displayedSize(format, bytes) };
}

function displayedSize(format: InputFormat, bytes: Uint8Array): Omit<ImageHeader, 'format'> {
  switch (format) {
    case 'png':
      return orientedSize(readPngHeader(bytes));
    case 'jpeg':
      return orientedSize(readJpegHeader(bytes));
    case 'webp':
      return orientedSize(readWebpHeader(bytes));
    case 'avif':
      return orientedSize(readAvifHeader(bytes));
    case 'gif':
      return orientedSize(readGifHeader(bytes));
    case 'svg': {
      const { width, height, hasRatio } = readSvgRoot(bytes);
      return { width, height, ...(!hasRatio && { ratioless: true }) };
    }
  }
}

function orientedSize({ width, height, orientation }: { width: number; height: number; orientation?: Orientation }) {
  return orientation && swapsSides(orientation) ? { width: height, height: width } : { width, height };
}
