// What became of each layer, as plain data: its box, where it lies on the canvas, the lines of texts, the shown part of pictures.
import type { LayerType } from '../contract/layers/index.js';
import type { LayerCarets } from '../layers/text/carets.js';
import type { TextLine } from '../layers/text/lines.js';

/** `[x, y, width, height]` */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** As CSS `matrix(a, b, c, d, e, f)`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Inspected {
  /** In drawing order, groups before the layers in them. */
  readonly layers: readonly InspectedLayer[];
  /** Of the text that was asked for, if it is one that is drawn. */
  readonly carets?: TextCarets;
}

/** Where a caret can be in a text. */
export interface TextCarets extends LayerCarets {
  /** Those of the layer. */
  readonly path: string;
  readonly recordPath?: string;
  /** Whether the lines show this text, and it is that of the raw layer: not that of a variable or a placeholder. */
  readonly isEditable: boolean;
}

export interface InspectedLayer extends Inspection {
  /** As in warnings: `layers[0]`, `layers[0].layers[2]`, `hotspots.KEY`, `background`. */
  readonly path: string;
  /** The place of the raw layer in the payload: `layers[3].layers[0]`, `hotspots[1]`. Absent where a variable brings the layer. */
  readonly recordPath?: string;
  readonly id?: string;
  /** Of a hotspot. */
  readonly key?: string;
  readonly type: LayerType;
}

export interface Inspection extends Partial<InspectedText>, Partial<InspectedImage> {
  /** After layout, before rotation: in CSS pixels of the canvas, or of the turned or mirrored group that it is in. */
  readonly box: Box;
  /** Maps the coordinates of `box`, after rotation and flip, to canvas pixels. */
  readonly transform: Matrix;
  /** Canvas pixels that the layer may paint, without its shadows; without width and height if it paints none. */
  readonly inkBox: Box;
  /** Whether neither the layer nor a group that it is in is hidden. */
  readonly isVisible: boolean;
}

/** Of texts. Lengths are in the coordinates of the box. */
export interface InspectedText {
  /** After autoFit. */
  readonly fontSize: number;
  /** None for a text on a path. */
  readonly lines: readonly TextLine[];
  /** Those that its glyphs are from: `Inter 700`. */
  readonly fonts: readonly string[];
  /** Whether it exceeds its box, or its path. */
  readonly overflow: boolean;
}

/** Of images that were loaded. */
export interface InspectedImage {
  /** Width and height in pixels after EXIF orientation. */
  readonly natural: readonly [width: number, height: number];
  /** The part of the picture that is shown, in its own pixels. */
  readonly source: Box;
  readonly bytes: number;
  readonly format: string;
}
