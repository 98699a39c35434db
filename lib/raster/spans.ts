// One row of coverage, as runs: what coverage hands to paint. Reused from row to row; nothing is allocated per row.

/** The coverage of a run whose pixels each have their own, in `Spans.alpha`. */
export const PER_PIXEL = -1;

export class Spans {
  count = 0;
  /** First pixel, and first pixel after, of each run; in ascending order, without overlaps. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** 1–255 where the whole run is covered alike, or PER_PIXEL. Uncovered pixels are in no run, or have alpha 0. */
  readonly cover: Int16Array;
  /** Coverage by x, 0–255; only meaningful inside PER_PIXEL runs. */
  readonly alpha: Uint8Array;

  constructor(width: number) {
    // at worst no two neighbouring pixels are alike: a run each for the constant ones, one for all between
    const most = width + 2;
    this.start = new Int32Array(most);
    this.end = new Int32Array(most);
    this.cover = new Int16Array(most);
    this.alpha = new Uint8Array(width + 64);
  }

  /** Appends a run; a run that continues the one before it with the same kind of coverage is joined to it. */
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
