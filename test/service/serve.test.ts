// The whole server with its render processes: isolation, load and shutdown.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Store } from '../../lib/store/types.js';
import { makeCheckout } from '../checkout.js';
import { eventually } from '../eventually.js';
import { brandFont } from '../fonts/brand-font.js';
import { post, raw } from './socket.js';
import { loggedRenders } from './stores.js';
import { startWhole } from './whole.js';

const checkout = t.testdir();
makeCheckout(checkout);

const flat = (width = 8, height = 8) => ({ canvas: { width, height, backgroundColor: '#3366cc' }, layers: [] });

/** Whether renders of that workspace are under way, so that its last credit is spoken for. */
async function isSpent(store: Pick<Store, 'hold'>, workspaceId: string): Promise<boolean> {
  // More than there ever is: whoever asks takes nothing, and learns what is left.
  const held = await store.hold(workspaceId, 1e6);
  return 'balance' in held && held.balance === 0;
}

/** Long enough for what was sent to have arrived: the server, in this process, looks at its sockets in each turn. */
const received = async () => {
  await sleep(200);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
};

// fault: 88
t.test('50 concurrent renders on a balance of 10: exactly ten succeed, forty get 402, the balance is 0', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '2', RENDER_CACHE_MB: '0' }, checkout);
  const { key, workspaceId } = await whole.caller({ credits: 10 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => whole.post(key, flat())));
  const pictures = await Promise.all(
    answers.map(async (answer) => (answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : undefined)),
  );
  const made = pictures.filter((picture) => picture !== undefined);
  t.equal(made.length, 10);
  t.ok(made.every((picture) => picture.equals(made[0])));
  t.equal(answers.filter(({ status }) => status === 402).length, 40);
  t.equal((await whole.store.balance(workspaceId)).balance, 0);
  const entries = await loggedRenders(whole.store, workspaceId);
  t.equal(entries.filter(({ status }) => status === 'ok').length, 10);
  t.equal(entries.filter(({ code }) => code === 'credits_exhausted').length, 40);
});

t.test('renders in the families of FONTS_DIR, in worker processes and without', async (t) => {
  const folder = t.testdir({ good: { 'brand.ttf': brandFont() }, bad: { 'bad.ttf': 'hello' } });
  for (const RENDER_WORKERS of ['1', '0']) {
    const whole = await startWhole(t, { RENDER_WORKERS, FONTS_DIR: join(folder, 'good') }, checkout);
    const { key } = await whole.caller({ credits: 10 });
    const draw = async (font: object) => {
      const text = { type: 'text', text: 'Ag', x: 0, y: 0, width: 80, height: 40, ...font };
      const payload = { canvas: { width: 80, height: 40 }, layers: [text], responseType: 'json' };
      return (await (await whole.post(key, payload)).json()) as { base64: string; warnings?: unknown };
    };
    const { base64, warnings } = await draw({ fontFamily: 'Brand' });
    t.equal(warnings, undefined);
    t.equal(base64, (await draw({ fontFamily: 'Inter', fontWeight: 700 })).base64);
  }
  const bad = startWhole(t, { FONTS_DIR: join(folder, 'bad') }, checkout);
  await t.rejects(bad, { code: 'invalid_request', message: /bad\.ttf: received/ });
});

t.test('50 requests for one image: one render, fifty charges, and the same bytes as without the cache', async (t) => {
  const pictures: Buffer[] = [];
  for (const megabytes of ['64', '0']) {
    const whole = await startWhole(t, { RENDER_WORKERS: '1', RENDER_CACHE_MB: megabytes }, checkout);
    const { key, workspaceId } = await whole.caller({ credits: 100 });
    const count = megabytes === '0' ? 1 : 50;
    for (let batch = 0; batch < count; batch += 10) {
      const answers = Array.from({ length: Math.min(10, count) }, () => whole.post(key, flat(300, 200)));
      for (const answer of await Promise.all(answers)) pictures.push(Buffer.from(await answer.arrayBuffer()));
    }
    t.equal((await whole.store.balance(workspaceId)).balance, 100 - count);
    t.equal((await loggedRenders(whole.store, workspaceId)).length, count);
  }
  t.equal(pictures.length, 51);
  t.ok(pictures[0].length > 50);
  t.ok(pictures.every((picture) => picture.equals(pictures[0])));
});

