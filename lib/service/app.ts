// The API as a function from request to answer. It knows nothing of sockets, so every rule can be tested without one.
import { randomUUID } from 'node:crypto';
import { openapi } from '../contract/api/openapi.js';
import { RenderError } from '../errors.js';
import { logRender, renderPayload, withCharge } from './charged-render.js';
import { admitBody, admitCaller, readPayload } from './checks.js';
import { docsAnswer } from './docs/page.js';
import { createHealth } from './health.js';
import {
  COMMON_HEADERS,
  emptyAnswer,
  errorAnswer,
  jsonAnswer,
  PREFLIGHT_HEADERS,
  paywallAnswer,
  renderAnswer,
  withHeaders,
} from './http/answer.js';
import type { Answer, RequestContext, RequestOutcome, Service, ServiceOptions } from './request.js';

type Handler = (context: RequestContext) => Answer | Promise<Answer>;

/** Handlers by method, by path. */
type Routes = ReadonlyMap<string, ReadonlyMap<string, Handler>>;

/** Retry-After of every 503 answer, in seconds. */
const RETRY_AFTER_SECONDS = 1;

export function createService(options: ServiceOptions): Service {
  const routes = createRoutes(options);
  return async (request) => {
    const context: RequestContext = {
      request,
      requestId: randomUUID(),
      startedAt: performance.now(),
      headers: new Map(),
      assetFailures: [],
    };
    try {
      return outcomeOf(context, await dispatch(routes, context));
    } catch (error) {
      const failure = toRenderError(error);
      return outcomeOf(context, failureAnswer(failure, context), failure);
    }
  };
}

function createRoutes(options: ServiceOptions): Routes {
  const health = createHealth(options);
  const page = (handler: Handler) =>
    new Map([
      ['GET', handler],
      ['HEAD', handler],
    ]);
  return new Map([
    ['/v1/render', new Map([['POST', (context: RequestContext) => postRender(context, options)]])],
    ['/healthz', page(health.alive)],
    ['/readyz', page(health.ready)],
    ['/openapi.json', page(() => jsonAnswer(200, openapi()))],
    ['/docs', page(docsAnswer)],
  ]);
}

async function dispatch(routes: Routes, context: RequestContext): Promise<Answer> {
  const { method, path } = context.request;
  const handlers = routes.get(path);
  if (!handlers) throw new RenderError('not_found', 'there is nothing at this path');
  if (method === 'OPTIONS') return emptyAnswer(204, PREFLIGHT_HEADERS);
  const handler = handlers.get(method);
  if (handler) return handler(context);
  const allowed = [...handlers.keys(), 'OPTIONS'].join(', ');
  context.headers.set('Allow', allowed);
  throw new RenderError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}`);
}

/** `POST /v1/render`: the checks in the contract's order, then the render between credit hold and charge. */
async function postRender(context: RequestContext, options: ServiceOptions): Promise<Answer> {
  const { RENDER_CREDIT_COST: cost, UPGRADE_URL: upgradeUrl } = options.settings;
  const caller = await admitCaller(context, options);
  const permit = admitBody(context, options);
  try {
    const parsed = await readPayload(context, caller, options);
    const work = () => renderPayload(parsed, { caller, permit, context }, options);
    const { result, balance } = await withCharge(options.store, caller.workspace.id, cost, work);
    if (!result) return paywallAnswer(balance, cost, upgradeUrl);
    context.format = result.format;
    const completed = { parsed, caller, result, durationMs: performance.now() - context.startedAt };
    logRender(completed, options);
    return renderAnswer(completed, balance, cost);
  } finally {
    permit?.release();
  }
}

function toRenderError(error: unknown): RenderError {
  if (error instanceof RenderError) return error;
  return new RenderError('internal_error', 'an unexpected error; the request id helps us find it', { cause: error });
}

function failureAnswer(failure: RenderError, { requestId }: RequestContext): Answer {
  const answer = errorAnswer(failure, requestId);
  return answer.status === 503 ? withHeaders(answer, [['Retry-After', String(RETRY_AFTER_SECONDS)]]) : answer;
}

function outcomeOf(context: RequestContext, answer: Answer, failure?: RenderError): RequestOutcome {
  const { requestId, headers, caller, format, assetFailures } = context;
  return {
    requestId,
    answer: withHeaders(answer, [...COMMON_HEADERS, ['X-Request-Id', requestId], ...headers]),
    ...(failure && { code: failure.code }),
    ...(caller && { keyId: caller.key.id, workspaceId: caller.workspace.id }),
    ...(format && { format }),
    ...(assetFailures.length > 0 && { assetFailures }),
    ...(failure?.code === 'internal_error' && { cause: failure.cause ?? failure }),
  };
}
