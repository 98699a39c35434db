// The store's operations for numbers: credits over time, renders per day, and requests per key.
import type { PageRequest, StorePage } from './page.js';

/** Renders of one day in UTC. */
export interface DailyUsage {
  /** `2026-11-22`. */
  readonly date: string;
  /** Renders that succeeded. */
  readonly renders: number;
  /** Renders that the render log has as failed. */
  readonly failures: number;
  /** Credits that were charged. */
  readonly credits: number;
  /** Milliseconds of processor time of render processes: for renders, including failed ones, and for inspections. */
  readonly cpuMs: number;
}

/** A line of a workspace's account. All amounts of a workspace, oldest first, add up to its balance. */
export type LedgerEntry =
  | {
      readonly kind: 'grant';
      readonly id: string;
      /** ISO 8601. */
      readonly time: string;
      /** Negative if credits were taken back. */
      readonly amount: number;
    }
  /** All charges of one day in UTC. */
  | {
      readonly kind: 'charge';
      readonly id: string;
      /** The day at 00:00, ISO 8601. */
      readonly time: string;
      /** Negative. */
      readonly amount: number;
      /** Number of charges. */
      readonly renders: number;
    }
  /** Total of the grants and charges before this program counted them. */
  | { readonly kind: 'opening'; readonly id: string; readonly time: string; readonly amount: number };

/** Whom processor time is counted for. */
export interface CpuConsumer {
  readonly workspaceId: string;
  /** The API key, or the link key; undefined for operators in the dashboard. */
  readonly keyId?: string | undefined;
}

/** Requests of a key in the last 24 hours, and what they took. */
export interface KeyRequests {
  readonly requests: number;
  /** Number of these that a rate limit refused. */
  readonly refused: number;
  /** Milliseconds of processor time of render processes. */
  readonly cpuMs: number;
}

export interface UsageStore {
  /** Returns one item per day from `from` to `to` (`2026-11-22`) inclusive, oldest first, including days without renders. */
  dailyUsage(workspaceId: string, from: string, to: string): Promise<DailyUsage[]>;
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
