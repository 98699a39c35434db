// The facts about a painted code that are needed to read it back from the finished picture.
import type { Symbology } from '../../contract/layers/barcode.js';
import type { Affine } from '../../geometry/affine.js';
import type { Rect } from '../../geometry/rect.js';

export interface PaintedCode {
  readonly symbology: 'qrcode' | Symbology;
  /** The code's data, as scanners report it. */
  readonly data: string;
  /** The area of the modules, without quiet zone and text, in the coordinates of the layer's frame. */
  readonly symbol: Rect;
  readonly columns: number;
  /** 1 for a linear code. */
  readonly rows: number;
  /** `columns` × `rows` modules, row by row; 1 is dark. */
  readonly dark: Uint8Array;
  /** Maps the frame's coordinates to canvas pixels. */
  readonly toCanvas: Affine;
  /** Modules of light space that the standard asks for beside it. */
  readonly quietZone: number;
  /** Whether the edges of the modules lie between canvas pixels. */
  readonly isSnapped: boolean;
  /** The picture on the code, in the frame's coordinates. */
  readonly logo?: Rect;
}
