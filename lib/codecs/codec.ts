// Types that all codecs share. Formats are detected by content, never by file name.
import type { Rect } from '../geometry/rect.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { CheckTime } from '../stage-budget.js';
import type { ColorTransform } from './profile/transform.js';

/** Formats of pictures. */
export type OutputFormat = 'png' | 'jpeg' | 'webp' | 'avif';
/** Formats of vector documents. */
export type DocumentFormat = 'svg' | 'pdf';
/** The formats of files that a render makes. */
export type FileFormat = OutputFormat | DocumentFormat;
export type InputFormat = OutputFormat | 'gif' | 'svg';

/** The size in pixels at which an SVG is rasterized (rounded if fractional). */
export interface DrawnSize {
  readonly width: number;
  readonly height: number;
  /**
   * Whether this is also the viewport that the SVG is laid out in, with its own `preserveAspectRatio` deciding how it
   * fits, as CSS defines `object-fit: fill`. Otherwise it is laid out at its own size, then scaled to this size.
   */
  readonly exact?: boolean;
  /** The part that has this size, in the CSS pixels of the whole SVG and inside it; by default, the whole SVG. */
  readonly part?: Rect;
}

/** Default maximum of pixels that one image may decode to (setting `ASSET_MAX_PIXELS`). */
export const MAX_PIXELS = 67_108_864;

export interface DecodeOptions {
  /** Size at which an SVG is rasterized; its own size by default. Other formats ignore it. */
  readonly size?: DrawnSize;
  /** Maximum pixels to decode; default `MAX_PIXELS`. A larger raster image fails; an SVG is rasterized smaller. */
  readonly maxPixels?: number;
  /** SFNT files (TTF, OTF) for text inside an SVG; without any, such text is not drawn. */
  readonly fonts?: readonly Uint8Array[];
  /** Polled where the time of a decoder is not bounded by the size of the image. */
  readonly check?: CheckTime;
}

/** Options of a decoder: the caller's, and the known facts about the file. */
export interface DecoderOptions extends DecodeOptions {
  /** Makes the colours sRGB, if they are not: for straight alpha, so before colours are premultiplied. */
  readonly toSrgb?: ColorTransform;
}

export interface EncodeOptions {
  /** 1–100. PNG ignores it. */
  readonly quality: number;
  /** Pixels per inch to note in the file. */
  readonly dpi?: number | undefined;
  /** Whether WebP and AVIF lose nothing, whatever `quality` says. */
  readonly lossless?: boolean | undefined;
  /** What the picture shows, to note in the file. AVIF ignores it; empty notes nothing. */
  readonly description?: string | undefined;
}

/**
 * Decodes one format to premultiplied pixels. `header` is the file's, already read and checked against the limits. Throws
 * RenderError `render_failed` for a malformed file.
 */
export type Decode<Header> = (bytes: Uint8Array, header: Header, options: DecoderOptions) => Promise<Pixmap>;

export function isDocumentFormat(format: FileFormat): format is DocumentFormat {
  return format === 'svg' || format === 'pdf';
}

/** The media type of a file. */
export function mimeTypeOf(format: FileFormat): string {
  if (format === 'pdf') return 'application/pdf';
  return format === 'svg' ? 'image/svg+xml' : `image/${format}`;
}

/** Encodes pixels in one format. Never modifies the pixmap. */
export type Encode = (pixmap: Pixmap, options: EncodeOptions) => Promise<Uint8Array>;
