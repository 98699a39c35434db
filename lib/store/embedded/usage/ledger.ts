// The ledger: what was granted and charged, line by line. A grant or charge changes the row of its workspace alone, which so
// has the new balance and the line that explains it, or neither. The row collects the charges of one day in one line. Lines
// that no longer change are moved to the table `ledger` in the background; a line that a crash left in both is read once.
import { addCredits } from '../../credits.js';
import { DelayedWrite } from '../../notes.js';
import type { LedgerEntry } from '../../usage-store.js';
import type { LedgerLine, LedgerRow, WorkspaceRow } from '../rows.js';
import type { Table } from '../table.js';
import { DAY_MS, dayOf, monthOf } from './days.js';

/** Lines of one workspace that a command may leave in its row. */
const MAX_LEFT = 50;
/** More than the lines of a workspace; times the days since 1970 it is still a safe integer. */
const LINES = 1e11;

/** A line in a list, at a position that it keeps. */
export interface PlacedEntry {
  readonly position: number;
  readonly entry: LedgerEntry;
}

/** The row after a grant of `amount`, which is negative if credits are taken back. Its balance is the caller's matter. */
export function withGrant(row: WorkspaceRow, amount: number, now: Date): WorkspaceRow {
  return amount === 0 ? row : withLine(row, { kind: 'grant', time: now.toISOString(), amount });
}

/** The row after a charge of `cost`. Its balance is the caller's matter. */
export function withCharge(row: WorkspaceRow, cost: number, now: Date): WorkspaceRow {
  const day = dayOf(now);
  const { charges, ...others } = row.charges?.[0] === day ? row : withoutCharges(row);
  const [, amount, renders] = charges ?? [day, 0, 0];
  return { ...others, charges: [day, addCredits(amount, -cost), renders + 1] };
}

/** The row whose charges of an earlier day have become a line that does not change. */
function withoutCharges(row: WorkspaceRow): WorkspaceRow {
  if (!row.charges) return row;
  const { charges, ...others } = row;
  const [day, amount, renders] = charges;
  return withLine(others, { kind: 'charge', time: `${day}T00:00:00.000Z`, amount, renders });
}

function withLine(row: WorkspaceRow, line: Omit<LedgerLine, 'number'>): WorkspaceRow {
  const number = (row.lines ?? 0) + 1;
  return { ...row, lines: number, unposted: [...(row.unposted ?? []), { number, ...line }] };
}

export class Ledger {
  readonly #workspaces: Table<WorkspaceRow>;
  readonly #ledger: Table<LedgerRow>;
  readonly #now: () => Date;
  readonly #delayed = new DelayedWrite(() => this.#post(1));

