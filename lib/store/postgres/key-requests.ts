// Counts the requests of keys by hour, and processor time by key and by day: in memory at once, in the database some seconds later
// and when the store is closed. A database that can't be reached delays that; no request waits for it.

import { Notes } from '../notes.js';
import { notFound } from '../refusals.js';
import type { CpuConsumer, KeyRequests } from '../usage-store.js';
import { type Database, statements } from './pool.js';
import { type BigintText, validId } from './rows.js';

/** Longest delay of a count's write, in milliseconds. */
const WRITE_DELAY_MS = 15_000;
const HOUR_MS = 3_600_000;
/** Counts (keys and hours, workspaces and days) of one statement, and most that may wait for a database that can't be reached. */
const MAX_WAITING = 10_000;

const SQL = statements({
  add_key_requests: 'SELECT platen.add_key_requests($1, $2, $3, $4, $5)',
  add_cpu_days: 'SELECT platen.add_cpu_days($1, $2, $3)',
  key_requests: `SELECT k.id, sum(h.requests)::bigint AS requests, sum(h.refused)::bigint AS refused,
      sum(h.cpu_ms)::bigint AS cpu_ms
    FROM platen.workspaces w LEFT JOIN (
      SELECT id, workspace_id FROM platen.keys UNION ALL SELECT id, workspace_id FROM platen.links
    ) k ON k.workspace_id = w.id
    LEFT JOIN platen.key_hours h ON h.key_id = k.id AND h.hour > clock_timestamp() - interval '24 hours'
    WHERE w.id = $1 AND w.deleted_at IS NULL GROUP BY k.id`,
});

/** Requests, those of them that were refused, and milliseconds of processor time. */
type Counts = readonly [requests: number, refused: number, cpuMs: number];

export class KeyRequestCounts {
  readonly #database: Database;
  /** Counts that are not in the database yet, by the start of the hour in milliseconds and the key: `1795867200000 key_…`. */
  readonly #hours: Notes<Counts>;
  /** Milliseconds of processor time, by day and workspace: `2026-11-22 ws_…`. */
  readonly #days: Notes<number>;

  constructor(database: Database) {
    this.#database = database;
    const limits = { delayMs: WRITE_DELAY_MS, maxNames: MAX_WAITING };
    this.#hours = new Notes<Counts>({
      ...limits,
      merge: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
      async write(notes, onCommit) {
        const [hours, ids] = columnsOf(notes);
        const starts = hours.map((hour) => new Date(Number(hour)));
        const counts = [...notes.values()];
        const sums = [0, 1, 2].map((column) => counts.map((each) => each[column]));
        await database.query(SQL.add_key_requests, [ids, starts, ...sums]);
        onCommit();
      },
    });
    this.#days = new Notes<number>({
      ...limits,
      merge: (a, b) => a + b,
      async write(notes, onCommit) {
        const [days, ids] = columnsOf(notes);
        await database.query(SQL.add_cpu_days, [ids, days, [...notes.values()]]);
        onCommit();
      },
    });
  }

  note(keyId: string, isAllowed: boolean): void {
    this.#hours.add(`${thisHour()} ${keyId}`, [1, isAllowed ? 0 : 1, 0]);
  }

  noteCpu({ workspaceId, keyId }: CpuConsumer, cpuMs: number): void {
    if (keyId !== undefined) this.#hours.add(`${thisHour()} ${keyId}`, [0, 0, cpuMs]);
    this.#days.add(`${new Date().toISOString().slice(0, 10)} ${workspaceId}`, cpuMs);
  }

  /** Reads the counts of a workspace's keys; those of other nodes are as new as their last write. */
  async read(workspaceId: string): Promise<Readonly<Record<string, KeyRequests>>> {
    await this.write();
    type Row = { id: string | null; requests: BigintText | null; refused: BigintText; cpu_ms: BigintText };
    const rows = await this.#database.query<Row>(SQL.key_requests, [validId(workspaceId, 'workspace')], 'once');
    if (rows.length === 0) throw notFound(workspaceId, 'workspace');
    const counted = rows.filter((row) => row.id !== null && row.requests !== null);
    return Object.fromEntries(
      counted.map(({ id, requests, refused, cpu_ms }) => [
        id,
        { requests: Number(requests), refused: Number(refused), cpuMs: Number(cpu_ms) },
      ]),
    );
  }

  /** Writes what was noted before. Never rejects: what can't be written is written with the next count. */
  async write(): Promise<void> {
    await Promise.all([this.#hours.write(), this.#days.write()]);
  }
}

/** The two parts of each name: what is before its first space, and after it. */
function columnsOf(notes: ReadonlyMap<string, unknown>): [string[], string[]] {
  const names = Array.from(notes.keys(), (name) => name.split(/ (.*)/s));
  return [names.map(([first]) => first), names.map(([, second]) => second)];
}

/** The start of the present hour in milliseconds. */
function thisHour(): number {
  return Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
}
