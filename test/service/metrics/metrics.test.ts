// Metrics: they agree with what happened, name no secret, and are served on their own address only.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { ServiceError } from '../../../lib/errors.js';
import { instrumentStore } from '../../../lib/service/metrics/instrument.js';
import type { ServiceStore } from '../../../lib/service/request.js';
import { makeCheckout } from '../../checkout.js';
import { eventually } from '../../eventually.js';
import { startWhole } from '../whole.js';
import { scrape } from './scrape.js';

const checkout = t.testdir();
makeCheckout(checkout);

const card = (text: string) => ({
  canvas: { width: 60, height: 40, backgroundColor: 'white' },
  layers: [{ type: 'text', text, x: 0, y: 0, width: 60, height: 40 }],
});
const STAGES = ['check', 'load', 'layout', 'paint', 'encode', 'queue'];

// fault: 99
t.test('counts requests, stages, caches, credits and processes', async (t) => {
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const origin = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Cache-Control': 'max-age=60' }).end(dot);
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.teardown(() => origin.close());
  const host = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const settings = { RENDER_WORKERS: '1', METRICS_PORT: '0', ASSET_ALLOW_HOSTS: host, RENDER_CREDIT_COST: '0.5' };
  const whole = await startWhole(t, settings, checkout);
  const metricsUrl = whole.metricsUrl ?? '';
  const { key, workspaceId } = await whole.caller({ credits: 3 });
  await eventually(async () => (await fetch(`${whole.url}/readyz`)).status === 200);

  const picture = (width: number) => ({
    canvas: { width: 8, height: 8 },
    layers: [{ type: 'image', x: 0, y: 0, width, height: 8, url: `http://${host}/dot.png?secret=1` }],
  });
  const asked = [card('a'), card('a'), { ...card('b'), format: 'jpeg' }, picture(8), picture(4)];
  for (const body of asked) t.equal((await whole.post(key, body)).status, 200);
  t.equal((await whole.post(key, { canvas: { width: 4, height: 4 }, layers: [{ type: 'nope' }] })).status, 500);
  t.equal((await whole.post(key, { canvas: {} })).status, 400);
  t.equal((await whole.post(`${key}0`, card('c'))).status, 401);
  t.equal((await whole.post(key, card('d'))).status, 200);
  t.equal((await whole.post(key, card('e'))).status, 402);
  t.equal((await fetch(`${whole.url}/wp-login.php?${key}`)).status, 404);

  const { text, samples } = await scrape(metricsUrl);
  const requests = (status: number, code: string, route = '/v1/render') =>
    samples.get(`platen_requests_total{route="${route}",status="${status}",code="${code}"}`);
  t.equal(requests(200, 'ok'), 6);
  t.equal(requests(500, 'render_failed'), 1);
  t.equal(requests(400, 'invalid_request'), 1);
  t.equal(requests(401, 'invalid_api_key'), 1);
  t.equal(requests(402, 'credits_exhausted'), 1);
  t.equal(requests(404, 'not_found', 'other'), 1);
  t.equal(samples.get('platen_credits_charged_total'), 3);
  t.equal(samples.get('platen_render_duration_seconds_count{format="png"}'), 5);
  t.equal(samples.get('platen_render_duration_seconds_count{format="jpeg"}'), 1);
  for (const stage of STAGES) {
    const labels = `{stage="${stage}",format="png"}`;
    t.equal(
      samples.get(`platen_stage_duration_seconds_count${labels}`),
      4,
      `${stage} of what was drawn, not of a repeat`,
    );
    t.equal(samples.get(`platen_stage_duration_seconds_count{stage="${stage}",format="jpeg"}`), 1);
  }
  t.ok((samples.get('platen_stage_duration_seconds_sum{stage="encode",format="png"}') ?? 0) > 0);
  t.equal(samples.get('platen_stage_duration_seconds_count{stage="fetch",format="png"}'), 2);
  t.equal(samples.get('platen_asset_cache_requests_total{result="miss"}'), 1);
  t.equal(samples.get('platen_asset_cache_requests_total{result="hit"}'), 1);
  t.equal(samples.get('platen_render_cache_requests_total{result="hit"}'), 1);
  t.equal(samples.get('platen_render_cache_requests_total{result="miss"}'), 5);
  t.ok((samples.get('platen_render_cache_bytes') ?? 0) > 1000);
  t.equal(samples.get('platen_store_duration_seconds_count{verb="settle"}'), 6);
  t.equal(samples.get('platen_queue_length'), 0);
  t.equal(samples.get('platen_requests_in_flight'), 0);
  t.equal(samples.get('platen_memory_limit_bytes'), 2 ** 30);
  t.ok((samples.get('process_resident_memory_bytes') ?? 0) > 1e7);
  for (const secret of [key, host, 'secret=1', 'wp-login']) t.notOk(text.includes(secret));
  const cpuSeconds = [...samples].filter(([series]) => series.startsWith('platen_render_cpu_seconds_total'));
  t.equal(cpuSeconds.length, 1);
  t.ok(cpuSeconds[0][0].startsWith(`platen_render_cpu_seconds_total{workspace="${workspaceId}",key="key_`));
  t.ok(cpuSeconds[0][1] > 0);
  t.equal(samples.get('platen_render_slots'), 1);
  t.equal(samples.get('platen_render_processes_busy'), 0);
  t.ok((samples.get('platen_render_busy_seconds_total') ?? 0) >= cpuSeconds[0][1]);
  for (const process of [0, 1]) {
    const label = `{process="${process}"}`;
    t.ok((samples.get(`platen_render_process_resident_memory_bytes${label}`) ?? 0) > 1e7);
    t.ok((samples.get(`platen_render_process_cpu_seconds_total${label}`) ?? 0) > 0);
  }
  t.ok((samples.get('platen_render_processes_cpu_seconds_total') ?? 0) > cpuSeconds[0][1]);

  t.equal(samples.get('platen_child_restarts_total'), 0);
});

