// Changes of one table → generations on disk. A change is made on a copy and is seen by nobody before its generation is
// durable; one that could not be written never happened. Changes that come while a write runs share the next one.
import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { RenderError } from '../../errors.js';
import { type FileSystem, type Mutex, replaceFile, WriteError } from './durable-file.js';
import { type RowKind, readSnapshot, type Snapshot, SnapshotWriter } from './snapshot.js';

/** The rows as one batch of changes leaves them; copied at the first change. */
export class Draft<Row> {
  #rows: ReadonlyMap<string, Row>;
  #copy: Map<string, Row> | undefined;

  constructor(rows: ReadonlyMap<string, Row>) {
    this.#rows = rows;
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  get changed(): boolean {
    return this.#copy !== undefined;
  }

  set(id: string, row: Row): void {
    this.#mutable().set(id, row);
  }

  delete(id: string): void {
    this.#mutable().delete(id);
  }

  #mutable(): Map<string, Row> {
    this.#copy ??= new Map(this.#rows);
    this.#rows = this.#copy;
    return this.#copy;
  }
}

interface Change<Row> {
  /** Makes the change and what its caller will be told; throws before it has changed anything. */
  readonly apply: (draft: Draft<Row>) => () => void;
  readonly reject: (error: unknown) => void;
}

export interface TableOptions {
  /** Told why a write failed; callers learn no more than that it did. */
  readonly warn: (message: string) => void;
  /** Asked before each write, which is not made when it throws. */
  readonly check?: () => Promise<void>;
  /** Those of the folder, which all its tables share. */
  readonly turns: Mutex;
}

/** lowdb's stock adapter neither syncs nor keeps the generation before. */
class DurableAdapter<Row extends { readonly id: string }> implements Adapter<Snapshot<Row>> {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #kind: RowKind<Row>;
  readonly #writer: SnapshotWriter<Row>;
  readonly #options: TableOptions;
  #uncertain = false;

  constructor(files: FileSystem, path: string, kind: RowKind<Row>, options: TableOptions) {
    this.#options = options;
    this.#files = files;
    this.#path = path;
    this.#kind = kind;
    this.#writer = new SnapshotWriter(kind.table);
  }

  /** The file may hold a generation that was reported as failed: that one must not become the backup. */
  get uncertain(): boolean {
    return this.#uncertain;
  }

  /** Null when there is no file. Throws BrokenGeneration, or the system's error. */
  async read(): Promise<Snapshot<Row> | null> {
    try {
      return readSnapshot(await this.#files.readFile(this.#path), this.#kind);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async write(generation: Snapshot<Row>): Promise<void> {
    try {
      const text = this.#writer.textOf(generation);
      const { turns, check } = this.#options;
      await turns.take(async () => {
        // Nothing is taken back either, where the table may be another process's.
        await check?.().catch((cause: Error) => Promise.reject(new WriteError(this.#path, false, cause)));
        await replaceFile(this.#files, this.#path, text, !this.#uncertain);
      });
      this.#uncertain = false;
    } catch (error) {
      if (error instanceof WriteError && error.commitUncertain) this.#uncertain = true;
      throw error;
    }
  }
}

/** One table of the embedded store. There is one writer per file (lock.ts sees to that). */
export class Table<Row extends { readonly id: string }> {
  readonly path: string;
  readonly kind: RowKind<Row>;
  readonly #adapter: DurableAdapter<Row>;
  readonly #warn: (message: string) => void;
  /** The generation that is durable; a later one is another Low. */
  #low: Low<Snapshot<Row>>;
  #waiting: Change<Row>[] = [];
  #writing: Promise<void> | undefined;

  constructor(files: FileSystem, folder: string, kind: RowKind<Row>, options: TableOptions) {
    this.path = join(folder, `${kind.table}.json`);
    this.#warn = options.warn;
    this.kind = kind;
    this.#adapter = new DurableAdapter(files, this.path, kind, options);
    this.#low = new Low<Snapshot<Row>>(this.#adapter, { rows: new Map(), others: {} });
  }

  /** The rows that are durable. */
  get rows(): ReadonlyMap<string, Row> {
    return this.#low.data.rows;
  }

  /** Reads the file; false when there is none. Throws BrokenGeneration, or the system's error. */
  async load(): Promise<boolean> {
    const generation = await this.#adapter.read();
    if (generation) this.#low = new Low<Snapshot<Row>>(this.#adapter, generation);
    return generation !== null;
  }

  /** Writes the rows as they are. Throws WriteError. */
  async save(): Promise<void> {
    await this.#low.write();
  }

  /**
   * Makes a change durable; resolves with what `apply` gave. `apply` throws before it changes anything, and its change
   * is then left out. `seen` runs in the very moment in which the new rows take the place of the old.
   * Rejects with RenderError `storage_unavailable` when the write fails: nothing has changed then.
   */
  change<Result>(apply: (draft: Draft<Row>) => Result, seen?: () => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        apply: (draft) => {
          const result = apply(draft);
          return () => {
            seen?.();
            resolve(result);
          };
        },
        reject,
      });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when no change is waiting or being written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Settles, and takes back what was refused and may be on the disk all the same: the disk may have recovered. */
  async close(): Promise<void> {
    await this.settled();
    if (this.#adapter.uncertain) await this.save().catch((error: Error) => this.#warn(error.message));
  }

  async #writeAll(): Promise<void> {
    // What arrives within the same turn goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeBatch(batch);
    }
    // In the same turn in which nothing was found waiting: what comes later starts anew.
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Change<Row>[]): Promise<void> {
    const draft = new Draft(this.rows);
    const made: { readonly done: () => void; readonly reject: (error: unknown) => void }[] = [];
    for (const { apply, reject } of batch) {
      try {
        made.push({ done: apply(draft), reject });
      } catch (error) {
        reject(error);
      }
    }
    const next = new Low<Snapshot<Row>>(this.#adapter, { rows: draft.rows, others: this.#low.data.others });
    try {
      if (draft.changed) await next.write();
    } catch (cause) {
      // The failed generation may be visible all the same: the durable one is put back before anyone hears of it.
      if (cause instanceof WriteError && cause.commitUncertain) await this.save().catch(() => undefined);
      this.#warn(cause instanceof Error ? cause.message : String(cause));
      const error = new RenderError('storage_unavailable', 'storage is unavailable: nothing was changed', { cause });
      for (const { reject } of made) reject(error);
      return;
    }
    this.#low = next;
    for (const { done } of made) done();
  }
}
