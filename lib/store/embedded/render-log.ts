// Finished renders → renders.jsonl, a line each, appended behind the back of whoever reports them: a full disk or a slow
// one delays no render and fails none. Files are rotated by size, so the log is bounded.
import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type RenderEntry, StoreError } from '../types.js';
import { readLinesReverse } from './reverse-lines.js';
import { isObject } from './snapshot.js';

export interface RenderLogOptions {
  /** Bytes at which a file is put aside; default 16 MiB. */
  readonly maxBytes?: number;
  /** How many files are kept, the growing one included; default LOG_FILES. */
  readonly keep?: number;
  readonly warn: (message: string) => void;
  /** Appends text to a file; tests let it fail. */
  readonly append?: (path: string, text: string) => Promise<void>;
}

/** Entries that come within so many milliseconds of the first are written together: four trips to the disk, not four each. */
const BATCH_DELAY_MS = 20;

/** How many files are kept, the growing one included. */
export const LOG_FILES = 8;

/** Entries that may wait for a slow disk; an entry is at most some 17 KB, by the bound on metadata. */
const MAX_WAITING = 4096;

export class RenderLog {
  readonly #folder: string;
  readonly #options: Required<RenderLogOptions>;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #dropped = 0;
  /** Whether the file is known to end with a line feed: not before the first write, and not after one that failed. */
  #ended = false;

  constructor(folder: string, options: RenderLogOptions) {
    this.#folder = folder;
    this.#options = {
      maxBytes: 16 * 2 ** 20,
      keep: LOG_FILES,
      append: (path, text) => appendFile(path, text, { mode: 0o600 }),
      ...options,
    };
  }

  append(entry: RenderEntry): void {
    if (this.#waiting.length >= MAX_WAITING) {
      if (this.#dropped++ === 0) this.#options.warn('the render log can’t keep up: entries are dropped');
      return;
    }
    this.#waiting.push(JSON.stringify(entry));
    this.#writing ??= this.#writeAll();
  }

  /** A workspace's newest entries, newest first; lines that are torn or no entries are passed over. Throws StoreError. */
  async list(workspaceId: string, limit: number): Promise<RenderEntry[]> {
    await this.settled();
    const found: RenderEntry[] = [];
    const named = JSON.stringify(workspaceId);
    for (let age = 0; age < this.#options.keep; age++) {
      if (found.length >= limit) break;
      try {
        for await (const line of readLinesReverse(this.#path(age))) {
          const entry = line.includes(named) ? entryOf(line) : undefined;
          if (entry?.workspaceId === workspaceId) found.push(entry);
          if (found.length >= limit) break;
        }
      } catch (cause) {
        throw new StoreError(`the render log can't be read: ${(cause as Error).message}`, { cause });
      }
    }
    return found;
  }

  /** Resolves when nothing waits to be written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #path(age: number): string {
    return join(this.#folder, logFile(age));
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS));
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#rotate();
        // What a crash or a full disk tore off stays a line of its own.
        await this.#options.append(this.#path(0), `${this.#ended ? '' : '\n'}${lines.join('\n')}\n`);
        this.#ended = true;
        this.#dropped = 0;
      } catch (error) {
        this.#ended = false;
        this.#options.warn(`${lines.length} entries of the render log are lost: ${(error as Error).message}`);
      }
    }
    // In the same turn in which nothing was found waiting: what comes later starts anew.
    this.#writing = undefined;
  }

  async #rotate(): Promise<void> {
    const size = await stat(this.#path(0)).then(
      (found) => found.size,
      () => 0,
    );
    if (size < this.#options.maxBytes) return;
    for (let age = this.#options.keep - 1; age > 0; age--) {
      await rename(this.#path(age - 1), this.#path(age)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
}

/** The name of the file that was put aside `age` files ago; 0 is the one that grows. */
export function logFile(age: number): string {
  return age === 0 ? 'renders.jsonl' : `renders.${age}.jsonl`;
}

/** The entry that a line holds, if it is one. */
export function entryOf(line: string): RenderEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? (value as unknown as RenderEntry) : undefined;
  } catch {
    return undefined;
  }
}