// fault: 89
t.test('does not charge failures: malformed, unreachable, timed out', async (t) => {
  const hanging = createServer(() => {});
  hanging.listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  t.teardown(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const host = `127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const image = (url: string) => ({ type: 'image', x: 0, y: 0, width: 8, height: 8, url });
  const rows: [object, number, string][] = [
    [{ ...flat(), layers: [{ type: 'nope' }] }, 500, 'render_failed'],
    [{ ...flat(), layers: [image('data:image/png;base64,AAAA')] }, 500, 'render_failed'],
    [{ ...flat(), layers: [image('http://10.0.0.1/')] }, 502, 'asset_failed'],
    [{ ...flat(), layers: [image(`http://${host}/`)] }, 504, 'render_timeout'],
    [{ ...flat(8192, 8192), format: 'avif' }, 504, 'render_timeout'],
  ];
  // Only what is to be late gets little time.
  for (const isLate of [false, true]) {
    const settings = { ASSET_ALLOW_HOSTS: host, RENDER_WORKERS: '1', RENDER_TIMEOUT_MS: isLate ? '500' : '600000' };
    const whole = await startWhole(t, settings, checkout);
    const { key, workspaceId } = await whole.caller({ credits: 100 });
    await eventually(async () => (await fetch(`${whole.url}/healthz`)).status === 200);
    for (const [body, status, code] of rows.filter((row) => (row[1] === 504) === isLate)) {
      const answer = await whole.post(key, body);
      t.equal(answer.status, status);
      t.match(await answer.json(), { success: false, code, requestId: /./ });
      t.equal((await whole.store.balance(workspaceId)).balance, 100, code);
    }
  }
});

// fault: 89
t.test('does not charge renders rejected for overload', async (t) => {
  const whole = await startWhole(t, { RENDER_QUEUE: '0', RENDER_WORKERS: '1', RENDER_CACHE_MB: '0' }, checkout);
  const { key, workspaceId } = await whole.caller({ credits: 100 });
  await eventually(async () => (await fetch(`${whole.url}/healthz`)).status === 200);
  const many = await Promise.all(Array.from({ length: 20 }, () => whole.post(key, flat(200, 200))));
  const made = many.filter(({ status }) => status === 200).length;
  const refused = many.filter(({ status }) => status === 503);
  t.equal(made + refused.length, 20);
  t.ok(made > 0 && refused.length > 0, `${made} made`);
  t.equal(refused[0].headers.get('retry-after'), '1');
  t.match(await refused[0].json(), { code: 'overloaded' });
  t.equal((await whole.store.balance(workspaceId)).balance, 100 - made);
});

// fault: 13
t.test('releases the credits of a client that disconnects during its render', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1' }, checkout);
  const { key, workspaceId } = await whole.caller({ credits: 1 });
  await whole.post(key, { ...flat(), layers: [{ type: 'nope' }] });
  const leaving = new AbortController();
  const left = whole.post(key, { ...flat(6000, 6000), format: 'avif' }, leaving.signal);
  await eventually(() => isSpent(whole.store, workspaceId));
  leaving.abort();
  await t.rejects(left);
  await eventually(async () => !(await isSpent(whole.store, workspaceId)));
  t.equal((await whole.post(key, flat())).status, 200);
  t.equal((await whole.store.balance(workspaceId)).balance, 0);
});

t.test('draws the watermark for a free workspace, with the same bytes in process', async (t) => {
  const pictures: Buffer[] = [];
  for (const workers of ['1', '0']) {
    const whole = await startWhole(t, { RENDER_WORKERS: workers }, workers === '0' ? undefined : checkout);
    for (const plan of ['free', 'paid'] as const) {
      const { key } = await whole.caller({ plan });
      const answer = await whole.post(key, flat(200, 100));
      t.equal(answer.headers.get('x-service-watermark'), String(plan === 'free'));
      pictures.push(Buffer.from(await answer.arrayBuffer()));
    }
  }
  const [free, paid, localFree, localPaid] = pictures;
  t.notOk(free.equals(paid));
  t.ok(free.equals(localFree));
  t.ok(paid.equals(localPaid));
});

