// A picture that a layer shows: its pixels, and the size that determines its place.
import type { Rect } from '../geometry/rect.js';
import type { PictureFile } from '../paint/target.js';
import type { Pixmap } from '../raster/pixmap.js';

/** An image's intrinsic size, which determines its place in the box. */
export interface NaturalSize {
  readonly width: number;
  readonly height: number;
  /** Set for an SVG without an aspect ratio: every `fit` stretches it to the whole box. */
  readonly noAspectRatio?: boolean;
}

export interface Picture {
  readonly pixmap: Pixmap;
  /** The file, if documents can contain it. */
  readonly original?: PictureFile | undefined;
  /** Differs from the pixmap's for an SVG, which is rasterized at the size shown. */
  readonly natural: NaturalSize;
  /** Whether the pixels are only those of the `part` at its painted size. */
  readonly isCut?: boolean;
}

/** The size in canvas pixels at which a whole picture is painted. */
export interface PaintedSize {
  readonly width: number;
  readonly height: number;
  /** Whether the size is also the viewport that an SVG lays itself out in, as with `fit: fill`. */
  readonly exact: boolean;
  /**
   * The part of the picture that has this size, in the picture's pixels; by default, the whole picture. Only SVGs are cut so
   * early.
   */
  readonly part?: Rect;
}
