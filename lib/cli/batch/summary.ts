// Counts the results of a batch, shows its progress, prints its warnings, and finally lists the failed rows in order.
import type { Warning } from '../../errors.js';
import { findingLine, oneLine } from '../stdio.js';
import type { Progress } from './progress.js';

/** Warnings that are printed; a batch may have one or more for every row. */
const MAX_WARNINGS = 100;

/** The outcome of a row. */
export type RowOutcome =
  | { readonly kind: 'rendered'; readonly warnings: readonly Warning[] }
  /** Its file existed already. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Ctrl-C ended it; its file is unchanged. */
  | { readonly kind: 'stopped' };

export class RunSummary {
  readonly #progress: Progress;
  readonly #startTime = performance.now();
  readonly #failures: { readonly row: number; readonly reason: string }[] = [];
  #rendered = 0;
  #skipped = 0;
  #warnings = 0;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** Number of failed rows. */
  get failed(): number {
    return this.#failures.length;
  }

  /** Number of finished rows. */
  get #finished(): number {
    return this.#rendered + this.#skipped + this.failed;
  }

  /** Records the result of a row. A stopped row is not counted. */
  async add(row: number, outcome: RowOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'rendered':
        this.#rendered++;
        for (const warning of outcome.warnings) {
          await this.#printWarning(findingLine('warning', { ...warning, path: `row ${row}: ${warning.path}` }));
        }
        break;
      case 'skipped':
        this.#skipped++;
        break;
      case 'failed':
        this.#failures.push({ row, reason: outcome.reason });
        break;
      case 'stopped':
        break;
    }
    await this.#progress.show(this.#finished, this.failed);
  }

  /** Prints a warning that concerns all rows. */
  async warn(warning: Warning): Promise<void> {
    await this.#printWarning(findingLine('warning', warning));
  }

  /** Prints what a worker process wrote to its standard error. */
  async report(text: string): Promise<void> {
    await this.#progress.print(`${text}\n`);
  }

  /** Lists the failed rows and clears the progress bar. */
  async printFailures(): Promise<void> {
    const unprinted = this.#warnings - MAX_WARNINGS;
    const lines = this.#failures
      .sort((a, b) => a.row - b.row)
      .map(({ row, reason }) => oneLine(`error: row ${row}: ${reason}`));
    await this.#progress.print(`${unprinted > 0 ? `warning: and ${unprinted} more warnings\n` : ''}${lines.join('')}`);
  }

  /** `10 rows: 8 images, 2 failed, 1.9 s`; skipped rows are listed if there are any. */
  summary(): string {
    const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
    const seconds = (performance.now() - this.#startTime) / 1000;
    const skipped = this.#skipped > 0 ? `${this.#skipped} skipped, ` : '';
    const images = count(this.#rendered, 'image');
    return `${count(this.#finished, 'row')}: ${images}, ${skipped}${this.failed} failed, ${seconds.toFixed(1)} s`;
  }

  async #printWarning(line: string): Promise<void> {
    if (++this.#warnings <= MAX_WARNINGS) await this.#progress.print(line);
  }
}
