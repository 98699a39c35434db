// Mask → the mask under a Gaussian, at a cost that does not grow with the radius.
// A wide Gaussian leaves nothing fine behind, so it is run on a mask shrunk by a power of two to where its deviation is
// 2 to 4 cells, and read back bilinearly. Shrinking and reading back blur a little too: their variances are taken off.
import { expand, intersect, isEmpty, type Rect, roundOut } from '../geometry/rect.js';
import { convolve, type FloatGrid } from './convolve.js';
import { Mask } from './mask.js';

/** A Gaussian is cut off here, in deviations: what is left out is 0.3 % of it. */
const REACH = 3;
/** The least deviation on the shrunk mask, in cells: bilinear reading is then under 1 % off the true curve. */
const MIN_CELLS = 2;

/** How far, in whole pixels, a blur of deviation `sigma` carries ink. */
export function blurReach(sigma: number): number {
  return sigma > 0 ? Math.ceil(REACH * sigma) + 1 : 0;
}

/** Rows that a fine blur does at a time. */
const BAND = 256;

/** How many of a very wide blur's rows are looked at in each cell: edges then shift by a 64th of a cell at most. */
const ROWS_A_CELL = 32;

/** The widest step that the rows of a mask may have that is to be blurred: 1 below a deviation of 128 pixels. */
export function rowStep(sigma: number): number {
  return Math.max(1, shrinkFactor(sigma) / ROWS_A_CELL);
}

function shrinkFactor(sigma: number): number {
  let factor = 1;
  while (sigma / (factor * 2) >= MIN_CELLS) factor *= 2;
  return factor;
}

/** `mask` blurred by a Gaussian of deviation `sigma` pixels, as far as it lies inside `clip`; undefined when nothing does. */
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
  const kernel = gaussian(deviationLeft(sigma, factor));
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

/** A blur that needs every pixel, in bands: in floating point a whole mask would take eight times its own memory. */
function blurFine(mask: Mask, kernel: Float32Array, out: Mask): void {
  const reach = kernel.length - 1;
  const left = out.bounds.left - mask.bounds.left;
  for (let y = 0; y < out.height; y += BAND) {
    const rows = Math.min(BAND, out.height - y);
    const top = out.bounds.top - mask.bounds.top + y;
    const first = Math.max(0, top - reach);
    const end = Math.min(mask.height, top + rows + reach);
    // none of the mask's rows reaches this far
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

/** The deviation, in cells, that is still to be done after shrinking by boxes and before reading back by tents. */
function deviationLeft(sigma: number, factor: number): number {
  const boxes = (1 - 1 / factor ** 2) / 12;
  const tents = 1 / 6;
  return Math.sqrt((sigma / factor) ** 2 - boxes - tents);
}

/** One side of a normalised Gaussian: weights at 0, 1, 2 … cells from its middle. */
function gaussian(sigma: number): Float32Array {
  const weights = new Float32Array(Math.ceil(REACH * sigma) + 1);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    weights[i] = Math.exp(-(i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[0] : 2 * weights[i];
  }
  return weights.map((weight) => weight / sum);
}

/** Averages of factor × factor pixels, as far as the mask's rows tell; beyond the mask there is nothing. */
function shrink(mask: Mask, factor: number): FloatGrid {
  const width = Math.ceil(mask.width / factor);
  const height = Math.ceil((mask.height * mask.step) / factor);
  const values = new Float32Array(width * height);
  const shift = Math.log2(factor);
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
  const share = mask.step / factor ** 2;
  for (let i = 0; i < values.length; i++) values[i] *= share;
  return { width, height, values };
}

/** Bilinear reading of the cells at every pixel of `out`, whose first pixel lies `left`, `top` pixels into the cells. */
function readBack(cells: FloatGrid, factor: number, left: number, top: number, out: Mask): void {
  const columns = new Int32Array(out.width);
  const shares = new Float32Array(out.width);
  /** The first pixel after those that are read between the same two cells. */
  const ends = new Int32Array(out.width);
  for (let x = 0; x < out.width; x++) {
    const at = (left + x + 0.5) / factor - 0.5;
    columns[x] = Math.floor(at);
    shares[x] = at - columns[x];
  }
  for (let x = out.width - 1; x >= 0; x--) {
    ends[x] = x + 1 < out.width && columns[x + 1] === columns[x] ? ends[x + 1] : x + 1;
  }
  const { alpha } = out;
  const line = new Float32Array(cells.width);
  for (let y = 0; y < out.height; y++) {
    const at = (top + y + 0.5) / factor - 0.5;
    const row = Math.floor(at);
    const share = at - row;
    const upper = row * cells.width;
    const lower = upper + cells.width;
    for (let x = 0; x < cells.width; x++) {
      line[x] = cells.values[upper + x] * (1 - share) + cells.values[lower + x] * share + 0.5;
    }
    const to = y * out.width;
    // from cell to cell: what lies between two is one straight line
    for (let x = 0; x < out.width; ) {
      const base = line[columns[x]];
      const slope = line[columns[x] + 1] - base;
      for (const end = ends[x]; x < end; x++) alpha[to + x] = base + slope * shares[x];
    }
  }
}
