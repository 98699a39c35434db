// The API as a function: request → answer. It knows nothing of sockets, so every rule can be tested without one.
import { randomUUID } from 'node:crypto';
import type { AssetFailure } from '../assets/prefetch.js';
import type { OutputFormat } from '../codecs/codec.js';
import { openapi } from '../contract/openapi.js';
import type { RenderRequest } from '../contract/request.js';
import { limitWarnings } from '../contract/warnings.js';
import { RenderError, type Warning } from '../errors.js';
import type { Settings } from '../settings.js';
import type { RateDecision, RequestStore } from '../store/types.js';
import type { JobResult } from '../workers/job.js';
import type { Permit } from './admission/admission.js';
import * as gates from './checks.js';
import { docsAnswer } from './docs/page.js';
import { createHealth, type Health } from './health.js';
import {
  type Answer,
  emptyAnswer,
  errorAnswer,
  jsonAnswer,
  jsonPictureAnswer,
  paywallAnswer,
  pictureAnswer,
  rateHeaders,
  rendersFor,
} from './http/answer.js';
import type { Engine } from './render/engine.js';

export interface ApiRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly authorization: string | undefined;
  /** What the body's length is said to be; undefined when that is not known. */
  readonly declaredBytes?: number | undefined;
  /** The header Content-Encoding. */
  readonly contentEncoding?: string | undefined;
  /** Reads the body. Rejects with RenderError `payload_too_large` beyond `maxBytes`, without reading on. */
  body(maxBytes: number): Promise<Uint8Array>;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** What one request came to, for the log. No key and no secret is in it. */
export interface Outcome {
  readonly requestId: string;
  readonly answer: Answer;
  readonly code?: string;
  readonly keyId?: string;
  readonly workspaceId?: string;
  /** Of the picture that it was answered with. */
  readonly format?: OutputFormat;
  /** Assets that could not be fetched, and why. */
  readonly assetFailures?: readonly AssetFailure[];
  /** What went wrong that nobody expected. */
  readonly cause?: unknown;
}

export interface ServiceOptions {
  readonly store: RequestStore;
  readonly engine: Engine;
  readonly settings: Settings;
  /** Whether the service will go down soon: renders are still made, but better sent elsewhere. */
  readonly draining?: () => boolean;
  /** Whether the service is going down: renders are then refused. */
  readonly closing?: () => boolean;
  /** The date that the render log gets. */
  readonly now?: () => Date;
}

export type Service = (request: ApiRequest) => Promise<Outcome>;

const EXPOSED = [
  'X-Request-Id',
  'X-Render-Duration-Ms',
  'X-Canvas-Width',
  'X-Canvas-Height',
  'X-Service-Watermark',
  'X-Service-Credits-Remaining',
  'X-Service-Renders-Remaining',
  'X-Service-Metadata',
  'X-Service-Warnings',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
].join(', ');

/** On every answer: any origin may call and read, and no cookie is ever involved. */
const COMMON: readonly [string, string][] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
  ['X-Content-Type-Options', 'nosniff'],
];

/** `*` would not cover Authorization, so it is named. */
const PREFLIGHT: readonly [string, string][] = [
  ['Access-Control-Allow-Methods', 'POST, GET, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Authorization, Content-Type'],
  ['Access-Control-Max-Age', '86400'],
];

/** Seconds after which a client may try again when storage is away or the line is full. */
const RETRY_SECONDS = 1;

/**
 * In a rush a larger body, or one of unknown length, is refused unread: to read and parse a megabyte takes as long as to
 * draw a card. A smaller one is cheap, and may ask for a picture that is kept.
 */
const LARGE_BODY_BYTES = 64 * 2 ** 10;

