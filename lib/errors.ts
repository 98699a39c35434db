// Errors that users meet: thrown anywhere as a RenderError, and translated at the edge, to an HTTP answer or a line on stderr.

import type { DetailCode, WarningCode } from './detail-codes.js';

/** Stable codes of what the library throws. */
export type RenderErrorCode =
  /** The payload's own fields, its canvas or an option are invalid, or there are too many layers. */
  | 'invalid_request'
  /** A layer is invalid, an image or font can't be decoded, or there are warnings in a strict render. */
  | 'render_failed'
  /** An image or font can't be fetched or read. */
  | 'asset_failed'
  /** The render took longer than its time limit. */
  | 'render_timeout'
  /** The payload names a saved template. The library has none; the service has none with this id. */
  | 'template_not_found';

/** Stable codes of the command line and the service alone. */
export type ServiceErrorCode =
  | 'invalid_json'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'revoked_api_key'
  | 'credits_exhausted'
  | 'insufficient_scope'
  /** An image link has no valid signature of an active link key. */
  | 'invalid_signature'
  /** The time until which an image link was signed has passed. */
  | 'link_expired'
  /** There is no entry with this id in the workspace's render log. */
  | 'render_not_found'
  | 'asset_not_found'
  | 'not_found'
  | 'method_not_allowed'
  /** A request with the same `Idempotency-Key` is running. */
  | 'idempotency_in_progress'
  /** The `Idempotency-Key` was used with another body. */
  | 'idempotency_mismatch'
  /** Templates name the asset that is to be deleted. */
  | 'asset_in_use'
  /** The version that `If-Match` names is not the latest. */
  | 'version_conflict'
  | 'payload_too_large'
  /** The assets of the workspace would exceed its quota. */
  | 'asset_quota'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal_error'
  | 'overloaded'
  | 'storage_unavailable';

/** Stable codes of the library, the command line and the service. */
export type ErrorCode = RenderErrorCode | ServiceErrorCode;

/** A value that findings repeat or suggest. */
export type Scalar = string | number | boolean;

/** What a finding says for programs, as far as it is known. */
export interface Mismatch {
  /** What was there: a number, a truth value or a text of up to 100 characters. Never a secret or a data URL. */
  readonly value?: Scalar;
  /** What belongs there, in words: `a number from 0 to 1`. */
  readonly expected?: string;
  /** The nearest known name or value: `width` in place of `widht`, 24 in place of `"24px"`. */
  readonly suggestion?: Scalar;
}

/** A problem of a payload: its path (`layers[2].url`, `canvas.width`), and what was received and expected. */
export interface Detail<Code extends DetailCode = DetailCode> extends Mismatch {
  /** Stable: programs rely on it, not on the message. */
  readonly code: Code;
  readonly path: string;
  /** The `id` that the caller gave the layer, when it gave one. */
  readonly layerId?: string;
  readonly message: string;
  /** The column of a batch's CSV that the problem is about. */
  readonly column?: string;
  /** Number of problems that the last detail stands for, when there are too many to list. */
  readonly more?: number;
}

/** Maximum problems that an error or a validation lists. */
export const MAX_DETAILS = 20;

/** The beginning of a path: the layer, the page, or the row of a batch, that the problem is in. */
const PLACE = /^(?:(?:rows|items|pages|layers|hotspots)(?:\[\d+\]|\.)\.?)*/;

/**
 * Returns at most MAX_DETAILS of `details`, in their order, and one more that counts the others. Each layer with a problem is
 * listed before any layer's second problem. Lists that were limited before may be joined and limited again.
 */
export function limitDetails(details: readonly Detail[]): readonly Detail[] {
  const counted = details.filter(({ more }) => more !== undefined);
  if (details.length - counted.length <= MAX_DETAILS && counted.length === 0) return details;
  const problems = details.filter(({ more }) => more === undefined);
  const places = new Set<string>();
  const isFirst = problems.map(({ path }) => {
    const [place] = PLACE.exec(path)!;
    return places.size < places.add(place).size;
  });
  const firsts = Math.min(MAX_DETAILS, places.size);
  let [first, other] = [firsts, MAX_DETAILS - firsts];
  const listed = problems.filter((_, index) => (isFirst[index] ? first-- > 0 : other-- > 0));
  const more = countDetails(details) - listed.length;
  return more === 0 ? listed : [...listed, { code: 'more_faults', path: '', message: `and ${more} more`, more }];
}

/** The number of problems that `details` list or count. */
export function countDetails(details: readonly Detail[]): number {
  return details.reduce((sum, { more = 1 }) => sum + more, 0);
}

/** An error with a stable `code`; `details` lists the problems of the payload, in payload order (see `limitDetails`). */
export abstract class CodedError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Detail[];

  constructor(code: ErrorCode, message: string, options: ErrorDetails = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = limitDetails(options.details ?? []);
  }
}

interface ErrorDetails {
  readonly details?: readonly Detail[];
  readonly cause?: unknown;
}

/**
 * Why a payload was not rendered, for its author. `details` lists the problems in payload order, at most 20 and one that
 * counts the others.
 * @example
 * try {
 *   await render({ canvas: { width: 100, height: 100 }, layers: [{ type: 'image', x: 0, y: 0, url: 'none.png' }] });
 * } catch (error) {
 *   if (error instanceof RenderError) console.error(error.code, error.details);
 * }
 */
export class RenderError extends CodedError {
  override readonly name = 'RenderError';
  declare readonly code: RenderErrorCode;

  constructor(code: RenderErrorCode, message: string, options?: ErrorDetails) {
    super(code, message, options);
  }
}

/** Why the command line or the service refuses what was asked for, apart from faults of the payload. */
export class ServiceError extends CodedError {
  override readonly name = 'ServiceError';
  declare readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorDetails) {
    super(code, message, options);
  }
}

const RENDER_ERROR_CODES: readonly ErrorCode[] = [
  'invalid_request',
  'render_failed',
  'asset_failed',
  'render_timeout',
  'template_not_found',
] satisfies RenderErrorCode[];

/** The error with a code that may be any, such as that of another error. */
export function codedError(code: ErrorCode, message: string, options?: ErrorDetails): CodedError {
  return RENDER_ERROR_CODES.includes(code)
    ? new RenderError(code as RenderErrorCode, message, options)
    : new ServiceError(code as ServiceErrorCode, message, options);
}

/** Whether `cause` is a WebAssembly trap: the instance failed midway and must not be used again. */
export function isWasmTrap(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'RuntimeError';
}

/** A problem that did not stop the render, with its path in the payload. */
export type Warning = Omit<Detail<WarningCode>, 'more'>;

/** The code of the detail that says why part of a payload failed with `error`. */
export function detailCodeOf({ code }: CodedError): DetailCode {
  switch (code) {
    case 'asset_failed':
    case 'render_timeout':
    case 'template_not_found':
      return code;
    case 'invalid_request':
      return 'invalid_value';
    default:
      return 'render_failed';
  }
}
