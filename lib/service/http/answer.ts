// Builds the service's answers: status, headers and body. A JSON body may be longer than V8's longest string.

import { isDocumentFormat, mimeTypeOf } from '../../codecs/codec.js';
import { ERRORS } from '../../contract/api/errors.js';
import { ANSWER_HEADERS, RATE_HEADERS } from '../../contract/api/operations/operation.js';
import type { Billing, ErrorBody, Paywall, PaywallBody } from '../../contract/api/response.js';
import { type CodedError, type Detail, detailCodeOf, type ErrorCode } from '../../errors.js';
import { type RateDecision, StoreError } from '../../store/types.js';
import { BodyError } from '../failure.js';
import type { EngineImage } from '../render/call.js';
import type { EngineDocument } from '../render/document.js';
import type { TemporaryFile } from '../render/temporary-file.js';
import type { Answer, CompletedRender, RequestContext } from '../request.js';

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

/** `answer` with more headers; one that it already has is replaced. */
export function withHeaders(answer: Answer, headers: Iterable<readonly [string, string]>): Answer {
  return { ...answer, headers: new Map([...answer.headers, ...headers]) };
}

/** Scripts of other origins may read Cache-Control anyway. */
const { 'Cache-Control': _, ...READ_HEADERS } = ANSWER_HEADERS;
const EXPOSED = ['X-Request-Id', ...Object.keys({ ...READ_HEADERS, ...RATE_HEADERS }), 'Retry-After'].join(', ');

/** Headers of every answer: any origin may call and read it, without cookies. */
export const COMMON_HEADERS: readonly [string, string][] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Headers of a CORS preflight answer. `*` does not cover Authorization, so it is listed. */
export const PREFLIGHT_HEADERS: readonly [string, string][] = [
  ['Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match'],
  ['Access-Control-Max-Age', '86400'],
];

/** Failures of the payload, whose answers always have details (docs/service.md#errors). */
const PAYLOAD_FAILURES = new Set<ErrorCode>(['render_failed', 'asset_failed', 'render_timeout']);

/** Every fault that an error names. A payload that failed as a whole (a timeout, a killed process) has one, without a path. */
export function detailsOf(error: CodedError): readonly Detail[] {
  const { code, message, details } = error;
  if (details.length > 0 || !PAYLOAD_FAILURES.has(code)) return details;
  return [{ code: detailCodeOf(error), path: '', message }];
}

/** Builds the JSON of a failure (docs/service.md#errors). */
export function errorAnswer(error: CodedError, { requestId }: Pick<RequestContext, 'requestId'>): Answer {
  const { status, wire } = ERRORS[error.code];
  const details = detailsOf(error);
  const templates = error.cause instanceof StoreError ? error.cause.templates : [];
  const body: ErrorBody = {
    success: false,
    error: error.message,
    ...((wire || !(error instanceof BodyError)) && { code: error.code as Exclude<ErrorBody['code'], undefined> }),
    ...(details.length > 0 && { details: [...details] }),
    ...(templates.length > 0 && { templates: [...templates] }),
    ...(status >= 500 && { requestId }),
  };
  return jsonAnswer(status, body);
}

const MILLIONTHS = 1e6;

/** Renders that a balance covers. Counts whole millionths of a credit: in binary floating point 0.3 / 0.1 is below 3. */
export function rendersFor(balance: number, cost: number): number {
  return Math.floor(Math.round(balance * MILLIONTHS) / Math.round(cost * MILLIONTHS));
}

/** The 402 answer, with the balance and the cost. `code` is set by the operations other than POST /v1/render. */
export function paywallAnswer(balance: number, cost: number, upgradeUrl: string, code?: PaywallBody['code']): Answer {
  const message = paywallMessage(balance, cost);
  const paywall: Paywall = {
    required: true,
    reason: 'CREDITS_EXHAUSTED',
    balance,
    rendersRemaining: rendersFor(balance, cost),
    upgradeUrl,
    message,
  };
  return jsonAnswer(402, { success: false, error: message, ...(code && { code }), paywall } satisfies PaywallBody);
}

export function paywallMessage(balance: number, cost: number): string {
  return `The balance of ${balance} credits is below the cost of a render (${cost}).`;
}