export function createService(options: ServiceOptions): Service {
  const health = createHealth(options);
  return async (request) => {
    const requestId = randomUUID();
    const trace: Trace = { assetFailures: [] };
    let answer: Answer;
    let failure: RenderError | undefined;
    try {
      answer = await route(request, trace, options, health);
    } catch (error) {
      failure =
        error instanceof RenderError
          ? error
          : new RenderError('internal_error', 'an unexpected error; the request id helps us find it', { cause: error });
      const retryAfter = failure.status === 503 ? RETRY_SECONDS : trace.retryAfter;
      answer = errorAnswer(failure, { requestId, retryAfter });
      if (failure.code === 'method_not_allowed') answer = withHeaders(answer, [['Allow', trace.allow ?? 'GET, HEAD']]);
      // RFC 9110, section 15.5.16: which codings a body may have
      if (failure.code === 'unsupported_media_type') answer = withHeaders(answer, [['Accept-Encoding', 'identity']]);
    }
    const headers: [string, string][] = [...COMMON, ['X-Request-Id', requestId]];
    if (trace.rate) headers.push(...rateHeaders(trace.rate));
    return {
      requestId,
      answer: withHeaders(answer, headers),
      ...(failure && { code: failure.code }),
      ...(trace.caller && { keyId: trace.caller.key.id, workspaceId: trace.caller.workspace.id }),
      ...(trace.format && { format: trace.format }),
      ...(trace.assetFailures.length > 0 && { assetFailures: trace.assetFailures }),
      ...(failure?.code === 'internal_error' && { cause: failure.cause ?? failure }),
    };
  };
}

/** What became known on the way, whatever the answer. */
interface Trace {
  readonly assetFailures: AssetFailure[];
  caller?: gates.Caller;
  rate?: RateDecision;
  format?: OutputFormat;
  retryAfter?: number;
  allow?: string;
}

function withHeaders(answer: Answer, headers: Iterable<[string, string]>): Answer {
  return { ...answer, headers: new Map([...answer.headers, ...headers]) };
}

async function route(request: ApiRequest, trace: Trace, options: ServiceOptions, health: Health): Promise<Answer> {
  const { method, path } = request;
  const pages = new Map<string, () => Answer | Promise<Answer>>([
    ['/healthz', health.alive],
    ['/readyz', health.ready],
    ['/openapi.json', () => jsonAnswer(200, openapi())],
    ['/docs', docsAnswer],
  ]);
  const page = pages.get(path);
  if (path !== '/v1/render' && !page) throw new RenderError('not_found', 'there is nothing at this path');
  if (method === 'OPTIONS') return emptyAnswer(204, PREFLIGHT);
  if (page) {
    if (method === 'GET' || method === 'HEAD') return page();
    trace.allow = 'GET, HEAD, OPTIONS';
  } else {
    if (method === 'POST') return renderRequest(request, trace, options);
    trace.allow = 'POST, OPTIONS';
  }
  throw new RenderError('method_not_allowed', `${method} is not allowed here; allowed: ${trace.allow}`);
}

/** `POST /v1/render`: the checks in the contract's order, then the render between hold and charge. */
async function renderRequest(request: ApiRequest, trace: Trace, options: ServiceOptions): Promise<Answer> {
  const began = performance.now();
  const caller = await admitCaller(request, trace, options);
  const permit = checkBody(request, options);
  try {
    const parsed = await readPayload(request, caller, options);
    return await chargedRender({ request, caller, parsed, permit, began }, trace, options);
  } finally {
    permit?.release();
  }
}

/** Key, scope and rate limit. */
async function admitCaller(
  { authorization }: ApiRequest,
  trace: Trace,
  { store, settings }: ServiceOptions,
): Promise<gates.Caller> {
  const caller = await gates.authenticate(authorization, store);
  trace.caller = caller;
  gates.requireScope(caller);
  const rate = await gates.countRequest(caller, settings.API_KEY_RATE_LIMIT_PER_MIN, store);
  trace.rate = rate;
  if (rate.allowed) return caller;
  const { error, retryAfter } = gates.rateLimited(rate);
  trace.retryAfter = retryAfter;
  throw error;
}