t.test('counts a client that disconnects separately from server errors', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1', METRICS_PORT: '0' }, checkout);
  const { key } = await whole.caller({ credits: 1 });
  await eventually(async () => (await fetch(`${whole.url}/readyz`)).status === 200);
  const leaving = new AbortController();
  const giant = { canvas: { width: 6000, height: 6000 }, layers: [], format: 'avif' };
  const left = whole.post(key, giant, leaving.signal);
  const sample = async (series: string) => (await scrape(whole.metricsUrl ?? '')).samples.get(series);
  await eventually(async () => (await sample('platen_renders_running')) === 1);
  leaving.abort();
  await t.rejects(left);
  const gone = 'platen_requests_total{route="/v1/render",status="499",code="client_gone"}';
  await eventually(async () => (await sample(gone)) === 1);
  t.notMatch((await scrape(whole.metricsUrl ?? '')).text, /platen_requests_total\{route="\/v1\/render"[^}]*status="5/);
});

t.test('are not served on the API’s address, and only with METRICS_PORT', async (t) => {
  const off = await startWhole(t, {});
  t.equal(off.metricsUrl, undefined);
  t.equal((await fetch(`${off.url}/metrics`)).status, 404);
  const on = await startWhole(t, { METRICS_PORT: '0' });
  const url = on.metricsUrl ?? '';
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  t.equal((await fetch(`${on.url}/metrics`)).status, 404);
  const answer = await fetch(url);
  t.match(answer.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  t.equal((await fetch(url, { method: 'POST' })).status, 405);
  t.equal((await fetch(new URL('/v1/render', url))).status, 404);
  await on.stop();
  await t.rejects(fetch(url), 'they end with the server');
});

t.test('a metrics port in use stops the start', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const { port } = other.address() as AddressInfo;
  await t.rejects(startWhole(t, { METRICS_PORT: String(port) }), { message: /is in use by another program/ });
});

t.test('counts failed store operations, and sums only charges', async (t) => {
  const told: [string, boolean][] = [];
  let charged = 0;
  const away = new ServiceError('storage_unavailable', 'away');
  const hold = { id: 'h', workspaceId: 'w', cost: 2 };
  let isAway = true;
  const store = {
    settle: async () => {
      if (isAway) throw away;
      return { balance: 1 };
    },
    release: async () => {},
  } as unknown as ServiceStore;
  const metered = instrumentStore(store, {
    store: (verb, _milliseconds, failed) => void told.push([verb, failed]),
    charged: (credits) => {
      charged += credits;
    },
  });
  await t.rejects(metered.settle(hold), away);
  t.equal(charged, 0);
  isAway = false;
  t.same(await metered.settle(hold), { balance: 1 });
  await metered.release(hold);
  t.equal(charged, 2);
  t.same(told, [
    ['settle', true],
    ['settle', false],
    ['release', false],
  ]);
});
