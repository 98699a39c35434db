// Does a write in the background, some time after it was asked for.

/** Longest delay of a change's write, in milliseconds. */
const WRITE_DELAY_MS = 60_000;

export class DelayedWrite {
  readonly #write: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Schedules a write unless one is scheduled. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.run(), WRITE_DELAY_MS).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes now. Never rejects. */
  async run(): Promise<void> {
    this.cancel();
    await this.#write().catch(() => undefined);
  }
}
