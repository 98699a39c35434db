// The colours of a picture for an encoder that is not told of its transparency.
import { ALPHA_MASK, type Pixmap, packWord } from '../raster/pixmap.js';
import { straightPixels } from './alpha.js';

/** Pixels that are coded together, each way. */
const BLOCK = 16;

/**
 * Straight colours of a picture that is not opaque, each made opaque; of four pixels the fainter ones with the chroma of
 * the others (`weighFour`). What is clear takes the mean of what is seen in its block, since rounding spreads over a block;
 * where nothing is seen, that of the block before.
 */
export function solidColors(pixmap: Pixmap): Uint8ClampedArray {
  const { width, height } = pixmap;
  const data = straightPixels(pixmap);
  const words = new Uint32Array(data.buffer);
  weighChroma(data, words, width, height);
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

/** Goes through the pixels whose chroma is coded as one: two by two, where they are not equally opaque. */
function weighChroma(data: Uint8ClampedArray, words: Uint32Array, width: number, height: number): void {
  for (let y = 0; y < height; y += 2) {
    const below = y + 1 < height ? width : 0;
    for (let x = 0; x < width; x += 2) {
      const i = y * width + x;
      const right = x + 1 < width ? 1 : 0;
      const differing =
        (words[i] ^ words[i + right]) | (words[i] ^ words[i + below]) | (words[i] ^ words[i + below + right]);
      if ((differing & ALPHA_MASK) !== 0) weighFour(data, i, right, below, width);
    }
  }
}

/**
 * The encoder takes the plain mean of four pixels' chroma, and with it a shadow's black into the edge of what throws it. Told
 * of alpha, libwebp weighs them by it: so what is fainter than the others takes their weighted mean, the more the fainter, its
 * own luma kept. Measured against that, over three cards: opaque pixels at 0.88 to 1.03 of its squared error, 1.2 to 1.8 without.
 */
function weighFour(data: Uint8ClampedArray, first: number, right: number, below: number, width: number): void {
  let most = 0;
  let sum = 0;
  let [red, green, blue] = [0, 0, 0];
  for (let row = first; row <= first + below; row += width) {
    for (let at = row * 4; at <= (row + right) * 4; at += 4) {
      const alpha = data[at + 3];
      most = Math.max(most, alpha);
      sum += alpha;
      red += alpha * data[at];
      green += alpha * data[at + 1];
      blue += alpha * data[at + 2];
    }
  }
  red /= sum;
  green /= sum;
  blue /= sum;
  for (let row = first; row <= first + below; row += width) {
    for (let at = row * 4; at <= (row + right) * 4; at += 4) {
      const alpha = data[at + 3];
      if (alpha === 0 || alpha === most) continue;
      const share = Math.sqrt(1 - alpha / most);
      const lighter = luma(data[at], data[at + 1], data[at + 2]) - luma(red, green, blue);
      data[at] += share * (red + lighter - data[at]);
      data[at + 1] += share * (green + lighter - data[at + 1]);
      data[at + 2] += share * (blue + lighter - data[at + 2]);
    }
  }
}

const luma = (red: number, green: number, blue: number) => 0.299 * red + 0.587 * green + 0.114 * blue;
