// Prepares the colours of an image with alpha for an encoder that ignores alpha.
import { ALPHA_MASK, type Pixmap, packWord } from '../../raster/pixmap.js';
import { straightPixels } from '../alpha.js';

/** Side of a macroblock in pixels. */
const MACROBLOCK = 16;

/**
 * Returns the straight colours of a non-opaque image, made opaque. In groups of four pixels, the less opaque ones get
 * the chroma of the others (`weightFour`). Transparent pixels get the mean of the visible pixels in their macroblock,
 * since quantization spreads errors over a block; if none is visible, the colour of the previous block.
 */
export function fillTransparent(pixmap: Pixmap): Uint8ClampedArray {
  const { width, height } = pixmap;
  const data = straightPixels(pixmap);
  const words = new Uint32Array(data.buffer);
  weightChroma(data, words, width, height);
  let fillColor = ALPHA_MASK;
  for (let top = 0; top < height; top += MACROBLOCK) {
    for (let left = 0; left < width; left += MACROBLOCK) {
      const right = Math.min(left + MACROBLOCK, width);
      const bottom = Math.min(top + MACROBLOCK, height);
      let visibleCount = 0;
      let [red, green, blue] = [0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left; i < y * width + right; i++) {
          if ((words[i] & ALPHA_MASK) === 0) continue;
          visibleCount++;
          red += data[i * 4];
          green += data[i * 4 + 1];
          blue += data[i * 4 + 2];
        }
      }
      if (visibleCount > 0)
        fillColor = packWord(
          Math.round(red / visibleCount),
          Math.round(green / visibleCount),
          Math.round(blue / visibleCount),
          255,
        );
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left; i < y * width + right; i++) {
          words[i] = (words[i] & ALPHA_MASK) === 0 ? fillColor : words[i] | ALPHA_MASK;
        }
      }
    }
  }
  return data;
}

/** Processes the 2 × 2 groups of pixels that share a chroma sample, where their alpha differs. */
function weightChroma(data: Uint8ClampedArray, words: Uint32Array, width: number, height: number): void {
  for (let y = 0; y < height; y += 2) {
    const below = y + 1 < height ? width : 0;
    for (let x = 0; x < width; x += 2) {
      const i = y * width + x;
      const right = x + 1 < width ? 1 : 0;
      const difference =
        (words[i] ^ words[i + right]) | (words[i] ^ words[i + below]) | (words[i] ^ words[i + below + right]);
      if ((difference & ALPHA_MASK) !== 0) weightFour(data, i, right, below, width);
    }
  }
}

/**
 * The encoder averages the chroma of four pixels without weights, which mixes a shadow's black into the edge of the
 * shape that casts it. Given alpha, libwebp weights by it. So each pixel less opaque than the others moves towards
 * their alpha-weighted mean, the more the less opaque it is, keeping its own luma. Measured against libwebp's
 * weighting, over three cards: opaque pixels at 0.88 to 1.03 of its squared error; 1.2 to 1.8 without this.
 */
function weightFour(data: Uint8ClampedArray, first: number, right: number, below: number, width: number): void {
  let maxAlpha = 0;
  let sum = 0;
  let [red, green, blue] = [0, 0, 0];
  for (let row = first; row <= first + below; row += width) {
    for (let at = row * 4; at <= (row + right) * 4; at += 4) {
      const alpha = data[at + 3];
      maxAlpha = Math.max(maxAlpha, alpha);
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
      if (alpha === 0 || alpha === maxAlpha) continue;
      const weight = Math.sqrt(1 - alpha / maxAlpha);
      const lumaDifference = luma(data[at], data[at + 1], data[at + 2]) - luma(red, green, blue);
      data[at] += weight * (red + lumaDifference - data[at]);
      data[at + 1] += weight * (green + lumaDifference - data[at + 1]);
      data[at + 2] += weight * (blue + lumaDifference - data[at + 2]);
    }
  }
}

const luma = (red: number, green: number, blue: number) => 0.299 * red + 0.587 * green + 0.114 * blue;
