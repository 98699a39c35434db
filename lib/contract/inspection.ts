// What an inspection says of a payload: the result of `inspect`, and with `success` and `creditsCost` the answer of
// `POST /v1/inspect`.
import type { Warning } from '../errors.js';
import type { LayerType } from './layers/index.js';

/** `[x, y, width, height]` in pixels of the image. */
export type InspectedBox = readonly [x: number, y: number, width: number, height: number];

/** What a render of the payload would draw, without the image. Lengths are rounded to hundredths of a pixel. */
export interface Inspection {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** Those of a render, except about codes that can't be read back from the image. At most 100. */
  readonly warnings: readonly Warning[];
  /** In drawing order, groups before the layers in them. */
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

/** What became of one layer. Fields of texts and images are absent from other layers. */
export interface LayerInspection extends Partial<TextInspection>, Partial<ImageInspection> {
  /** As in warnings: `layers[0]`, `layers[0].layers[2]`; in templates also `hotspots.KEY` and `background`. */
  readonly path: string;
  /** As the layer was given. */
  readonly id?: string;
  readonly type: LayerType;
  /** After layout, before the rotation of the layer and of the groups that it is in. */
  readonly box: InspectedBox;
  /** What the layer may paint, without its shadows; without width and height if it paints nothing. May exceed the image. */
  readonly inkBox: InspectedBox;
  /** `false` if the layer, or a group that it is in, is hidden; absent otherwise. */
  readonly visible?: false;
}

/** What is known of a text that is drawn. */
export interface TextInspection {
  /** In the payload's pixels, after autoFit. */
  readonly fontSize: number;
  /** From top to bottom; none for a text on a path. An inspection has at most 10,000 lines with 1,000,000 characters. */
  readonly lines: readonly InspectedLine[];
  /** How many further lines there are, if any. */
  readonly moreLines?: number;
  /** Those that its glyphs are from: `Inter 700`, `Playfair Display 400 italic`. */
  readonly fonts: readonly string[];
  /** Whether the text exceeds its box, or its path. */
  readonly overflow: boolean;
}

/** One line, before rotation as the box. Blanks that hang at its end are no part of it. */
export interface InspectedLine {
  readonly text: string;
  readonly x: number;
  /** The top of the line box. */
  readonly y: number;
  readonly width: number;
  /** The y of the baseline. */
  readonly baseline: number;
}

/** What is known of an image that was loaded. */
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
