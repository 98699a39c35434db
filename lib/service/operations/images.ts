// `GET /v1/images/{templateId}.{format}`: the image of a signed link. It is charged like a render whose idempotency key is what
// the image is made of: once in 24 hours. Answers without the image, to `HEAD` and 304, are never charged.
import { createHash } from 'node:crypto';
import { SingleFlight } from '../../cache/single-flight.js';
import { mimeTypeOf } from '../../codecs/codec.js';
import { matchesNone } from '../../contract/api/headers.js';
import type { ImageQuery } from '../../contract/api/query.js';
import { parseRequest, type TemplateRequest } from '../../contract/api/request.js';
import { canonicalJson } from '../../contract/json/canonical.js';
import { CodedError, ServiceError } from '../../errors.js';
import {
  cacheControl,
  invalidSignature,
  isImageFormat,
  readFields,
  readSignature,
  redirectOf,
  verifyLink,
} from '../../links/link.js';
import { type RateDecision, StoreError } from '../../store/types.js';
import { engineCall, withHold } from '../charged-render.js';
import { rateLimited } from '../checks.js';
import { toRenderError } from '../failure.js';
import { emptyAnswer, rateHeaders, rendersFor, setEncoded } from '../http/answer.js';
import { awaitTurn } from '../idempotency.js';
import type { EngineImage } from '../render/call.js';
import { logFailure, logRender } from '../render-log.js';
import type { Answer, RenderAttempt, RequestContext, Requester, ServiceOptions } from '../request.js';
import type { Handler, PathParameters } from '../router.js';
import { findBrandOf } from './find-brand.js';
import { findTemplateOf } from './find-template.js';

/** An image, and how it was paid for. */
interface DrawnImage {
  readonly image: EngineImage;
  /** Id of the entry in the render log of the request that it was drawn for, which shares it with others. */
  readonly drawnFor: string;
  readonly creditsCost: number;
  /** Id of the entry of the render log with the charge; absent when nothing was charged so far. */
  readonly chargedBy?: string;
}

/** A verified link on its way to its image. */
interface LinkCall {
  readonly context: RequestContext;
  readonly caller: Requester;
  readonly fields: ImageQuery;
  readonly attempt: RenderAttempt & { readonly payload: TemplateRequest };
  /** The window of the link key, if this request was counted. */
  rate?: RateDecision;
}

export function imageHandler(options: ServiceOptions): Handler {
  /** Browsers and proxies ask for an image several times at once: one request draws and pays, the others get its image. */
  const flights = new SingleFlight<DrawnImage>({ keepResults: false });
  return async (context, parameters) => {
    // applies to errors and redirects
    context.headers.set('Cache-Control', 'no-store');
    if (!isImageFormat(parameters.format)) throw new ServiceError('not_found', 'there is nothing at this path');
    const { path, query = '' } = context.request;
    const link = readSignature(`${path}?${query}`);
    const found = link.keyId === undefined ? undefined : await options.store.findLinkKey(link.keyId);
    if (!found || found.key.state === 'revoked') throw invalidSignature();
    await verifyLink(link, found.key.publicKey);
    context.caller = found;
    try {
      const fields = readFields(link, nowOf(options));
      return await answerImage(
        { context, caller: found, fields, attempt: attemptOf(context, found, fields, parameters, options) },
        flights,
        options,
      );
    } catch (error) {
      const fallback = redirectOf(link);
      // an answer after the client disconnected is not sent
      if (fallback === undefined || context.request.signal.aborted) throw ownError(error);
      context.failure = toRenderError(ownError(error));
      return emptyAnswer(302, [['Location', fallback]]);
    }
  };
}

const nowOf = ({ now = () => new Date() }: ServiceOptions) => now().getTime();

/** A workspace that was deleted during the request takes its link keys with it. */
function ownError(error: unknown): unknown {
  return error instanceof StoreError && error.code === 'not_found' ? invalidSignature() : error;
}

