// Asset origins that are slow, lie about lengths, compress their answers or point back to the service; proxy settings.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { startWhole, type Whole } from './whole.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);
const at = { x: 0, y: 0, width: 2, height: 2 };
const canvas = { width: 4, height: 4 };

async function listen(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(whole: Whole, key: string, urls: readonly string[]) {
  const layers = urls.map((url) => ({ type: 'image', ...at, url }));
  const answer = await whole.post(key, { canvas, layers, responseType: 'json' });
  return { status: answer.status, body: (await answer.json()) as { code?: string; error?: string } };
}

// fault: 43, 44
t.test(
  'slow, stalled, malformed, compressed and missing responses from an origin give 502 in time, without a charge',
  async (t) => {
    const bomb = gzipSync(Buffer.alloc(3 * 2 ** 20));
    const routes = new Map<string, RequestListener>([
      ['/drip', (_request, response) => void setInterval(() => response.write('x'), 30).unref()],
      ['/stall', (_request, response) => response.writeHead(200, { 'Content-Length': 100 }).flushHeaders()],
      ['/reset', (_request, response) => response.writeHead(200).write('x', () => response.socket?.resetAndDestroy())],
      [
        '/short',
        (_request, response) =>
          response.writeHead(200, { 'Content-Length': 500 }).write(PNG, () => response.socket?.end()),
      ],
      ['/long', (_request, response) => response.writeHead(200, { 'Content-Length': 2 ** 40 }).flushHeaders()],
      ['/endless', (_request, response) => void setInterval(() => response.write(Buffer.alloc(2 ** 18)), 1).unref()],
      ['/bomb', (_request, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb)],
      [
        '/chained',
        (_request, response) => response.setHeader('Content-Encoding', 'gzip, gzip, gzip, gzip, gzip, gzip').end(bomb),
      ],
      ['/zstd', (_request, response) => response.setHeader('Content-Encoding', 'zstd').end(PNG)],
      ...[204, 206, 304, 404, 500].map((status): [string, RequestListener] => [
        `/${status}`,
        (_request, response) => response.writeHead(status).end(),
      ]),
    ]);
    const host = await listen(t, (request, response) => routes.get(request.url ?? '')?.(request, response));
    const whole = await startWhole(t, {
      ASSET_ALLOW_HOSTS: host,
      ASSET_TIMEOUT_MS: '800',
      ASSET_MAX_BYTES: String(2 ** 20),
    });
    const { key, workspaceId } = await whole.caller();
    const answers = await Promise.all([...routes.keys()].map((path) => ask(whole, key, [`http://${host}${path}`])));
    for (const [i, path] of [...routes.keys()].entries()) {
      t.match(answers[i], { status: 502, body: { code: 'asset_failed' } }, path);
    }
    const secure = await ask(whole, key, [`https://${host}/`]);
    t.match(secure, { status: 502, body: { code: 'asset_failed' } }, 'no TLS where TLS was asked for');
    t.equal((await whole.store.balance(workspaceId)).balance, 1000);
  },
);

// fault: 45, 46
t.test(
  'a hundred layers of one picture fetch it once; a hundred pictures, eight at a time; nothing of ours is sent',
  async (t) => {
    let open = 0;
    let peak = 0;
    const hits = new Map<string, number>();
    const sent = new Set<string>();
    const host = await listen(t, (request, response) => {
      hits.set(request.url ?? '', (hits.get(request.url ?? '') ?? 0) + 1);
      for (const name of Object.keys(request.headers)) sent.add(name);
      peak = Math.max(peak, ++open);
      setTimeout(() => {
        open--;
        response.setHeader('Set-Cookie', 'a=b').end(PNG);
      }, 20);
    });
    const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: host });
    const { key } = await whole.caller();
    const same = Array.from({ length: 100 }, () => `http://${host}/same`);
    t.equal((await ask(whole, key, same)).status, 200);
    t.same([...hits], [['/same', 1]]);
    const different = Array.from({ length: 100 }, (_, i) => `http://${host}/${i}`);
    t.equal((await ask(whole, key, different)).status, 200);
    t.equal(hits.size, 101);
    t.ok(peak > 1 && peak <= 8, `${peak} at a time`);
    t.same(sent, new Set(['host', 'user-agent', 'accept-encoding', 'connection']));
  },
);

// fault: 46
t.test('the service’s own endpoint as an image URL does not recurse: it renders on POST only', async (t) => {
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: '127.0.0.1' });
  const { key, workspaceId } = await whole.caller();
  for (const path of ['/v1/render', '/healthz', '/v1/render?templateId=x']) {
    const { status } = await ask(whole, key, [`${whole.url}${path}`]);
    t.equal(status, path === '/healthz' ? 500 : 502, path);
  }
  t.equal((await whole.store.balance(workspaceId)).balance, 1000);
});

// fault: 42
t.test('ignores proxies named in the environment', async (t) => {
  let asked = 0;
  const proxy = await listen(t, (_request, response) => {
    asked++;
    response.end(PNG);
  });
  const host = await listen(t, (_request, response) => response.end(PNG));
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://${proxy}`;
  t.teardown(() => {
    for (const name of names) delete process.env[name];
  });
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: host });
  const { key } = await whole.caller();
  t.equal((await ask(whole, key, [`http://${host}/x`])).status, 200);
  t.equal((await ask(whole, key, ['http://10.0.0.1/x'])).status, 502);
  t.equal(asked, 0);
});
