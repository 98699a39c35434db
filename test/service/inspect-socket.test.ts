// Inspections over a real socket, with a render process: answers, a large canvas, and clients that leave.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { inspectAnswer } from '../../lib/contract/api/inspection.js';
import { makeCheckout } from '../checkout.js';
import { eventually } from '../eventually.js';
import { startWhole } from './whole.js';

const checkout = t.testdir();
makeCheckout(checkout);

const text = { type: 'text', text: 'Hello', x: 10, y: 20, width: 200, height: 60, fontSize: 40 };
const CARD = { canvas: { width: 400, height: 200 }, layers: [text] };

t.test('answers, and lets go of clients that leave', async (t) => {
  // an origin that never answers
  const origin = createServer((_request, response) => {
    opened++;
    response.on('close', () => closed++);
  });
  let opened = 0;
  let closed = 0;
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  t.teardown(() => origin.closeAllConnections());
  t.teardown(() => origin.close());
  const host = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const settings = { RENDER_WORKERS: '1', RENDER_MEMORY_MB: '64', ASSET_ALLOW_HOSTS: host, METRICS_PORT: '0' };
  const whole = await startWhole(t, settings, checkout);
  const { key, workspaceId } = await whole.caller({ credits: 3, plan: 'free' });
  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    fetch(whole.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });

  const answers: Record<string, unknown>[] = [];
  for (const path of ['/v1/inspect', '/v1/render?dryRun=true']) {
    const answer = await post(path, CARD);
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('access-control-allow-origin'), '*');
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    t.match(answer.headers.get('content-type'), /^application\/json/);
    const { timings, ...json } = inspectAnswer.strict().parse(await answer.json());
    t.match(json, {
      width: 400,
      height: 200,
      creditsCost: 1,
      layers: [{ path: 'layers[0]', lines: [{ text: 'Hello' }] }],
    });
    answers.push(json);
    const bad = await post(path, 'no JSON');
    t.equal(bad.status, 400);
    t.match(await bad.json(), { success: false, code: 'invalid_json' });
  }
  t.same(answers[0], answers[1]);
  // the picture ends with its text, whatever the canvas may be at most
  const fitted = { ...CARD, canvas: { width: 400, height: 900, scale: 2, autoHeight: true, padding: 5 } };
  t.match(await (await post('/v1/inspect', fitted)).json(), { width: 800, height: 170, warnings: [] });
  // its pixels are four times the memory of all renders
  const huge = await post('/v1/inspect', { ...CARD, canvas: { width: 8192, height: 8192 } });
  t.match(await huge.json(), { success: true, width: 8192, height: 8192 });

  for (const path of ['/v1/inspect', '/v1/render?dryRun=true']) {
    const before = { opened, closed };
    const leaver = new AbortController();
    const image = { type: 'image', url: `http://${host}/a.png`, x: 0, y: 0, width: 9, height: 9 };
    const answer = post(path, { ...CARD, layers: [image] }, leaver.signal);
    await eventually(() => opened === before.opened + 1);
    leaver.abort();
    await t.rejects(answer);
    await eventually(() => closed === before.closed + 1);
  }
  t.match(await (await post('/v1/inspect', CARD)).json(), { success: true });

  t.equal((await whole.store.balance(workspaceId)).balance, 3);
  const rendered = await post('/v1/render', CARD);
  t.equal(rendered.status, 200);
  t.notOk(rendered.headers.has('idempotency-replayed'), 'the key was free');
  const metrics = await (await fetch(whole.metricsUrl ?? '')).text();
  t.match(metrics, /platen_requests_total\{route="\/v1\/inspect",status="200",code="ok"\} 5\n/);
  t.match(metrics, /platen_requests_total\{route="\/v1\/render",status="200",code="ok"\} 1\n/);
  t.match(metrics, /platen_render_duration_seconds_count\{format="png"\} 1\n/);
  await whole.stop();
  const { items } = await whole.store.listRenders(workspaceId, {}, { limit: 10 });
  t.equal(items.length, 1);
  const lines = whole.log.filter(({ route }) => route === '/v1/inspect');
  t.ok(lines.length >= 6);
  t.ok(lines.every((line) => !('format' in line)));
});

t.test('a picture that ends with its layers has that size in the answer and in the render log', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1', METRICS_PORT: '0' }, checkout);
  const { key, workspaceId } = await whole.caller({ credits: 2, plan: 'free' });
  const body = { canvas: { width: 400, height: 900, scale: 2, autoHeight: true, padding: 5 }, layers: [text] };
  const answer = await fetch(`${whole.url}/v1/render`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  t.equal(answer.status, 200);
  t.same([answer.headers.get('x-canvas-width'), answer.headers.get('x-canvas-height')], ['800', '170']);
  const file = Buffer.from(await answer.arrayBuffer());
  t.same([file.readUInt32BE(16), file.readUInt32BE(20)], [800, 170], 'with the watermark of the free plan');
  const { items } = await whole.store.listRenders(workspaceId, {}, { limit: 1 });
  t.match(items, [{ width: 800, height: 170 }]);
  t.equal((await whole.store.balance(workspaceId)).balance, 1, 'at the price of any picture');
});
