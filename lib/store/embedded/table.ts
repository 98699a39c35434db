// One table of the embedded store: rows in memory, and a snapshot on disk for each batch of changes. A change becomes
// visible only after its snapshot is durable; if the write fails, the change is discarded. Changes that arrive during a
// write share the next one.
import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { ServiceError } from '../../errors.js';
import { type FileSystem, type Mutex, replaceFile, WriteError } from './durable-file.js';
import {
  FORMAT_VERSION,
  readSnapshot,
  type Snapshot,
  SnapshotWriter,
  type StoredSnapshot,
  type TableDefinition,
} from './snapshot.js';

/** The rows while a batch of changes is applied; copied on the first write. */
export class RowChanges<Row> {
  #rows: ReadonlyMap<string, Row>;
  #copy: Map<string, Row> | undefined;

  constructor(rows: ReadonlyMap<string, Row>) {
    this.#rows = rows;
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  get isChanged(): boolean {
    return this.#copy !== undefined;
  }

  set(id: string, row: Row): void {
    this.#mutable().set(id, row);
  }

  delete(id: string): void {
    this.#mutable().delete(id);
  }

  /** Has the rows written although none of them changes. */
  touch(): void {
    this.#mutable();
  }

  #mutable(): Map<string, Row> {
    this.#copy ??= new Map(this.#rows);
    this.#rows = this.#copy;
    return this.#copy;
  }
}

interface Change<Row> {
  /** Applies the change and returns a function that reports success to the caller. Throws before it changes anything. */
  readonly apply: (draft: RowChanges<Row>) => () => void;
  readonly reject: (error: unknown) => void;
}

export interface TableOptions {
  /** Called with the reason of a failed write, which callers of `change` do not get. */
  readonly warn: (message: string) => void;
  /** Called before each write; if it throws, nothing is written. */
  readonly assertLocked?: () => Promise<void>;
  /** Shared by all tables of a folder. */
  readonly mutex: Mutex;
}

/** Data that belongs to a batch of changes and is durable already, but not yet committed. */
export interface PreparedHeader {
  /** Merged into the header of the file, which commits both. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Called synchronously when the new rows become visible, before their callers learn of it; never when a write fails. */
  readonly commit: () => void;
}

/**
 * Called before a batch of changes is written, after they have been applied to the draft. Makes durable what belongs to
 * the batch, if there is anything. If it rejects, nothing is written. The durable header stays as it was when this or the
 * write fails.
 */
export type PrepareWrite<Row> = (draft: RowChanges<Row>) => Promise<PreparedHeader | undefined>;

/** A snapshot on its way to the disk. */
interface NewSnapshot<Row> extends Snapshot<Row> {
  header: Readonly<Record<string, unknown>>;
  /** Called once, within the mutex; returns fields to merge into the header. */
  prepare?: (() => Promise<Readonly<Record<string, unknown>>>) | undefined;
}

/** A lowdb adapter that fsyncs and keeps a backup, which lowdb's own adapters do not. */
class DurableAdapter<Row extends { readonly id: string }> implements Adapter<NewSnapshot<Row>> {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #definition: TableDefinition<Row>;
  readonly #writer: SnapshotWriter<Row>;
  readonly #options: TableOptions;
  #commitUncertain = false;

  constructor(files: FileSystem, path: string, definition: TableDefinition<Row>, options: TableOptions) {
    this.#options = options;
    this.#files = files;
    this.#path = path;
    this.#definition = definition;
    this.#writer = new SnapshotWriter(definition.table);
  }

  /** True when the file may contain a snapshot whose write was reported as failed. It must not become the backup. */
  get commitUncertain(): boolean {
    return this.#commitUncertain;
  }

