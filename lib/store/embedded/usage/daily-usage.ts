// Counts renders, failures and processor time by day: in memory at once, in the table a minute later and when the store is closed.

import { Notes } from '../../notes.js';
import type { LoggedRender } from '../../types.js';
import type { DayCounts, UsageRow } from '../rows.js';
import type { Table } from '../table.js';
import { dayOf, monthOf } from './days.js';

type Counts = Required<DayCounts>;

const NONE: Counts = [0, 0, 0];

const sum = ([renders, failures, cpuMs = 0]: DayCounts, added: Counts): Counts => [
  renders + added[0],
  failures + added[1],
  cpuMs + added[2],
];

export class DailyUsage {
  readonly #usage: Table<UsageRow>;
  /** Counts by workspace and day: `ws_… 2026-11-22`. */
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
    this.#notes.add(`${workspaceId} ${dayOf(time)}`, status === 'ok' ? [1, 0, 0] : [0, 1, 0]);
  }

  noteCpu(workspaceId: string, day: string, cpuMs: number): void {
    this.#notes.add(`${workspaceId} ${day}`, [0, 0, cpuMs]);
  }

  /** The renders, failures and processor time of a day. */
  counts(workspaceId: string, day: string): Counts {
    const written = this.#usage.rows.get(`${workspaceId} ${monthOf(day)}`)?.days[day] ?? NONE;
    return sum(written, this.#notes.get(`${workspaceId} ${day}`) ?? NONE);
  }

  /** Writes what was noted. Never rejects. */
  async write(): Promise<void> {
    await this.#notes.write();
  }
}
