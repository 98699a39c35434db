// Counts renders and failures by day: in memory at once, in the table a minute later and when the store is closed.
import type { LoggedRender } from '../../types.js';
import type { UsageRow } from '../rows.js';
import type { Table } from '../table.js';
import { dayOf, monthOf } from './days.js';
import { Notes } from './notes.js';

type Counts = readonly [renders: number, failures: number];

const NONE: Counts = [0, 0];

const sum = (a: Counts, b: Counts): Counts => [a[0] + b[0], a[1] + b[1]];

export class DailyUsage {
  readonly #usage: Table<UsageRow>;
  /** By workspace and day: `ws_… 2026-11-22`. */
  readonly #notes: Notes<Counts>;

  constructor(usage: Table<UsageRow>) {
    this.#usage = usage;
    this.#notes = new Notes({
      merge: sum,
      write: (notes, onCommit) =>
        usage.change((draft) => {
          for (const [name, counts] of notes) {
            const [workspaceId, day] = name.split(' ');
            const month = monthOf(day);
            const id = `${workspaceId} ${month}`;
            const row = draft.rows.get(id) ?? { id, workspaceId, month, days: {} };
            draft.set(id, { ...row, days: { ...row.days, [day]: sum(row.days[day] ?? NONE, counts) } });
          }
        }, onCommit),
    });
  }

  note({ workspaceId, time, status }: Pick<LoggedRender, 'workspaceId' | 'time' | 'status'>): void {
    this.#notes.add(`${workspaceId} ${dayOf(time)}`, status === 'ok' ? [1, 0] : [0, 1]);
  }

  /** The renders and failures of a day. */
  counts(workspaceId: string, day: string): Counts {
    const written = this.#usage.rows.get(`${workspaceId} ${monthOf(day)}`)?.days[day] ?? NONE;
    return sum(written, this.#notes.get(`${workspaceId} ${day}`) ?? NONE);
  }

  /** Writes what was noted. Never rejects. */
  async write(): Promise<void> {
    await this.#notes.write();
  }
}
