// A grid of coverage → the grid under a symmetric kernel, one direction after the other. What repeats is done once: the
// sums are those of every row by itself, to the last bit.
import type { Rect } from '../geometry/rect.js';

/** A grid of floating-point coverage, 0–255. */
export interface FloatGrid {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** `source` convolved with the kernel in both directions, over the cells of `region` (which may reach beyond the source). */
export function convolve(source: FloatGrid, kernel: Float32Array, region: Rect): FloatGrid {
  const reach = kernel.length - 1;
  const width = region.right - region.left;
  const height = region.bottom - region.top;
  const values = new Float32Array(width * height);
  const lines = new BlurredLines(source, kernel, region);
  for (let row = 0; row < height; row++) {
    const middle = region.top + row;
    const first = Math.max(0, middle - reach);
    const last = Math.min(source.height - 1, middle + reach);
    const to = row * width;
    for (let y = first; y <= last; y++) lines.prepare(y);
    // the same lines under the same weights as a row earlier: inside a card most rows are such
    if (row > 0 && last - first === 2 * reach && lines.repeats(last) > 2 * reach) {
      values.copyWithin(to, to - width, to);
      continue;
    }
    const sums = values.subarray(to, to + width);
    for (let y = first; y <= last; y += 2) {
      const line = lines.at(y);
      const below = y < last ? lines.at(y + 1) : undefined;
      const weight = kernel[Math.abs(y - middle)];
      if (line && below) addBoth(sums, line, weight, below, kernel[Math.abs(y + 1 - middle)]);
      else if (line) add(sums, line, weight);
      else if (below) add(sums, below, kernel[Math.abs(y + 1 - middle)]);
    }
  }
  return { width, height, values };
}

/**
 * The rows of `source` convolved along themselves, as many as a kernel reaches over. Rows that equal the one before are
 * convolved once, and empty ones not at all. Measured with the rows that are copied: a card of 800 × 300 under a
 * deviation of 2 in 0.27 of the time, text in 0.6.
 */
class BlurredLines {
  /** Which of `buffers` holds a row, modulo their number; -1 for an empty row. */
  private readonly place: Int32Array;
  /** How many rows before a row are its equals. */
  private readonly equals: Int32Array;
  private readonly buffers: Float32Array[];
  private readonly padded: Float32Array;
  private readonly origin: number;
  private prepared = -1;
  private made = 0;

  constructor(
    private readonly source: FloatGrid,
    private readonly kernel: Float32Array,
    private readonly region: Rect,
  ) {
    const reach = kernel.length - 1;
    this.place = new Int32Array(source.height);
    this.equals = new Int32Array(source.height);
    this.buffers = Array.from({ length: 2 * reach + 2 }, () => new Float32Array(region.right - region.left));
    this.origin = reach - Math.min(0, region.left);
    this.padded = new Float32Array(this.origin + Math.max(source.width, region.right) + reach);
  }

  /** Makes row `y` ready; rows are made ready in order, though the first may be any. */
  prepare(y: number): void {
    if (y <= this.prepared) return;
    const { width, values } = this.source;
    const row = values.subarray(y * width, (y + 1) * width);
    const follows = y > 0 && this.prepared === y - 1;
    this.prepared = y;
    if (follows && equal(row, values.subarray((y - 1) * width, y * width))) {
      this.place[y] = this.place[y - 1];
      this.equals[y] = this.equals[y - 1] + 1;
      return;
    }
    if (row.every((value) => value === 0)) {
      this.place[y] = -1;
      return;
    }
    this.place[y] = this.made++ % this.buffers.length;
    this.padded.set(row, this.origin);
    alongRow(this.padded, this.origin + this.region.left, this.kernel, this.buffers[this.place[y]]);
  }

  /** How many rows before row `y` are its equals. */
  repeats(y: number): number {
    return this.equals[y];
  }

  /** Row `y`, which has been made ready; undefined when there is nothing in it. */
  at(y: number): Float32Array | undefined {
    const place = this.place[y];
    return place < 0 ? undefined : this.buffers[place];
  }
}

function add(sums: Float32Array, line: Float32Array, weight: number): void {
  for (let x = 0; x < sums.length; x++) sums[x] += weight * line[x];
}

/** `add` of one line and then of another, rounded between as a sum that is put down is. */
function addBoth(
  sums: Float32Array,
  one: Float32Array,
  weight: number,
  other: Float32Array,
  otherWeight: number,
): void {
  const { fround } = Math;
  for (let x = 0; x < sums.length; x++) sums[x] = fround(sums[x] + weight * one[x]) + otherWeight * other[x];
}

function equal(row: Float32Array, other: Float32Array): boolean {
  for (let x = 0; x < row.length; x++) if (row[x] !== other[x]) return false;
  return true;
}

function alongRow(padded: Float32Array, from: number, kernel: Float32Array, line: Float32Array): void {
  const reach = kernel.length - 1;
  for (let x = 0; x < line.length; x++) {
    const middle = from + x;
    let sum = kernel[0] * padded[middle];
    for (let k = 1; k <= reach; k++) sum += kernel[k] * (padded[middle - k] + padded[middle + k]);
    line[x] = sum;
  }
}
