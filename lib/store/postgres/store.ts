// The store in PostgreSQL, shared by any number of nodes and admin commands: the database is the only thing they share,
// and nothing that another may change is remembered here.
import type { Store } from '../types.js';
import { createAdmin } from './admin.js';
import { withReason } from './errors.js';
import { type Applied, migrate } from './migrate.js';
import { Database } from './pool.js';
import { DatabaseLog } from './render-log.js';
import { checked, createRequests } from './requests.js';

export interface PostgresOptions {
  /** Most connections of this process at once. */
  readonly connections?: number;
  /** The longest that a render takes, in milliseconds: a hold lives for a minute more, then a node that died lost it. */
  readonly renderMs?: number;
  /** Entries of the render log that are kept, of all workspaces. */
  readonly keepRenders?: number;
  /** Told, in one line, of what went wrong without failing anything; default process.emitWarning. */
  readonly warn?: (message: string) => void;
}

/** Beyond a render's own limit: what reading, settling and retrying may take. */
const MARGIN_MS = 60_000;

/**
 * Connects to the database of `url` (postgres://…), brings its schema up to date, and opens the store in it.
 * Throws StoreError in one line, without the URL: it can't be reached, or its schema is newer than this program.
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { connections = 10, renderMs = 30_000, keepRenders = 1_000_000 } = options;
  const warn = options.warn ?? ((message: string) => process.emitWarning(message));
  const database = await openDatabase(url, { connections, warn });
  const requests = createRequests(database, { holdMs: renderMs + MARGIN_MS, warn });
  const log = new DatabaseLog(database, { keep: keepRenders, warn });
  return {
    ...requests,
    ...createAdmin(database),
    appendRender: (entry) => log.append(entry),
    listRenders: async (workspaceId, limit) => log.list(checked(workspaceId, 'workspace'), limit),
    async close() {
      await log.settled();
      requests.close();
      await database.close();
    },
  };
}

/** Brings the schema of `url` up to date, which opening does too; its migrations, oldest first. Throws StoreError. */
export async function migrateDatabase(url: string): Promise<Applied[]> {
  const database = new Database(url, { connections: 1, warn: () => undefined });
  try {
    return await migrate(database);
  } catch (error) {
    throw withReason(error);
  } finally {
    await database.close();
  }
}

/** The database of `url` with its schema up to date. Throws StoreError. */
export async function openDatabase(
  url: string,
  options: { readonly connections: number; readonly warn: (message: string) => void },
): Promise<Database> {
  // What fails now is said by what is thrown, once.
  let isOpen = false;
  const warn = (message: string) => {
    if (isOpen) options.warn(message);
  };
  const database = new Database(url, { ...options, warn });
  try {
    await migrate(database);
    isOpen = true;
    return database;
  } catch (error) {
    await database.close();
    throw withReason(error);
  }
}
