// What the service answers: status, headers and a body that may be too large for one string. Made here and nowhere else.
import type { Billing, ErrorBody, Paywall } from '../../contract/response.js';
import { type Detail, ERRORS, type ErrorCode, type RenderError } from '../../errors.js';
import type { RateDecision } from '../../store/types.js';
import type { JobResult } from '../../workers/job.js';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Whole, or piece by piece where it may be longer than the longest string. */
  readonly body: Uint8Array | Iterable<string>;
  /** Bytes of the body, known beforehand in either case. */
  readonly length: number;
}

const encoder = new TextEncoder();

export function jsonAnswer(status: number, value: unknown, headers: Iterable<[string, string]> = []): Answer {
  const body = encoder.encode(JSON.stringify(value));
  return {
    status,
    headers: new Map([['Content-Type', 'application/json; charset=utf-8'], ...headers]),
    body,
    length: body.length,
  };
}

export function emptyAnswer(status: number, headers: Iterable<[string, string]>): Answer {
  return { status, headers: new Map(headers), body: new Uint8Array(0), length: 0 };
}

export interface ErrorContext {
  readonly requestId: string;
  /** Whole seconds, for the statuses that carry Retry-After. */
  readonly retryAfter?: number | undefined;
}

/** Failures of the payload, whose answers always have details (CONTRACT, endpoint rule 11). */
const OF_PAYLOAD = new Set<ErrorCode>(['render_failed', 'asset_failed', 'render_timeout']);

/** The faults that are known; else, where the payload failed as a whole (it took too long, it ended its process), that. */
function detailsOf({ code, message, details }: RenderError): readonly Detail[] {
  return details.length === 0 && OF_PAYLOAD.has(code) ? [{ path: '', message }] : details;
}

/** The JSON of a failure, as CONTRACT "Errors" has it. */
export function errorAnswer(error: RenderError, { requestId, retryAfter }: ErrorContext): Answer {
  const { wire } = ERRORS[error.code];
  const details = detailsOf(error);
  const body: ErrorBody = {
    success: false,
    error: error.message,
    ...(wire && { code: error.code as Exclude<ErrorBody['code'], undefined> }),
    ...(details.length > 0 && { details: [...details] }),
    ...(error.status >= 500 && { requestId }),
  };
  return jsonAnswer(error.status, body, retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)]]);
}

const MILLIONTHS = 1e6;

/** Renders that a balance pays. In whole millionths of a credit, since 0.3 / 0.1 is less than 3 in binary fractions. */
export function rendersFor(balance: number, cost: number): number {
  return Math.floor(Math.round(balance * MILLIONTHS) / Math.round(cost * MILLIONTHS));
}

/** The 402: what is left, what it would take. */
export function paywallAnswer(balance: number, cost: number, upgradeUrl: string): Answer {
  const message = `The balance of ${balance} credits is below the cost of a render (${cost}).`;
  const paywall: Paywall = {
    required: true,
    reason: 'CREDITS_EXHAUSTED',
    balance,
    rendersRemaining: rendersFor(balance, cost),
    upgradeUrl,
    message,
  };
  return jsonAnswer(402, { success: false, error: message, paywall });
}

export interface Rendered {
  readonly result: JobResult;
  readonly durationMs: number;
  readonly billing: Billing;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** Longest percent-encoded metadata that goes into a header, in bytes. */
const METADATA_HEADER_BYTES = 4096;

/** The picture itself, with what is known of it in the headers. */
export function pictureAnswer({ result, durationMs, billing, metadata }: Rendered): Answer {
  const headers = new Map([
    ['Content-Type', `image/${result.format}`],
    ['X-Render-Duration-Ms', String(Math.round(durationMs))],
    ['X-Canvas-Width', String(result.width)],
    ['X-Canvas-Height', String(result.height)],
    ['X-Service-Watermark', String(billing.watermarked)],
    ['X-Service-Credits-Remaining', String(billing.creditsRemaining)],
    ['X-Service-Renders-Remaining', String(billing.rendersRemaining)],
  ]);
  const { length: warnings } = result.warnings;
  if (warnings > 0) headers.set('X-Service-Warnings', String(warnings));
  if (metadata !== undefined) {
    const encoded = encodeURIComponent(JSON.stringify(metadata));
    if (encoded.length <= METADATA_HEADER_BYTES) headers.set('X-Service-Metadata', encoded);
  }
  return { status: 200, headers, body: result.bytes, length: result.bytes.length };
}

/** Bytes of the picture that one piece of base64 takes: a multiple of three, so that pieces join without padding. */
const PIECE = 3 * 64 * 1024;

/** The JSON form. The picture stands in it twice as base64, so it is written piece by piece: no string is that long. */
export function jsonPictureAnswer({ result, durationMs, billing, metadata }: Rendered): Answer {
  const { bytes, format, width, height, warnings } = result;
  const head = JSON.stringify({
    success: true,
    format,
    width,
    height,
    durationMs: Math.round(durationMs),
    sizeBytes: bytes.length,
  }).slice(0, -1);
  const tail = JSON.stringify({
    billing,
    ...(metadata !== undefined && { metadata }),
    ...(warnings.length > 0 && { warnings }),
  }).slice(1);
  const between = `","dataUrl":"data:image/${format};base64,`;
  const open = `${head},"base64":"`;
  const close = `",${tail}`;
  const base64Length = Math.ceil(bytes.length / 3) * 4;
  return {
    status: 200,
    headers: new Map([['Content-Type', 'application/json; charset=utf-8']]),
    body: pieces(),
    length: encoder.encode(open + between + close).length + 2 * base64Length,
  };

  function* pieces() {
    yield open;
    yield* base64(bytes);
    yield between;
    yield* base64(bytes);
    yield close;
  }
}

function* base64(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(PIECE, bytes.length - at)).toString('base64');
  }
}

/** The headers of a request that was counted, or refused for its count. */
export function rateHeaders({ limit, remaining, resetMs }: RateDecision): [string, string][] {
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(resetMs / 1000))],
  ];
}
