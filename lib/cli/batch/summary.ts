// How the rows of a batch ended: counted, shown as they end, and the failed ones listed in the end, in the rows' order.

import { findingLine, oneLine } from '../stdio.js';
import type { WorkerReply } from './messages.js';
import type { Progress } from './progress.js';

/** Warnings that are printed; a batch may have one for every row. */
const MAX_WARNINGS = 100;

export class BatchSummary {
  readonly #progress: Progress;
  readonly #began = performance.now();
  readonly #failures: { readonly row: number; readonly reason: string }[] = [];
  #drawn = 0;
  #skipped = 0;
  #warnings = 0;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** Rows that failed. */
  get failed(): number {
    return this.#failures.length;
  }

  /** Rows that are done with. */
  get #rows(): number {
    return this.#drawn + this.#skipped + this.failed;
  }

  /** Takes in how a row ended; one that was stopped counts as never begun. */
  async add(row: number, outcome: WorkerReply): Promise<void> {
    switch (outcome.kind) {
      case 'drawn':
        this.#drawn++;
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
    await this.#progress.show(this.#rows, this.failed);
  }

  /** A doubt about all rows. */
  async warn(message: string): Promise<void> {
    await this.#printWarning(oneLine(`warning: ${message}`));
  }

  /** Lists the rows that failed, and takes the progress bar away. */
  async printFailures(): Promise<void> {
    const more = this.#warnings - MAX_WARNINGS;
    const lines = this.#failures
      .sort((one, other) => one.row - other.row)
      .map(({ row, reason }) => oneLine(`error: row ${row}: ${reason}`));
    await this.#progress.print(`${more > 0 ? `warning: and ${more} more warnings\n` : ''}${lines.join('')}`);
  }

  /** `10 rows: 8 pictures, 2 failed, 1.9 s`; the skipped rows are named when there are any. */
  summary(): string {
    const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
    const seconds = (performance.now() - this.#began) / 1000;
    const skipped = this.#skipped > 0 ? `${this.#skipped} skipped, ` : '';
    const pictures = count(this.#drawn, 'picture');
    return `${count(this.#rows, 'row')}: ${pictures}, ${skipped}${this.failed} failed, ${seconds.toFixed(1)} s`;
  }

  async #printWarning(line: string): Promise<void> {
    if (++this.#warnings <= MAX_WARNINGS) await this.#progress.print(line);
  }
}
