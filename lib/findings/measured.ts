// What the render line hands to the findings: the layers of a scene after layout, with what was measured of each.
import type { Canvas } from '../contract/layers/canvas.js';
import type { Layer } from '../contract/layers/index.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { PreparedLayer } from '../layers/composite.js';
import type { Frame } from '../layers/frame.js';
import type { Picture } from '../layers/picture.js';
import type { PaintedText } from '../layers/text/text.js';

/** A picture, and the format of its file. */
export interface MeasuredPicture extends Picture {
  readonly format: string;
}

/** The parts that a layer's report has collected by the end of layout; hidden layers have none. */
export interface MeasuredParts {
  /** The layer with the box that layout gave it. */
  readonly layer?: Layer;
  readonly frame?: Frame;
  readonly prepared?: PreparedLayer;
  readonly picture?: MeasuredPicture | undefined;
  readonly text?: PaintedText;
  /** Messages about characters that no font has, with the paths that warnings have. */
  readonly missing?: readonly { readonly path: string; readonly message: string }[];
  readonly code?: PaintedCode;
}

export interface MeasuredLayer extends MeasuredParts {
  readonly path: string;
  /** The layer in the document; undefined if a variable brings it. */
  readonly recordPath: string | undefined;
  /** The hotspot's key; undefined for other layers. */
  readonly key: string | undefined;
  /** The fields that hold the value of a variable. */
  readonly filled: readonly string[];
  /** The layer as it was before layout. */
  readonly written: Layer;
  readonly layers: readonly MeasuredLayer[];
}

/** A scene after layout. */
export interface MeasuredScene {
  readonly canvas: Canvas;
  readonly layers: readonly MeasuredLayer[];
  /** Whether it is a document, which is read from near. */
  readonly isDocument: boolean;
}
