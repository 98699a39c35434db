// A row of coverage as runs: the rasterizer produces them, a paint consumes them. The object is reused from row to row.

/** Marks a run whose pixels have individual coverage, in `Spans.alpha`. */
export const PER_PIXEL = -1;

export class Spans {
  count = 0;
  /** Each run is [start, end); runs are in ascending order and don't overlap. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** The run's uniform coverage, 1–255, or PER_PIXEL. Uncovered pixels are in no run or have alpha 0. */
  readonly cover: Int16Array;
  /** Coverage by x, 0–255; valid only inside PER_PIXEL runs. */
  readonly alpha: Uint8Array;

  constructor(width: number) {
    // at worst every pixel is a separate run
    const maxRuns = width + 2;
    this.start = new Int32Array(maxRuns);
    this.end = new Int32Array(maxRuns);
    this.cover = new Int16Array(maxRuns);
    this.alpha = new Uint8Array(width + 64);
  }

  /** Appends a run, or extends the last run when that ends at `start` and has the same coverage. */
  push(start: number, end: number, cover: number): void {
    const last = this.count - 1;
    if (last >= 0 && this.end[last] === start && this.cover[last] === cover) {
      this.end[last] = end;
      return;
    }
    this.start[this.count] = start;
    this.end[this.count] = end;
    this.cover[this.count++] = cover;
  }
}
