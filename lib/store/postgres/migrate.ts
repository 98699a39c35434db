// Migrates a database to this version's schema. Missing migrations are applied in one transaction, by one node at a time.
// A schema that is newer than the program is rejected, because the program can't interpret it.
import { StoreError } from '../types.js';
import type { Database, Query } from './pool.js';
import { BRAND_TABLES, BRANDS } from './schema/brands.js';
import { CONTENT } from './schema/content.js';
import { COUNTS } from './schema/counts.js';
import { CREDITS } from './schema/credits.js';
import { OPERATORS } from './schema/operators.js';
import { TABLES, TRIGGERS } from './schema/tables.js';

interface Migration {
  readonly version: number;
  readonly name: string;
  /** SQL statements, or work in between. */
  readonly steps: readonly (string | ((query: Query) => Promise<void>))[];
}

/** Functions are replaced whole: a migration that changes one runs all of them again. */
const FUNCTIONS = CREDITS + COUNTS + CONTENT + OPERATORS;

/** An empty database gets the schema of version 0.2.0 at once. */
const BASELINE: Migration = { version: 7, name: 'version 0.2.0', steps: [TABLES + FUNCTIONS + TRIGGERS] };

/** Databases that were made before version 0.2.0 have what servers of still earlier versions called. */
const FROM_VERSION_6: Migration = {
  ...BASELINE,
  steps: [
    `DROP FUNCTION platen.add_key_requests(text[], timestamptz[], bigint[], bigint[]);
    DROP FUNCTION platen.append_renders(text[], text[], text[], bigint);
    DROP FUNCTION platen.count_request(text, bigint);
    DROP FUNCTION platen.add_asset(
      text, text, text, text, bytea, bytea, double precision, double precision, text, integer, text, bigint);
    DROP VIEW platen.templates;
    ALTER SEQUENCE platen.logged_renders_ordinal_seq RENAME TO renders_ordinal_seq;
    ${FUNCTIONS}`,
  ],
};

/**
 * The migrations of databases that have the baseline, in order. A released migration is never changed: a schema change is a new
 * migration, from version 8 on.
 */
export const MIGRATIONS: readonly Migration[] = [
  { version: 8, name: 'brands', steps: [BRAND_TABLES + FUNCTIONS + BRANDS] },
];

/** The schema version that this program reads and writes. */
export const LATEST_VERSION = latestOf(MIGRATIONS);

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
    const missing = isComplete(applied, migrations) ? [] : missingMigrations(applied, migrations);
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

function latestOf(migrations: readonly Migration[]): number {
  return (migrations[migrations.length - 1] ?? BASELINE).version;
}

function missingMigrations(applied: readonly Row[], migrations: readonly Migration[]): readonly Migration[] {
  if (applied.length === 0) return [BASELINE, ...migrations];
  const { version } = applied[applied.length - 1];
  if (version >= BASELINE.version) return migrations.filter((migration) => migration.version > version);
  if (version === 6) return [FROM_VERSION_6, ...migrations];
  throw new StoreError(
    `the database has the schema of a version before 0.2.0 that no release had (${version}): versions 6 and later upgrade`,
  );
}

function isComplete(rows: readonly Row[], migrations: readonly Migration[]): boolean {
  const version = rows[rows.length - 1]?.version ?? 0;
  const latest = latestOf(migrations);
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
