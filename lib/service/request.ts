// The request and its outcome as plain values: the types that the service core, the HTTP server and the metrics share.

import type { AssetFailure } from '../assets/prefetch.js';
import type { OutputFormat } from '../codecs/codec.js';
import type { RenderRequest } from '../contract/api/request.js';
import type { Warning } from '../errors.js';
import type { Settings } from '../settings.js';
import type { ApiKey, RequestStore, Workspace } from '../store/types.js';
import type { Engine, RenderedImage } from './render/engine.js';

export interface ApiRequest {
  readonly method: string;
  /** The request path as sent, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query?: string | undefined;
  /** The Authorization header; undefined when it is absent or sent twice. */
  readonly authorization: string | undefined;
  /** Declared length of the body; undefined when the client did not declare one. */
  readonly declaredBytes?: number | undefined;
  /** The Content-Encoding header. */
  readonly contentEncoding?: string | undefined;
  /** The Idempotency-Key headers; a request may have one. */
  readonly idempotencyKeys?: readonly string[] | undefined;
  /** The If-Match and If-None-Match headers; several are joined by commas. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Reads the body. Rejects with RenderError `payload_too_large` beyond `maxBytes`, without reading on. */
  body(maxBytes: number): Promise<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes, or an iterable of strings when the body may exceed the maximum string length. */
  readonly body: Uint8Array | Iterable<string>;
  /** Length of the body in bytes. */
  readonly length: number;
}

/** The answer to one request, and what the log and the metrics record about it. Contains no API key and no secret. */
export interface RequestOutcome {
  readonly requestId: string;
  /** The pattern of the path, such as `/v1/templates/{id}`; absent when there is nothing at the path. */
  readonly route?: string;
  readonly answer: Answer;
  readonly code?: string;
  readonly keyId?: string;
  readonly workspaceId?: string;
  /** Format of the rendered image; absent when the request was not answered with one. */
  readonly format?: OutputFormat;
  /** Assets that could not be fetched, and why. */
  readonly assetFailures?: readonly AssetFailure[];
  /** The cause of an unexpected error (`internal_error`). */
  readonly cause?: unknown;
}

export type Service = (request: ApiRequest) => Promise<RequestOutcome>;

/** `draining`: still renders, but wants no new connections. `closing`: refuses renders. */
export type Phase = 'serving' | 'draining' | 'closing';

export interface ServiceOptions {
  readonly store: RequestStore;
  readonly engine: Engine;
  readonly settings: Settings;
  /** Phase of the server's life; always `serving` unless given. */
  readonly phase?: () => Phase;
  /** Clock for the timestamps of the render log. */
  readonly now?: () => Date;
}

export interface Caller {
  readonly key: ApiKey;
  readonly workspace: Workspace;
}

/** One request on its way through the checks: each step adds what it learned, for the answer and for the log. */
export interface RequestContext {
  readonly request: ApiRequest;
  /** Names the request in the log, and its render in the render log. */
  readonly requestId: string;
  /** When the request arrived, by `performance.now()`. */
  readonly startedAt: number;
  /** Headers to set on the answer, whether the request succeeds or fails. */
  readonly headers: Map<string, string>;
  readonly assetFailures: AssetFailure[];
  route?: string;
  /** Whether answers 400 leave out the code, as those of `POST /v1/render` do (CONTRACT "Errors"). */
  omitsCode?: boolean;
  caller?: Caller;
  format?: OutputFormat;
}

/** A payload that passed every check before credits, and the saved template that it names. */
export interface ParsedPayload {
  readonly payload: RenderRequest;
  /** The template's record; undefined for a canvas. */
  readonly record: unknown;
  /** About the request's own fields; the render reports those about its layers. */
  readonly warnings: readonly Warning[];
}

/** A render that was made and charged. */
export interface CompletedRender {
  /** Id of its entry in the render log. */
  readonly renderId: string;
  readonly parsed: ParsedPayload;
  readonly caller: Caller;
  readonly result: RenderedImage;
  /** Milliseconds from the arrival of the request. */
  readonly durationMs: number;
}
