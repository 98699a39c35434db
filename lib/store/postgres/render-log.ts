// The render log as rows of the database. The oldest entries are deleted, so the log is bounded.
import { RenderLogBuffer } from '../render-log-buffer.js';
import { type RenderEntry, StoreError } from '../types.js';
import { reasonOf } from './errors.js';
import type { Database, Statement } from './pool.js';

/** Entries of one statement. */
const MAX_BATCH = 256;

const APPEND: Statement = { name: 'append_renders', text: 'SELECT platen.append_renders($1, $2, $3, $4)' };
const LIST: Statement = {
  name: 'list_renders',
  text: `SELECT w.id AS owner, r.entry FROM platen.workspaces w LEFT JOIN LATERAL (
      SELECT entry, ordinal FROM platen.renders WHERE workspace_id = w.id ORDER BY ordinal DESC LIMIT $2
    ) r ON true WHERE w.id = $1 ORDER BY r.ordinal DESC`,
};

export interface RenderLogOptions {
  /** Number of entries that are kept, of all workspaces together. */
  readonly keep: number;
  readonly warn: (message: string) => void;
}

export class RenderLog {
  readonly #database: Database;
  readonly #buffer: RenderLogBuffer;

  constructor(database: Database, { keep, warn }: RenderLogOptions) {
    this.#database = database;
    this.#buffer = new RenderLogBuffer({
      async write(batch) {
        const values = [
          batch.map(({ id }) => id),
          batch.map(({ workspaceId }) => workspaceId),
          batch.map((entry) => JSON.stringify(entry)),
          keep,
        ];
        await database.query(APPEND, values, 'once');
      },
      warn,
      formatError: (error) => reasonOf((error as Error).cause ?? error),
      maxBatch: MAX_BATCH,
    });
  }

  append(entry: RenderEntry): void {
    this.#buffer.append(entry);
  }

  /** The newest entries of a workspace, newest first. Throws StoreError when there is no such workspace. */
  async list(workspaceId: string, limit: number): Promise<RenderEntry[]> {
    await this.settled();
    type Row = { entry: string | null };
    const rows = await this.#database.query<Row>(LIST, [workspaceId, limit], 'once');
    if (rows.length === 0) throw new StoreError('there is no such workspace');
    return rows.flatMap(({ entry }) => (entry === null ? [] : (JSON.parse(entry) as RenderEntry)));
  }

  /** Resolves when no entry is waiting to be written. */
  async settled(): Promise<void> {
    await this.#buffer.settled();
  }
}
