// The description of a payload: the result of `inspect`, and with `success` and `creditsCost` the answer of `POST /v1/inspect`.
import type { Warning } from '../errors.js';
import type { LayerType } from './layers/index.js';

/** `[x, y, width, height]` in pixels of the image. */
export type InspectedBox = readonly [x: number, y: number, width: number, height: number];

/**
 * A description, without the image, of what a render of the payload would draw. Lengths are rounded to hundredths of a pixel.
 */
export interface Inspection {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** Warnings of a render, except about codes that can't be read back from the image. At most 100. */
  readonly warnings: readonly Warning[];
  /** Layers in drawing order; a group comes before its layers. */
  readonly layers: readonly LayerInspection[];
  readonly timings: InspectionTimings;
}

/** Milliseconds, to a tenth. */
export interface InspectionTimings {
  /** Checking the payload, and filling a template. */
  readonly check: number;
  /** Fetching and decoding images and fonts. Layouts of groups are found here too. */
  readonly load: number;
  /** Laying out texts and the other layers. */
  readonly layout: number;
}

/** The description of a layer. Fields of texts and images are absent from other layers. */
export interface LayerInspection extends Partial<TextInspection>, Partial<ImageInspection> {
  /**
   * Path in the form that warnings use: `layers[0]`, `layers[0].layers[2]`; in templates also `hotspots.KEY` and `background`.
   */
  readonly path: string;
  /** The layer's id from the payload. */
  readonly id?: string;
  readonly type: LayerType;
  /** Box after layout, before the rotation of the layer and of the groups around it. */
  readonly box: InspectedBox;
  /**
   * Pixels that the layer may paint, without its shadows; has no width and height if it paints nothing. May exceed the image.
   */
  readonly inkBox: InspectedBox;
  /** `false` if the layer, or a group that it is in, is hidden; absent otherwise. */
  readonly visible?: false;
}

/** The description of a text that is drawn. */
export interface TextInspection {
  /** Font size in the payload's pixels, after autoFit. */
  readonly fontSize: number;
  /** Lines from top to bottom; none for a text on a path. An inspection has at most 10,000 lines with 1,000,000 characters. */
  readonly lines: readonly InspectedLine[];
  /** Number of further lines, if any. */
  readonly moreLines?: number;
  /** Fonts that its glyphs come from: `Inter 700`, `Playfair Display 400 italic`. */
  readonly fonts: readonly string[];
  /** Whether the text exceeds its box, or its path. */
  readonly overflow: boolean;
}

/** A line, before rotation like the box, without the blanks that hang at its end. */
export interface InspectedLine {
  readonly text: string;
  readonly x: number;
  /** The top of the line box. */
  readonly y: number;
  readonly width: number;
  /** The y of the baseline. */
  readonly baseline: number;
}

/** The description of an image that was loaded. */
export interface ImageInspection {
  /** Width and height in pixels, after the EXIF orientation. */
  readonly natural: readonly [width: number, height: number];
  /** The part of the image that is shown, in its own pixels. */
  readonly source: InspectedBox;
  /** Size of the file. */
  readonly bytes: number;
  /** `png`, `jpeg`, `webp`, `avif`, `gif` or `svg`. */
  readonly format: string;
}