/** The part of an answer that describes a render. */
interface RenderReport {
  readonly renderId: string;
  readonly result: EngineImage | EngineDocument;
  readonly durationMs: number;
  readonly billing: Billing;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Builds the answer of a render in the form that the payload asked for. `cost` is the price of one render, which a replay does
 * not pay.
 */
export function renderAnswer(completed: CompletedRender, balance: number, cost: number): Answer {
  const { renderId, payload, caller, result, durationMs, creditsCost } = completed;
  const isFreeTier = caller.workspace.plan === 'free';
  const billing = {
    creditsRemaining: balance,
    rendersRemaining: rendersFor(balance, cost),
    creditsCost,
    watermarked: isFreeTier,
    isFreeTier,
  };
  const report = { renderId, result, durationMs, billing, metadata: payload.metadata };
  return payload.responseType === 'binary' ? binaryAnswer(report) : jsonRenderAnswer(report);
}

/** Percent-encoded text longer than this is left out of the headers. */
const MAX_ENCODED_BYTES = 4096;

/** What an SVG may do when it is opened by itself: show its own pictures, fonts and styles. */
const SVG_POLICY = "sandbox; default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'";

/** The image's bytes, with its metadata in headers. */
function binaryAnswer({ renderId, result, durationMs, billing, metadata }: RenderReport): Answer {
  const headers = new Map([
    ['Content-Type', mimeTypeOf(result.format)],
    ['ETag', `"${result.sha256}"`],
    ['X-Service-Render-Id', renderId],
    ['X-Render-Duration-Ms', String(Math.round(durationMs))],
    ['X-Canvas-Width', String(result.width)],
    ['X-Canvas-Height', String(result.height)],
    ['X-Service-Watermark', String(billing.watermarked)],
    ['X-Service-Credits-Remaining', String(billing.creditsRemaining)],
    ['X-Service-Renders-Remaining', String(billing.rendersRemaining)],
  ]);
  if (isDocumentFormat(result.format)) headers.set('X-Service-Pages', String(result.pages ?? 1));
  if (result.format === 'svg') headers.set('Content-Security-Policy', SVG_POLICY);
  const { length: warnings } = result.warnings;
  if (warnings > 0) headers.set('X-Service-Warnings', String(warnings));
  setEncoded(headers, 'X-Service-Alt', result.alt);
  if (metadata !== undefined) setEncoded(headers, 'X-Service-Metadata', JSON.stringify(metadata));
  const body = 'file' in result ? sentOnce(result.file) : result.bytes;
  return { status: 200, headers, body, length: sizeOf(result) };
}

/** Sets a header to the percent-encoded text, unless that is empty or too long. */
export function setEncoded(headers: Map<string, string>, name: string, text: string): void {
  // lone surrogates have no encoding
  const encoded = encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
  if (encoded !== '' && encoded.length <= MAX_ENCODED_BYTES) headers.set(name, encoded);
}

/** Bytes of the image or the document. */
export function sizeOf(result: RenderReport['result']): number {
  return 'file' in result ? result.file.length : result.bytes.length;
}

/** Yields the bytes of the file, which is closed then. */
async function* sentOnce(file: TemporaryFile): AsyncGenerator<Uint8Array, void> {
  try {
    yield* file.chunks(CHUNK_BYTES);
  } finally {
    await file.close();
  }
}

/** Image bytes per chunk of base64: a multiple of three, so that chunks join without padding. */
const CHUNK_BYTES = 3 * 64 * 1024;

/**
 * The JSON form. It contains the image twice, as base64, and is produced in chunks: the whole may exceed the maximum
 * string length.
 */
export function jsonRenderAnswer({ renderId, result, durationMs, billing, metadata }: RenderReport): Answer {
  const { sha256, format, width, height, alt, warnings, pages } = result;
  const size = sizeOf(result);
  const head = JSON.stringify({
    success: true,
    format,
    width,
    height,
    alt,
    durationMs: Math.round(durationMs),
    sizeBytes: size,
    sha256,
    renderId,
    ...(isDocumentFormat(format) && { pages: pages ?? 1 }),
  }).slice(0, -1);
  const tail = JSON.stringify({
    billing,
    ...(metadata !== undefined && { metadata }),
    ...(warnings.length > 0 && { warnings }),
  }).slice(1);
  const between = `","dataUrl":"data:${mimeTypeOf(format)};base64,`;
  const open = `${head},"base64":"`;
  const close = `",${tail}`;
  const base64Length = Math.ceil(size / 3) * 4;
  return {
    status: 200,
    headers: new Map([['Content-Type', 'application/json; charset=utf-8']]),
    body: 'file' in result ? fileChunks(result.file) : chunks(result.bytes),
    length: encoder.encode(open + between + close).length + 2 * base64Length,
  };

  function* chunks(bytes: Uint8Array) {
    yield open;
    yield* base64(bytes);
    yield between;
    yield* base64(bytes);
    yield close;
  }

  async function* fileChunks(file: TemporaryFile) {
    try {
      yield open;
      for await (const bytes of file.chunks(CHUNK_BYTES)) yield* base64(bytes);
      yield between;
      for await (const bytes of file.chunks(CHUNK_BYTES)) yield* base64(bytes);
      yield close;
    } finally {
      await file.close();
    }
  }
}

/** A JSON object with `fields`, and with the bytes as `base64`; in chunks for the same reason. */
export function base64Answer(fields: object, bytes: Uint8Array): Answer {
  const open = `${JSON.stringify(fields).slice(0, -1)},"base64":"`;
  const close = '"}';
  return {
    status: 200,
    headers: new Map([['Content-Type', 'application/json; charset=utf-8']]),
    body: chunks(),
    length: encoder.encode(open + close).length + Math.ceil(bytes.length / 3) * 4,
  };

  function* chunks() {
    yield open;
    yield* base64(bytes);
    yield close;
  }
}

/** The bytes as base64, in chunks. */
export function* base64(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(CHUNK_BYTES, bytes.length - at)).toString('base64');
  }
}

/** Rate limit headers of a request that was counted, or rejected for its rate. */
export function rateHeaders({ limit, remaining, resetMs }: RateDecision): [string, string][] {
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(resetMs / 1000))],
  ];
}
