// Reads an image's header: its format, its displayed size, and what its decoder needs. Runs no decoder, allocates nothing
// large. One header serves the size checks, the memory estimate and the decoder.
import { RenderError } from '../errors.js';
import { type AvifHeader, readAvifHeader } from './avif/boxes.js';
import type { InputFormat } from './codec.js';
import { type GifHeader, readGifHeader } from './gif/decode.js';
import { type JpegHeader, readJpegHeader } from './jpeg/header.js';
import { type Orientation, swapsSides } from './orientation.js';
import { type PngHeader, readPngHeader } from './png/chunks.js';
import { describe, sniff } from './sniff.js';
import { readSvgRoot, type SvgRoot } from './svg/root.js';
import { readWebpHeader, type WebpHeader } from './webp/header.js';

/** The header of each format, as its decoder takes it. */
interface FormatHeaders {
  readonly png: PngHeader;
  readonly jpeg: JpegHeader;
  readonly webp: WebpHeader;
  readonly avif: AvifHeader;
  readonly gif: GifHeader;
  readonly svg: SvgRoot;
}

interface DisplayedSize {
  /**
   * Size in pixels as displayed, so after the EXIF (or AVIF irot) orientation. For an SVG, its CSS size (may be
   * fractional).
   */
  readonly width: number;
  readonly height: number;
  /** An SVG without an intrinsic aspect ratio: CSS then stretches it to its box, whatever `object-fit` says. */
  readonly noAspectRatio?: true;
}

/** The declarations in a file's header, read without decoding pixels. */
export type ImageHeader = {
  [Format in InputFormat]: DisplayedSize & {
    readonly format: Format;
    /** The header as the format has it, with the size as stored. */
    readonly stored: FormatHeaders[Format];
  };
}[InputFormat];

/**
 * Reads the header of an image of this format, as `sniff` finds it. Throws RenderError `render_failed` if the bytes are
 * not an image or the header is malformed.
 */
export function readHeader(bytes: Uint8Array, format = sniff(bytes)): ImageHeader {
  switch (format) {
    case 'png':
      return withDisplayedSize(format, readPngHeader(bytes));
    case 'jpeg':
      return withDisplayedSize(format, readJpegHeader(bytes));
    case 'webp':
      return withDisplayedSize(format, readWebpHeader(bytes));
    case 'avif':
      return withDisplayedSize(format, readAvifHeader(bytes));
    case 'gif':
      return withDisplayedSize(format, readGifHeader(bytes));
    case 'svg': {
      const stored = readSvgRoot(bytes);
      const { width, height, hasRatio } = stored;
      return { format, width, height, ...(!hasRatio && { noAspectRatio: true }), stored };
    }
    case undefined: {
      const expected = 'expected a PNG, JPEG, WebP, AVIF, GIF or SVG image';
      throw new RenderError('render_failed', `${expected}, received ${describe(bytes)}`);
    }
  }
}

function withDisplayedSize<
  Format extends InputFormat,
  Stored extends { readonly width: number; readonly height: number; readonly orientation?: Orientation },
>(format: Format, stored: Stored) {
  const { width, height, orientation } = stored;
  const isTurned = orientation !== undefined && swapsSides(orientation);
  return { format, width: isTurned ? height : width, height: isTurned ? width : height, stored };
}
