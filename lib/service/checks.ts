// The checks that all operations share, in the contract's order. Each lets the request pass or throws the error that answers
// it.
import { enforceJsonLimits } from '../contract/json/limits.js';
import { parseJson } from '../contract/json/parse.js';
import { type CodedError, ServiceError } from '../errors.js';
import { hashKey } from '../store/api-keys.js';
import type { ApiKey, RateDecision, RateWindow, Scope, Workspace } from '../store/types.js';
import type { Permit, Tenant } from './admission/index.js';
import { rateHeaders } from './http/answer.js';
import type { Caller, RequestContext, ServiceOptions } from './request.js';

/**
 * Bodies above this size, or of unknown length, need a permit before they are read: reading and parsing a megabyte takes
 * as long as rendering a card. A smaller body is cheap, and its image may be in the cache.
 */
const LARGE_BODY_BYTES = 64 * 2 ** 10;

/** Blanks at the end of a header are not part of its value. Other characters that `trim` would remove make another key. */
const RAW_KEY = /^(svc_live_[0-9a-f]{64})[ \t]*$/;

/** Longest part of a header that an error message repeats, in characters. */
const MAX_ENCODING_LENGTH = 40;

/** Who may call an operation, and how often. */
export interface CallerRules {
  /** The scope that a key needs; without it, any valid key may call the operation. */
  readonly scope?: Scope;
  /** The window that counts its requests. */
  readonly window: RateWindow;
}

/** The API key, its scope, and the rate limit. */
export async function admitCaller(
  context: RequestContext,
  { scope, window }: CallerRules,
  { store, settings }: ServiceOptions,
): Promise<Caller> {
  const caller = await authenticate(context.request.authorization, store);
  context.caller = caller;
  const { key } = caller;
  if (scope !== undefined && !key.scopes.includes(scope)) {
    throw new ServiceError('insufficient_scope', `the API key lacks the scope ${scope}`);
  }
  const rate = await store.countRequest(key.id, window, limitOf(key, window, settings));
  for (const [name, value] of rateHeaders(rate)) context.headers.set(name, value);
  if (rate.allowed) return caller;
  const { error, retryAfter } = rateLimited(rate);
  context.headers.set('Retry-After', String(retryAfter));
  throw error;
}

/** Returns the number of a key's requests that the window accepts in any 60 seconds. */
export function limitOf({ rateLimit }: ApiKey, window: RateWindow, settings: ServiceOptions['settings']): number {
  if (window === 'read') return settings.API_KEY_READ_LIMIT_PER_MIN;
  return rateLimit ?? settings.API_KEY_RATE_LIMIT_PER_MIN;
}

/** The caller of a request. Throws RenderError `missing_api_key`, `invalid_api_key` and `revoked_api_key`. */
export async function authenticate(authorization: string | undefined, store: ServiceOptions['store']): Promise<Caller> {
  const raw = /^bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
  if (raw === undefined) {
    throw new ServiceError('missing_api_key', 'expected the header Authorization: Bearer <API key>');
  }
  // the form is checked before hashing, so that a token of a megabyte costs nothing
  const [, key] = RAW_KEY.exec(raw) ?? [];
  const caller = key === undefined ? undefined : await store.findKey(hashKey(key));
  if (!caller) throw new ServiceError('invalid_api_key', 'the API key is not one that was issued');
  if (caller.key.state === 'revoked') throw new ServiceError('revoked_api_key', 'the API key has been revoked');
  return caller;
}

/** The error of a request over the rate limit, with its `Retry-After`: the smallest whole number of seconds that suffices. */
export function rateLimited({ limit, resetMs }: RateDecision): { error: CodedError; retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil(resetMs / 1000));
  const message = `more than ${limit} requests in 60 seconds; try again in ${retryAfter} s`;
  return { error: new ServiceError('rate_limited', message), retryAfter };
}

/** The workspace as one that shares queue and processor time with others. */
export function tenantOf({ id, plan }: Workspace, { RENDER_PAID_WEIGHT }: ServiceOptions['settings']): Tenant {
  return { id, weight: plan === 'paid' ? RENDER_PAID_WEIGHT : 1 };
}

/**
 * Checks the headers of a body of at most `maxBytes`: rejects a compressed body, and reserves a permit of the tenant for a
 * large one. A body above the limit is left to `body()`, which rejects it. Callers without a key have no tenant, and take no
 * place in the queue.
 */
export function admitBody(
  { request: { declaredBytes, contentEncoding }, headers }: RequestContext,
  maxBytes: number,
  tenant: Tenant | undefined,
  { engine }: ServiceOptions,
): Permit | undefined {
  if (declaredBytes !== undefined && declaredBytes > maxBytes) return undefined;
  if (isCompressed(contentEncoding)) {
    // RFC 9110, section 15.5.16: Accept-Encoding lists the codings that are accepted
    headers.set('Accept-Encoding', 'identity');
    const received = JSON.stringify(contentEncoding?.slice(0, MAX_ENCODING_LENGTH));
    throw new ServiceError(
      'unsupported_media_type',
      `received Content-Encoding ${received}, expected none: send the body uncompressed`,
    );
  }
  if (!tenant || (declaredBytes !== undefined && declaredBytes <= LARGE_BODY_BYTES)) return undefined;
  return engine.reserve(tenant);
}

function isCompressed(contentEncoding = ''): boolean {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  return codings.some((coding) => coding !== '' && coding !== 'identity');
}

/** Reads the body as the owner's: the workspace of the caller's key, or an operator. */
export function readBody(
  { request, caller, operatorId }: Pick<RequestContext, 'request' | 'caller' | 'operatorId'>,
  maxBytes: number,
): Promise<Uint8Array> {
  return request.body(maxBytes, caller?.workspace.id ?? operatorId);
}

/** Reads a body of JSON, within the limits of its size, values and levels. */
export async function readJson(context: RequestContext, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(context, maxBytes);
  enforceJsonLimits(bytes);
  return parseJson(bytes);
}