function attemptOf(
  { requestId, startedAt }: RequestContext,
  caller: Requester,
  { variables, quality, theme, locale }: ImageQuery,
  { templateId, format }: PathParameters,
  { settings }: ServiceOptions,
): LinkCall['attempt'] {
  const body = { templateId, variables, quality, theme, locale, format, responseType: 'binary' };
  const payload = parseRequest(body, { maxLayers: settings.MAX_LAYERS }) as TemplateRequest;
  return { renderId: requestId, startedAt, caller, payload };
}

async function answerImage(
  call: LinkCall,
  flights: SingleFlight<DrawnImage>,
  options: ServiceOptions,
): Promise<Answer> {
  const { context, attempt, fields, caller } = call;
  const { method, signal } = context.request;
  const { settings, store } = options;
  const caching = () => cacheControl(settings.LINK_MAX_AGE, fields, nowOf(options));
  try {
    attempt.brand = await findBrandOf(caller.workspace.id, store);
    attempt.template = await findTemplateOf(attempt.payload, caller.workspace.id, store, undefined, attempt.brand);
    const digest = digestOf(attempt);
    const drawn = await (method === 'HEAD'
      ? drawFree(call, digest, options)
      : drawShared(call, digest, flights, options));
    const { image, drawnFor, chargedBy } = drawn;
    const isOwnCharge = chargedBy === attempt.renderId;
    const durationMs = performance.now() - attempt.startedAt;
    const creditsCost = isOwnCharge ? drawn.creditsCost : 0;
    const replay = chargedBy === undefined || isOwnCharge ? {} : { replayOf: chargedBy };
    // the processor time is that of one request, whoever shares its image
    const { cpuMs: _cpuMs, ...shared } = image;
    const result = drawnFor === attempt.renderId ? image : shared;
    logRender({ ...attempt, result, durationMs, creditsCost, ...replay }, options);
    context.headers.set('Cache-Control', caching());
    return imageAnswer(call, image);
  } catch (error) {
    setHeadersOf(error, context);
    if (!signal.aborted) logFailure(attempt, toRenderError(ownError(error)), options);
    throw error;
  }
}

/** Hashes the inputs of the image: the versions of the template and the brand, and everything that a link sets about a render. */
function digestOf({ payload, template, brand }: LinkCall['attempt']): string {
  const parts = canonicalJson([template?.version, payload, ...(brand ? [brand.version] : [])]);
  return createHash('sha256').update(parts).digest('hex');
}

const tagOf = ({ sha256 }: EngineImage) => `"${sha256}"`;

/** Whether the client has the image already, so that the answer is 304. */
const isKnown = ({ context }: LinkCall, image: EngineImage) => matchesNone(context.request.ifNoneMatch, tagOf(image));

const keyOf = (call: LinkCall, value: string) => ({ keyId: call.caller.workspace.id, value });

/** Draws and pays together with the other requests for the same image. */
async function drawShared(
  call: LinkCall,
  digest: string,
  flights: SingleFlight<DrawnImage>,
  options: ServiceOptions,
): Promise<DrawnImage> {
  const { signal } = call.context.request;
  for (;;) {
    const drawn = await flights.run(
      `${call.caller.workspace.id} ${digest}`,
      (end) => drawCharged(call, digest, end, options),
      signal,
    );
    // if nobody has paid, the request that drew was answered 304: the next flight charges those that get the image
    if (drawn.chargedBy !== undefined || isKnown(call, drawn.image)) return drawn;
  }
}

