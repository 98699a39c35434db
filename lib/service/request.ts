// The request and its outcome as plain values: the types that the service core, the HTTP server and the metrics share.

import { randomUUID } from 'node:crypto';
import type { AssetFailure } from '../assets/prefetch.js';
import type { FileFormat } from '../codecs/codec.js';
import type { PagesRequest, RenderRequest } from '../contract/api/request.js';
import type { CodedError, ErrorCode } from '../errors.js';
import type { UserFont } from '../fonts/user-fonts.js';
import type { Settings } from '../settings.js';
import type { AuditStore } from '../store/operator-store.js';
import type {
  ApiKey,
  AssetStore,
  BrandStore,
  IdempotencyStore,
  RenderLogStore,
  RequestStore,
  TemplateStore,
  Workspace,
} from '../store/types.js';
import type { UsageStore } from '../store/usage-store.js';
import type { EngineImage, FoundBrand } from './render/call.js';
import type { EngineDocument } from './render/document.js';
import type { Engine } from './render/engine.js';

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
  /**
   * Host and port that the client named: those of a target that is a whole URL, else the Host header. Undefined when there
   * is none, when it was sent twice, or when the two differ.
   */
  readonly authority?: string | undefined;
  /** The value of a header, by its lower-case name; undefined when it is absent or sent twice. */
  header?(name: string): string | undefined;
  /**
   * Reads the body, which counts as the owner's (a workspace or an operator; undefined for a caller without a valid key).
   * Rejects with RenderError `payload_too_large` beyond `maxBytes`, without reading on.
   */
  body(maxBytes: number, owner: string | undefined): Promise<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Values of Set-Cookie headers. */
  readonly cookies?: readonly string[];
  /**
   * Bytes; or an iterable of strings when the body may exceed the maximum string length; or what is made while it is sent,
   * at the client's pace. It ends when the client disconnects.
   */
  readonly body: Uint8Array | Iterable<string> | AnswerStream;
  /** Length of the body in bytes; undefined for a stream whose length is not known. */
  readonly length: number | undefined;
  /** Whether all requests share the bytes of the body, so that an answer takes no extra memory. */
  readonly isShared?: boolean;
}

export type AnswerStream = AsyncIterable<string | Uint8Array>;

export function isStream(body: Answer['body']): body is AnswerStream {
  return Symbol.asyncIterator in body;
}

/** Counts of a batch's rows so far. */
export interface BatchTally {
  readonly rows: number;
  succeeded: number;
  failed: number;
  /** The cause of the first unexpected error. */
  cause?: unknown;
}

/** The answer to one request, and what the log and the metrics record about it. Contains no API key and no secret. */
export interface RequestOutcome {
  readonly requestId: string;
  /** The pattern of the path, such as `/v1/templates/{id}`; absent when there is nothing at the path. */
  readonly route?: string;
  readonly answer: Answer;
  readonly code?: string;
  readonly keyId?: string;
  /** Operator of the dashboard's session. */
  readonly operatorId?: string;
  readonly workspaceId?: string;
  /** Format of the rendered image; absent when the request was not answered with one. */
  readonly format?: FileFormat;
  /** Counts of a batch; they change while its answer is sent. */
  readonly batch?: BatchTally;
  /** Assets that could not be fetched, and why; for a batch, more come while its answer is sent. */
  readonly assetFailures?: readonly AssetFailure[];
  /** The cause of an unexpected error (`internal_error`). */
  readonly cause?: unknown;
  /** Id of the request's trace; absent without an OpenTelemetry SDK. */
  readonly traceId?: string;
}

export type Service = (request: ApiRequest) => Promise<RequestOutcome>;

/** `draining` still renders, but wants no new connections; `closing` refuses renders. */
export type Phase = 'serving' | 'draining' | 'closing';

/** The operations that the service needs from a store. */
export type ServiceStore = RequestStore &
  IdempotencyStore &
  TemplateStore &
  BrandStore &
  RenderLogStore &
  AssetStore &
  Pick<AuditStore, 'appendAudit'> &
  Pick<UsageStore, 'countCpu'>;

export interface ServiceOptions {
  readonly store: ServiceStore;
  readonly engine: Engine;
  readonly settings: Settings;
  /** The walls around render processes; without them, `/readyz` says nothing of them. */
  readonly walls?: readonly string[] | undefined;
  /** The fonts of FONTS_DIR; none by default. */
  readonly userFonts?: readonly UserFont[] | undefined;
  /** Phase of the server's life; always `serving` by default. */
  readonly phase?: () => Phase;
  /** Clock for the timestamps of the render log. */
  readonly now?: () => Date;
  /** Called for each row of a batch, with `ok` or the code of its error. */
  readonly onBatchRow?: (code: 'ok' | ErrorCode) => void;
  /** Renders the rows of batches within spans; without it, they have none. */
  readonly traceRow?: TraceRow | undefined;
}

/** Calls `render` within a span of a batch's row. `codeOf`: the error of a row that failed without a rejection. */
export type TraceRow = <Result>(
  index: number,
  render: () => Promise<Result>,
  codeOf: (result: Result) => string | undefined,
) => Promise<Result>;

/** Who pays for a request: the workspace of an API key, or of the link key that signed an image link. */
export interface Requester {
  readonly key: { readonly id: string };
  readonly workspace: Workspace;
}

export interface Caller extends Requester {
  readonly key: ApiKey;
}

/** The state of a request on its way through the checks: each step adds what it learned, for the answer and for the log. */
export interface RequestContext {
  readonly request: ApiRequest;
  /** Names the request in the log, and its render in the render log. */
  readonly requestId: string;
  /** Arrival of the request by `performance.now()`. */
  readonly startedAt: number;
  /** Headers to set on the answer, whether the request succeeds or fails. */
  readonly headers: Map<string, string>;
  readonly assetFailures: AssetFailure[];
  route?: string;
  caller?: Requester;
  /** Operator of the dashboard's session; `workspaceId` is the workspace of the request. */
  operatorId?: string;
  workspaceId?: string;
  format?: FileFormat;
  /** The error that the answer is a redirect for. */
  failure?: CodedError;
  batch?: BatchTally;
}

export function createContext(request: ApiRequest): RequestContext {
  return {
    request,
    requestId: randomUUID(),
    startedAt: performance.now(),
    headers: new Map(),
    assetFailures: [],
  };
}

/** A request for a document of several pages, each checked as a request. */
export interface CheckedPages extends Omit<PagesRequest, 'pages'> {
  readonly pages: readonly RenderRequest[];
}

/** A render whose request is checked; what its entry in the render log says. */
export interface RenderAttempt {
  /** Id of the entry in the render log. */
  readonly renderId: string;
  /** Arrival of the request by `performance.now()`. */
  readonly startedAt: number;
  readonly caller: Requester;
  readonly payload: RenderRequest | CheckedPages;
  /** The version of the saved template that it names, once it is found. */
  template?: { readonly record: unknown; readonly version: number };
  /** The brand of the workspace, once it is found. */
  brand?: FoundBrand | undefined;
}

/** A render that was made, and charged unless it is a replay. */
export interface CompletedRender extends Readonly<RenderAttempt> {
  /** The image or the document, with the warnings about the request's own fields. */
  readonly result: EngineImage | EngineDocument;
  /** Milliseconds from the arrival of the request. */
  readonly durationMs: number;
  readonly creditsCost: number;
  /** Id of the entry whose charge this replay used. */
  readonly replayOf?: string;
}
