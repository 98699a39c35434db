// Spans of a whole server with an SDK: what they are called, how they nest, and whom trace ids reach.
import { once } from 'node:events';
import http, { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import t, { type Test } from 'tap';
import { createTracing } from '../../../lib/service/trace/opentelemetry.js';
import { makeCheckout } from '../../checkout.js';
import { eventually } from '../../eventually.js';
import { parseLines } from '../batch/reply.js';
import { startWhole } from '../whole.js';
import { delayed, endOf, idOf, parentOf, registerSdk, startOf, takeSpans } from './spans.js';

/** As an instrumentation of node:http does: each request that the process sends carries the current span. */
const { request: plainRequest } = http;
http.request = ((...values: Parameters<typeof plainRequest>) => {
  const options = values.find((value) => typeof value === 'object' && !(value instanceof URL)) as http.RequestOptions;
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  options.headers = { ...(options.headers as object), ...headers };
  return plainRequest(...values);
}) as typeof plainRequest;
syncBuiltinESMExports();

registerSdk();
const checkout = t.testdir();
makeCheckout(checkout);

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

const card = (text: string) => ({
  canvas: { width: 60, height: 40, backgroundColor: 'white' },
  layers: [{ type: 'text', text, x: 0, y: 0, width: 60, height: 40 }],
});

async function start(t: Test, settings: Record<string, string> = {}) {
  const whole = await startWhole(t, { RENDER_WORKERS: '1', ...settings }, checkout);
  await eventually(async () => (await fetch(`${whole.url}/readyz`)).status === 200);
  const { key, workspaceId } = await whole.caller({ scopes: ['render:write', 'batch:write'] });
  const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${whole.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  takeSpans();
  return { ...whole, key, workspaceId, ask };
}

async function startOrigin(t: Test) {
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const received: http.IncomingHttpHeaders[] = [];
  const origin = createServer(({ headers }, response) => {
    received.push(headers);
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(dot);
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.teardown(() => origin.close());
  return { received, host: `127.0.0.1:${(origin.address() as AddressInfo).port}` };
}

t.test('a render is a span in the caller’s trace, with a span for each stage', async (t) => {
  const { received, host } = await startOrigin(t);
  const server = await start(t, { ASSET_ALLOW_HOSTS: host });
  const picture = { type: 'image', x: 0, y: 0, width: 8, height: 8, url: `http://${host}/dot.png` };
  const { layers, canvas } = card('a');
  const body = { canvas, layers: [...layers, picture], format: 'webp' };
  const response = await server.ask('/v1/render', body, { traceparent: TRACEPARENT, tracestate: 'vendor=x' });
  t.equal(response.status, 200);
  const spans = takeSpans();
  t.same(
    spans.map(({ name }) => name),
    ['POST /v1/render', 'check', 'fetch', 'queue', 'load', 'layout', 'paint', 'encode'],
  );
  const [root, ...stages] = spans;
  t.equal(root.kind, SpanKind.SERVER);
  t.equal(root.spanContext().traceId, TRACE_ID);
  t.equal(root.spanContext().traceState?.get('vendor'), 'x');
  t.equal(parentOf(root), PARENT_ID);
  t.equal(root.parentSpanContext?.isRemote, true);
  const requestId = response.headers.get('x-request-id');
  t.match(root.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/render',
    'http.response.status_code': 200,
    'url.path': '/v1/render',
    'url.scheme': 'http',
    'platen.request.id': requestId,
    'platen.workspace.id': server.workspaceId,
    'platen.key.id': /^key_/,
    'platen.format': 'webp',
  });
  t.notOk('platen.error.code' in root.attributes);
  t.notMatch(JSON.stringify(root.attributes), server.key);
  let last = startOf(root);
  for (const span of stages) {
    t.equal(parentOf(span), idOf(root), `${span.name} is within the request`);
    t.equal(span.spanContext().traceId, TRACE_ID);
    t.ok(startOf(span) >= last - 0.01, `${span.name} begins after what comes before it`);
    t.ok(endOf(span) >= startOf(span));
    t.ok(endOf(span) <= endOf(root) + 0.01, `${span.name} ends within the request`);
    last = span.name === 'queue' ? endOf(span) : startOf(span);
  }
  t.ok(endOf(stages.at(-1)!) - startOf(root) > 0);
  const line = server.log.find((entry) => entry.requestId === requestId);
  t.equal(line?.traceId, TRACE_ID, 'the log names the trace');
  t.equal(received.length, 1);
  t.notOk('traceparent' in received[0], 'the host of the picture gets no trace id, whatever is instrumented');
  t.notOk('tracestate' in received[0]);
});

t.test('the stand-in for an instrumentation does send trace ids where it may', async (t) => {
  const { received, host } = await startOrigin(t);
  await trace.getTracer('test').startActiveSpan('own', async (span) => {
    await once(http.request(`http://${host}/`, { agent: false }).end(), 'response');
    span.end();
  });
  t.match(received[0].traceparent, /^00-/);
});

t.test('without traceparent, and with a malformed one, a request begins a trace', async (t) => {
  const server = await start(t);
  for (const headers of [{}, { traceparent: '00-zz-1-01' }]) {
    t.equal((await server.ask('/v1/render', card(`b${Object.keys(headers)}`), headers)).status, 200);
    const [root] = takeSpans();
    t.equal(root.parentSpanContext, undefined);
    t.not(root.spanContext().traceId, TRACE_ID);
    t.match(root.spanContext().traceId, /^[0-9a-f]{32}$/);
  }
});

t.test('failures have their code; only those of the server are errors; keys are not recorded', async (t) => {
  const server = await start(t);
  t.equal((await server.ask('/v1/render', { canvas: {} })).status, 400);
  t.equal((await server.ask('/v1/render', { ...card('c'), layers: [{ type: 'nope' }] })).status, 500);
  t.equal((await fetch(`${server.url}/nothing/${server.key}?${server.key}`)).status, 404);
  const [invalid, failed, unknown] = takeSpans().filter(({ kind }) => kind === SpanKind.SERVER);
  t.match(invalid.attributes, { 'http.response.status_code': 400, 'platen.error.code': 'invalid_request' });
  t.equal(invalid.status.code, SpanStatusCode.UNSET);
  t.notOk('error.type' in invalid.attributes);
  t.match(failed.attributes, { 'http.response.status_code': 500, 'error.type': 'render_failed' });
  t.equal(failed.status.code, SpanStatusCode.ERROR);
  t.equal(unknown.name, 'GET');
  t.match(unknown.attributes, { 'http.response.status_code': 404, 'url.path': '/nothing/svc_live_…' });
  t.notOk('http.route' in unknown.attributes);
  t.notMatch(JSON.stringify(unknown.attributes), server.key);
});

t.test('a repeated render has no stages, and probes have no spans', async (t) => {
  const server = await start(t);
  await server.ask('/v1/render', card('d'));
  takeSpans();
  await server.ask('/v1/render', card('d'));
  await fetch(`${server.url}/healthz`);
  t.same(
    takeSpans().map(({ name }) => name),
    ['POST /v1/render'],
  );
});

t.test('the rows of a batch are spans in its own, which ends with its answer', async (t) => {
  const server = await start(t);
  const items = [card('e'), { ...card('f'), layers: [{ type: 'nope' }] }, card('g')];
  const response = await server.ask('/v1/batches', { items }, { traceparent: TRACEPARENT });
  t.equal(response.status, 200);
  const { rows } = parseLines(await response.text());
  const failed = rows.flatMap((row) => ('code' in row ? [row.index] : []));
  t.same(failed, [1]);
  const spans = takeSpans();
  const root = spans.find(({ name }) => name === 'POST /v1/batches')!;
  t.equal(root.spanContext().traceId, TRACE_ID);
  t.match(root.attributes, {
    'platen.batch.rows': 3,
    'platen.batch.succeeded': 3 - failed.length,
    'platen.batch.failed': failed.length,
  });
  const rowSpans = spans.filter(({ name }) => name === 'row');
  t.same(rowSpans.map(({ attributes }) => attributes['platen.batch.row']).sort(), [0, 1, 2]);
  for (const row of rowSpans) {
    t.equal(parentOf(row), idOf(root));
    t.ok(endOf(row) <= endOf(root) + 0.01);
    const isFailed = failed.includes(Number(row.attributes['platen.batch.row']));
    t.equal('platen.error.code' in row.attributes, isFailed);
    const names = spans.filter((span) => parentOf(span) === idOf(row)).map(({ name }) => name);
    if (!isFailed) t.same(names, ['check', 'queue', 'load', 'layout', 'paint', 'encode']);
  }
});

t.test('the span of a batch whose answer nobody reads ends when its client disconnects', async (t) => {
  const leaving = new AbortController();
  async function* rows() {
    yield 'never';
  }
  const service = createTracing().traceService(async () => ({
    requestId: 'r',
    route: '/v1/batches',
    answer: { status: 200, headers: new Map(), body: rows(), length: undefined },
    batch: { rows: 2, succeeded: 0, failed: 0 },
  }));
  takeSpans();
  await service(plainCall('/v1/batches', leaving.signal));
  t.same(takeSpans(), []);
  leaving.abort();
  t.match(takeSpans(), [{ name: 'POST /v1/batches', attributes: { 'platen.batch.rows': 2 } }]);
});

t.test('is a child of an instrumentation’s span rather than its sibling', async (t) => {
  const answer = { status: 200, headers: new Map(), body: Uint8Array.of(), length: 0 };
  const service = createTracing().traceService(async () => ({ requestId: 'r', route: '/v1/fonts', answer }));
  await trace.getTracer('test').startActiveSpan('instrumentation', async (span) => {
    takeSpans();
    await service(plainCall('/v1/fonts'));
    const [own] = takeSpans();
    t.equal(parentOf(own), span.spanContext().spanId);
    span.end();
  });
});

t.test('a service that fails ends its span, and a client that has left is no error of the server', async (t) => {
  const { traceService } = createTracing();
  takeSpans();
  const broken = new Error('broken');
  await t.rejects(traceService(() => Promise.reject(broken))(plainCall('/v1/fonts')), broken);
  t.match(takeSpans(), [{ status: { code: SpanStatusCode.ERROR } }]);
  const answer = { status: 500, headers: new Map(), body: Uint8Array.of(), length: 0 };
  const left = traceService(async () => ({ requestId: 'r', answer, code: 'internal_error' }));
  await left(plainCall('/v1/render', AbortSignal.abort()));
  const [span] = takeSpans();
  t.equal(span.status.code, SpanStatusCode.UNSET);
  t.equal(span.attributes['platen.error.code'], 'client_gone');
  t.notOk('http.response.status_code' in span.attributes);
});

t.test('a server that stops has the SDK export what it holds', async (t) => {
  const server = await start(t);
  delayed.reset();
  await server.ask('/v1/render', card('h'), { traceparent: TRACEPARENT });
  t.same(delayed.getFinishedSpans(), []);
  await server.stop();
  t.ok(delayed.getFinishedSpans().some(({ name }) => name === 'POST /v1/render'));
});

function plainCall(path: string, signal = new AbortController().signal) {
  return {
    method: 'POST',
    path,
    header: (name: string) => (name === 'traceparent' ? TRACEPARENT : undefined),
    authorization: undefined,
    body: async () => Uint8Array.of(),
    signal,
  };
}
