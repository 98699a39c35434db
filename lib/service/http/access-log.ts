// Writes one log line per request. It contains the ids of keys and workspaces, and the origins of assets that could not be
// fetched; it contains no keys, bodies, addresses or headers.
import type { Logger } from 'pino';
import type { RequestOutcome } from '../request.js';

export interface AccessLogFields {
  readonly method: string | undefined;
  readonly path: string;
  /** Duration from the first byte of the request to the last of its answer. */
  readonly milliseconds: number;
  /** Bytes of the body that were sent. */
  readonly sentBytes: number;
  /** Whether the client disconnected before it had all of the answer. */
  readonly clientGone: boolean;
}

const MAX_PATH_LENGTH = 200;
/** A client may put a key, or a part of one, into the path by mistake. */
const KEYS = /svc_live_[0-9a-f]+/gi;
/** Monitors and load balancers request these every few seconds. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** The path as logs and traces may have it: bounded, and without keys. */
export function loggedPath(path: string): string {
  return path.slice(0, MAX_PATH_LENGTH).replace(KEYS, 'svc_live_…');
}

/**
 * Writes the line at level error for unexpected errors, warn for other 5xx answers, debug for probes, info otherwise. A
 * failure after the client disconnected may come from the disconnect, so it is info.
 */
export function logRequest(
  log: Logger,
  outcome: RequestOutcome,
  { method, path, milliseconds, sentBytes, clientGone }: AccessLogFields,
): void {
  const { requestId, route, answer, code, keyId, operatorId, workspaceId, format, batch, assetFailures, traceId } =
    outcome;
  const cause = outcome.cause ?? batch?.cause;
  const line = {
    requestId,
    traceId,
    method,
    route,
    path: loggedPath(path),
    status: answer.status,
    code,
    keyId,
    operatorId,
    workspaceId,
    format,
    bytes: answer.length ?? sentBytes,
    ms: Math.round(milliseconds),
    ...(batch && { rows: batch.rows, succeeded: batch.succeeded, failed: batch.failed }),
    ...(assetFailures && assetFailures.length > 0 && { assetFailures }),
    ...(clientGone && { clientGone }),
  };
  if (clientGone) log.info(line);
  else if (cause !== undefined) log.error({ ...line, err: cause });
  else if (PROBES.has(path)) log.debug(line);
  else if (answer.status >= 500) log.warn(line);
  else log.info(line);
}
