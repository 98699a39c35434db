// A caller can make the server fetch public addresses and those that the operator allows, and no others, in any spelling and
// through any field. A canary server listens on an address that must never be fetched.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import t, { type Test } from 'tap';
import { saveTemplate } from './stores.js';
import { startWhole } from './whole.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** Listens on the first port of `ports` that is free, on every address. */
async function listen(t: Test, handler: RequestListener, ports: readonly number[] = [0]): Promise<Server> {
  for (const port of ports) {
    const server = createServer(handler);
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    if (!listening) continue;
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return server;
  }
  throw new Error('no port is free');
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A port that answers connections by refusing them. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The canary: on a port that the web uses where one is free, so that it is the address alone that protects it. */
async function startCanary(t: Test): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const server = await listen(t, (_request, response) => response.end(PNG), [8443, 8080, 80, 0]);
  server.on('connection', () => hits++);
  return { port: portOf(server), hits: () => hits };
}

const at = { x: 0, y: 0, width: 8, height: 8 };
const canvas = { width: 8, height: 8 };

// fault: 32, 34, 35, 36, 71
t.test('fetches no forbidden address, in any spelling or field', async (t) => {
  const canary = await startCanary(t);
  const whole = await startWhole(t, { ASSET_TIMEOUT_MS: '2000' });
  const { key, workspaceId } = await whole.caller();
  const { port } = canary;
  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  const hosts = [
    ...['127.0.0.1', 'localhost', 'localhost.', 'LOCALHOST', '[::1]', '0.0.0.0', '[::]', '127.255.255.254', '0'],
    ...['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '127.0.0.1.', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1'],
    ...['017700000001', '0x7f000001', '127.0.1', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::127.0.0.1]', '[2002:7f00:1::]'],
    ...['[2001:0:7f00:1::]', '[2001::5efe:127.0.0.1]', '[fe80::5efe:7f00:1]', '[2606:4700::5efe:7f00:1]'],
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '169.254.169.254', '192.0.0.1'],
    ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '100.100.100.200'],
    ...['0xA9FEA9FE', '169.254.43518', 'metadata.google.internal'],
    ...own
      .filter((address) => !address.includes('%'))
      .map((address) => (address.includes(':') ? `[${address}]` : address)),
  ];
  const urls = [
    ...hosts.map((host) => `http://${host}:${port}/x.png`),
    `http:/\\127.0.0.1:${port}/x.png`,
    `ht\ntp://127.0.\t0.1:${port}/x.png`,
    `  http://127.0.0.1:${port}/x.png`,
    `http:127.0.0.1:${port}/x.png`,
    `HTTP://127.0.0.1:${port}`,
    `https://127.0.0.1:${port}/x.png`,
  ];
  const image = { type: 'image', ...at };
  const hotspot = { key: 'a', label: 'A', ...image };
  const saved = async (fields: object) => {
    const record = { name: 'T', ...canvas, hotspots: [], ...fields };
    return await saveTemplate(whole.store, workspaceId, record);
  };
  const withVariable = await saved({ hotspots: [hotspot] });
  const fields: [string, (url: string) => Promise<object>][] = [
    ['layers[0].url', async (url) => ({ canvas, layers: [{ ...image, url }] })],
    [
      'layers[0].customFontUrl',
      async (url) => ({ canvas, layers: [{ type: 'text', ...at, text: 'a', customFontUrl: url }] }),
    ],
    ['background.url', async (url) => ({ templateId: await saved({ background: { url } }) })],
    ['hotspots.a.url', async (url) => ({ templateId: await saved({ hotspots: [{ ...hotspot, url }] }) })],
    ['variables.a', async (url) => ({ templateId: withVariable, variables: { a: url } })],
    ['variables.A', async (url) => ({ templateId: withVariable, variables: { A: { url } } })],
  ];
  for (const [path, bodyOf] of fields) {
    // all spellings through the first field, the telling ones through the others
    const some = path === 'layers[0].url' ? urls : urls.filter((_, i) => i % 7 === 0);
    const answers = await Promise.all(some.map(async (url) => whole.post(key, await bodyOf(url))));
    for (const [i, answer] of answers.entries()) {
      const body = (await answer.json()) as { code: string; details: { path: string; message: string }[] };
      t.equal(answer.status, 502, `${path}: ${some[i]}`);
      t.equal(body.code, 'asset_failed');
      t.equal(body.details[0].path, path);
      t.match(body.details[0].message, / could not be fetched$/);
    }
  }
  t.equal(canary.hits(), 0);
  t.equal((await whole.store.balance(workspaceId)).balance, 1000);
});

// fault: 40
t.test('rejects URLs that are not web addresses without a fetch', async (t) => {
  const canary = await startCanary(t);
  const whole = await startWhole(t, {});
  const { key } = await whole.caller();
  const urls = [
    ...['file:///etc/passwd', 'ftp://127.0.0.1/x', 'gopher://127.0.0.1/x', 'dict://127.0.0.1/x', 'jar:http://a!/b'],
    ...['blob:http://127.0.0.1/x', 'javascript:alert(1)', '/etc/passwd', './x.png', '//127.0.0.1/x.png', '', 'x'],
    ...[
      `http://user@127.0.0.1:${canary.port}/`,
      `http://a:b@127.0.0.1:${canary.port}/`,
      'http://',
      'http://[::1',
      'http://a:99999/',
    ],
    ...['data:image/png;base64,', 'data:image/png', 'data:text/html,<b>'],
  ];
  for (const url of urls) {
    const answer = await whole.post(key, { canvas, layers: [{ type: 'image', ...at, url }] });
    t.equal(answer.status, 500, url);
    t.match(await answer.json(), { code: 'render_failed', details: [{ path: 'layers[0].url' }] });
  }
  t.equal(canary.hits(), 0);
});