// fault: 79
t.test('stop: finishes the answers in flight and rejects new renders', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1' }, checkout);
  const { key, workspaceId } = await whole.caller();
  await eventually(async () => (await fetch(`${whole.url}/healthz`)).status === 200);
  const port = Number(new URL(whole.url).port);
  // Noise, so that the answer is larger than what the connection's buffers hold.
  const noise = Array.from({ length: 400 }, (_, i) => ({
    type: 'shape',
    shapeType: 'circle',
    ...{ x: (i * 7919) % 2000, y: (i * 104_729) % 2000, width: 90 + i, height: 300 - i / 2, rotation: i },
    fillColor: `rgb(${i % 256} ${(i * 31) % 256} ${(i * 17) % 256} / 60%)`,
  }));
  const body = JSON.stringify({ ...flat(2000, 2000), layers: noise, responseType: 'json' });
  const reader = raw(t, port, { paused: true });
  reader.send(post({ key, body }));
  const kept = raw(t, port);
  kept.send('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n');
  t.match(await kept.hears(/"ok"/), /^HTTP\/1\.1 200 /);
  await once(reader.socket, 'readable');
  const stopping = whole.stop(20_000);
  await t.rejects(fetch(`${whole.url}/healthz`), 'nobody new is let in');
  const chunks: Buffer[] = [];
  reader.socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await reader.closed;
  await stopping;
  const answer = Buffer.concat(chunks);
  const head = answer.subarray(0, answer.indexOf('\r\n\r\n')).toString();
  const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
  t.ok(length > 2 ** 20, `${length} bytes`);
  t.equal(answer.length, head.length + 4 + length);
  t.match(JSON.parse(answer.subarray(-length).toString()), { success: true });
  t.equal((await whole.store.balance(workspaceId)).balance, 999);
});

t.test('stop: closes connections that never sent a byte', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '0' });
  const port = Number(new URL(whole.url).port);
  const silent = [raw(t, port), raw(t, port)];
  const used = raw(t, port);
  used.send('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n');
  await used.hears(/"ok"/);
  await received();
  // longer than a test may take: it must not come to that
  await whole.stop(3_600_000);
  for (const { closed } of silent) t.same(await closed, { text: '', reset: false });
});

// fault: 79
t.test('stop: ends renders that exceed the grace period', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1' }, checkout);
  const { key, workspaceId } = await whole.caller({ credits: 1 });
  const rendering = t.rejects(whole.post(key, { ...flat(8000, 8000), format: 'avif' }));
  await eventually(() => isSpent(whole.store, workspaceId));
  await whole.stop(100);
  await rendering;
  t.equal((await whole.store.balance(workspaceId)).balance, 1);
});

t.test('while draining, answers with Connection: close', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1' }, checkout);
  const { key } = await whole.caller();
  await eventually(async () => (await fetch(`${whole.url}/healthz`)).status === 200);
  const port = Number(new URL(whole.url).port);
  const request = post({ key, body: JSON.stringify(flat()) });
  // Half of a request is there when the server is told to stop, and the rest comes later.
  const client = raw(t, port);
  client.send('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n');
  await client.hears(/"ok"/);
  client.send(request.slice(0, 40));
  await received();
  const stopping = whole.stop(20_000);
  const before = client.heard().length;
  client.send(request.slice(40));
  const { text } = await client.closed;
  const answer = text.slice(before);
  t.match(answer, /^HTTP\/1\.1 503 /);
  t.match(answer, /\r\nConnection: close\r\n/i);
  t.match(answer, /\r\nRetry-After: 1\r\n/);
  t.match(answer, /"code":"overloaded"/);
  await stopping;
});

t.test(
  'an address that is taken, or an exception that is none, stops the start and leaves nothing running',
  async (t) => {
    const whole = await startWhole(t, {});
    const { port } = new URL(whole.url);
    await t.rejects(startWhole(t, { PORT: port, RENDER_WORKERS: '1' }, checkout), {
      message: /is in use by another program/,
    });
    await t.rejects(startWhole(t, { ASSET_ALLOW_HOSTS: '%%%', RENDER_WORKERS: '1' }, checkout), RangeError);
  },
);
