// Notes when keys were last used, and counts their requests and processor time by hour: in memory at once, in the table a minute later and when
// the store is closed. A table that can't be written delays that; no request waits for it.

import { Notes } from '../../notes.js';
import type { KeyRequests } from '../../usage-store.js';
import type { HourRow } from '../rows.js';
import type { Table } from '../table.js';

const HOUR_MS = 3_600_000;
/** Hours that are counted, the present one included. */
const HOURS = 24;

interface Use {
  /** ISO 8601; undefined while no request was allowed. */
  readonly lastUsedAt: string | undefined;
  readonly hours: readonly HourRow[];
}

/** The part of an API key's or link key's row that describes its use. */
interface UsedRow {
  readonly id: string;
  readonly lastUsedAt?: string;
  readonly hours?: readonly HourRow[];
}

export class KeyUse<Row extends UsedRow> {
  readonly #now: () => Date;
  readonly #notes: Notes<Use>;

  constructor(keys: Table<Row>, now: () => Date) {
    this.#now = now;
    this.#notes = new Notes<Use>({
      merge: (earlier, later) => ({
        lastUsedAt: later.lastUsedAt ?? earlier.lastUsedAt,
        hours: this.#sum(earlier.hours, later.hours),
      }),
      write: (notes, onCommit) =>
        keys.change((draft) => {
          for (const [id, { lastUsedAt, hours }] of notes) {
            const row = draft.rows.get(id);
            if (!row) continue;
            const used = lastUsedAt === undefined ? row : { ...row, lastUsedAt };
            draft.set(id, { ...used, hours: this.#sum(row.hours ?? [], hours) });
          }
        }, onCommit),
    });
  }

  note(keyId: string, isAllowed: boolean): void {
    const lastUsedAt = isAllowed ? this.#now().toISOString() : undefined;
    this.#notes.add(keyId, { lastUsedAt, hours: [[this.#hour(), 1, isAllowed ? 0 : 1]] });
  }

  noteCpu(keyId: string, cpuMs: number): void {
    this.#notes.add(keyId, { lastUsedAt: undefined, hours: [[this.#hour(), 0, 0, cpuMs]] });
  }

  /** The row with its latest use. */
  addTo(row: Row): Row {
    const lastUsedAt = this.#notes.get(row.id)?.lastUsedAt;
    return lastUsedAt === undefined ? row : { ...row, lastUsedAt };
  }

  /** Requests and processor time of the last 24 hours; undefined if there were none. */
  requests({ id, hours = [] }: Row): KeyRequests | undefined {
    const recent = this.#sum(hours, this.#notes.get(id)?.hours ?? []);
    if (recent.length === 0) return undefined;
    return {
      requests: recent.reduce((sum, [, requests]) => sum + requests, 0),
      refused: recent.reduce((sum, [, , refused]) => sum + refused, 0),
      cpuMs: recent.reduce((sum, [, , , cpuMs = 0]) => sum + cpuMs, 0),
    };
  }

  /** Writes what was noted. Never rejects: the next use tries again. */
  async write(): Promise<void> {
    await this.#notes.write();
  }

  /** Hours since 1970. */
  #hour(): number {
    return Math.floor(this.#now().getTime() / HOUR_MS);
  }

  /** The counts of both by hour, without those of more than a day ago. */
  #sum(a: readonly HourRow[], b: readonly HourRow[]): readonly HourRow[] {
    const oldest = this.#hour() - HOURS + 1;
    const hours = new Map<number, HourRow>();
    for (const [hour, requests, refused, cpuMs = 0] of [...a, ...b]) {
      if (hour < oldest) continue;
      const [, otherRequests, otherRefused, otherCpuMs = 0] = hours.get(hour) ?? [hour, 0, 0];
      hours.set(hour, [hour, requests + otherRequests, refused + otherRefused, cpuMs + otherCpuMs]);
    }
    return [...hours.values()];
  }
}
