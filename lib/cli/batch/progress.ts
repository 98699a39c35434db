// A one-line progress bar that overwrites itself on a terminal, and prints nothing elsewhere.
import { type CliContext, write } from '../stdio.js';

/** Minimum time between two updates of the bar. */
const UPDATE_INTERVAL_MS = 100;
/** Width in characters. */
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[2K';

export class Progress {
  readonly #stream: CliContext['errors'];
  readonly #total: number | undefined;
  readonly #startTime = performance.now();
  #lastUpdate = Number.NEGATIVE_INFINITY;
  #lastWrite: Promise<void> = Promise.resolve();

  /** `total` is the number of rows, if known. */
  constructor(stream: CliContext['errors'], total: number | undefined) {
    this.#stream = stream;
    this.#total = total;
  }

  /** Updates the bar, at most once per UPDATE_INTERVAL_MS. */
  async show(done: number, failed: number): Promise<void> {
    const now = performance.now();
    if (!this.#stream.isTTY || now - this.#lastUpdate < UPDATE_INTERVAL_MS) return;
    this.#lastUpdate = now;
    const line = progressLine({ done, failed, total: this.#total, seconds: (now - this.#startTime) / 1000 });
    await this.#write(line.slice(0, (this.#stream.columns || 80) - 1));
  }

  /** Prints `lines` in place of the bar, which the next update draws again below them. */
  async print(lines: string): Promise<void> {
    this.#lastUpdate = Number.NEGATIVE_INFINITY;
    await this.#write(lines);
  }

  /** Writes are queued: rows finish at any time, also while a slow terminal still takes an earlier write. */
  #write(text: string): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(() =>
      write(this.#stream, this.#stream.isTTY ? `${CLEAR_LINE}${text}` : text),
    );
    return this.#lastWrite;
  }
}

interface ProgressState {
  readonly done: number;
  readonly failed: number;
  readonly total: number | undefined;
  /** Elapsed time. */
  readonly seconds: number;
}

/** `[#########---------------] 40/100, 12.5/s, 5 s left, 1 failed` */
export function progressLine({ done, failed, total, seconds }: ProgressState): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const parts = [total === undefined ? `${done} rows` : `${done}/${total}`];
  if (done > 0) parts.push(`${rate.toFixed(1)}/s`);
  if (done > 0 && total !== undefined) parts.push(`${Math.ceil((total - done) / rate)} s left`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (total === undefined) return parts.join(', ');
  const filled = Math.floor((BAR_WIDTH * done) / Math.max(total, 1));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${parts.join(', ')}`;
}
