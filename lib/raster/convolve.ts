// Separable convolution of a coverage grid with a symmetric kernel. Repeated rows are computed once; the sums are
// bit-identical to those of computing every row.
import type { Rect } from '../geometry/rect.js';

/** A grid of floating-point coverage, 0–255. */
export interface FloatGrid {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Convolves `source` in both directions over the cells of `region`, which may extend beyond the source. */
export function convolve(source: FloatGrid, kernel: Float32Array, region: Rect): FloatGrid {
  const reach = kernel.length - 1;
  const width = region.right - region.left;
  const height = region.bottom - region.top;
  const values = new Float32Array(width * height);
  const rows = new ConvolvedRows(source, kernel, region);
  for (let row = 0; row < height; row++) {
    const center = region.top + row;
    const first = Math.max(0, center - reach);
    const last = Math.min(source.height - 1, center + reach);
    const to = row * width;
    for (let y = first; y <= last; y++) rows.prepare(y);
    // same rows and weights as for the row above: most rows inside a card are like this
    if (row > 0 && last - first === 2 * reach && rows.repeats(last) > 2 * reach) {
      values.copyWithin(to, to - width, to);
      continue;
    }
    const sums = values.subarray(to, to + width);
    for (let y = first; y <= last; y += 2) {
      const current = rows.at(y);
      const below = y < last ? rows.at(y + 1) : undefined;
      const weight = kernel[Math.abs(y - center)];
      if (current && below) addTwo(sums, current, weight, below, kernel[Math.abs(y + 1 - center)]);
      else if (current) add(sums, current, weight);
      else if (below) add(sums, below, kernel[Math.abs(y + 1 - center)]);
    }
  }
  return { width, height, values };
}

/**
 * The horizontally convolved rows of `source`: a ring buffer of as many rows as the kernel covers. Repeated rows are
 * convolved once, empty ones never. Measured together with copied output rows: a card of 800 × 300 with a standard
 * deviation of 2 takes 0.27 of the time, text 0.6.
 */
class ConvolvedRows {
  /** The index in `buffers` of each row; -1 for an empty row. */
  private readonly slot: Int32Array;
  /** Number of rows directly above each row that are equal to it. */
  private readonly repeatCount: Int32Array;
  private readonly buffers: Float32Array[];
  private readonly padded: Float32Array;
  /** Index in `padded` of column 0. */
  private readonly origin: number;
  private lastPrepared = -1;
  private convolvedCount = 0;

  constructor(
    private readonly source: FloatGrid,
    private readonly kernel: Float32Array,
    private readonly region: Rect,
  ) {
    const reach = kernel.length - 1;
    this.slot = new Int32Array(source.height);
    this.repeatCount = new Int32Array(source.height);
    this.buffers = Array.from({ length: 2 * reach + 2 }, () => new Float32Array(region.right - region.left));
    this.origin = reach - Math.min(0, region.left);
    this.padded = new Float32Array(this.origin + Math.max(source.width, region.right) + reach);
  }

  /** Convolves row `y`. Rows must be prepared in order, starting with any. */
  prepare(y: number): void {
    if (y <= this.lastPrepared) return;
    const { width, values } = this.source;
    const row = values.subarray(y * width, (y + 1) * width);
    const isConsecutive = y > 0 && this.lastPrepared === y - 1;
    this.lastPrepared = y;
    if (isConsecutive && equal(row, values.subarray((y - 1) * width, y * width))) {
      this.slot[y] = this.slot[y - 1];
      this.repeatCount[y] = this.repeatCount[y - 1] + 1;
      return;
    }
    if (row.every((value) => value === 0)) {
      this.slot[y] = -1;
      return;
    }
    this.slot[y] = this.convolvedCount++ % this.buffers.length;
    this.padded.set(row, this.origin);
    convolveRow(this.padded, this.origin + this.region.left, this.kernel, this.buffers[this.slot[y]]);
  }

  /** Returns the number of rows directly above row `y` that are equal to it. */
  repeats(y: number): number {
    return this.repeatCount[y];
  }

  /** Row `y`, which must be prepared; undefined when it is empty. */
  at(y: number): Float32Array | undefined {
    const slot = this.slot[y];
    return slot < 0 ? undefined : this.buffers[slot];
  }
}

function add(sums: Float32Array, row: Float32Array, weight: number): void {
  for (let x = 0; x < sums.length; x++) sums[x] += weight * row[x];
}

/** `add` of one row, then of another, in one pass; `fround` rounds in between, as storing to the array does. */
function addTwo(
  sums: Float32Array,
  first: Float32Array,
  firstWeight: number,
  second: Float32Array,
  secondWeight: number,
): void {
  const { fround } = Math;
  for (let x = 0; x < sums.length; x++) sums[x] = fround(sums[x] + firstWeight * first[x]) + secondWeight * second[x];
}

function equal(row: Float32Array, other: Float32Array): boolean {
  for (let x = 0; x < row.length; x++) if (row[x] !== other[x]) return false;
  return true;
}

/** Convolves the padded row into `out`, whose first column is at index `from`. */
function convolveRow(padded: Float32Array, from: number, kernel: Float32Array, out: Float32Array): void {
  const reach = kernel.length - 1;
  for (let x = 0; x < out.length; x++) {
    const center = from + x;
    let sum = kernel[0] * padded[center];
    for (let k = 1; k <= reach; k++) sum += kernel[k] * (padded[center - k] + padded[center + k]);
    out[x] = sum;
  }
}
