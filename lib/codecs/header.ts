// Reads an image's format and displayed size from its header alone: runs no decoder, allocates nothing large.
import { RenderError } from '../errors.js';
import { readAvifHeader } from './avif/boxes.js';
import type { ImageHeader, InputFormat } from './codec.js';
import { readGifHeader } from './gif/decode.js';
import { readJpegHeader } from './jpeg/header.js';
import { type Orientation, swapsSides } from './orientation.js';
import { readPngHeader } from './png/chunks.js';
import { describe, sniff } from './sniff.js';
import { readSvgRoot } from './svg/root.js';
import { readWebpHeader } from './webp/header.js';

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
      return { width, height, ...(!hasRatio && { noAspectRatio: true }) };
    }
  }
}

function orientedSize({ width, height, orientation }: { width: number; height: number; orientation?: Orientation }) {
  return orientation && swapsSides(orientation) ? { width: height, height: width } : { width, height };
}
