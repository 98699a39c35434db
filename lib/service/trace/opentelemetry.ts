// Spans of requests, batch rows and render stages, through whatever OpenTelemetry SDK is registered. The only module that
// imports @opentelemetry/api.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { loggedPath, PROBES } from '../http/access-log.js';
import type { TimedStage } from '../render/engine.js';
import {
  type AnswerStream,
  type ApiRequest,
  isStream,
  type RequestOutcome,
  type Service,
  type TraceRow,
} from '../request.js';

export interface Tracing {
  /**
   * The same service; each request has a span, in the trace that its `traceparent` names. The span of a batch ends with its
   * answer, the others when their answer is ready to send. Outcomes get the id of their trace.
   */
  traceService(service: Service): Service;
  /** Records a stage of the current request's render. `startedAt`: by `performance.now()`; `milliseconds`: its duration. */
  stage(stage: TimedStage, startedAt: number, milliseconds: number): void;
  /** Renders a row of the current batch within a separate span. */
  readonly traceRow: TraceRow;
  /** Calls `run` so that no instrumentation makes spans of what it sends, or adds headers to it. */
  untraced<Result>(run: () => Result): Result;
  /** Has the SDK export what it holds; waits for that, up to a few seconds. Never rejects. */
  flush(): Promise<void>;
}

/** The span that work belongs to. Kept apart from OpenTelemetry's own context, which is empty if the SDK has no manager. */
interface Scope {
  readonly context: Context;
  /** Added to `performance.now()`, this is the time of the system's clock when the request arrived. */
  readonly epochMs: number;
}

/** Methods that HTTP defines; others are recorded as `_OTHER`, so that names of spans are few. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']);
/** SDKs and instrumentations look for this key: `suppressTracing` of @opentelemetry/core sets it. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
const FLUSH_MS = 3000;

const requestHeaders: TextMapGetter<ApiRequest> = {
  get: (request, name) => request.header?.(name.toLowerCase()),
  keys: () => [],
};

export function createTracing(): Tracing {
  const tracer = trace.getTracer('platen');
  const scopes = new AsyncLocalStorage<Scope>();
  const within = <Result>(scope: Scope, run: () => Result) => scopes.run(scope, () => context.with(scope.context, run));
  const now = ({ epochMs }: Pick<Scope, 'epochMs'>) => epochMs + performance.now();

  /** A span in `parent`, and the scope of what happens within it. */
  function start(name: string, parent: Scope, attributes: Record<string, string | number>, kind = SpanKind.INTERNAL) {
    const span = tracer.startSpan(name, { kind, startTime: now(parent), attributes }, parent.context);
    return { span, scope: { ...parent, context: trace.setSpan(parent.context, span) } };
  }

  return {
    traceService: (service) => async (request) => {
      if (PROBES.has(request.path)) return service(request);
      const parent = { context: parentOf(request), epochMs: Date.now() - performance.now() };
      const method = METHODS.has(request.method) ? request.method : '_OTHER';
      const attributes = {
        'http.request.method': method,
        'url.path': loggedPath(request.path),
        'url.scheme': 'http',
      };
      const { span, scope } = start(method, parent, attributes, SpanKind.SERVER);
      const { traceId } = span.spanContext();
      try {
        const outcome = await within(scope, () => service(request));
        describe(span, method, request, outcome);
        const { answer, batch } = outcome;
        if (!isStream(answer.body)) {
          span.end(now(scope));
          return { ...outcome, traceId };
        }
        const end = () => {
          if (batch) {
            const { rows, succeeded, failed } = batch;
            span.setAttributes({
              'platen.batch.rows': rows,
              'platen.batch.succeeded': succeeded,
              'platen.batch.failed': failed,
            });
          }
          span.end(now(scope));
        };
        const body = streamWithin(answer.body, (next) => within(scope, next), end, request.signal);
        return { ...outcome, answer: { ...answer, body }, traceId };
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(now(scope));
        throw error;
      }
    },
    stage(stage, startedAt, milliseconds) {
      const scope = scopes.getStore();
      if (!scope) return;
      const startTime = scope.epochMs + startedAt;
      tracer.startSpan(stage, { startTime }, scope.context).end(startTime + milliseconds);
    },
    async traceRow(index, render, codeOf) {
      const parent = scopes.getStore();
      if (!parent) return render();
      const { span, scope } = start('row', parent, { 'platen.batch.row': index });
      try {
        const result = await within(scope, render);
        const code = codeOf(result);
        if (code !== undefined) span.setAttribute('platen.error.code', code);
        return result;
      } finally {
        span.end(now(scope));
      }
    },
    untraced: (run) => context.with(context.active().setValue(SUPPRESS_TRACING, true), run),
    async flush() {
      const provider = trace.getTracerProvider() as Flushable & { getDelegate?(): Flushable };
      // the API wraps the SDK's provider in its own
      const sdk = provider.getDelegate?.() ?? provider;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_MS);
      });
      await Promise.race([sdk.forceFlush?.(), timeout]).catch(() => {});
      clearTimeout(timer);
    },
  };
}

/** The API's type of a provider lacks this; every SDK has it. */
interface Flushable {
  forceFlush?(): Promise<void>;
}

/** The span of an instrumentation of node:http, if one is at work; else what the request's headers name. */
function parentOf(request: ApiRequest): Context {
  const active = context.active();
  return trace.getSpan(active) ? active : propagation.extract(active, request, requestHeaders);
}

/** Names follow OpenTelemetry's semantic conventions for HTTP servers; those beginning with `platen.` are ours. */
function describe(span: Span, method: string, { signal }: ApiRequest, outcome: RequestOutcome): void {
  const { route, answer, code, requestId, workspaceId, keyId, format } = outcome;
  if (route !== undefined) span.updateName(`${method} ${route}`);
  // the disconnect made the request fail, and its answer is not sent
  const isGone = signal.aborted && code === 'internal_error';
  const isServerError = answer.status >= 500 && !isGone;
  const attributes = {
    'platen.request.id': requestId,
    'http.route': route,
    'platen.workspace.id': workspaceId,
    'platen.key.id': keyId,
    'platen.format': format,
    'http.response.status_code': isGone ? undefined : answer.status,
    'platen.error.code': isGone ? 'client_gone' : code,
    'error.type': isServerError ? (code ?? String(answer.status)) : undefined,
  };
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(name, value);
  if (isServerError) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The same stream, of which each step is made by `within`; `onEnd` is called once, also when nobody reads the stream. */
function streamWithin(
  body: AnswerStream,
  within: <Result>(run: () => Result) => Result,
  onEnd: () => void,
  signal: AbortSignal,
): AnswerStream {
  let hasStarted = false;
  const onAbort = () => {
    if (!hasStarted) onEnd();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return (async function* () {
    // the span has ended with the disconnect, and the stream ends at once
    if (signal.aborted) return yield* body;
    hasStarted = true;
    const iterator = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await within(() => iterator.next());
        if (step.done) return;
        yield step.value;
      }
    } finally {
      try {
        await within(() => iterator.return?.());
      } finally {
        onEnd();
      }
    }
  })();
}
