// How far a batch has come, on one line that is written over and over: on a terminal only, nothing elsewhere.
import { type CliContext, write } from '../stdio.js';

/** Milliseconds between two looks of the bar. */
const PAUSE_MS = 100;
const BAR_WIDTH = 24;
const CLEAR = '\r\u001b[2K';

export class Progress {
  readonly #stream: CliContext['errors'];
  readonly #total: number | undefined;
  readonly #began = performance.now();
  #shownAt = Number.NEGATIVE_INFINITY;
  #written: Promise<void> = Promise.resolve();

  /** `total`: how many rows there are, where that is known. */
  constructor(stream: CliContext['errors'], total: number | undefined) {
    this.#stream = stream;
    this.#total = total;
  }

  /** Shows the bar, unless that was done a moment ago. */
  async show(done: number, failed: number): Promise<void> {
    const now = performance.now();
    if (!this.#stream.isTTY || now - this.#shownAt < PAUSE_MS) return;
    this.#shownAt = now;
    const line = progressLine({ done, failed, total: this.#total, seconds: (now - this.#began) / 1000 });
    await this.#write(line.slice(0, (this.#stream.columns || 80) - 1));
  }

  /** Writes `lines` in the bar's place; it comes back below them. */
  async print(lines: string): Promise<void> {
    this.#shownAt = Number.NEGATIVE_INFINITY;
    await this.#write(lines);
  }

  /** One after the other: rows end at any time, also while a slow terminal takes what an earlier one said. */
  #write(text: string): Promise<void> {
    this.#written = this.#written.then(() => write(this.#stream, this.#stream.isTTY ? `${CLEAR}${text}` : text));
    return this.#written;
  }
}

interface State {
  readonly done: number;
  readonly failed: number;
  readonly total: number | undefined;
  /** Since the start. */
  readonly seconds: number;
}

/** `[#########---------------] 40/100, 12.5/s, 5 s left, 1 failed` */
export function progressLine({ done, failed, total, seconds }: State): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const parts = [total === undefined ? `${done} rows` : `${done}/${total}`];
  if (done > 0) parts.push(`${rate.toFixed(1)}/s`);
  if (done > 0 && total !== undefined) parts.push(`${Math.ceil((total - done) / rate)} s left`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (total === undefined) return parts.join(', ');
  const filled = Math.floor((BAR_WIDTH * done) / Math.max(total, 1));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${parts.join(', ')}`;
}
