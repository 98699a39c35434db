// Notes when keys were last used: in memory at once, in the table a minute later and when the store is closed. A table that
// can't be written delays that; no request waits for it.

import type { KeyRow } from '../rows.js';
import type { Table } from '../table.js';
import { DelayedWrite } from './delayed-write.js';

export class KeyUse {
  readonly #keys: Table<KeyRow>;
  readonly #now: () => Date;
  /** ISO 8601, by key id; not in the table yet. */
  readonly #times = new Map<string, string>();
  readonly #delayed = new DelayedWrite(() => this.#write());

  constructor(keys: Table<KeyRow>, now: () => Date) {
    this.#keys = keys;
    this.#now = now;
  }

  note(keyId: string): void {
    this.#times.set(keyId, this.#now().toISOString());
    this.#delayed.schedule();
  }

  /** The row with its latest use. */
  addTo(row: KeyRow): KeyRow {
    const lastUsedAt = this.#times.get(row.id);
    return lastUsedAt === undefined ? row : { ...row, lastUsedAt };
  }

  /** Writes what was noted. Never rejects: the next use tries again. */
  async write(): Promise<void> {
    await this.#delayed.run();
  }

  async #write(): Promise<void> {
    const noted = new Map(this.#times);
    if (noted.size === 0) return;
    await this.#keys.change((draft) => {
      for (const [id, lastUsedAt] of noted) {
        const row = draft.rows.get(id);
        if (row) draft.set(id, { ...row, lastUsedAt });
      }
    });
    for (const [id, time] of noted) if (this.#times.get(id) === time) this.#times.delete(id);
  }
}
