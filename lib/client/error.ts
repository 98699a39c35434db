// The error of a call that failed, made from the service's answer or from what kept it from arriving.
import type { ErrorBody, Paywall } from '../contract/api/response.js';
import type { Detail, ErrorCode } from '../errors.js';

/** Codes of the client itself. */
export type ClientErrorCode =
  /** No answer arrived, or only a part of it. `cause` says why. */
  | 'network_error'
  /** The time of the call ended, its retries included. */
  | 'timeout'
  /** The answer is not one of the service, but perhaps of a proxy before it. */
  | 'unexpected_answer';

export interface PlatenErrorFields {
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  readonly details?: readonly Detail[] | undefined;
  readonly requestId?: string | undefined;
  readonly paywall?: Paywall | undefined;
  readonly templates?: readonly string[] | undefined;
  readonly cause?: unknown;
}

export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  /** HTTP status of the answer; 0 if there is none. */
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  /** Every fault of the request that is known. */
  readonly details: readonly Detail[];
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** Set for status 402. */
  readonly paywall: Paywall | undefined;
  /** Ids of the templates that use the asset, for the code `asset_in_use`. */
  readonly templates: readonly string[];

  constructor(message: string, fields: PlatenErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId;
    this.paywall = fields.paywall;
    this.templates = fields.templates ?? [];
  }
}

/** Codes that `POST /v1/render` answers without. */
const CODES: Readonly<Record<number, ErrorCode>> = { 400: 'invalid_request', 402: 'credits_exhausted' };

/** Returns the error of an answer that is not a success. `body` is its text. */
export function errorOfAnswer({ status, headers }: Response, body: string): PlatenError {
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const parsed = parseError(body);
  if (!parsed) {
    return new PlatenError(`the server answered ${status} with what is no error of Platen`, {
      status,
      code: 'unexpected_answer',
      requestId,
    });
  }
  const { error, code = CODES[status] ?? 'unexpected_answer', details, paywall, templates } = parsed;
  return new PlatenError(error, {
    status,
    code,
    details: details as Detail[] | undefined,
    requestId,
    paywall,
    templates,
  });
}

function parseError(body: string): (ErrorBody & { readonly paywall?: Paywall }) | undefined {
  try {
    const value = JSON.parse(body);
    return value?.success === false && typeof value.error === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
