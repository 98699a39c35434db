// The image of a region of the canvas as a scanner's camera sees it: its luma, on white where the canvas is transparent.
import type { Rect } from '../geometry/rect.js';
import type { Pixmap } from '../raster/pixmap.js';

export interface GreyImage {
  readonly width: number;
  readonly height: number;
  /** 0 (black) to 255, row by row. */
  readonly data: Uint8Array;
}

/**
 * The luma (ITU-R BT.601, as scanners compute it) of `region`, whose edges are whole pixels inside the canvas. `step` × `step`
 * pixels are averaged into one; an incomplete last column or row is left out.
 */
export function greyImage({ data, width: stride }: Pixmap, region: Rect, step = 1): GreyImage {
  const width = Math.floor((region.right - region.left) / step);
  const height = Math.floor((region.bottom - region.top) / step);
  const grey = new Uint8Array(width * height);
  const sums = new Uint32Array(width);
  const divisor = 1024 * step * step;
  for (let row = 0, o = 0; row < height; row++) {
    sums.fill(divisor / 2);
    for (let y = 0; y < step; y++) {
      let i = 4 * ((region.top + row * step + y) * stride + region.left);
      for (let column = 0; column < width; column++) {
        let sum = 0;
        for (let x = 0; x < step; x++, i += 4) {
          // premultiplied: adding what alpha lacks of 255 puts the pixel on white
          sum += 306 * data[i] + 601 * data[i + 1] + 117 * data[i + 2] + 1024 * (255 - data[i + 3]);
        }
        sums[column] += sum;
      }
    }
    for (let column = 0; column < width; column++, o++) grey[o] = sums[column] / divisor;
  }
  return { width, height, data: grey };
}

/** The image at `factor` (0–1) of its size; each pixel is the mean of what it covers. */
export function reduce({ data, width, height }: GreyImage, factor: number): GreyImage {
  const across = weights(width, Math.max(1, Math.floor(width * factor)));
  const down = weights(height, Math.max(1, Math.floor(height * factor)));
  const reduced = new Uint8Array(across.length * down.length);
  const narrow = new Float64Array(across.length * height);
  for (let y = 0, o = 0; y < height; y++) {
    for (const { first, parts } of across) {
      let sum = 0;
      for (let i = 0; i < parts.length; i++) sum += parts[i] * data[y * width + first + i];
      narrow[o++] = sum;
    }
  }
  let o = 0;
  for (const { first, parts } of down) {
    for (let x = 0; x < across.length; x++) {
      let sum = 0.5;
      for (let i = 0; i < parts.length; i++) sum += parts[i] * narrow[(first + i) * across.length + x];
      reduced[o++] = sum;
    }
  }
  return { width: across.length, height: down.length, data: reduced };
}

/** Returns the pixels that each of `count` pixels covers in place of `length`, and their shares of its value. */
function weights(length: number, count: number): { readonly first: number; readonly parts: readonly number[] }[] {
  const size = length / count;
  return Array.from({ length: count }, (_, i) => {
    const [start, end] = [i * size, Math.min(length, (i + 1) * size)];
    const first = Math.floor(start);
    const parts: number[] = [];
    for (let at = first; at < end; at++) parts.push((Math.min(at + 1, end) - Math.max(at, start)) / size);
    return { first, parts };
  });
}
