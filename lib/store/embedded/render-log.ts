// The render log as JSON Lines files in the data folder. Files are rotated by size, so the log is bounded.
import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../contract/fields.js';
import { readLinesReverse } from '../lines.js';
import { RenderLogBuffer } from '../render-log-buffer.js';
import { type RenderEntry, StoreError } from '../types.js';

export interface RenderLogOptions {
  /** File size in bytes at which the log is rotated; default 16 MiB. */
  readonly maxBytes?: number;
  /** Number of files that are kept, the current one included; default LOG_FILES. */
  readonly keep?: number;
  readonly warn: (message: string) => void;
  /** Appends text to a file; tests make it fail. */
  readonly append?: (path: string, text: string) => Promise<void>;
}

/** Number of files that are kept, the current one included. */
export const LOG_FILES = 8;

export class RenderLog {
  readonly #folder: string;
  readonly #options: Required<RenderLogOptions>;
  readonly #buffer: RenderLogBuffer;
  /** Whether the file is known to end with a line feed: not before the first write, and not after a failed one. */
  #endsWithLineFeed = false;

  constructor(folder: string, options: RenderLogOptions) {
    this.#folder = folder;
    this.#options = {
      maxBytes: 16 * 2 ** 20,
      keep: LOG_FILES,
      append: (path, text) => appendFile(path, text, { mode: 0o600 }),
      ...options,
    };
    this.#buffer = new RenderLogBuffer({
      write: (batch) => this.#write(batch),
      warn: options.warn,
      formatError: (error) => (error as Error).message,
    });
  }

  append(entry: RenderEntry): void {
    this.#buffer.append(entry);
  }

  /** The newest entries of a workspace, newest first. Torn and malformed lines are skipped. Throws StoreError. */
  async list(workspaceId: string, limit: number): Promise<RenderEntry[]> {
    await this.settled();
    const found: RenderEntry[] = [];
    // A cheap text search first: most lines are never parsed.
    const quotedId = JSON.stringify(workspaceId);
    for (let age = 0; age < this.#options.keep; age++) {
      if (found.length >= limit) break;
      try {
        for await (const line of readLinesReverse(this.#path(age))) {
          const entry = line.includes(quotedId) ? parseEntry(line) : undefined;
          if (entry?.workspaceId === workspaceId) found.push(entry);
          if (found.length >= limit) break;
        }
      } catch (cause) {
        throw new StoreError(`the render log can't be read: ${(cause as Error).message}`, { cause });
      }
    }
    return found;
  }

  /** Resolves when no entry is waiting to be written. */
  async settled(): Promise<void> {
    await this.#buffer.settled();
  }

  #path(age: number): string {
    return join(this.#folder, logFile(age));
  }

  async #write(batch: readonly RenderEntry[]): Promise<void> {
    // A crash or a full disk may leave a torn line: a line feed keeps it apart from the next entry.
    const separator = this.#endsWithLineFeed ? '' : '\n';
    this.#endsWithLineFeed = false;
    await this.#rotate();
    const lines = batch.map((entry) => JSON.stringify(entry));
    await this.#options.append(this.#path(0), `${separator}${lines.join('\n')}\n`);
    this.#endsWithLineFeed = true;
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

/** The name of the log file that was rotated `age` times; 0 is the current one. */
export function logFile(age: number): string {
  return age === 0 ? 'renders.jsonl' : `renders.${age}.jsonl`;
}

/** The entry in a line of the log; undefined when the line is torn or malformed. */
export function parseEntry(line: string): RenderEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? (value as unknown as RenderEntry) : undefined;
  } catch {
    return undefined;
  }
}
