// The client sends some requests again and others never twice, waits between attempts, and can be stopped.
import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { createClient, PlatenError } from '../../lib/client/index.js';
import { API_KEY, answer, cut, cutInTheMiddle, failure, type Step, startStub } from './stub.js';

const payload = { canvas: { width: 1, height: 1 }, layers: [] };
const record = { name: 'T', width: 1, height: 1, hotspots: [] };
const picture = answer(200, Buffer.from('png'));
const NOW = { 'Retry-After': '0' };

t.test('a render is sent again after failures that may pass, with the same Idempotency-Key and body', async (t) => {
  const steps: Record<string, Step> = {
    'a connection that is cut': cut,
    'an answer that is cut': cutInTheMiddle,
    '429': failure(429, 'rate_limited', NOW),
    '503': failure(503, 'overloaded', NOW),
    '409 while the first is running': failure(409, 'idempotency_in_progress', NOW),
    'a gateway without its server': (response) => response.writeHead(502).end('<html>Bad Gateway</html>'),
  };
  for (const [title, step] of Object.entries(steps)) {
    const { client, asked } = await startStub(t, [step, picture]);
    const { bytes } = await client.render(payload);
    t.equal(Buffer.from(bytes).toString(), 'png', title);
    t.equal(asked.length, 2, title);
    const [first, second] = asked;
    t.match(first.headers['idempotency-key'], /^[0-9a-f]{32}$/);
    t.equal(second.headers['idempotency-key'], first.headers['idempotency-key'], title);
    t.same(second.body, first.body);
    t.match(JSON.parse(first.body.toString()), { ...payload, responseType: 'binary' });
  }
});

t.test('each render has a key of its own, unless its caller names one', async (t) => {
  const { client, asked } = await startStub(t, [picture]);
  await client.render(payload);
  await client.render(payload);
  await client.render(payload, { idempotencyKey: 'order 42' });
  const keys = asked.map(({ headers }) => headers['idempotency-key']);
  t.equal(new Set(keys).size, 3);
  t.equal(keys[2], 'order 42');
});

t.test('failures that do not pass are not sent again', async (t) => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [404, 'template_not_found'],
    [409, 'asset_in_use'],
    [422, 'idempotency_mismatch'],
    [500, 'render_failed'],
    [502, 'asset_failed'],
    [504, 'render_timeout'],
  ] as const) {
    const { client, asked } = await startStub(t, [failure(status, code)]);
    await t.rejects(client.render(payload), { status, code });
    t.equal(asked.length, 1, code);
  }
});

t.test('after the last retry the last failure is thrown', async (t) => {
  const { client, asked } = await startStub(t, [failure(503, 'overloaded', NOW)], { retries: 2 });
  await t.rejects(client.render(payload), { name: 'PlatenError', status: 503, code: 'overloaded' });
  t.equal(asked.length, 3);
  await t.rejects(client.workspace({ retries: 0 }), { name: 'PlatenError', status: 503 });
  t.equal(asked.length, 4, 'a call has its own number');
});

t.test('waiting for an attempt that is still running is no retry', async (t) => {
  const running = failure(409, 'idempotency_in_progress', NOW);
  const { client, asked } = await startStub(t, [running, running, running, picture], { retries: 1 });
  await client.render(payload);
  t.equal(asked.length, 4);
});

