// A database → one with the schema of this version: what is missing is applied, all of it in one transaction, by one node
// at a time. A schema that is newer than the program is refused, as nobody knows what its rows mean.
import { StoreError } from '../types.js';
import { COUNTS, CREDITS } from './functions.js';
import type { Database, Query } from './pool.js';
import { SCHEMA } from './schema.js';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** In order, numbered from 1. Those that were released are never changed: a change is a further one. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'tables, credits, rate windows, render log', sql: SCHEMA + CREDITS + COUNTS },
];

/** The version of the schema that this program reads and writes. */
export const NEWEST = MIGRATIONS[MIGRATIONS.length - 1].version;

/** Any number that is nobody else's: the letters "platen". */
const LOCK = 0x706c6174656e;

/** One migration of the database, and whether it was applied just now. */
export interface Applied {
  readonly version: number;
  readonly name: string;
  /** ISO 8601. */
  readonly appliedAt: string;
  readonly now: boolean;
}

interface Row {
  readonly version: number;
  readonly name: string;
  readonly applied_at: Date;
}

/**
 * Brings the schema up to date; all migrations of the database, oldest first. `migrations`: this version's, for tests.
 * Throws StoreError when the schema is of a later version.
 */
export async function migrate(database: Database, migrations = MIGRATIONS): Promise<Applied[]> {
  // Most starts find nothing to do: they wait for nobody, and need no right to make tables.
  const before = await database.transaction((ask) => appliedIn(ask));
  if (isComplete(before, migrations)) return before.map((row) => entryOf(row, []));
  return await database.transaction(async (ask) => {
    // Waits for another node's migrations for as long as they take.
    await ask('SET LOCAL lock_timeout = 0');
    await ask('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await ask('CREATE SCHEMA IF NOT EXISTS platen');
    await ask(`CREATE TABLE IF NOT EXISTS platen.migrations (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`);
    const there = await appliedIn(ask);
    const missing = isComplete(there, migrations) ? [] : migrations.slice(there.length);
    for (const { version, name, sql } of missing) {
      await ask(sql);
      await ask('INSERT INTO platen.migrations (version, name) VALUES ($1, $2)', [version, name]);
    }
    return (await appliedIn(ask)).map((row) => entryOf(row, missing));
  });
}

async function appliedIn(ask: Query): Promise<Row[]> {
  const [{ found }] = await ask<{ found: boolean }>("SELECT to_regclass('platen.migrations') IS NOT NULL AS found");
  return found ? await ask<Row>('SELECT version, name, applied_at FROM platen.migrations ORDER BY version') : [];
}

function isComplete(rows: readonly Row[], migrations: readonly Migration[]): boolean {
  const newest = rows[rows.length - 1]?.version ?? 0;
  const known = migrations[migrations.length - 1].version;
  if (newest > known) {
    throw new StoreError(
      `the database has the schema of a later version of the program (${newest}): this one knows ${known}`,
    );
  }
  return newest === known;
}

function entryOf({ version, name, applied_at }: Row, missing: readonly Migration[]): Applied {
  const now = missing.some((migration) => migration.version === version);
  return { version, name, appliedAt: applied_at.toISOString(), now };
}
