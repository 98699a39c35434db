// Writes in the background what was noted in memory, some time after the first note. No request waits for it.

/** How long a note may wait to be written, in milliseconds. */
const WRITE_DELAY_MS = 60_000;

export class DelayedWrite {
  readonly #write: () => Promise<void>;
  readonly #delayMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** `write` makes the notes durable. It rejects when that fails, and keeps them. */
  constructor(write: () => Promise<void>, delayMs = WRITE_DELAY_MS) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /** Schedules a write unless one is scheduled. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.run(), this.#delayMs).unref();
  }

  /** Writes now. Never rejects: the next note tries again. The table has warned about the failure. */
  async run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#write().catch(() => undefined);
  }
}
