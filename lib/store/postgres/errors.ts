// What a query fails of → whether it may be asked again, and the RenderError that callers see. Neither says who the
// database's user is, nor where it runs: the reason is for the operator's eyes (`reasonOf`), which sees no password either.
import pg from 'pg';
import { RenderError } from '../../errors.js';
import { StoreError } from '../types.js';

/** Thrown when no connection could be had: nothing was asked. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/** Rolled back by the database in favour of another transaction (serialization failure, deadlock). */
const OUTRUN = new Set(['40001', '40P01']);

/** True when the statement was undone and may succeed when it is asked again. */
export function isRetryableConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && OUTRUN.has(error.code ?? '');
}

/**
 * True when the connection was lost under way, so that nobody knows whether the statement took effect: whatever is no
 * answer of the database, and its classes 08 (connection exception) and 57P (shutting down, crashed, starting up).
 */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? '');
}

/** True when a prepared statement is not, or already, where the connection led to: nothing was done. */
export function isUnprepared(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05');
}

/** True when a row with the same unique value is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** One line for the operator: the server's words with its SQLSTATE, or the system's. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  const text = error instanceof Error ? error.message || error.name : String(error);
  const [line] = text.split('\n', 1);
  return error instanceof pg.DatabaseError ? `${line} (SQLSTATE ${error.code})` : line;
}

/** What `unavailable` made: a store at the other end of a copy has failures of its own. */
const made = new WeakSet<RenderError>();

/** The failure as callers know it; the message may go out on the wire. */
export function unavailable(cause: unknown): RenderError {
  const what = isConnectionLost(cause) ? 'the database can’t be reached' : 'the database refused';
  const error = new RenderError('storage_unavailable', `storage is unavailable: ${what}`, { cause });
  made.add(error);
  return error;
}

/** The failure of something that an operator began: with the reason. Errors of others stay as they are. */
export function withReason(error: unknown): unknown {
  if (!(error instanceof RenderError) || !made.has(error)) return error;
  return new StoreError(`the database can't be used: ${reasonOf(error.cause)}`, { cause: error });
}
