// Converts between the rows of a data folder and the rows that a copy transfers.
import type { IdempotencyKeys } from '../embedded/idempotency/keys.js';
import { settledOf } from '../embedded/idempotency/log.js';
import type { IdempotencyRecord } from '../embedded/idempotency/record.js';
import {
  type LedgerLine,
  type LedgerRow,
  latestOf,
  type OperatorRow,
  type TemplateRow,
  type UsageRow,
  type WorkspaceRow,
} from '../embedded/rows.js';
import type { RowChanges } from '../embedded/table.js';
import { monthOf } from '../embedded/usage/days.js';
import { chargesByDay, linesOf } from '../embedded/usage/ledger.js';
import type { CopiedLedger, CopiedOperator, SettledKey, TemplateHead, UsageDay } from './rows.js';

/** The row without its part of the ledger, which is copied by itself. */
export function withoutLedger({ id, name, plan, balance, deletedAt }: WorkspaceRow): WorkspaceRow {
  return { id, name, plan, balance, ...(deletedAt !== undefined && { deletedAt }) };
}

/** The lines of a workspace; undefined if it has none. */
export function ledgerOf(row: WorkspaceRow, ledger: ReadonlyMap<string, LedgerRow>): CopiedLedger | undefined {
  const lines = [...linesOf(row, ledger)].sort((a, b) => a.number - b.number);
  if (lines.length === 0) return undefined;
  const grants = lines.flatMap(({ kind, time, amount }) => (kind === 'grant' ? [{ time, amount }] : []));
  const charges = Array.from(chargesByDay(lines), ([day, sums]) => ({ day, ...sums }));
  return { id: row.id, grants, charges: charges.sort((a, b) => a.day.localeCompare(b.day)) };
}

/** The row with these lines. The server moves them to their table. */
export function withLedger(row: WorkspaceRow, { grants, charges }: CopiedLedger): WorkspaceRow {
  const lines: Omit<LedgerLine, 'number'>[] = [
    ...grants.map((grant) => ({ kind: 'grant' as const, ...grant })),
    ...charges.map(({ day, ...sums }) => ({ kind: 'charge' as const, time: `${day}T00:00:00.000Z`, ...sums })),
  ];
  const unposted = lines.map((line, index) => ({ number: index + 1, ...line }));
  return { ...withoutLedger(row), lines: lines.length, unposted };
}

export function headOf(row: TemplateRow): TemplateHead {
  const { id, workspaceId, publishedVersion, createdAt, updatedAt } = row;
  return { id, workspaceId, version: latestOf(row).version, publishedVersion, createdAt, updatedAt };
}

/** Converts a record to a row; `clock` is the one that its time comes from. */
export function settledKeyOf(record: IdempotencyRecord, clock: IdempotencyKeys['clock']): SettledKey {
  return {
    ...settledOf(record),
    id: record.digest.toString('hex'),
    settledAt: new Date(clock.toWall(record.time)).toISOString(),
  };
}

export function usageDaysOf({ workspaceId, days }: UsageRow): UsageDay[] {
  return Object.entries(days).map(([day, [renders, failures, cpuMs = 0]]) => ({
    id: `${workspaceId} ${day}`,
    renders,
    failures,
    cpuMs,
  }));
}

export function addUsage(draft: RowChanges<UsageRow>, { id, renders, failures, cpuMs }: UsageDay): void {
  const [workspaceId, day] = id.split(' ');
  const month = monthOf(day);
  const row = draft.rows.get(`${workspaceId} ${month}`) ?? {
    id: `${workspaceId} ${month}`,
    workspaceId,
    month,
    days: {},
  };
  draft.set(row.id, { ...row, days: { ...row.days, [day]: [renders, failures, cpuMs] } });
}

export function copiedOperatorOf({ id, name, role, workspaces, passwordHash, createdAt }: OperatorRow): CopiedOperator {
  const operator = { id: name, operatorId: id, role, workspaces, createdAt };
  return { ...operator, ...(passwordHash !== undefined && { passwordHash }) };
}

export function operatorOf({ id: name, operatorId: id, ...fields }: CopiedOperator): OperatorRow {
  return { id, name, ...fields, sessions: [] };
}
