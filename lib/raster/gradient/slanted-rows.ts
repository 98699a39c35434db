// Rows of a smooth linear gradient that runs neither along the rows nor across them. Each row equals the one above it, moved
// sideways; so all rows are parts of a few long ones, which are evaluated once. Measured by bench/gradients.mjs.

/** Largest error of a colour, in levels of 255, that moving its row by a rounded distance may cause. */
const MAX_ERROR = 0.1;
/** Columns that a jump may move from row to row; they add up to less than single precision loses. */
const MAX_DRIFT = 1e-9;
/** Long rows times their length, in widths of the target: bounds the memory to 2 MB on the largest canvas. */
const MAX_WIDTHS = 64;

/** Writes the pixels [start, end) of row `y` to `out`, where the row starts at `rowStart`. `y` may lie between rows, columns anywhere. */
type EvaluateRow = (y: number, start: number, end: number, out: Uint32Array, rowStart: number) => void;

interface LongRow {
  words: Uint32Array;
  /** The column of the first word. */
  base: number;
  /** The columns that are evaluated. */
  start: number;
  end: number;
}

export class SlantedRows {
  private readonly rows: (LongRow | undefined)[];

  private constructor(
    /** Columns by which a row is moved against the one above it. */
    private readonly shift: number,
    /** Long rows, each moved by a part of a column against the last. */
    private readonly phases: number,
    private readonly evaluateRow: EvaluateRow,
  ) {
    this.rows = new Array(phases);
  }

  /**
   * `a`, `c`: how much the place on the gradient changes per column and per row. `steepest`: levels per unit of place.
   * Undefined for gradients that change too fast, or almost only from row to row; and for those that jump, unless rows
   * move by whole columns, as at 45 degrees: hard stops must fall on the exact pixel.
   */
  static create(
    a: number,
    c: number,
    steepest: number,
    hasJumps: boolean,
    evaluateRow: EvaluateRow,
  ): SlantedRows | undefined {
    const shift = c / a;
    if (hasJumps && Math.abs(shift - Math.round(shift)) > MAX_DRIFT) return undefined;
    const phases = Math.max(1, Math.ceil((Math.abs(a) * steepest) / (2 * MAX_ERROR)));
    return phases * (1 + Math.abs(shift)) <= MAX_WIDTHS ? new SlantedRows(shift, phases, evaluateRow) : undefined;
  }

  /** Writes the pixels [start, end) of row `y` to `out`, where the row starts at index `rowStart`. */
  copy(y: number, start: number, end: number, out: Uint32Array, rowStart: number): void {
    const { shift, phases } = this;
    const moved = Math.floor(y * shift * phases + 0.5);
    const columns = Math.floor(moved / phases);
    const row = this.longRow(moved - columns * phases, start + columns, end + columns);
    const from = start + columns - row.base;
    out.set(row.words.subarray(from, from + end - start), rowStart + start);
  }

  /** The long row of a phase, with at least the columns [start, end). */
  private longRow(phase: number, start: number, end: number): LongRow {
    const length = end - start;
    this.rows[phase] ??= { words: new Uint32Array(2 * length), base: start - (length >> 1), start, end: start };
    const row = this.rows[phase];
    if (start < row.base || end > row.base + row.words.length) {
      const base = Math.min(start, row.start) - length;
      const words = new Uint32Array(Math.max(end, row.end) + length - base);
      words.set(row.words.subarray(row.start - row.base, row.end - row.base), row.start - base);
      row.words = words;
      row.base = base;
    }
    const y = phase / (this.phases * this.shift);
    if (start < row.start) {
      this.evaluateRow(y, start, row.start, row.words, -row.base);
      row.start = start;
    }
    if (end > row.end) {
      this.evaluateRow(y, row.end, end, row.words, -row.base);
      row.end = end;
    }
    return row;
  }
}
