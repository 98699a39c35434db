// Numbers for the dashboard in SQL: usage by day, the ledger, and the requests of keys.
import { notFound } from '../refusals.js';
import type { DayUsage, LedgerEntry, UsageStore } from '../usage-store.js';
import type { KeyRequestCounts } from './key-requests.js';
import { type Database, statements } from './pool.js';
import { type BigintText, fromMillionths, pageOf, validId } from './rows.js';

const SQL = statements({
  daily_usage: `SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(u.renders, 0) AS renders,
      coalesce(u.failures, 0) AS failures, coalesce(c.charged, 0) AS charged,
      coalesce(u.cpu_ms, 0) AS cpu_ms
    FROM platen.workspaces w
    LEFT JOIN (SELECT $2::date + n AS day FROM generate_series(0, $3::date - $2::date) AS n) d ON true
    LEFT JOIN platen.usage_days u ON u.workspace_id = w.id AND u.day = d.day
    LEFT JOIN (SELECT day, charged FROM platen.charge_days WHERE workspace_id = $1) c ON c.day = d.day
    WHERE w.id = $1 AND w.deleted_at IS NULL ORDER BY d.day`,
  /**
   * The lines of the ledger by day; within a day the charges precede the grants. The opening, which is what neither charges
   * nor grants explain, comes last. The row without a kind says that there is such a workspace.
   */
  list_ledger: `WITH owner AS (
      SELECT balance, created_at FROM platen.workspaces WHERE id = $1
    ), lines (kind, id, day, place, time, amount, renders) AS (
      SELECT 'charge', 'charges_' || to_char(day, 'YYYY-MM-DD'), day, 999999999999, day::timestamp AT TIME ZONE 'UTC',
        -charged, charges
      FROM platen.charge_days WHERE workspace_id = $1
      UNION ALL
      SELECT 'grant', id::text, (granted_at AT TIME ZONE 'UTC')::date, ordinal, granted_at, amount, NULL
      FROM platen.grants WHERE workspace_id = $1
    ), placed AS (
      SELECT (day - date '1970-01-01') * 1000000000000 + place AS position, kind, id, time, amount, renders FROM lines
      UNION ALL
      SELECT 0, 'opening', 'opening', least(created_at, (SELECT min(time) FROM lines)), balance - (SELECT coalesce(sum(amount), 0)::bigint FROM lines), NULL
      FROM owner WHERE balance <> (SELECT coalesce(sum(amount), 0) FROM lines)
      UNION ALL
      SELECT -1, NULL, NULL, NULL, NULL, NULL FROM owner
    )
    SELECT * FROM placed WHERE position < $2 AND EXISTS (SELECT FROM owner) ORDER BY position DESC LIMIT $3`,
});

interface DayRow {
  /** Null when the period is empty. */
  readonly date: string | null;
  readonly renders: BigintText;
  readonly failures: BigintText;
  readonly charged: BigintText;
  readonly cpu_ms: BigintText;
}

interface LineRow {
  readonly position: BigintText;
  readonly kind: LedgerEntry['kind'];
  readonly id: string;
  readonly time: Date;
  readonly amount: BigintText;
  /** Number of renders; only charges have it. */
  readonly renders: BigintText;
}

export function createUsage(database: Database, counts: KeyRequestCounts): UsageStore {
  return {
    async dailyUsage(workspaceId, from, to) {
      const values = [validId(workspaceId, 'workspace'), from, to];
      await counts.write();
      const rows = await database.query<DayRow>(SQL.daily_usage, values, 'once');
      if (rows.length === 0) throw notFound(workspaceId, 'workspace');
      return rows.flatMap(usageOf);
    },
    async listLedger(workspaceId, page) {
      const query = async (...range: [before: string, rows: number]) => {
        const values = [validId(workspaceId, 'workspace'), ...range];
        const rows = await database.query<LineRow>(SQL.list_ledger, values, 'once');
        if (rows.length === 0) throw notFound(workspaceId, 'workspace');
        return rows.filter(({ kind }) => kind !== null);
      };
      return await pageOf(page, query, (row) => lineOf(row as LineRow), 'position');
    },
    keyRequests: (workspaceId) => counts.read(workspaceId),
    countCpu: (consumer, milliseconds) => counts.noteCpu(consumer, Math.round(milliseconds)),
  };
}

function usageOf({ date, renders, failures, charged, cpu_ms }: DayRow): DayUsage[] {
  if (date === null) return [];
  const counts = { renders: Number(renders), failures: Number(failures), cpuMs: Number(cpu_ms) };
  return [{ date, ...counts, credits: fromMillionths(charged) }];
}

function lineOf(row: LineRow): LedgerEntry {
  const line = { id: row.id, time: row.time.toISOString(), amount: fromMillionths(row.amount) };
  return row.kind === 'charge'
    ? { kind: row.kind, ...line, renders: Number(row.renders) }
    : { kind: row.kind, ...line };
}