t.test('fetches nothing when a layer is malformed', async (t) => {
  let hits = 0;
  const server = await listen(t, (_request, response) => {
    hits++;
    response.end(PNG);
  });
  const host = `127.0.0.1:${portOf(server)}`;
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: host });
  const { key } = await whole.caller();
  const layers = [
    { type: 'image', ...at, url: `http://${host}/x.png` },
    { type: 'nope', ...at },
  ];
  t.equal((await whole.post(key, { canvas, layers })).status, 500);
  t.equal(hits, 0);
  t.equal((await whole.post(key, { canvas, layers: layers.slice(0, 1) })).status, 200);
  t.equal(hits, 1);
});

// fault: 39, 47
t.test('ASSET_ALLOW_HOSTS allows only the hosts it names, and each redirect is checked again', async (t) => {
  const canary = await startCanary(t);
  const to = (location: string) => ({ status: 302, location });
  const routes = new Map<string, { status: number; location?: string; body?: string }>([
    ['/ok', { status: 200 }],
    ['/missing', { status: 404 }],
    ['/to-ok', to('/ok')],
    ['/to-canary', to(`http://127.0.0.1:${canary.port}/`)],
    ['/to-canary-by-name', to(`http://localhost:${canary.port}/`)],
    ['/to-canary-by-number', to(`http://2130706433:${canary.port}/`)],
    ['/to-canary-in-two', to('/to-canary')],
    ['/to-file', to('file:///etc/passwd')],
    ['/to-data', to(`data:image/png;base64,${PNG.toString('base64')}`)],
    ['/to-user', to('http://a:b@127.0.0.1/')],
    ['/loop', to('/loop')],
    ['/html', { status: 200, body: '<html>' }],
  ]);
  const server = await listen(t, (request, response) => {
    const { status, location, body } = routes.get(request.url ?? '') ?? { status: 500 };
    response
      .writeHead(status, location === undefined ? {} : { Location: location })
      .end(status === 200 ? (body ?? PNG) : '');
  });
  const port = portOf(server);
  const refusing = await closedPort();
  const allowed = `127.0.0.1:${port}, localhost:${port}, 127.0.0.1:${refusing}`;
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: allowed, ASSET_TIMEOUT_MS: '600000' });
  const { key, workspaceId } = await whole.caller();
  const get = async (url: string, fields = {}) => {
    const answer = await whole.post(key, {
      canvas,
      layers: [{ type: 'image', ...at, url, ...fields }],
      responseType: 'json',
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { code?: string; error?: string; warnings?: object[] },
    };
  };
  for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
    t.equal((await get(`http://${host}:${port}/ok`)).status, 200, `${host} is allowed`);
  }
  t.equal((await get(`http://127.0.0.1:${port}/to-ok`)).status, 200);
  t.match(await get(`http://127.0.0.1:${port}/html`), { status: 500, body: { code: 'render_failed' } });
  const failing = [...routes.keys()].filter((path) => path.startsWith('/to-') && path !== '/to-ok');
  for (const path of [...failing, '/missing', '/loop']) {
    t.match(await get(`http://127.0.0.1:${port}${path}`), { status: 502, body: { code: 'asset_failed' } }, path);
  }
  // Blocked, refused and led astray read the same, but for the address that the caller gave.
  const text = async (origin: string, path: string) => {
    const { body } = await get(`${origin}${path}`);
    return body.error?.replaceAll(`${origin}${path}`, 'URL');
  };
  const texts = await Promise.all([
    text(`http://127.0.0.1:${canary.port}`, '/x'),
    text(`http://127.0.0.1:${refusing}`, '/x'),
    text('http://10.0.0.1', '/x'),
    text('http://nowhere.invalid', '/x'),
    text(`http://127.0.0.1:${port}`, '/to-canary'),
    text(`http://127.0.0.1:${port}`, '/to-file'),
  ]);
  t.equal(new Set(texts).size, 1, [...new Set(texts)].join(' | '));
  const balance = async () => (await whole.store.balance(workspaceId)).balance;
  const before = await balance();
  const shown = await get(`http://127.0.0.1:${canary.port}/`, { fallbackColor: '#ff0000' });
  t.match(shown, { status: 200, body: { warnings: [{ path: 'layers[0].url' }] } });
  t.equal(await balance(), before - 1);
  t.equal(canary.hits(), 0);
});

t.test('fails a render whose assets are too large in total', async (t) => {
  const server = await listen(t, (_request, response) => response.end(Buffer.alloc(300_000)));
  const host = `127.0.0.1:${portOf(server)}`;
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: host, RENDER_MEMORY_MB: '1' });
  const { key } = await whole.caller();
  const layers = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      type: 'image',
      ...at,
      url: `http://${host}/${i}`,
      fallbackColor: 'red',
    }));
  t.equal((await whole.post(key, { canvas, layers: layers(3) })).status, 200);
  const refused = await whole.post(key, { canvas, layers: layers(4) });
  t.equal(refused.status, 502);
  t.match(await refused.json(), { code: 'asset_failed', error: /1048576 bytes/ });
  t.equal((await whole.post(key, { canvas, layers: layers(3) })).status, 200, 'the room is given back');
});
