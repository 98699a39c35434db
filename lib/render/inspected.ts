// The result of an inspection as plain data: each layer's box and place on the canvas, the lines of texts, the visible part of
// pictures.
import type { Layer } from '../contract/layers/index.js';
import type { LayerCarets } from '../layers/text/carets.js';
import type { TextLine } from '../layers/text/lines.js';

/** `[x, y, width, height]` */
export type BoxTuple = readonly [x: number, y: number, width: number, height: number];

/** A transform in the order of CSS `matrix(a, b, c, d, e, f)`. */
export type MatrixTuple = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Inspected {
  /** The layers in drawing order; a group comes before its layers. */
  readonly layers: readonly InspectedLayer[];
  /** Carets of the requested text, if that text is drawn. */
  readonly carets?: TextCarets;
}

/** The caret positions of a text. */
export interface TextCarets extends LayerCarets {
  /** Path of the layer that has the text. */
  readonly path: string;
  readonly recordPath?: string;
  /** Whether the lines show this text as the raw layer has it, rather than the text of a variable or a placeholder. */
  readonly isEditable: boolean;
}

export interface InspectedLayer extends SceneInspection {
  /** Path in the form that warnings use: `layers[0]`, `layers[0].layers[2]`, `hotspots.KEY`, `background`. */
  readonly path: string;
  /** Path of the raw layer in the payload: `layers[3].layers[0]`, `hotspots[1]`. Absent if a variable supplies the layer. */
  readonly recordPath?: string;
  readonly id?: string;
  /** The hotspot's key; absent for other layers. */
  readonly key?: string;
  readonly type: Layer['type'];
}

export interface SceneInspection extends Partial<InspectedText>, Partial<InspectedImage> {
  /** The box after layout and before rotation, in CSS pixels of the canvas or of the rotated or mirrored group around it. */
  readonly box: BoxTuple;
  /** Maps the coordinates of `box`, after rotation and flip, to canvas pixels. */
  readonly transform: MatrixTuple;
  /** Canvas pixels that the layer may paint, without its shadows; has no width and height if it paints none. */
  readonly inkBox: BoxTuple;
  /** Whether the layer and the groups around it are all visible. */
  readonly isVisible: boolean;
  /** The alternative text that the payload gives it. */
  readonly alt?: string;
}

/** Part of an inspection that describes a text. Lengths are in the coordinates of the box. */
export interface InspectedText {
  /** Font size after autoFit. */
  readonly fontSize: number;
  /** The text's lines; empty for a text on a path. */
  readonly lines: readonly TextLine[];
  /** The fonts that its glyphs come from, such as `Inter 700`. */
  readonly fonts: readonly string[];
  /** Whether the text exceeds its box or its path. */
  readonly overflow: boolean;
}

/** Part of an inspection that describes a loaded image. */
export interface InspectedImage {
  /** Width and height in pixels after EXIF orientation. */
  readonly natural: readonly [width: number, height: number];
  /** The visible part of the picture, in the picture's pixels. */
  readonly source: BoxTuple;
  readonly bytes: number;
  readonly format: string;
}