  /** Returns null when there is no file. Throws CorruptSnapshot or the system's error. */
  async read(): Promise<StoredSnapshot<Row> | null> {
    try {
      return readSnapshot(await this.#files.readFile(this.#path), this.#definition);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async write(snapshot: NewSnapshot<Row>): Promise<void> {
    try {
      const { mutex, assertLocked } = this.#options;
      await mutex.runExclusive(async () => {
        // `commitUncertain` is false here, so no rollback is written to a file that another process may own.
        const fail = (cause: unknown) => Promise.reject(new WriteError(this.#path, false, cause));
        await assertLocked?.().catch(fail);
        if (snapshot.prepare) {
          snapshot.header = { ...snapshot.header, ...(await snapshot.prepare().catch(fail)) };
          snapshot.prepare = undefined;
        }
        const text = this.#writer.serialize(snapshot);
        await replaceFile(this.#files, this.#path, text, { keepPrevious: !this.#commitUncertain });
      });
      this.#commitUncertain = false;
    } catch (error) {
      if (error instanceof WriteError && error.commitUncertain) this.#commitUncertain = true;
      throw error;
    }
  }
}

/** A table of the embedded store. The folder's lock (lock.ts) ensures that each file has one writer. */
export class Table<Row extends { readonly id: string }> {
  readonly path: string;
  readonly definition: TableDefinition<Row>;
  readonly #adapter: DurableAdapter<Row>;
  readonly #warn: (message: string) => void;
  /** The durable snapshot. Each later snapshot is a new Low. */
  #low: Low<NewSnapshot<Row>>;
  #version = FORMAT_VERSION;
  #generation = 0;
  #prepare: PrepareWrite<Row> | undefined;
  #waiting: Change<Row>[] = [];
  #writing: Promise<void> | undefined;

  constructor(files: FileSystem, folder: string, definition: TableDefinition<Row>, options: TableOptions) {
    this.path = join(folder, `${definition.table}.json`);
    this.#warn = options.warn;
    this.definition = definition;
    this.#adapter = new DurableAdapter(files, this.path, definition, options);
    this.#low = new Low<NewSnapshot<Row>>(this.#adapter, { rows: new Map(), header: {} });
  }

  /** The durable rows. */
  get rows(): ReadonlyMap<string, Row> {
    return this.#low.data.rows;
  }

  /** The durable fields of the file besides its rows. */
  get header(): Readonly<Record<string, unknown>> {
    return this.#low.data.header;
  }

  /** The format version of the file. */
  get version(): number {
    return this.#version;
  }

  /** Number of batches of changes that were written. The backup has the state of the generation before. */
  get generation(): number {
    return this.#generation;
  }

  /** Sets what is done before each batch of changes is written. */
  set prepareWrite(prepare: PrepareWrite<Row>) {
    this.#prepare = prepare;
  }

  /** Reads the file; returns false when there is none. Throws CorruptSnapshot or the system's error. */
  async load(): Promise<boolean> {
    const snapshot = await this.#adapter.read();
    if (snapshot) {
      this.#low = new Low<NewSnapshot<Row>>(this.#adapter, { rows: snapshot.rows, header: snapshot.header });
      this.#version = snapshot.version;
    }
    return snapshot !== null;
  }

  /** Replaces each row that was loaded, before it is saved in this program's format. */
  upgradeRows(upgrade: (row: Row, index: number) => Row): void {
    const rows = new Map(Array.from(this.rows.values(), (row, index) => [row.id, upgrade(row, index)]));
    this.#low = new Low<NewSnapshot<Row>>(this.#adapter, { rows, header: this.header });
  }

  /** Writes the durable rows again, with `header` merged into the durable one. Throws WriteError. */
  async save(header: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { data } = this.#low;
    const next = new Low<NewSnapshot<Row>>(this.#adapter, { ...data, header: { ...data.header, ...header } });
    await next.write();
    this.#low = next;
    this.#version = FORMAT_VERSION;
  }

  /**
   * Makes a change durable; resolves with the result of `apply`. If `apply` throws, which it must do before it changes
   * anything, the promise rejects with its error. `onCommit` runs synchronously when the new rows become visible.
   * Rejects with RenderError `storage_unavailable` when the write fails; nothing has changed then.
   */
  change<Result>(apply: (draft: RowChanges<Row>) => Result, onCommit?: () => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        apply: (draft) => {
          const result = apply(draft);
          return () => {
            onCommit?.();
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

  /** Waits for all writes. If a failed write may still be on disk, tries once more to replace it by the durable rows. */
  async close(): Promise<void> {
    await this.settled();
    if (this.#adapter.commitUncertain) await this.save().catch((error: Error) => this.#warn(error.message));
  }

  async #writeAll(): Promise<void> {
    // Changes that are made in the same synchronous run share the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeBatch(batch);
    }
    // No await between the last check and this line: a later change starts a new loop.
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Change<Row>[]): Promise<void> {
    const draft = new RowChanges(this.rows);
    const applied: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
    for (const { apply, reject } of batch) {
      try {
        applied.push({ resolve: apply(draft), reject });
      } catch (error) {
        reject(error);
      }
    }
    const { header } = this.#low.data;
    let prepared: PreparedHeader | undefined;
    const prepare = async () => {
      prepared = await this.#prepare?.(draft);
      return prepared?.fields ?? {};
    };
    const next = new Low<NewSnapshot<Row>>(this.#adapter, { rows: draft.rows, header, prepare });
    try {
      if (draft.isChanged) await next.write();
    } catch (cause) {
      // The failed snapshot may be on disk: write the durable one back before callers learn of the failure.
      if (cause instanceof WriteError && cause.commitUncertain) await this.save().catch(() => undefined);
      this.#warn(cause instanceof Error ? cause.message : String(cause));
      const error = new ServiceError('storage_unavailable', 'storage is unavailable: nothing was changed', { cause });
      for (const { reject } of applied) reject(error);
      return;
    }
    this.#low = next;
    if (draft.isChanged) this.#generation++;
    prepared?.commit();
    for (const { resolve } of applied) resolve();
  }
}