  constructor(workspaces: Table<WorkspaceRow>, ledger: Table<LedgerRow>, now: () => Date) {
    this.#workspaces = workspaces;
    this.#ledger = ledger;
    this.#now = now;
    if (this.#unposted(1).length > 0) this.#delayed.schedule();
  }

  /** Schedules the move of a workspace's lines to their table; does nothing for a workspace without lines. */
  schedule(workspaceId: string): void {
    if (this.#workspaces.rows.get(workspaceId)?.unposted) this.#delayed.schedule();
  }

  /** Newest first: the charges of a day before its grants, and what no line explains last. */
  entries(workspace: WorkspaceRow): PlacedEntry[] {
    const lines = linesOf(workspace, this.#ledger.rows);
    const grants = lines.flatMap(placedGrant);
    for (const [day, { amount, renders }] of chargesByDay(lines)) {
      const time = `${day}T00:00:00.000Z`;
      const entry = { kind: 'charge', id: `charges_${day}`, time, amount, renders } as const;
      grants.push({ position: positionOf(time) + LINES - 1, entry });
    }
    const explained = lines.reduce((sum, { amount }) => addCredits(sum, amount), 0);
    const amount = addCredits(workspace.balance, -explained);
    if (amount !== 0) {
      grants.push({ position: 0, entry: { kind: 'opening', id: 'opening', time: this.#openingTime(lines), amount } });
    }
    return grants.sort((a, b) => b.position - a.position);
  }

  /** Credits charged, by day. */
  charged(workspace: WorkspaceRow): ReadonlyMap<string, number> {
    return new Map(
      Array.from(chargesByDay(linesOf(workspace, this.#ledger.rows)), ([day, { amount }]) => [
        day,
        addCredits(0, -amount),
      ]),
    );
  }

  /** Moves the lines of workspaces that have many. Never rejects: the next start of a server moves them. */
  async close(): Promise<void> {
    this.#delayed.cancel();
    await this.#post(MAX_LEFT).catch(() => undefined);
  }

  /** The time at which the folder got its ledger, or earlier. */
  #openingTime(lines: readonly LedgerLine[]): string {
    const { since } = this.#ledger.header;
    const times = lines.map(({ time }) => time);
    return [...times, typeof since === 'string' ? since : this.#now().toISOString()].sort()[0];
  }

  #unposted(least: number): { readonly workspaceId: string; readonly lines: readonly LedgerLine[] }[] {
    return Array.from(this.#workspaces.rows.values()).flatMap(({ id, unposted = [] }) =>
      unposted.length >= least ? { workspaceId: id, lines: unposted } : [],
    );
  }

  /** Adds the lines to the table if it has not got them, then removes them from the rows. */
  async #post(least: number): Promise<void> {
    const posted = this.#unposted(least);
    if (posted.length === 0) return;
    await this.#ledger.change((draft) => {
      for (const { workspaceId, lines } of posted) {
        for (const line of lines) {
          const month = monthOf(line.time);
          const id = `${workspaceId} ${month}`;
          const row = draft.rows.get(id) ?? { id, workspaceId, month, lines: [] };
          if (row.lines.some(({ number }) => number === line.number)) continue;
          draft.set(id, { ...row, lines: [...row.lines, line] });
        }
      }
    });
    const last = new Map(posted.map(({ workspaceId, lines }) => [workspaceId, lines[lines.length - 1].number]));
    await this.#workspaces.change((draft) => {
      for (const [id, number] of last) {
        const row = draft.rows.get(id);
        if (!row?.unposted) continue;
        const { unposted, ...others } = row;
        const left = unposted.filter((line) => line.number > number);
        draft.set(id, left.length > 0 ? { ...others, unposted: left } : others);
      }
    });
  }
}

/** All lines of a workspace, those that may still change included, in no order. */
export function linesOf(
  { id, charges, unposted = [] }: WorkspaceRow,
  ledger: ReadonlyMap<string, LedgerRow>,
): readonly LedgerLine[] {
  const byNumber = new Map(unposted.map((line) => [line.number, line]));
  for (const row of ledger.values()) {
    if (row.workspaceId === id) for (const line of row.lines) byNumber.set(line.number, line);
  }
  if (!charges) return [...byNumber.values()];
  const [day, amount, renders] = charges;
  return [...byNumber.values(), { number: 0, kind: 'charge', time: `${day}T00:00:00.000Z`, amount, renders }];
}

function placedGrant({ kind, number, time, amount }: LedgerLine): PlacedEntry[] {
  if (kind !== 'grant') return [];
  return [{ position: positionOf(time) + number, entry: { kind, id: `grant_${number}`, time, amount } }];
}

/** A day may have several lines if the clock was set back. */
export function chargesByDay(
  lines: readonly LedgerLine[],
): Map<string, { readonly amount: number; readonly renders: number }> {
  const days = new Map<string, { amount: number; renders: number }>();
  for (const { kind, time, amount, renders = 0 } of lines) {
    if (kind !== 'charge') continue;
    const day = time.slice(0, 10);
    const sum = days.get(day) ?? { amount: 0, renders: 0 };
    days.set(day, { amount: addCredits(sum.amount, amount), renders: sum.renders + renders });
  }
  return days;
}

/** The position of the first line of a day. */
const positionOf = (time: string): number => Math.floor(Date.parse(time) / DAY_MS) * LINES;