/** Refuses a compressed body, and reserves a place for the render of a large one. A body over the limit is refused by `body()`. */
function checkBody(
  { declaredBytes, contentEncoding }: ApiRequest,
  { engine, settings }: ServiceOptions,
): Permit | undefined {
  if (declaredBytes !== undefined && declaredBytes > settings.MAX_BODY_BYTES) return undefined;
  gates.requireUncompressed(contentEncoding);
  return declaredBytes === undefined || declaredBytes > LARGE_BODY_BYTES ? engine.reserve() : undefined;
}

/** A request that passed all checks before credits, with the saved template that it names. */
interface Parsed {
  readonly payload: RenderRequest;
  readonly record: unknown;
  /** About the request's own fields; those about its layers come with the render. */
  readonly warnings: readonly Warning[];
}

/** Body, JSON, shape and template. */
async function readPayload(
  request: ApiRequest,
  caller: gates.Caller,
  { store, settings }: ServiceOptions,
): Promise<Parsed> {
  const body = await request.body(settings.MAX_BODY_BYTES);
  const { request: payload, warnings } = gates.readRequest(body, settings.MAX_LAYERS);
  const record = payload.kind === 'template' ? await gates.findTemplate(caller, payload.templateId, store) : undefined;
  return { payload, record, warnings };
}

interface Admitted {
  readonly request: ApiRequest;
  readonly caller: gates.Caller;
  readonly parsed: Parsed;
  readonly permit: Permit | undefined;
  /** When the request came, by `performance.now()`. */
  readonly began: number;
}

/** Holds the cost, renders, and charges it; the hold is released when anything fails. */
async function chargedRender(admitted: Admitted, trace: Trace, options: ServiceOptions): Promise<Answer> {
  const { request, caller, parsed, permit } = admitted;
  const { store, engine, settings, closing } = options;
  const cost = settings.RENDER_CREDIT_COST;
  const held = await gates.holdCredits(caller, cost, store);
  if (!('hold' in held)) return paywallAnswer(held.balance, cost, settings.UPGRADE_URL);
  const { hold } = held;
  let settled = false;
  try {
    if (closing?.()) throw new RenderError('overloaded', 'the server is shutting down');
    const result = await engine.render(parsed.payload, parsed.record, {
      workspaceId: caller.workspace.id,
      watermark: caller.workspace.plan === 'free' ? settings.WATERMARK_TEXT : undefined,
      timeoutMs: settings.RENDER_TIMEOUT_MS,
      signal: request.signal,
      permit,
      assetFailed: (failure) => void trace.assetFailures.push(failure),
    });
    request.signal.throwIfAborted();
    const { balance } = await store.settle(hold);
    settled = true;
    trace.format = result.format;
    return answerRendered(admitted, result, balance, options);
  } finally {
    if (!settled) await store.release(hold);
  }
}

/** The answer of a charged render, which goes to the render log too. */
function answerRendered(
  { caller, parsed: { payload, warnings }, began }: Admitted,
  result: JobResult,
  balance: number,
  { store, settings, now = () => new Date() }: ServiceOptions,
): Answer {
  const durationMs = performance.now() - began;
  const cost = settings.RENDER_CREDIT_COST;
  const { metadata } = payload;
  store.appendRender({
    id: randomUUID(),
    time: now().toISOString(),
    workspaceId: caller.workspace.id,
    keyId: caller.key.id,
    ...(payload.kind === 'template' && { templateId: payload.templateId }),
    format: result.format,
    width: result.width,
    height: result.height,
    durationMs: Math.round(durationMs),
    sizeBytes: result.bytes.length,
    creditsCost: cost,
    ...(metadata !== undefined && { metadata }),
  });
  const isFreeTier = caller.workspace.plan === 'free';
  const billing = {
    creditsRemaining: balance,
    rendersRemaining: rendersFor(balance, cost),
    creditsCost: cost,
    watermarked: isFreeTier,
    isFreeTier,
  };
  const answered = { ...result, warnings: limitWarnings(warnings, result.warnings) };
  const rendered = { result: answered, durationMs, billing, metadata };
  return payload.responseType === 'binary' ? pictureAnswer(rendered) : jsonPictureAnswer(rendered);
}
