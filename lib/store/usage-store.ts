// The store's operations for numbers: credits over time, renders per day, and requests per key.
import type { DayUsage, KeyRequests, LedgerEntry } from '../contract/dashboard.js';
import type { PageRequest, StorePage } from './page.js';

export type { DayUsage, KeyRequests, LedgerEntry };

/** Whom processor time is counted for. */
export interface CpuConsumer {
  readonly workspaceId: string;
  /** The API key, or the link key; undefined for operators in the dashboard. */
  readonly keyId?: string | undefined;
}

export interface UsageStore {
  /** Returns one item per day from `from` to `to` (`2026-11-22`) inclusive, oldest first, including days without renders. */
  dailyUsage(workspaceId: string, from: string, to: string): Promise<DayUsage[]>;
  /** Newest first; a day's charges stand before its grants. Of a deleted workspace too. */
  listLedger(workspaceId: string, page: PageRequest): Promise<StorePage<LedgerEntry>>;
  /**
   * Returns requests by the id of the API key or link key; keys without requests are absent. They are counted in memory and
   * written to the minute or better.
   */
  keyRequests(workspaceId: string): Promise<Readonly<Record<string, KeyRequests>>>;
  /**
   * Adds processor time of a render process to the present day of the workspace and to the present hour of the key. Rounds to
   * whole milliseconds. Never throws: counted in memory and written to the minute or better, for keys that still exist then.
   */
  countCpu(consumer: CpuConsumer, milliseconds: number): void;
}
