// Classifies database errors: whether a statement can be retried, and which RenderError callers get. A RenderError reveals
// neither the database's user nor its host. The operator gets the reason (`reasonOf`), which contains no password.
import pg from 'pg';
import { CodedError, ServiceError } from '../../errors.js';
import { StoreError } from '../types.js';

/** Thrown when no connection could be opened, so no statement was sent. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/** SQLSTATEs of a rollback due to a concurrent transaction: serialization failure, deadlock. */
const RETRYABLE_CONFLICTS = new Set(['40001', '40P01']);

/** True when the statement was rolled back and may succeed on a retry. */
export function isRetryableConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && RETRYABLE_CONFLICTS.has(error.code ?? '');
}

/**
 * True when the connection was lost, so it is unknown whether the statement took effect: every error that is not a reply
 * of the database, and SQLSTATE classes 08 (connection exception) and 57P (shutting down, crashed, starting up).
 */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? '');
}

/** True when a prepared statement is missing or a duplicate in the session that a pooler chose. Nothing was executed. */
export function isPreparedStatementMismatch(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05');
}

/** True for a violated unique constraint. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** The reason in one line, for the operator: the database's message with its SQLSTATE, or the system's message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  const text = error instanceof Error ? error.message || error.name : String(error);
  const [line] = text.split('\n', 1);
  return error instanceof pg.DatabaseError ? `${line} (SQLSTATE ${error.code})` : line;
}

/** The errors that `unavailable` created. Others, such as those of a data folder that is copied, are not ours. */
const databaseErrors = new WeakSet<CodedError>();

/** The error for callers. Its message may be sent to a client. */
export function unavailable(cause: unknown): CodedError {
  const reason = isConnectionLost(cause) ? 'the database can’t be reached' : 'the database refused';
  const error = new ServiceError('storage_unavailable', `storage is unavailable: ${reason}`, { cause });
  databaseErrors.add(error);
  return error;
}

/**
 * Converts an error of an operation that an operator started to a StoreError with the reason. Other errors are returned
 * unchanged.
 */
export function withReason(error: unknown): unknown {
  if (!(error instanceof CodedError) || !databaseErrors.has(error)) return error;
  return new StoreError(`the database can't be used: ${reasonOf(error.cause)}`, { cause: error });
}
