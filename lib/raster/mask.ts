// A window of the canvas with nothing but coverage in it: what a shadow is made of.
import type { Rect } from '../geometry/rect.js';

export class Mask {
  readonly width: number;
  readonly height: number;
  /** 0–255 a pixel, row by row. */
  readonly alpha: Uint8Array;

  /** `bounds`: the canvas pixels that it covers; whole numbers, not empty. */
  constructor(
    readonly bounds: Rect,
    alpha?: Uint8Array,
  ) {
    this.width = bounds.right - bounds.left;
    this.height = bounds.bottom - bounds.top;
    this.alpha = alpha ?? new Uint8Array(this.width * this.height);
  }
}
