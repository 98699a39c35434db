// Values that were noted in memory and are added to a table in the background. No request waits for that; while the table
// can't be written, they stay in memory.

/** Longest delay of a change's write, in milliseconds. */
const WRITE_DELAY_MS = 60_000;

/** Does a write in the background, some time after it was asked for. */
export class DelayedWrite {
  readonly #write: () => Promise<void>;
  readonly #delayMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: () => Promise<void>, delayMs = WRITE_DELAY_MS) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /** Schedules a write unless one is scheduled. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.run(), this.#delayMs).unref();
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

export interface NotesOptions<Value> {
  /** Joins two values of one name, the earlier one first. */
  readonly merge: (earlier: Value, later: Value) => Value;
  /** Adds the values to the table. `onCommit` is called in the same step in which they become visible there. */
  readonly write: (notes: ReadonlyMap<string, Value>, onCommit: () => void) => Promise<unknown>;
  /** Longest delay of a write, in milliseconds; a minute by default. */
  readonly delayMs?: number;
  /** Most names that may wait; notes of others are dropped then. */
  readonly maxNames?: number;
}

export class Notes<Value> {
  readonly #options: NotesOptions<Value>;
  #noted = new Map<string, Value>();
  /** Notes that are being written to the table. */
  #writing = new Map<string, Value>();
  #last: Promise<void> = Promise.resolve();
  readonly #delayed: DelayedWrite;

  constructor(options: NotesOptions<Value>) {
    this.#options = options;
    this.#delayed = new DelayedWrite(() => this.#write(), options.delayMs);
  }

  add(name: string, value: Value): void {
    const earlier = this.#noted.get(name);
    if (earlier === undefined && this.#noted.size >= (this.#options.maxNames ?? Number.POSITIVE_INFINITY)) return;
    this.#noted.set(name, earlier === undefined ? value : this.#options.merge(earlier, value));
    this.#delayed.schedule();
  }

  /** Returns the note that is not in the table yet. */
  get(name: string): Value | undefined {
    const [earlier, later] = [this.#writing.get(name), this.#noted.get(name)];
    if (earlier === undefined || later === undefined) return earlier ?? later;
    return this.#options.merge(earlier, later);
  }

  delete(name: string): void {
    this.#noted.delete(name);
  }

  /** Writes now what was noted before. Never rejects. */
  async write(): Promise<void> {
    await this.#delayed.run();
  }

  #write(): Promise<void> {
    this.#last = this.#last.then(() => this.#writeOnce());
    return this.#last;
  }

  async #writeOnce(): Promise<void> {
    if (this.#noted.size === 0) return;
    const notes = this.#noted;
    this.#noted = new Map();
    this.#writing = notes;
    try {
      await this.#options.write(notes, () => {
        this.#writing = new Map();
      });
    } catch {
      const later = this.#noted;
      this.#noted = notes;
      this.#writing = new Map();
      // The table has warned about the failure; the next note schedules another attempt.
      for (const [name, value] of later) this.add(name, value);
    }
  }
}
