// Counts the requests of keys by hour, and processor time by key and by day: in memory at once, in the database some seconds later
// and when the store is closed. A database that can't be reached delays that; no request waits for it.
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

interface Count {
  readonly keyId: string;
  /** Start of the hour in milliseconds. */
  readonly hour: number;
  requests: number;
  refused: number;
  cpuMs: number;
}

interface CpuDay {
  readonly workspaceId: string;
  /** `2026-11-22`, in UTC. */
  readonly day: string;
  cpuMs: number;
}

export class KeyRequestCounts {
  readonly #database: Database;
  /** Counts that are not in the database yet, by hour and key. */
  #waiting = new Map<string, Count>();
  /** The same, by day and workspace. */
  #waitingDays = new Map<string, CpuDay>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  note(keyId: string, isAllowed: boolean): void {
    this.#add({ keyId, hour: thisHour(), requests: 1, refused: isAllowed ? 0 : 1, cpuMs: 0 });
    this.#schedule();
  }

  noteCpu({ workspaceId, keyId }: CpuConsumer, cpuMs: number): void {
    if (keyId !== undefined) this.#add({ keyId, hour: thisHour(), requests: 0, refused: 0, cpuMs });
    this.#addDay({ workspaceId, day: new Date().toISOString().slice(0, 10), cpuMs });
    this.#schedule();
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
  write(): Promise<void> {
    // Writes follow one another, so that a failed one has put its counts back before the next one takes them.
    this.#writing = this.#writing.then(() => this.#writeOnce());
    return this.#writing;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.write(), WRITE_DELAY_MS).unref();
  }

  async #writeOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all([this.#writeHours(), this.#writeDays()]);
  }

  async #writeHours(): Promise<void> {
    const counts = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (counts.length === 0) return;
    const values = [
      counts.map(({ keyId }) => keyId),
      counts.map(({ hour }) => new Date(hour)),
      counts.map(({ requests }) => requests),
      counts.map(({ refused }) => refused),
      counts.map(({ cpuMs }) => cpuMs),
    ];
    await this.#database.query(SQL.add_key_requests, values).catch(() => {
      for (const count of counts) this.#add(count);
    });
  }

  async #writeDays(): Promise<void> {
    const days = [...this.#waitingDays.values()];
    this.#waitingDays = new Map();
    if (days.length === 0) return;
    const values = [
      days.map(({ workspaceId }) => workspaceId),
      days.map(({ day }) => day),
      days.map(({ cpuMs }) => cpuMs),
    ];
    await this.#database.query(SQL.add_cpu_days, values).catch(() => {
      for (const day of days) this.#addDay(day);
    });
  }

  #add({ keyId, hour, requests, refused, cpuMs }: Count): void {
    const name = `${hour} ${keyId}`;
    const count = this.#waiting.get(name);
    if (count) {
      count.requests += requests;
      count.refused += refused;
      count.cpuMs += cpuMs;
    } else if (this.#waiting.size < MAX_WAITING) {
      this.#waiting.set(name, { keyId, hour, requests, refused, cpuMs });
    }
  }

  #addDay({ workspaceId, day, cpuMs }: CpuDay): void {
    const name = `${day} ${workspaceId}`;
    const sum = this.#waitingDays.get(name);
    if (sum) sum.cpuMs += cpuMs;
    else if (this.#waitingDays.size < MAX_WAITING) this.#waitingDays.set(name, { workspaceId, day, cpuMs });
  }
}

/** The start of the present hour in milliseconds. */
function thisHour(): number {
  return Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
}
