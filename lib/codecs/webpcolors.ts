// The colours of a picture for an encoder that is not told of its transparency.
import { ALPHA_MASK, type Pixmap, packWord } from '../raster/pixmap.js';
import { straightPixels } from './alpha.js';

/** Pixels that are coded together, each way. */
const BLOCK = 16;

/**
 * Straight colours of a picture that is not opaque, each made opaque. What is clear takes the mean of what is seen in its
 * block, since halved colour and rounding spread over a block; where nothing is seen, that of the block before.
 */
export function solidColors(pixmap: Pixmap): Uint8ClampedArray {
  const { width, height } = pixmap;
  const data = straightPixels(pixmap);
  const words = new Uint32Array(data.buffer);
  let filling = ALPHA_MASK;
  for (let top = 0; top < height; top += BLOCK) {
    for (let left = 0; left < width; left += BLOCK) {
      const right = Math.min(left + BLOCK, width);
      const bottom = Math.min(top + BLOCK, height);
      let seen = 0;
      let [red, green, blue] = [0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left; i < y * width + right; i++) {
          if ((words[i] & ALPHA_MASK) === 0) continue;
          seen++;
          red += data[i * 4];
          green += data[i * 4 + 1];
          blue += data[i * 4 + 2];
        }
      }
      if (seen > 0) filling = packWord(Math.round(red / seen), Math.round(green / seen), Math.round(blue / seen), 255);
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left; i < y * width + right; i++) {
          words[i] = (words[i] & ALPHA_MASK) === 0 ? filling : words[i] | ALPHA_MASK;
        }
      }
    }
  }
  return data;
}
