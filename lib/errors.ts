// Every failure that a user can meet, in one table: code → HTTP status and whether the wire names the code.
// Thrown anywhere as a RenderError, translated once at the edge (an HTTP reply, a line on stderr).

/** Status of each code (CONTRACT "Errors", SEMANTICS section 2). `wire: false`: the contract answers it without `code`. */
export const ERRORS = {
  invalid_json: { status: 400, wire: false },
  invalid_request: { status: 400, wire: false },
  missing_api_key: { status: 401, wire: true },
  invalid_api_key: { status: 401, wire: true },
  revoked_api_key: { status: 401, wire: true },
  credits_exhausted: { status: 402, wire: false },
  insufficient_scope: { status: 403, wire: true },
  template_not_found: { status: 404, wire: true },
  not_found: { status: 404, wire: true },
  method_not_allowed: { status: 405, wire: true },
  payload_too_large: { status: 413, wire: true },
  unsupported_media_type: { status: 415, wire: true },
  rate_limited: { status: 429, wire: true },
  render_failed: { status: 500, wire: true },
  internal_error: { status: 500, wire: true },
  asset_failed: { status: 502, wire: true },
  overloaded: { status: 503, wire: true },
  storage_unavailable: { status: 503, wire: true },
  render_timeout: { status: 504, wire: true },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One fault of a payload: where it is (`layers[2].url`, `canvas.width`), and what was received and expected. */
export interface Detail {
  readonly path: string;
  /** The `id` that the caller gave the layer, when it gave one. */
  readonly layerId?: string;
  readonly message: string;
}

/** A failure with a stable `code`; `details` lists every fault of the payload that is known, in payload order. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: ErrorCode;
  readonly details: readonly Detail[];

  constructor(code: ErrorCode, message: string, options: { details?: readonly Detail[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
  }

  /** The HTTP status that answers this failure. */
  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Whether `cause` is a trap in WebAssembly: a decoder that failed in the middle of what it did. */
export function isTrap(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'RuntimeError';
}

/** Something doubtful that did not stop the render, with the place in the payload that caused it. */
export interface Warning {
  readonly path: string;
  readonly layerId?: string;
  readonly message: string;
}