/** Draws for a charge, or for none when the image was charged in the last 24 hours or the client has it already. */
async function drawCharged(
  call: LinkCall,
  digest: string,
  signal: AbortSignal,
  options: ServiceOptions,
): Promise<DrawnImage> {
  const { attempt, caller } = call;
  const { store, settings } = options;
  const { RENDER_CREDIT_COST: cost, RENDER_TIMEOUT_MS: timeoutMs } = settings;
  const drawnFor = attempt.renderId;
  const turn = await awaitTurn(keyOf(call, digest), digest, store, { signal, timeoutMs });
  if ('settled' in turn) {
    return { image: await draw(call, signal, options), drawnFor, creditsCost: 0, chargedBy: turn.settled.renderId };
  }
  try {
    const { renderId, template, brand } = attempt;
    const settlement = {
      ...{ lease: turn.lease, renderId },
      ...{ templateVersion: template?.version, brandVersion: brand?.version },
    };
    const charge = { workspaceId: caller.workspace.id, cost, settlement };
    const outcome = await withHold(store, charge, async (settle): Promise<DrawnImage> => {
      const image = await draw(call, signal, options);
      if (isKnown(call, image)) return { image, drawnFor, creditsCost: 0 };
      await settle();
      return { image, drawnFor, creditsCost: cost, chargedBy: attempt.renderId };
    });
    if (!('result' in outcome)) throw exhausted();
    return outcome.result;
  } finally {
    await store.releaseIdempotencyLease(turn.lease);
  }
}

/** Draws without a charge. The balance must cover one all the same, unless the image was charged in the last 24 hours. */
async function drawFree(call: LinkCall, digest: string, options: ServiceOptions): Promise<DrawnImage> {
  const { store, settings } = options;
  const { balance } = call.caller.workspace;
  const { RENDER_CREDIT_COST: cost } = settings;
  if (rendersFor(balance, cost) < 1) {
    const claim = await store.claimIdempotencyKey(keyOf(call, digest), digest);
    if ('lease' in claim) {
      await store.releaseIdempotencyLease(claim.lease);
      throw exhausted();
    }
  }
  const image = await draw(call, call.context.request.signal, options);
  return { image, drawnFor: call.attempt.renderId, creditsCost: 0 };
}

/** Visitors of a page do not learn the balance. */
const exhausted = () =>
  new ServiceError('credits_exhausted', 'the workspace of the link has too few credits for a render');

/** The headers of a refused request, by its error, which the requests of a flight share. */
const refusals = new WeakMap<object, readonly [string, string][]>();
/** Seconds after which an image that another node is drawing may be asked for again. */
const IN_PROGRESS_SECONDS = 2;

function setHeadersOf(error: unknown, { headers }: RequestContext): void {
  if (!(error instanceof CodedError)) return;
  if (error.code === 'idempotency_in_progress') headers.set('Retry-After', String(IN_PROGRESS_SECONDS));
  for (const [name, value] of refusals.get(error) ?? []) headers.set(name, value);
}

/** Draws the image, or takes it from the cache. What is drawn counts toward the rate limit of the link key. */
async function draw(call: LinkCall, signal: AbortSignal, options: ServiceOptions) {
  const { context, caller, attempt } = call;
  const { store, settings, engine } = options;
  const onDraw = async () => {
    const rate = await store.countRequest(caller.key.id, 'render', settings.LINK_RATE_LIMIT_PER_MIN);
    call.rate = rate;
    if (rate.allowed) return;
    const { error, retryAfter } = rateLimited(rate);
    refusals.set(error, [...rateHeaders(rate), ['Retry-After', String(retryAfter)]]);
    throw error;
  };
  const { assetFailures } = context;
  const renderCall = engineCall(
    { caller, permit: undefined, context: { request: { signal }, assetFailures } },
    options,
    attempt.brand,
  );
  const image = await engine.render(attempt.payload, attempt.template?.record, { ...renderCall, onDraw });
  signal.throwIfAborted();
  return image;
}

/** Visitors of a page get this answer: it says nothing of credits. */
function imageAnswer(call: LinkCall, image: EngineImage): Answer {
  const { context, attempt, rate } = call;
  const { bytes, format, width, height } = image;
  const tag = tagOf(image);
  if (isKnown(call, image)) return emptyAnswer(304, [['ETag', tag]]);
  context.format = format;
  const headers = new Map([
    ['Content-Type', mimeTypeOf(format)],
    ['ETag', tag],
    ['X-Canvas-Width', String(width)],
    ['X-Canvas-Height', String(height)],
    ['X-Service-Render-Id', attempt.renderId],
    ...(rate ? rateHeaders(rate) : []),
  ]);
  setEncoded(headers, 'X-Service-Alt', image.alt);
  return { status: 200, headers, body: bytes, length: bytes.length };
}
