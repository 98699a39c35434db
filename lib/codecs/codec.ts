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
  /** An SVG that has no ratio of its own, so that CSS gives it the whole of its box whatever `object-fit` says. */
  readonly ratioless?: true;
}

/** The pixels at which the whole of an SVG is drawn (rounded where they are fractions). */
export interface DrawnSize {
  readonly width: number;
  readonly height: number;
  /**
   * Whether this is also the viewport that the drawing lays itself out in, its own `preserveAspectRatio` deciding what
   * it leaves free, as CSS has it for `object-fit: fill`. Otherwise it is laid out at its own size, then scaled to this.
   */
  readonly exact?: boolean;
}

/** The most pixels that one picture may decode to, unless the caller says otherwise (SEMANTICS `ASSET_MAX_PIXELS`). */
export const MAX_PIXELS = 67_108_864;

export interface DecodeOptions {
  /** How large an SVG is drawn, its own size unless given; other formats don't look at it. */
  readonly size?: DrawnSize;
  /** The most pixels that may be decoded; default `MAX_PIXELS`. A bigger picture fails, a scalable one is drawn smaller. */
  readonly maxPixels?: number;
  /** SFNT files (TTF, OTF) for the text inside an SVG; without any, such text is not drawn. */
  readonly fonts?: readonly Uint8Array[];
}

export interface EncodeOptions {
  /** 1–100. PNG ignores it. */
  readonly quality: number;
}

/** Turns one format's bytes into premultiplied pixels. Throws RenderError `render_failed` on a broken file. */
export type Decode = (bytes: Uint8Array, options: DecodeOptions) => Promise<Pixmap>;

/** Turns pixels into one format's bytes. Never changes the pixmap. */
export type Encode = (pixmap: Pixmap, options: EncodeOptions) => Promise<Uint8Array>;
