// A log as JSON Lines files: NAME-000001.jsonl and so on. Files are rotated by size, so the log is bounded. Their numbers only
// increase, so a position in a file stays valid.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeCursor, encodeCursor } from '../../cursor.js';
import { type PageRequest, StoreError, type StorePage } from '../../types.js';
import { type LineFilter, type ScanBudget, scanBackwards } from './scan.js';

export interface LogFilesOptions<Entry> {
  /** Start of the files' names. */
  readonly name: string;
  /** Name of the log in messages: `platen log`. */
  readonly noun: string;
  /** File size in bytes at which the log is rotated. */
  readonly maxBytes: number;
  /** Number of files that are kept, the current one included. */
  readonly keep: number;
  /** Appends text to a file, which may not exist. */
  readonly append: (path: string, text: string) => Promise<void>;
  /** The entry in a line; undefined when the line is torn or malformed. */
  readonly parse: (line: string) => Entry | undefined;
}

/** The lines of matching entries pass it; not every line that passes it matches. */
export interface EntryFilter<Entry> extends LineFilter {
  matches(entry: Entry): boolean;
}

/** A position between two entries: the number of a file and an offset in it. */
type Position = readonly [number: number, offset: number];

const NEWEST: Position = [Number.POSITIVE_INFINITY, 0];

export function logFile(name: string, number: number): string {
  return `${name}-${String(number).padStart(6, '0')}.jsonl`;
}

/** The numbers of the log files in `folder`, ascending. Throws the system's error. */
export async function logFileNumbers(folder: string, name: string): Promise<number[]> {
  const start = `${name}-`;
  const numbers = (await readdir(folder)).flatMap((file) =>
    file.startsWith(start) ? (/^(\d{6,15})\.jsonl$/.exec(file.slice(start.length))?.[1] ?? []) : [],
  );
  return numbers.map(Number).sort((a, b) => a - b);
}

export class LogFiles<Entry> {
  readonly #folder: string;
  readonly #options: LogFilesOptions<Entry>;
  /** The number of the file that new entries are appended to. */
  #number: number;
  /** Whether the file is known to end with a line feed: not before the first write, and not after a failed one. */
  #endsWithLineFeed = false;

  private constructor(folder: string, number: number, options: LogFilesOptions<Entry>) {
    this.#folder = folder;
    this.#number = number;
    this.#options = options;
  }

  /** Opens the log in `folder`, which exists. Throws the system's error. */
  static async open<Entry>(folder: string, options: LogFilesOptions<Entry>): Promise<LogFiles<Entry>> {
    const numbers = await logFileNumbers(folder, options.name);
    return new LogFiles(folder, numbers.at(-1) ?? 1, options);
  }

  /** Paths of the log's files, oldest first. */
  async paths(): Promise<string[]> {
    return (await logFileNumbers(this.#folder, this.#options.name)).map((number) => this.#path(number));
  }

  /** Appends entries. Calls must not overlap. Throws the system's error; some of the entries may be in the file then. */
  async append(entries: readonly Entry[]): Promise<void> {
    // A crash or a full disk may leave a torn line: a line feed keeps it apart from the next entry.
    const separator = this.#endsWithLineFeed ? '' : '\n';
    this.#endsWithLineFeed = false;
    await this.#rotate();
    const lines = entries.map((entry) => JSON.stringify(entry));
    await this.#options.append(this.#path(this.#number), `${separator}${lines.join('\n')}\n`);
    this.#endsWithLineFeed = true;
  }

  /** The entries that the filter selects, newest first. Torn and malformed lines are skipped. Throws StoreError. */
  async list(
    filter: EntryFilter<Entry>,
    { limit, cursor }: PageRequest,
    budget: ScanBudget = { bytes: Number.POSITIVE_INFINITY },
  ): Promise<StorePage<Entry>> {
    const [before, offset] = cursor === undefined ? NEWEST : decodeCursor(cursor, 2).map(Number);
    const items: Entry[] = [];
    try {
      const numbers = await logFileNumbers(this.#folder, this.#options.name);
      const oldest = numbers[0];
      for (const number of numbers.reverse()) {
        if (number > before) continue;
        const end = number === before ? offset : Number.POSITIVE_INFINITY;
        let reached = 0;
        for await (const { line, start } of scanBackwards(this.#path(number), end, filter, budget)) {
          reached = start;
          const entry = line === undefined ? undefined : this.#options.parse(line);
          if (entry && filter.matches(entry)) items.push(entry);
          if (items.length >= limit) break;
        }
        const isOver = items.length >= limit || budget.bytes <= 0;
        if (isOver && (reached > 0 || number !== oldest)) return { items, nextCursor: encodeCursor(number, reached) };
      }
    } catch (cause) {
      throw new StoreError(`the ${this.#options.noun} can't be read: ${(cause as Error).message}`, { cause });
    }
    return { items, nextCursor: null };
  }

  #path(number: number): string {
    return join(this.#folder, logFile(this.#options.name, number));
  }

  async #rotate(): Promise<void> {
    const { name, maxBytes, keep } = this.#options;
    const size = await stat(this.#path(this.#number)).then(
      (found) => found.size,
      () => 0,
    );
    if (size < maxBytes) return;
    this.#number++;
    for (const number of await logFileNumbers(this.#folder, name)) {
      if (number <= this.#number - keep) await rm(this.#path(number), { force: true });
    }
  }
}
