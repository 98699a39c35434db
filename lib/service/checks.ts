// The gates before a render, in the contract's order; each lets the request pass or throws the error that answers it.
import { parseJson } from '../contract/json.js';
import { enforceJsonLimits } from '../contract/json-limits.js';
import { parseRequest, type RenderRequest } from '../contract/request.js';
import { unknownInRequest } from '../contract/unknown-fields.js';
import { limitWarnings } from '../contract/warnings.js';
import { RenderError, type Warning } from '../errors.js';
import { hashKey } from '../store/api-keys.js';
import type { ApiKey, Hold, RateDecision, RequestStore, Workspace } from '../store/types.js';

export interface Caller {
  readonly key: ApiKey;
  readonly workspace: Workspace;
}

/** Blanks at a header's end are no part of it. What else JavaScript would trim, a no-break space say, makes another key. */
const RAW_KEY = /^(svc_live_[0-9a-f]{64})[ \t]*$/;

/** Gates 1 to 3: a key is given, it is one of ours, it has not been revoked. */
export async function authenticate(authorization: string | undefined, store: RequestStore): Promise<Caller> {
  const raw = /^bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
  if (raw === undefined) {
    throw new RenderError('missing_api_key', 'expected the header Authorization: Bearer <API key>');
  }
  // checked before it is hashed, so that a megabyte of token costs nothing
  const [, key] = RAW_KEY.exec(raw) ?? [];
  const caller = key === undefined ? undefined : await store.findKey(hashKey(key));
  if (!caller) throw new RenderError('invalid_api_key', 'the API key is not one that was issued');
  if (caller.key.state === 'revoked') throw new RenderError('revoked_api_key', 'the API key has been revoked');
  return caller;
}

/** Gate 4. */
export function requireScope({ key }: Caller): void {
  if (!key.scopes.includes('render:write')) {
    throw new RenderError('insufficient_scope', 'the API key lacks the scope render:write');
  }
}

/** Gate 5: counts the request, or refuses it. */
export async function countRequest({ key }: Caller, limit: number, store: RequestStore): Promise<RateDecision> {
  return store.countRequest(key.id, limit);
}

/** The refusal of gate 5; `Retry-After` is whole seconds, enough and no more. */
export function rateLimited({ limit, resetMs }: RateDecision): { error: RenderError; retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil(resetMs / 1000));
  const message = `more than ${limit} requests in 60 seconds; there is room again in ${retryAfter} s`;
  return { error: new RenderError('rate_limited', message), retryAfter };
}

/** Longest part of a header that an error message repeats, in characters. */
const MAX_ENCODING = 40;

/** Gate 7: the body is not compressed. Told by its header alone, so that nothing is read or unpacked in vain. */
export function requireUncompressed(contentEncoding = ''): void {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  if (codings.every((coding) => coding === '' || coding === 'identity')) return;
  const received = JSON.stringify(contentEncoding.slice(0, MAX_ENCODING));
  throw new RenderError(
    'unsupported_media_type',
    `received Content-Encoding ${received}, expected none: send the JSON uncompressed`,
  );
}

export interface ReadRequest {
  readonly request: RenderRequest;
  /** About the fields of the request and its canvas; those of its layers are the render's. */
  readonly warnings: readonly Warning[];
}

/** Gates 8 and 9: the body is JSON of a bounded number of values, and of one of the two shapes. */
export function readRequest(bytes: Uint8Array, maxLayers: number): ReadRequest {
  enforceJsonLimits(bytes);
  const body = parseJson(bytes);
  const request = parseRequest(body, { maxLayers });
  return { request, warnings: limitWarnings(unknownInRequest(body, request.kind)) };
}

/** Gate 10: the saved template, whatever the reason that there is none. */
export async function findTemplate({ workspace }: Caller, templateId: string, store: RequestStore): Promise<unknown> {
  const record = await store.findTemplate(workspace.id, templateId);
  if (record === undefined) throw new RenderError('template_not_found', 'there is no template with this id');
  return record;
}

/** Gate 11: sets the credits aside; without enough of them, gives the balance for the paywall. */
export async function holdCredits(
  { workspace }: Caller,
  cost: number,
  store: RequestStore,
): Promise<{ hold: Hold } | { balance: number }> {
  return store.hold(workspace.id, cost);
}
