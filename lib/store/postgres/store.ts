// The PostgreSQL store, which any number of nodes and admin commands share. They share only the database; no process caches
// anything that another may change.
import type { Store } from '../types.js';
import { createAdmin } from './admin.js';
import { createAssets } from './assets.js';
import { createAudit } from './audit.js';
import { createBrands } from './brands.js';
import { withReason } from './errors.js';
import { KeyRequestCounts } from './key-requests.js';
import { createLinks } from './links.js';
import { type AppliedMigration, migrate } from './migrate.js';
import { createOperators } from './operators.js';
import { Database, type Statement } from './pool.js';
import { RenderLog } from './render-log.js';
import { createRequests } from './requests.js';
import { createTemplates } from './templates.js';
import { createUsage } from './usage.js';

export interface PostgresOptions {
  /** Most connections of this process; default 10. */
  readonly connections?: number;
  /** The longest time that a render takes, in milliseconds; default 30 s. A hold expires one minute later. */
  readonly renderMs?: number;
  /** Number of entries that the render log keeps, of all workspaces together; default 1,000,000. */
  readonly keepRenders?: number;
  /** Called with a one-line message for each problem that fails no operation; default process.emitWarning. */
  readonly warn?: (message: string) => void;
}

/** Extra lifetime of a hold beyond the longest render, for reading the request, settling and retries. */
const HOLD_MARGIN_MS = 60_000;

/**
 * Connects to the database at `url` (postgres://…), brings its schema up to date, and opens the store in it.
 * Throws StoreError, without the URL, when the database can't be used or its schema is newer than the program.
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { connections = 10, renderMs = 30_000, keepRenders = 1_000_000 } = options;
  const warn = options.warn ?? ((message: string) => process.emitWarning(message));
  const database = await openDatabase(url, { connections, warn });
  await compareClocks(database, warn);
  const counts = new KeyRequestCounts(database);
  const requests = createRequests(database, { holdMs: renderMs + HOLD_MARGIN_MS, warn, counts });
  const log = new RenderLog(database, { keep: keepRenders, warn });
  return {
    ...requests,
    ...createAdmin(database),
    ...createLinks(database),
    ...createTemplates(database),
    ...createBrands(database),
    ...createAssets(database),
    ...createOperators(database),
    ...createAudit(database),
    ...createUsage(database, counts),
    appendRender: (entry) => log.appendRender(entry),
    listRenders: (workspaceId, filter, page) => log.listRenders(workspaceId, filter, page),
    findRender: (workspaceId, id) => log.findRender(workspaceId, id),
    async close() {
      await Promise.all([log.settled(), counts.write()]);
      requests.close();
      await database.close();
    },
  };
}

/** Clocks that differ by more than this are reported, in milliseconds. */
const MAX_DIFFERENCE_MS = 60_000;
const CLOCK: Statement = {
  name: 'read_clock',
  text: 'SELECT platen.microseconds()::float8 / 1000 AS milliseconds',
};

/**
 * Warns when the database's clock differs from this server's. Holds, rate limits and idempotency keys are timed by the database
 * alone. A clock that is set back keeps keys for longer. Against one that is set ahead nothing is kept in the database: the time
 * that has really passed is not known there, and a row with the latest time would be locked by every charge of every server.
 */
async function compareClocks(database: Database, warn: (message: string) => void): Promise<void> {
  const [row] = await database.query<{ milliseconds: number }>(CLOCK, []);
  const difference = row.milliseconds - Date.now();
  if (Math.abs(difference) <= MAX_DIFFERENCE_MS) return;
  const hours = (Math.abs(difference) / 3_600_000).toFixed(1);
  const where = difference > 0 ? 'ahead of' : 'behind';
  warn(
    `the database's clock is ${hours} hours ${where} this server's: check both; keys and limits expire by the database's`,
  );
}

/** Brings the schema up to date, as opening does, and returns its migrations, oldest first. Throws StoreError. */
export async function migrateDatabase(url: string): Promise<AppliedMigration[]> {
  const database = new Database(url, { connections: 1, warn: () => undefined });
  try {
    return await migrate(database);
  } catch (error) {
    throw withReason(error);
  } finally {
    await database.close();
  }
}

/** Connects to the database at `url` and brings its schema up to date. Throws StoreError. */
export async function openDatabase(
  url: string,
  options: { readonly connections: number; readonly warn: (message: string) => void },
): Promise<Database> {
  // During opening, the thrown error reports the failure; a warning would repeat it.
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
