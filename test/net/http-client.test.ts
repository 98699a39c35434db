// fetchBytes against a misbehaving server: results, error messages, and no connections left open.
import { createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import type { FetchPolicy } from '../../lib/host.js';
import { allowAllAddresses, allowPublic } from '../../lib/net/address-policy.js';
import { fetchBytes, nextHop, USER_AGENT } from '../../lib/net/http-client.js';
import { eventually } from '../eventually.js';
import { serve } from './server.js';

const body = Buffer.from('the body of an asset, not a real image');
const bomb = gzipSync(Buffer.alloc(50_000_000));
const timers = new Set<NodeJS.Timeout>();

const server = await serve({
  '/ok': (res) => res.end(body),
  '/chunked': (res) => {
    res.write(body.subarray(0, 10));
    setTimeout(() => res.end(body.subarray(10)), 20);
  },
  '/relative': (res) => res.writeHead(302, { Location: 'ok?after=1#part' }).end('moved'),
  '/absolute': (res) => res.writeHead(308, { Location: `${server.origin}/ok` }).end(),
  '/protocol-relative': (res) => res.writeHead(301, { Location: `//127.0.0.1:${server.port}/ok` }).end(),
  '/loop': (res) => res.writeHead(302, { Location: '/loop' }).end(),
  '/to-file': (res) => res.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
  '/to-data': (res) => res.writeHead(302, { Location: 'data:,x' }).end(),
  '/to-login': (res) => res.writeHead(302, { Location: `http://user:secret@127.0.0.1:${server.port}/ok` }).end(),
  '/to-nonsense': (res) => res.writeHead(302, { Location: 'http://' }).end(),
  '/to-nowhere': (res) => res.writeHead(302).end(),
  '/to-localhost': (res) => res.writeHead(302, { Location: `http://localhost:${server.port}/ok` }).end(),
  '/gzip': (res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body)),
  '/deflate': (res) => res.writeHead(200, { 'Content-Encoding': 'deflate' }).end(deflateSync(body)),
  '/br': (res) => res.writeHead(200, { 'Content-Encoding': 'BR' }).end(brotliCompressSync(body)),
  '/twice': (res) => res.writeHead(200, { 'Content-Encoding': 'gzip, gzip' }).end(gzipSync(gzipSync(body))),
  '/not-gzip': (res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body),
  '/cut-gzip': (res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body).subarray(0, 20)),
  '/bomb': (res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
  '/large': (res) => res.writeHead(200, { 'Content-Length': 5_000_000 }).write('x'),
  '/endless': (res) => {
    const more = () => {
      while (res.write(Buffer.alloc(65_536)));
    };
    res.on('drain', more);
    more();
  },
  // Empty stored blocks: endless input without any output.
  '/no-output': (res) => {
    res.writeHead(200, { 'Content-Encoding': 'deflate' }).write(Buffer.from([0x78, 0x9c]));
    const blocks = Buffer.alloc(65_535);
    for (let i = 0; i < blocks.length; i += 5) blocks.set([0, 0, 0, 0xff, 0xff], i);
    const more = () => {
      while (res.write(blocks));
    };
    res.on('drain', more);
    more();
  },
  '/short': (res) => {
    res.writeHead(200, { 'Content-Length': 1000 }).write('too little');
    setTimeout(() => res.destroy(), 20);
  },
  '/reset': (_res, req) => req.socket.resetAndDestroy(),
  '/stall': (res) => res.writeHead(200, { 'Content-Length': 100 }).write('x'),
  '/silent': () => {},
  '/drip': (res) => {
    const timer = setInterval(() => res.write('x'), 20);
    timers.add(timer);
    res.on('close', () => clearInterval(timer));
  },
  '/slow-loop': (res) => setTimeout(() => res.writeHead(302, { Location: '/slow-loop' }).end(), 90),
  ...Object.fromEntries(
    [201, 204, 206, 304, 400, 403, 404, 410, 500, 503].map((status) => [
      `/${status}`,
      (res: import('node:http').ServerResponse) => res.writeHead(status).end(),
    ]),
  ),
  ...Object.fromEntries(
    [1, 2, 3, 4].map((left) => [
      `/hop${left}`,
      (res: import('node:http').ServerResponse) =>
        res.writeHead(307, { Location: left === 1 ? '/ok' : `/hop${left - 1}` }).end(),
    ]),
  ),
});
t.teardown(() => {
  for (const timer of timers) clearInterval(timer);
  return server.close();
});

const policy: FetchPolicy = { timeoutMs: 600_000, maxBytes: 1_000_000, allowAddress: allowAllAddresses };
const fetchText = async (path: string, overrides: Partial<FetchPolicy> = {}) =>
  Buffer.from(await fetchBytes(new URL(path, server.origin), { ...policy, ...overrides })).toString();
const failure = async (path: string, overrides: Partial<FetchPolicy> = {}): Promise<string> => {
  try {
    return `fetched ${await fetchText(path, overrides)}`;
  } catch (error) {
    if (!(error instanceof RenderError)) return `not a RenderError: ${error}`;
    return `${error.code}: ${error.message.replace(/^http:\/\/[^/]+/, '')}`;
  }
};

t.test('fetches bodies in every encoding and through redirects', async (t) => {
  for (const path of ['/ok', '/chunked', '/relative', '/absolute', '/protocol-relative', '/hop3', '/to-localhost']) {
    t.equal(await fetchText(path), body.toString(), path);
  }
  for (const path of ['/gzip', '/deflate', '/br']) t.equal(await fetchText(path), body.toString(), path);
});

