// A window of the canvas with nothing but coverage in it: what a shadow is made of.
import type { Rect } from '../geometry/rect.js';

export class Mask {
  readonly width: number;
  readonly height: number;
  /** 0–255 a pixel, row by row. */
  readonly alpha: Uint8Array;

  /**
   * `bounds`: the canvas pixels that it covers; whole numbers, not empty. `step`: how many of the canvas's rows each row
   * stands for, itself the first of them; other than 1 only in what is to be blurred.
   */
  constructor(
    readonly bounds: Rect,
    alpha?: Uint8Array,
    readonly step = 1,
  ) {
    this.width = bounds.right - bounds.left;
    this.height = Math.ceil((bounds.bottom - bounds.top) / step);
    this.alpha = alpha ?? new Uint8Array(this.width * this.height);
  }
}
