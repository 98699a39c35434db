// `Idempotency-Key` of a render: the first charged request of a key settles it; repeats render again without a charge.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseIdempotencyKey } from '../contract/api/headers.js';
import { canonicalJson } from '../contract/json/canonical.js';
import { invalidRequest } from '../contract/messages/issues.js';
import { type CodedError, ServiceError } from '../errors.js';
import type { IdempotencyKey, IdempotencyLease, IdempotencyStore, SettledRequest } from '../store/types.js';
import type { ApiRequest, RequestContext } from './request.js';

/**
 * Longest Retry-After, in seconds, while the first request of a key runs. Most renders are done by then; the lease may last a
 * minute longer than any render.
 */
const MAX_RETRY_AFTER_SECONDS = 2;

/** The request's idempotency key; undefined if it has none. Throws RenderError `invalid_request`. */
export function idempotencyKeyOf({ idempotencyKeys = [] }: ApiRequest): string | undefined {
  if (idempotencyKeys.length <= 1) return parseIdempotencyKey(idempotencyKeys.at(0));
  const message = `received ${idempotencyKeys.length} headers, expected one`;
  throw invalidRequest([{ code: 'conflicting_values', path: 'Idempotency-Key', message }]);
}

/** The turn of a request with an idempotency key: it is the first one of its key, or a replay of that one. */
export type Turn = { readonly lease: IdempotencyLease } | { readonly settled: SettledRequest };

/**
 * Claims `key` for a request with this body. Throws RenderError `idempotency_in_progress` while another request has it, and
 * `idempotency_mismatch` when it was settled with another body.
 */
export async function claimTurn(
  key: IdempotencyKey,
  body: unknown,
  { headers }: Pick<RequestContext, 'headers'>,
  store: IdempotencyStore,
): Promise<Turn> {
  const fingerprint = fingerprintOf(body);
  const claim = await store.claimIdempotencyKey(key, fingerprint);
  if ('inProgressMs' in claim) {
    const seconds = Math.max(1, Math.min(MAX_RETRY_AFTER_SECONDS, Math.ceil(claim.inProgressMs / 1000)));
    headers.set('Retry-After', String(seconds));
    throw inProgress();
  }
  if ('settled' in claim && claim.settled.fingerprint !== fingerprint) {
    throw mismatch('this Idempotency-Key was used with another body; use a new key for a new request');
  }
  return claim;
}

/** SHA-256 of the canonical JSON of a body, hex. */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

export function mismatch(message: string): CodedError {
  return new ServiceError('idempotency_mismatch', message);
}

/** Delays between looks at a key that another request has, in milliseconds. */
const WAIT_MS = { min: 20, max: 500 } as const;

/**
 * Claims `key` as `claimTurn` does, but waits while another request has it: at most `timeoutMs`, then throws RenderError
 * `idempotency_in_progress`. Rejects when `signal` aborts.
 */
export async function awaitTurn(
  key: IdempotencyKey,
  fingerprint: string,
  store: IdempotencyStore,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Turn> {
  const deadline = performance.now() + timeoutMs;
  for (let delayMs: number = WAIT_MS.min; ; delayMs = Math.min(WAIT_MS.max, 2 * delayMs)) {
    const claim = await store.claimIdempotencyKey(key, fingerprint);
    if (!('inProgressMs' in claim)) return claim;
    if (performance.now() > deadline) throw inProgress();
    await sleep(delayMs, undefined, { signal });
  }
}

function inProgress(): CodedError {
  const message = 'a request with this Idempotency-Key is running; try again when it is done';
  return new ServiceError('idempotency_in_progress', message);
}
