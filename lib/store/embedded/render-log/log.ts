// The render log as JSON Lines files in the data folder.
import { appendFile } from 'node:fs/promises';
import { RenderLogBuffer } from '../../render-log-buffer.js';
import type { LoggedRender, PageRequest, RenderLogFilter, StorePage } from '../../types.js';
import { Mutex } from '../durable-file.js';
import { LogFiles } from '../json-lines/log-files.js';
import { filterOf, parseEntry } from './filter.js';
import { RENDERS, renameOldLogFiles } from './old-files.js';

export interface RenderLogOptions {
  /** File size in bytes at which the log is rotated; default 16 MiB. */
  readonly maxBytes?: number;
  /** Number of files that are kept, the current one included; default 8. */
  readonly keep?: number;
  readonly warn: (message: string) => void;
  /** Appends text to a file; tests make it fail. */
  readonly append?: (path: string, text: string) => Promise<void>;
  /** Bytes that one page may scan (json-lines/scan.ts); default 32 MiB. */
  readonly pageBytes?: number;
}

export class RenderLog {
  readonly #files: LogFiles<LoggedRender>;
  readonly #buffer: RenderLogBuffer;
  readonly #finds = new Mutex();
  readonly #pageBytes: number;

  private constructor(files: LogFiles<LoggedRender>, { warn, pageBytes = 32 * 2 ** 20 }: RenderLogOptions) {
    this.#files = files;
    this.#pageBytes = pageBytes;
    this.#buffer = new RenderLogBuffer({
      write: (batch) => files.append(batch),
      warn,
      formatError: (error) => (error as Error).message,
    });
  }

  /** Opens the log in `folder`, which exists. Throws the system's error. */
  static async open(folder: string, options: RenderLogOptions): Promise<RenderLog> {
    await renameOldLogFiles(folder);
    const {
      maxBytes = 16 * 2 ** 20,
      keep = 8,
      append = (path: string, text: string) => appendFile(path, text, { mode: 0o600 }),
    } = options;
    const file = { name: RENDERS, noun: 'render log', parse: parseEntry };
    return new RenderLog(await LogFiles.open<LoggedRender>(folder, { ...file, maxBytes, keep, append }), options);
  }

  append(entry: LoggedRender): void {
    this.#buffer.append(entry);
  }

  /** Paths of the log's files, oldest first. */
  async paths(): Promise<string[]> {
    return await this.#files.paths();
  }

  /** The entries of a workspace that the filter selects, newest first. Torn and malformed lines are skipped. */
  async list(workspaceId: string, filter: RenderLogFilter, page: PageRequest): Promise<StorePage<LoggedRender>> {
    await this.#buffer.flushed();
    return await this.#files.list(filterOf(workspaceId, filter), page, { bytes: this.#pageBytes });
  }

  /** The latest entry of a workspace with this id. Searches the whole log. */
  async find(workspaceId: string, id: string): Promise<LoggedRender | undefined> {
    await this.#buffer.flushed();
    const needles = [`"id":${JSON.stringify(id)}`, JSON.stringify(workspaceId)].map((text) => Buffer.from(text));
    const matches = (entry: LoggedRender) => entry.id === id && entry.workspaceId === workspaceId;
    // one at a time: each may read the whole log
    const { items } = await this.#finds.runExclusive(() => this.#files.list({ needles, matches }, { limit: 1 }));
    return items[0];
  }

  /** Resolves when no entry is waiting to be written. */
  async settled(): Promise<void> {
    await this.#buffer.settled();
  }
}
