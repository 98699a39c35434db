// Finished renders → rows, in batches, behind the back of whoever reports them: the database may be slow or away without
// delaying a render. What waits is bounded, and so is what is kept: the oldest entries go.
import { type RenderEntry, StoreError } from '../types.js';
import { reasonOf } from './errors.js';
import type { Database, Statement } from './pool.js';

/** Entries that come within so many milliseconds of the first are written together. */
const BATCH_DELAY_MS = 20;
/** Entries that may wait; an entry is at most some 17 KB, by the bound on metadata. */
const MAX_WAITING = 4096;
/** Entries of one statement. */
const MAX_TOGETHER = 256;

const APPEND: Statement = { name: 'append_renders', text: 'SELECT platen.append_renders($1, $2, $3, $4)' };
const LIST: Statement = {
  name: 'list_renders',
  text: `SELECT w.id AS owner, r.entry FROM platen.workspaces w LEFT JOIN LATERAL (
      SELECT entry, ordinal FROM platen.renders WHERE workspace_id = w.id ORDER BY ordinal DESC LIMIT $2
    ) r ON true WHERE w.id = $1 ORDER BY r.ordinal DESC`,
};

export interface LogOptions {
  /** Entries of all workspaces that are kept. */
  readonly keep: number;
  readonly warn: (message: string) => void;
}

export class DatabaseLog {
  readonly #database: Database;
  readonly #options: LogOptions;
  #waiting: RenderEntry[] = [];
  #writing: Promise<void> | undefined;
  #dropped = 0;

  constructor(database: Database, options: LogOptions) {
    this.#database = database;
    this.#options = options;
  }

  append(entry: RenderEntry): void {
    if (this.#waiting.length >= MAX_WAITING) {
      if (this.#dropped++ === 0) this.#options.warn('the render log can’t keep up: entries are dropped');
      return;
    }
    this.#waiting.push(entry);
    this.#writing ??= this.#writeAll();
  }

  /** A workspace's newest entries, newest first. Throws StoreError when there is no such workspace. */
  async list(workspaceId: string, limit: number): Promise<RenderEntry[]> {
    await this.settled();
    type Row = { entry: string | null };
    const rows = await this.#database.query<Row>(LIST, [workspaceId, limit], 'again');
    if (rows.length === 0) throw new StoreError('there is no such workspace');
    return rows.flatMap(({ entry }) => (entry === null ? [] : (JSON.parse(entry) as RenderEntry)));
  }

  /** Resolves when nothing waits to be written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS));
      const batch = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        const values = [
          batch.map(({ id }) => id),
          batch.map(({ workspaceId }) => workspaceId),
          batch.map((entry) => JSON.stringify(entry)),
          this.#options.keep,
        ];
        await this.#database.query(APPEND, values, 'again');
        this.#dropped = 0;
      } catch (error) {
        const reason = reasonOf((error as Error).cause ?? error);
        this.#options.warn(`${batch.length} entries of the render log are lost: ${reason}`);
      }
    }
    // In the same turn in which nothing was found waiting: what comes later starts anew.
    this.#writing = undefined;
  }
}