// fault: 45
t.test('sends only a fixed User-Agent header', async (t) => {
  await fetchText('/ok');
  const names = server.headers().filter((_, i) => i % 2 === 0);
  t.same(names.map((name) => name.toLowerCase()).sort(), ['accept-encoding', 'connection', 'host', 'user-agent']);
  t.ok(server.headers().includes(USER_AGENT));
  t.ok(server.headers().includes('identity'));
  t.ok(server.headers().includes('close'));
});

t.test('reports the status and limits of an allowed address', async (t) => {
  for (const status of [201, 204, 206, 304, 400, 403, 404, 410, 500, 503]) {
    t.equal(await failure(`/${status}?token=secret`), `asset_failed: /${status} answered ${status}`);
  }
  t.equal(await failure('/to-nowhere'), 'asset_failed: /to-nowhere answered 302');
  t.equal(await failure('/hop4'), 'asset_failed: /hop4 redirects more than 3 times');
  server.hits.length = 0;
  t.equal(await failure('/loop'), 'asset_failed: /loop redirects more than 3 times');
  t.equal(server.hits.length, 4);
  t.equal(await failure('/twice'), 'asset_failed: /twice came in a content encoding that is not supported');
  for (const path of ['/bomb', '/large', '/endless', '/no-output']) {
    t.equal(await failure(path), `asset_failed: ${path} is larger than 1000000 bytes`);
  }
  t.ok((await failure(`/${'long'.repeat(100)}`)).length < 160);
});

// fault: 47
t.test('reports blocked and unreachable addresses alike', async (t) => {
  const expected = (path: string) => `asset_failed: ${path} could not be fetched`;
  for (const path of [
    '/to-file',
    '/to-data',
    '/to-login',
    '/to-nonsense',
    '/reset',
    '/short',
    '/not-gzip',
    '/cut-gzip',
  ]) {
    t.equal(await failure(path), expected(path));
  }
  server.hits.length = 0;
  t.equal(await failure('/ok', { allowAddress: () => false }), expected('/ok'));
  t.equal(await failure('/ok', { allowAddress: allowPublic() }), expected('/ok'));
  t.same(server.hits, [], 'sends no request to a blocked address');
  const refusing = createServer();
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  const { port } = refusing.address() as import('node:net').AddressInfo;
  await new Promise((resolve) => refusing.close(resolve));
  t.equal(await failure(`http://127.0.0.1:${port}/ok`), expected('/ok'));
  const unknown = async () => Promise.reject(new Error('ENOTFOUND'));
  t.equal(await failure('http://unknown.invalid/ok', { resolve: unknown }), expected('/ok'));
  t.equal(await failure('http://unknown.invalid/ok', { resolve: async () => [] }), expected('/ok'));
});

// fault: 36, 37
t.test('checks every address of every hop and connects only to those', async (t) => {
  const checks: string[] = [];
  const allowAddress = (address: string, hostname: string, port: number) => {
    checks.push(`${hostname} ${address} ${port}`);
    return address.startsWith('127.');
  };
  const { port } = server;
  let resolutions = 0;
  // A second resolution would return another address; there must be none.
  const resolve = async () => (resolutions++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']);
  t.equal(await fetchText(`http://assets.example:${port}/ok`, { allowAddress, resolve }), body.toString());
  t.equal(resolutions, 1);
  t.same(checks, [`assets.example 127.0.0.1 ${port}`]);

  checks.length = 0;
  const mixed = { allowAddress, resolve: async () => ['127.0.0.1', '10.0.0.1'] };
  server.hits.length = 0;
  t.match(await failure(`http://assets.example:${port}/ok`, mixed), /could not be fetched/);
  t.same(server.hits, [], 'one blocked address blocks the host');

  checks.length = 0;
  const onlyLiteral = (address: string, hostname: string, port: number) => {
    checks.push(`${hostname} ${address} ${port}`);
    return hostname === '127.0.0.1';
  };
  t.match(
    await failure('/to-localhost', { allowAddress: onlyLiteral, resolve: async () => ['127.0.0.1'] }),
    /could not/,
  );
  t.same(checks, [`127.0.0.1 127.0.0.1 ${port}`, `localhost 127.0.0.1 ${port}`]);

  checks.length = 0;
  t.match(await failure('http://[::ffff:127.0.0.1]:80/ok', { allowAddress }), /could not be fetched/);
  t.same(checks, ['::ffff:7f00:1 ::ffff:7f00:1 80'], 'an IPv6 literal is checked without its brackets');
});

// fault: 39
t.test('rejects redirects from https: to http:', async (t) => {
  t.equal(nextHop(new URL('https://a.example/x/y'), '../z').href, 'https://a.example/z');
  t.equal(nextHop(new URL('http://a.example/'), 'https://b.example/').href, 'https://b.example/');
  t.throws(() => nextHop(new URL('https://a.example/'), 'http://a.example/'));
});

// fault: 43
t.test('applies the timeout to the whole fetch', async (t) => {
  const shortTimeout = { timeoutMs: 200 };
  for (const path of ['/silent', '/stall', '/drip', '/slow-loop']) {
    t.equal(await failure(path, shortTimeout), `asset_failed: ${path} did not arrive within 200 ms`);
  }
  const never = { ...shortTimeout, resolve: () => new Promise<string[]>(() => {}) };
  t.match(await failure('http://a.example/ok', never), /did not arrive within 200 ms/);
});

t.test('rejects with the reason of the abort signal', async (t) => {
  for (const path of ['/silent', '/drip']) {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    setTimeout(() => controller.abort(reason), 50);
    await t.rejects(fetchText(path, { signal: controller.signal }), reason);
  }
  await t.rejects(fetchText('/ok', { signal: AbortSignal.abort(new Error('too late')) }), { message: 'too late' });
});

t.test('leaves no connection open', async (t) => {
  await eventually(() => server.open() === 0);
  t.equal(server.open(), 0);
});
