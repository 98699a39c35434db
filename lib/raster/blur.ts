// Gaussian blur of a mask, at a cost that does not grow with the radius.
// A wide Gaussian removes fine detail, so it runs on a mask downsampled by a power of two, where its standard deviation is
// 2 to 4 cells, and the result is upsampled bilinearly. Both steps blur a little too: their variances are subtracted.
import { exp } from '../geometry/math.js';
import { expand, intersect, isEmpty, type Rect, roundOut } from '../geometry/rect.js';
import { convolve, type FloatGrid } from './convolve.js';
import { Mask } from './mask.js';

/** Standard deviations at which the kernel is cut off; the tails beyond hold 0.3 % of the weight. */
const REACH = 3;
/** The smallest standard deviation on the downsampled mask, in cells: bilinear upsampling is then under 1 % off the true curve. */
const MIN_CELLS = 2;

/** Whole pixels by which a blur of standard deviation `sigma` spreads ink. */
export function blurReach(sigma: number): number {
  return sigma > 0 ? Math.ceil(REACH * sigma) + 1 : 0;
}

/** The standard deviation of the widest blur that layers may ask for without a transform; wider ones are drawn like it. */
export const MAX_SIGMA = 40_000;

/** Rows per band of a full-resolution blur. */
const BAND_ROWS = 256;

/** Mask rows sampled per cell of a very wide blur: edges then shift by at most a 64th of a cell. */
const ROWS_PER_CELL = 32;

/** The largest row step (`Mask.step`) that a mask to be blurred may have; 1 below a standard deviation of 128 pixels. */
export function rowStep(sigma: number): number {
  return Math.max(1, shrinkFactor(sigma) / ROWS_PER_CELL);
}

function shrinkFactor(sigma: number): number {
  let factor = 1;
  while (sigma / (factor * 2) >= MIN_CELLS) factor *= 2;
  return factor;
}

/** Blurs `mask` with a standard deviation of `sigma` pixels. Returns the part inside `clip`; undefined when that is empty. */
export function blur(mask: Mask, sigma: number, clip: Rect): Mask | undefined {
  const bounds = intersect(roundOut(expand(mask.bounds, blurReach(sigma))), clip);
  if (isEmpty(bounds)) return undefined;
  const out = new Mask(bounds);
  const factor = shrinkFactor(sigma);
  if (factor === 1) {
    blurFine(mask, gaussian(sigma), out);
    return out;
  }
  const shrunk = shrink(mask, factor);
  const kernel = gaussian(remainingSigma(sigma, factor));
  const left = Math.floor((bounds.left - mask.bounds.left + 0.5) / factor - 0.5);
  const top = Math.floor((bounds.top - mask.bounds.top + 0.5) / factor - 0.5);
  const right = Math.ceil((bounds.right - mask.bounds.left) / factor) + 1;
  const bottom = Math.ceil((bounds.bottom - mask.bounds.top) / factor) + 1;
  const cells = convolve(shrunk, kernel, { left, top, right, bottom });
  const fromLeft = bounds.left - mask.bounds.left - left * factor;
  const fromTop = bounds.top - mask.bounds.top - top * factor;
  readBack(cells, factor, fromLeft, fromTop, out);
  return out;
}

/** Blurs at full resolution, in bands: a whole mask in floating point would take eight times its memory. */
function blurFine(mask: Mask, kernel: Float32Array, out: Mask): void {
  const reach = kernel.length - 1;
  const left = out.bounds.left - mask.bounds.left;
  for (let y = 0; y < out.height; y += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, out.height - y);
    const top = out.bounds.top - mask.bounds.top + y;
    const first = Math.max(0, top - reach);
    const end = Math.min(mask.height, top + rows + reach);
    // none of the mask's rows reaches this band
    if (first >= end) continue;
    const { bounds, width, alpha } = mask;
    const band = { ...bounds, top: bounds.top + first, bottom: bounds.top + end };
    const part = shrink(new Mask(band, alpha.subarray(first * width, end * width)), 1);
    const region = { left, right: left + out.width, top: top - first, bottom: top - first + rows };
    const { values } = convolve(part, kernel, region);
    const to = y * out.width;
    for (let i = 0; i < values.length; i++) out.alpha[to + i] = values[i] + 0.5;
  }
}

/** The standard deviation, in cells, left for the kernel: less the box filter of downsampling and the tent of upsampling. */
function remainingSigma(sigma: number, factor: number): number {
  const boxes = (1 - 1 / (factor * factor)) / 12;
  const tents = 1 / 6;
  const cells = sigma / factor;
  return Math.sqrt(cells * cells - boxes - tents);
}

/** The right half of a normalised Gaussian kernel: weights at 0, 1, 2 … cells from its centre. */
function gaussian(sigma: number): Float32Array {
  const weights = new Float32Array(Math.ceil(REACH * sigma) + 1);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    weights[i] = exp(-(i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[0] : 2 * weights[i];
  }
  return weights.map((weight) => weight / sum);
}

/** Averages factor × factor pixels per cell, from the rows that the mask samples; pixels beyond the mask count as 0. */
function shrink(mask: Mask, factor: number): FloatGrid {
  const width = Math.ceil(mask.width / factor);
  const height = Math.ceil((mask.height * mask.step) / factor);
  const values = new Float32Array(width * height);
  const shift = 31 - Math.clz32(factor);
  const { alpha } = mask;
  for (let y = 0; y < mask.height; y++) {
    const to = ((y * mask.step) >> shift) * width;
    const from = y * mask.width;
    for (let x = 0, cell = to; x < mask.width; cell++) {
      let sum = 0;
      for (const end = Math.min(x + factor, mask.width); x < end; x++) sum += alpha[from + x];
      values[cell] += sum;
    }
  }
  const weight = mask.step / (factor * factor);
  for (let i = 0; i < values.length; i++) values[i] *= weight;
  return { width, height, values };
}

/** Upsamples the cells bilinearly into `out`, whose first pixel is `left`, `top` pixels into the cells. */
function readBack(cells: FloatGrid, factor: number, left: number, top: number, out: Mask): void {
  const columns = new Int32Array(out.width);
  const weights = new Float32Array(out.width);
  /** The end of the run of pixels that interpolate between the same two cells, for each pixel. */
  const ends = new Int32Array(out.width);
  for (let x = 0; x < out.width; x++) {
    const position = (left + x + 0.5) / factor - 0.5;
    columns[x] = Math.floor(position);
    weights[x] = position - columns[x];
  }
  for (let x = out.width - 1; x >= 0; x--) {
    ends[x] = x + 1 < out.width && columns[x + 1] === columns[x] ? ends[x + 1] : x + 1;
  }
  const { alpha } = out;
  const line = new Float32Array(cells.width);
  for (let y = 0; y < out.height; y++) {
    const position = (top + y + 0.5) / factor - 0.5;
    const row = Math.floor(position);
    const weight = position - row;
    const upper = row * cells.width;
    const lower = upper + cells.width;
    for (let x = 0; x < cells.width; x++) {
      line[x] = cells.values[upper + x] * (1 - weight) + cells.values[lower + x] * weight + 0.5;
    }
    const to = y * out.width;
    // between two cells the values are linear
    for (let x = 0; x < out.width; ) {
      const base = line[columns[x]];
      const slope = line[columns[x] + 1] - base;
      for (const end = ends[x]; x < end; x++) alpha[to + x] = base + slope * weights[x];
    }
  }
}
