// What the codecs have in common: one file per format behind these shapes, each fed by content, never by file name.
import type { Pixmap } from '../raster/pixmap.js';

export type OutputFormat = 'png' | 'jpeg' | 'webp' | 'avif';
export type InputFormat = OutputFormat | 'gif' | 'svg';

/** What a file's header says, read without decoding a pixel. */
export interface ImageHeader {
  readonly format: InputFormat;
  /** Size in pixels as shown, so after the EXIF (or AVIF irot) orientation. An SVG's is its CSS size (may be fractional). */
  readonly width: number;
  readonly height: number;
}

/** `size`: the pixels at which the whole picture will be shown; only scalable formats (SVG) look at it. */
export interface DecodeOptions {
  readonly size?: { readonly width: number; readonly height: number };
}

export interface EncodeOptions {
  /** 1–100. PNG ignores it. */
  readonly quality: number;
}

/** Turns one format's bytes into premultiplied pixels. Throws RenderError `render_failed` on a broken file. */
export type Decode = (bytes: Uint8Array, options: DecodeOptions) => Promise<Pixmap>;

/** Turns pixels into one format's bytes. Never changes the pixmap. */
export type Encode = (pixmap: Pixmap, options: EncodeOptions) => Promise<Uint8Array>;
