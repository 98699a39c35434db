// The render log as JSON Lines files in the data folder. Files are rotated by size, so the log is bounded.
import { appendFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeCursor, encodeCursor } from '../../cursor.js';
import { RenderLogBuffer } from '../../render-log-buffer.js';
import {
  type LoggedRender,
  type Page,
  type PageRequest,
  type RenderEntry,
  type RenderFilter,
  StoreError,
} from '../../types.js';
import { Mutex } from '../durable-file.js';
import { logFile, logFileNumbers, renameOldLogFiles } from './files.js';
import { type EntryFilter, filterOf, parseEntry } from './filter.js';
import { type ScanBudget, scanBackwards } from './scan.js';

export interface RenderLogOptions {
  /** File size in bytes at which the log is rotated; default 16 MiB. */
  readonly maxBytes?: number;
  /** Number of files that are kept, the current one included; default 8. */
  readonly keep?: number;
  readonly warn: (message: string) => void;
  /** Appends text to a file; tests make it fail. */
  readonly append?: (path: string, text: string) => Promise<void>;
  /** Bytes that one page may scan (scan.ts); default 32 MiB. */
  readonly pageBytes?: number;
}

/** A position between two entries: the number of a file and an offset in it. */
type Position = readonly [number: number, offset: number];

const NEWEST: Position = [Number.POSITIVE_INFINITY, 0];

export class RenderLog {
  readonly #folder: string;
  readonly #options: Required<RenderLogOptions>;
  readonly #buffer: RenderLogBuffer;
  readonly #finds = new Mutex();
  /** The number of the file that new entries are appended to. */
  #number: number;
  /** Whether the file is known to end with a line feed: not before the first write, and not after a failed one. */
  #endsWithLineFeed = false;

  private constructor(folder: string, number: number, options: RenderLogOptions) {
    this.#folder = folder;
    this.#number = number;
    this.#options = {
      maxBytes: 16 * 2 ** 20,
      keep: 8,
      append: (path, text) => appendFile(path, text, { mode: 0o600 }),
      pageBytes: 32 * 2 ** 20,
      ...options,
    };
    this.#buffer = new RenderLogBuffer({
      write: (batch) => this.#write(batch),
      warn: options.warn,
      formatError: (error) => (error as Error).message,
    });
  }

  /** Opens the log in `folder`, which exists. Throws the system's error. */
  static async open(folder: string, options: RenderLogOptions): Promise<RenderLog> {
    await renameOldLogFiles(folder);
    const numbers = await logFileNumbers(folder);
    return new RenderLog(folder, numbers.at(-1) ?? 1, options);
  }

  append(entry: RenderEntry): void {
    this.#buffer.append(entry);
  }

  /** Paths of the log's files, oldest first. */
  async files(): Promise<string[]> {
    return (await logFileNumbers(this.#folder)).map((number) => this.#path(number));
  }

  /** The entries of a workspace that the filter selects, newest first. Torn and malformed lines are skipped. */
  async list(workspaceId: string, filter: RenderFilter, { limit, cursor }: PageRequest): Promise<Page<LoggedRender>> {
    const [number, offset] = cursor === undefined ? NEWEST : decodeCursor(cursor, 2).map(Number);
    await this.#buffer.flushed();
    const budget = { bytes: this.#options.pageBytes };
    return await this.#search(filterOf(workspaceId, filter), limit, [number, offset], budget);
  }

  /** The latest entry of a workspace with this id. Searches the whole log. */
  async find(workspaceId: string, id: string): Promise<LoggedRender | undefined> {
    await this.#buffer.flushed();
    const needles = [`"id":${JSON.stringify(id)}`, JSON.stringify(workspaceId)].map((text) => Buffer.from(text));
    const matches = (entry: LoggedRender) => entry.id === id && entry.workspaceId === workspaceId;
    const unbounded = { bytes: Number.POSITIVE_INFINITY };
    // one at a time: each may read the whole log
    const { items } = await this.#finds.runExclusive(() => this.#search({ needles, matches }, 1, NEWEST, unbounded));
    return items[0];
  }

  /** Resolves when no entry is waiting to be written. */
  async settled(): Promise<void> {
    await this.#buffer.settled();
  }

  async #search(filter: EntryFilter, limit: number, before: Position, budget: ScanBudget): Promise<Page<LoggedRender>> {
    const items: LoggedRender[] = [];
    try {
      const numbers = await logFileNumbers(this.#folder);
      const oldest = numbers[0];
      for (const number of numbers.reverse()) {
        if (number > before[0]) continue;
        const end = number === before[0] ? before[1] : Number.POSITIVE_INFINITY;
        let offset = 0;
        for await (const { line, start } of scanBackwards(this.#path(number), end, filter, budget)) {
          offset = start;
          const entry = line === undefined ? undefined : parseEntry(line);
          if (entry && filter.matches(entry)) items.push(entry);
          if (items.length >= limit) break;
        }
        const isOver = items.length >= limit || budget.bytes <= 0;
        if (isOver && (offset > 0 || number !== oldest)) return { items, nextCursor: encodeCursor(number, offset) };
      }
    } catch (cause) {
      throw new StoreError(`the render log can't be read: ${(cause as Error).message}`, { cause });
    }
    return { items, nextCursor: null };
  }

  #path(number: number): string {
    return join(this.#folder, logFile(number));
  }

  async #write(batch: readonly RenderEntry[]): Promise<void> {
    // A crash or a full disk may leave a torn line: a line feed keeps it apart from the next entry.
    const separator = this.#endsWithLineFeed ? '' : '\n';
    this.#endsWithLineFeed = false;
    await this.#rotate();
    const lines = batch.map((entry) => JSON.stringify(entry));
    await this.#options.append(this.#path(this.#number), `${separator}${lines.join('\n')}\n`);
    this.#endsWithLineFeed = true;
  }

  async #rotate(): Promise<void> {
    const size = await stat(this.#path(this.#number)).then(
      (found) => found.size,
      () => 0,
    );
    if (size < this.#options.maxBytes) return;
    this.#number++;
    for (const number of await logFileNumbers(this.#folder)) {
      if (number <= this.#number - this.#options.keep) await rm(this.#path(number), { force: true });
    }
  }
}