t.test('an answer of success that is no image is an error', async (t) => {
  const page: Step = (response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', 'X-Request-Id': 'r1' }).end('<html>Sign in</html>');
  const { client } = await startStub(t, [page]);
  const message = 'the server answered 200 with text/html instead of an image';
  await t.rejects(client.render(payload), { status: 200, code: 'unexpected_answer', requestId: 'r1', message });
});

t.test('a write that makes a version is not sent again when it may have been done', async (t) => {
  const calls = [
    (client: ReturnType<typeof createClient>) => client.templates.create(record),
    (client: ReturnType<typeof createClient>) => client.templates.replace('tpl', record),
    (client: ReturnType<typeof createClient>) => client.templates.restore('tpl', 1),
  ];
  for (const call of calls) {
    for (const step of [cut, cutInTheMiddle]) {
      const { client, asked } = await startStub(t, [step, answer(201, {})]);
      await t.rejects(call(client), { status: 0, code: 'network_error' });
      t.equal(asked.length, 1, 'after a cut connection');
    }
    const { client: failing, asked: attempts } = await startStub(t, [
      failure(503, 'storage_unavailable', NOW),
      answer(201, {}),
    ]);
    await t.rejects(call(failing), { status: 503, code: 'storage_unavailable' });
    t.equal(attempts.length, 1, 'the storage may have made the version before it failed');
    for (const refusal of [failure(429, 'rate_limited', NOW), failure(503, 'overloaded', NOW)]) {
      const { client, asked } = await startStub(t, [refusal, answer(201, { id: 'tpl' })]);
      t.match(await call(client), { id: 'tpl' });
      t.equal(asked.length, 2, 'after a refusal');
    }
  }
});

t.test('a write is sent again when the connection was refused', async (t) => {
  const { client, server, baseUrl, asked } = await startStub(t, [answer(201, { id: 'tpl' })]);
  server.close();
  await once(server, 'close');
  let refused = 0;
  const patient = createClient({
    baseUrl,
    apiKey: API_KEY,
    fetch: async (url, init) => {
      if (refused === 1)
        await new Promise<void>((resolve) => server.listen(Number(new URL(baseUrl).port), '127.0.0.1', resolve));
      refused++;
      return fetch(url, init);
    },
  });
  await t.rejects(client.templates.create(record, { retries: 0 }), { code: 'network_error', message: /ECONNREFUSED/ });
  t.match(await patient.templates.create(record), { id: 'tpl' });
  t.equal(refused, 2);
  t.equal(asked.length, 1);
});

t.test('reads, deletes, publishing and uploads are sent again', async (t) => {
  const one = answer(200, { id: 'a' });
  for (const [step, call] of [
    [one, (client) => client.templates.get('tpl')],
    [one, (client) => client.templates.publish('tpl', 1)],
    [one, (client) => client.assets.add(Buffer.from('file'))],
    [answer(204, undefined), (client) => client.assets.delete('asset')],
  ] satisfies [Step, (client: ReturnType<typeof createClient>) => Promise<unknown>][]) {
    for (const lost of [cut, failure(503, 'storage_unavailable', NOW)]) {
      const { client, asked } = await startStub(t, [lost, step]);
      await call(client);
      t.equal(asked.length, 2);
      t.same(asked[1].body, asked[0].body);
    }
  }
});

t.test('a delete whose answer was lost has succeeded when the retry finds nothing', async (t) => {
  const { client, asked } = await startStub(t, [cut, failure(404, 'template_not_found')]);
  await client.templates.delete('tpl');
  t.equal(asked.length, 2);
  const { client: other } = await startStub(t, [failure(503, 'overloaded', NOW), failure(404, 'template_not_found')]);
  await t.rejects(other.templates.delete('tpl'), { code: 'template_not_found' }, 'a refused delete has done nothing');
});

t.test('Retry-After is the wait, in seconds or as a date', async (t) => {
  const date = () => new Date(Date.now() + 2000).toUTCString();
  for (const [value, least] of [
    [() => '1', 990],
    // a date has no fractions of a second
    [date, 950],
  ] as const) {
    const refuse: Step = (response, request) =>
      failure(429, 'rate_limited', { 'Retry-After': value() })(response, request);
    const { client, asked } = await startStub(t, [refuse, picture]);
    await client.render(payload);
    t.ok(asked[1].time - asked[0].time >= least, value());
  }
});

t.test('a wait that would end after the time of the call is not begun', async (t) => {
  const { client, asked } = await startStub(t, [failure(429, 'rate_limited', { 'Retry-After': '86400' })]);
  await t.rejects(client.render(payload), { status: 429, code: 'rate_limited' });
  t.equal(asked.length, 1);
});

t.test('a call ends with its time, whether it waits for an answer or for a retry', async (t) => {
  const { client, asked } = await startStub(t, [() => {}]);
  await t.rejects(client.render(payload, { timeoutMs: 50 }), { name: 'PlatenError', code: 'timeout', status: 0 });
  t.ok(asked.length <= 1);
});

t.test('a call may take any time', async (t) => {
  const { client, asked } = await startStub(t, [failure(503, 'overloaded', NOW), picture]);
  await client.render(payload, { timeoutMs: Number.MAX_SAFE_INTEGER });
  t.equal(asked.length, 2);
});

t.test('what can never be sent is no failure of the network', async (t) => {
  const { client, asked } = await startStub(t, [picture]);
  await t.rejects(client.render(payload, { idempotencyKey: 'a\nb' }), TypeError);
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await t.rejects(client.render({ ...payload, metadata: circular }), TypeError);
  t.equal(asked.length, 0);
});

t.test('an AbortSignal ends a call with its reason', async (t) => {
  const reason = new Error('the user left');
  const aborted = AbortSignal.abort(reason);
  const { client, asked } = await startStub(t, [() => {}]);
  await t.rejects(client.workspace({ signal: aborted }), reason);
  t.equal(asked.length, 0);
  const controller = new AbortController();
  const call = client.render(payload, { signal: controller.signal });
  controller.abort(reason);
  await t.rejects(call, reason);

  const waiting = new AbortController();
  const busy: Step = (response, request) => {
    failure(503, 'overloaded', { 'Retry-After': '100' })(response, request);
    setImmediate(() => waiting.abort(reason));
  };
  const { client: other } = await startStub(t, [busy]);
  await t.rejects(other.render(payload, { signal: waiting.signal }), reason, 'while it waits');
});

t.test('a server that speaks no HTTP is a network error that says so', async (t) => {
  const server = createServer((socket) => socket.end('hello\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: API_KEY, retries: 0 });
  const error = await client.workspace().catch((thrown: unknown) => thrown);
  t.ok(error instanceof PlatenError);
  t.match(error, { code: 'network_error', message: new RegExp(`^no answer from http://127.0.0.1:${port}: `) });
});
