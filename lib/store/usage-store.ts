// The store's operations for numbers: credits over time, renders per day, and requests per key.
import type { Page, PageRequest } from './page.js';

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
  /** What was granted and charged before this program counted them. */
  | { readonly kind: 'opening'; readonly id: string; readonly time: string; readonly amount: number };

/** Requests of a key in the last 24 hours. */
export interface KeyRequests {
  readonly requests: number;
  /** Of these, refused by a rate limit. */
  readonly refused: number;
}

export interface UsageStore {
  /** One item per day, `from` and `to` (`2026-11-22`) included, oldest first, days without renders too. */
  dailyUsage(workspaceId: string, from: string, to: string): Promise<DailyUsage[]>;
  /** Newest first; a day's charges stand before its grants. */
  listLedger(workspaceId: string, page: PageRequest): Promise<Page<LedgerEntry>>;
  /** By the id of the API key or link key; keys without requests are absent. Counted in memory and written to the minute or better. */
  keyRequests(workspaceId: string): Promise<Readonly<Record<string, KeyRequests>>>;
}
