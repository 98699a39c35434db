// Migrates a database to this version's schema. Missing migrations are applied in one transaction, by one node at a time.
// A schema that is newer than the program is rejected, because the program can't interpret it.
import { StoreError } from '../types.js';
import { CPU } from './migrations/cpu-6.js';
import { COUNTS, CREDITS } from './migrations/functions-1.js';
import { IDEMPOTENCY, TEMPLATES, WINDOWS } from './migrations/functions-2.js';
import { CHARGES, OPERATORS, USAGE } from './migrations/functions-3.js';
import { LINKS } from './migrations/links-4.js';
import { SCHEMA } from './migrations/tables-1.js';
import { CHANGED_TABLES, describeTemplates, NEW_TABLES } from './migrations/tables-2.js';
import { DASHBOARD_TABLES } from './migrations/tables-3.js';
import { TYPEFACES } from './migrations/typefaces-5.js';
import type { Database, Query } from './pool.js';

interface Migration {
  readonly version: number;
  readonly name: string;
  /** SQL statements, or work in between. */
  readonly steps: readonly (string | ((query: Query) => Promise<void>))[];
}

/** The migrations in order, numbered from 1. A released migration is never changed: a schema change is a new migration. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'tables, credits, rate windows, render log', steps: [SCHEMA + CREDITS + COUNTS] },
  {
    version: 2,
    name: 'idempotency keys, template versions, filters of the render log, assets, operators',
    steps: [NEW_TABLES, describeTemplates, CHANGED_TABLES + IDEMPOTENCY + WINDOWS + TEMPLATES],
  },
  {
    version: 3,
    name: 'charges and renders by day, requests of keys, sign-in, audit log',
    steps: [DASHBOARD_TABLES + CHARGES + USAGE + OPERATORS],
  },
  { version: 4, name: 'link keys', steps: [LINKS] },
  { version: 5, name: 'typefaces of fonts', steps: [TYPEFACES] },
  { version: 6, name: 'processor time by key and by day', steps: [CPU] },
];

/** The schema version that this program reads and writes. */
export const LATEST_VERSION = MIGRATIONS[MIGRATIONS.length - 1].version;

/** The key of the advisory lock: "platen" in ASCII. */
const ADVISORY_LOCK_KEY = 0x706c6174656e;

/** A migration that the database has. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  /** ISO 8601. */
  readonly appliedAt: string;
  /** Whether this run applied it. */
  readonly now: boolean;
}

interface Row {
  readonly version: number;
  readonly name: string;
  readonly applied_at: Date;
}

/**
 * Brings the schema up to date and returns all migrations of the database, oldest first. Tests pass other `migrations`.
 * Throws StoreError when the schema is newer than the program.
 */
export async function migrate(database: Database, migrations = MIGRATIONS): Promise<AppliedMigration[]> {
  // Most starts have nothing to apply: this check takes no lock and needs no right to create tables.
  const before = await database.transaction((query) => selectApplied(query));
  if (isComplete(before, migrations)) return before.map((row) => toApplied(row, []));
  return await database.transaction(async (query) => {
    // Waits as long as another node's migrations take.
    await query('SET LOCAL lock_timeout = 0');
    await query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK_KEY]);
    await query('CREATE SCHEMA IF NOT EXISTS platen');
    await query(`CREATE TABLE IF NOT EXISTS platen.migrations (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`);
    const applied = await selectApplied(query);
    const missing = isComplete(applied, migrations) ? [] : migrations.slice(applied.length);
    for (const { version, name, steps } of missing) {
      for (const step of steps) await (typeof step === 'string' ? query(step) : step(query));
      await query('INSERT INTO platen.migrations (version, name) VALUES ($1, $2)', [version, name]);
    }
    return (await selectApplied(query)).map((row) => toApplied(row, missing));
  });
}

async function selectApplied(query: Query): Promise<Row[]> {
  const [{ found }] = await query<{ found: boolean }>("SELECT to_regclass('platen.migrations') IS NOT NULL AS found");
  return found ? await query<Row>('SELECT version, name, applied_at FROM platen.migrations ORDER BY version') : [];
}

function isComplete(rows: readonly Row[], migrations: readonly Migration[]): boolean {
  const version = rows[rows.length - 1]?.version ?? 0;
  const latest = migrations[migrations.length - 1].version;
  if (version > latest) {
    throw new StoreError(
      `the database has the schema of a later version of the program (${version}): this one knows ${latest}`,
    );
  }
  return version === latest;
}

function toApplied({ version, name, applied_at }: Row, missing: readonly Migration[]): AppliedMigration {
  const now = missing.some((migration) => migration.version === version);
  return { version, name, appliedAt: applied_at.toISOString(), now };
}
