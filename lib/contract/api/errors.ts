// The HTTP answer of every error code, for the service and the API's documentation. A RenderError knows no status.
import type { ErrorCode } from '../../errors.js';

/**
 * The HTTP status of each code (docs/service.md#errors); `when` goes into the API documentation. With `wire: false`, an answer
 * of `POST /v1/render` has no `code` field. The other operations always send the code.
 */
export const ERRORS = {
  invalid_json: { status: 400, wire: false, when: 'the body is not valid JSON' },
  invalid_request: {
    status: 400,
    wire: false,
    when: 'the body, a parameter or a header of the request is wrong; details lists the faults',
  },
  missing_api_key: { status: 401, wire: true, when: 'there is no Authorization header, or it is not Bearer and a key' },
  invalid_api_key: { status: 401, wire: true, when: 'the key is malformed, or was never issued' },
  revoked_api_key: { status: 401, wire: true, when: 'the key was revoked' },
  credits_exhausted: { status: 402, wire: false, when: 'the balance is below the cost of one render' },
  insufficient_scope: { status: 403, wire: true, when: 'the key lacks the scope that the operation needs' },
  invalid_signature: {
    status: 403,
    wire: true,
    when: 'the link has no signature, or one that no active link key made of this URL',
  },
  link_expired: { status: 403, wire: true, when: 'the time in expires has passed' },
  template_not_found: {
    status: 404,
    wire: true,
    when: 'the workspace has no template with this id, or the template has no such version',
  },
  render_not_found: { status: 404, wire: true, when: "the workspace's render log has no entry with this id" },
  asset_not_found: { status: 404, wire: true, when: 'the workspace has no asset with this id' },
  not_found: { status: 404, wire: true, when: 'there is nothing at this path' },
  method_not_allowed: {
    status: 405,
    wire: true,
    when: 'the path does not take this method; Allow lists those that it takes',
  },
  idempotency_in_progress: {
    status: 409,
    wire: true,
    when: 'a request with the same Idempotency-Key is running; try again after Retry-After',
  },
  asset_in_use: {
    status: 409,
    wire: true,
    when: 'templates name the asset; the answer lists them in templates',
  },
  version_conflict: {
    status: 412,
    wire: true,
    when: 'the template or the brand is not as If-Match says: someone else saved or published a version',
  },
  payload_too_large: { status: 413, wire: true, when: 'the body is larger than the server accepts' },
  asset_quota: { status: 413, wire: true, when: 'the assets of the workspace would take more room than it may use' },
  unsupported_media_type: { status: 415, wire: true, when: 'the body is compressed; send it without Content-Encoding' },
  idempotency_mismatch: {
    status: 422,
    wire: true,
    when: 'the Idempotency-Key was used with another body; use a new key for a new request',
  },
  rate_limited: {
    status: 429,
    wire: true,
    when: 'the key made more requests in the last 60 seconds than it may; Retry-After says when there is room',
  },
  render_failed: {
    status: 500,
    wire: true,
    when: "a layer is malformed, or an image or font can't be decoded; details lists the faults",
  },
  internal_error: {
    status: 500,
    wire: true,
    when: "an unexpected error; the requestId identifies it in the server's log",
  },
  asset_failed: { status: 502, wire: true, when: "an image or font can't be fetched; details says which" },
  overloaded: {
    status: 503,
    wire: true,
    when: 'too many renders wait, or the server is shutting down; try again after Retry-After',
  },
  storage_unavailable: {
    status: 503,
    wire: true,
    when: "keys and credits can't be read or written; try again after Retry-After",
  },
  render_timeout: { status: 504, wire: true, when: 'the render took longer than the server allows' },
} as const satisfies Record<ErrorCode, { readonly status: number; readonly wire: boolean; readonly when: string }>;
