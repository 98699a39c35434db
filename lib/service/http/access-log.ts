// One request → one line of the log. Ids of keys and workspaces are in it; keys, bodies, addresses and headers are not, but
// for the origins of assets that could not be fetched.
import type { Logger } from 'pino';
import type { RequestOutcome } from '../request.js';

export interface AccessLogFields {
  readonly method: string | undefined;
  readonly path: string;
  /** From its first byte to its answer's last. */
  readonly milliseconds: number;
  /** Whether the client left before it had all of the answer. */
  readonly clientGone: boolean;
}

const MAX_PATH = 200;
/** Somebody may put a key into an address by mistake, whole or cut. */
const KEYS = /svc_live_[0-9a-f]+/gi;
/** Asked every few seconds by whoever watches over the server. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Writes the line: what nobody expected as an error, other answers 5xx as warnings, probes for debugging, the rest as
 * information. A failure after the client has left may be of its leaving, and is information.
 */
export function logRequest(
  log: Logger,
  outcome: RequestOutcome,
  { method, path, milliseconds, clientGone }: AccessLogFields,
): void {
  const { requestId, answer, code, keyId, workspaceId, format, assetFailures, cause } = outcome;
  const line = {
    requestId,
    method,
    path: path.slice(0, MAX_PATH).replace(KEYS, 'svc_live_…'),
    status: answer.status,
    code,
    keyId,
    workspaceId,
    format,
    bytes: answer.length,
    ms: Math.round(milliseconds),
    ...(assetFailures && { assetFailures }),
    ...(clientGone && { clientGone }),
  };
  if (clientGone) log.info(line);
  else if (cause !== undefined) log.error({ ...line, err: cause });
  else if (PROBES.has(path)) log.debug(line);
  else if (answer.status >= 500) log.warn(line);
  else log.info(line);
}
