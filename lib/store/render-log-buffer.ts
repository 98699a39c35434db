// Collects finished renders in memory and writes them to the render log in batches, in the background.
import type { LoggedRender } from './types.js';

/** Entries that arrive within this many milliseconds of the first are written together. */
const BATCH_DELAY_MS = 20;
/** Entries that may wait for slow storage. The bounds on metadata and variables limit an entry to about 33 KB. */
const MAX_WAITING = 4096;

export interface RenderLogBufferOptions {
  /** Writes one batch, oldest entry first. */
  readonly write: (batch: readonly LoggedRender[]) => Promise<void>;
  readonly warn: (message: string) => void;
  /** Formats an error of `write` as one line for the operator. */
  readonly formatError: (error: unknown) => string;
  /** Most entries in one batch; default unlimited. */
  readonly maxBatch?: number;
}

/** `append` never waits or throws: entries that can't be written are dropped with a warning. */
export class RenderLogBuffer {
  readonly #options: RenderLogBufferOptions;
  #waiting: LoggedRender[] = [];
  #writing: Promise<void> | undefined;
  #batch: Promise<void> | undefined;
  #dropped = 0;
  /** Entries that were lost since the last batch that was written. */
  #lost = 0;
  /** Numbers of entries that were accepted, and that were written or lost. */
  #accepted = 0;
  #finished = 0;

  constructor(options: RenderLogBufferOptions) {
    this.#options = options;
  }

  append(entry: LoggedRender): void {
    if (this.#waiting.length >= MAX_WAITING) {
      if (this.#dropped++ === 0) this.#options.warn('the render log can’t keep up: entries are dropped');
      return;
    }
    this.#waiting.push(entry);
    this.#accepted++;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when the entries that were appended before have been written or lost. Later ones do not delay it. */
  async flushed(): Promise<void> {
    const accepted = this.#accepted;
    while (this.#finished < accepted) await this.#batch;
  }

  /** Resolves when no entry is waiting or being written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#batch = this.#writeBatch();
      await this.#batch;
    }
    // No await between the last check and this line: a later append starts a new loop.
    this.#writing = undefined;
  }

  async #writeBatch(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS));
    const batch = this.#waiting.splice(0, this.#options.maxBatch ?? MAX_WAITING);
    try {
      await this.#options.write(batch);
      if (this.#lost > 0) this.#options.warn(`the render log is written again: ${this.#lost} of its entries are lost`);
      this.#dropped = 0;
      this.#lost = 0;
    } catch (error) {
      // An outage fails every batch: the first gives the reason, the end gives the count.
      if (this.#lost === 0)
        this.#options.warn(`entries of the render log are lost: ${this.#options.formatError(error)}`);
      this.#lost += batch.length;
    }
    this.#finished += batch.length;
  }
}
