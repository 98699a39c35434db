// The brands of workspaces in SQL. A version never changes, so the latest record is cached; which version is the latest is asked
// of the database every time.
import { createByteCache } from '../../cache/lru.js';
import { brandConflict, notFound } from '../refusals.js';
import { type BrandStore, MAX_VERSIONS } from '../types.js';
import { type Database, statements } from './pool.js';
import { isPossibleId, validId } from './rows.js';

/** Most characters of JSON text whose parsed records are cached. */
const MAX_CACHED_CHARACTERS = 8 * 2 ** 20;
/** Versions are 32-bit integers in the database. */
const MAX_VERSION = 2 ** 31 - 1;

const SQL = statements({
  find_brand: `SELECT version, created_at, CASE WHEN version = $3 THEN NULL ELSE record END AS record FROM platen.brands
    WHERE workspace_id = $1 AND ($2::integer IS NULL OR version = $2) ORDER BY version DESC LIMIT 1`,
  replace_brand: `SELECT outcome, latest, saved_at FROM platen.replace_brand($1, $2::integer, ${MAX_VERSIONS}, $3)`,
});

interface CachedBrand {
  readonly version: number;
  readonly record: unknown;
  readonly length: number;
}

export function createBrands(database: Database): BrandStore {
  const brands = createByteCache<CachedBrand>(MAX_CACHED_CHARACTERS, ({ length }) => length);

  return {
    async findBrand(workspaceId, version) {
      if (!isPossibleId(workspaceId)) return undefined;
      if (version !== undefined && !isVersion(version)) return undefined;
      const cached = brands.get(workspaceId);
      type Row = { version: number; created_at: Date; record: string | null };
      const values = [workspaceId, version ?? null, cached?.version ?? null];
      const [row] = await database.query<Row>(SQL.find_brand, values, 'once');
      if (!row) return undefined;
      const found = { version: row.version, createdAt: row.created_at.toISOString() };
      if (row.record === null) return { ...found, record: cached!.record };
      const record: unknown = JSON.parse(row.record);
      if (version === undefined) brands.set(workspaceId, { version: row.version, record, length: row.record.length });
      return { ...found, record };
    },
    async replaceBrand(workspaceId, record, ifVersion) {
      const text = JSON.stringify(record);
      // no version of the database is that large
      const expected = ifVersion === undefined ? null : Math.min(ifVersion, MAX_VERSION);
      const values = [validId(workspaceId, 'workspace'), expected, text];
      type Row = { outcome: 'saved' | 'unknown' | 'conflict'; latest: number; saved_at: Date };
      const [{ outcome, latest, saved_at }] = await database.query<Row>(SQL.replace_brand, values);
      if (outcome === 'unknown') throw notFound(workspaceId, 'workspace');
      if (outcome === 'conflict') throw brandConflict(ifVersion!, latest);
      return { version: latest, createdAt: saved_at.toISOString(), record: JSON.parse(text) as unknown };
    },
  };
}

function isVersion(version: number): boolean {
  return Number.isInteger(version) && version >= 1 && version <= MAX_VERSION;
}
