// Reasons of failed fetches: the library and the command line report them; the service logs them and hides them from clients.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { main } from '../../lib/cli/main.js';
import type { RendererOptions } from '../../lib/index.js';
import { render } from '../any-payload.js';
import { ROOT } from '../checkout.js';
import { createTestContext } from '../cli/context.js';
import { startWhole } from '../service/whole.js';

const canvas = { width: 4, height: 4 };
const image = (url: string, more = {}) => ({ type: 'image', x: 0, y: 0, width: 4, height: 4, url, ...more });

async function portOf(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server that fails in a different way on each path. */
const openFaulty = (t: Test, closed: number) =>
  portOf(
    t,
    createServer((request, response) => {
      if (request.url === '/missing') response.writeHead(404).end();
      else if (request.url === '/reset') request.socket.resetAndDestroy();
      else if (request.url === '/hangup') request.socket.destroy();
      else if (request.url === '/short')
        response.writeHead(200, { 'Content-Length': 9 }).write('x', () => response.destroy());
      else if (request.url === '/gzip') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('no gzip');
      else if (request.url === '/away') response.writeHead(302, { Location: `http://127.0.0.1:${closed}/a?b=c` }).end();
      else if (request.url === '/file') response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
      else if (request.url === '/garbage') request.socket.end('garbage\r\n\r\n');
    }),
  );

async function failureOf(url: string, options: RendererOptions = {}): Promise<string> {
  return await render({ canvas, layers: [image(url)] }, options).then(
    () => 'rendered',
    (error) => error.message,
  );
}

t.test('reports the reason in the library', async (t) => {
  const closed = await closedPort();
  const origin = `http://127.0.0.1:${await openFaulty(t, closed)}`;
  const rows: [string, RegExp, RendererOptions?][] = [
    [`http://127.0.0.1:${closed}/a`, /could not be fetched: the connection was refused$/],
    ['http://nosuch.invalid/a', /could not be fetched: (no such host: nosuch\.invalid|the name servers .*)$/],
    [`${origin}/missing`, /answered 404$/],
    [`${origin}/reset`, /could not be fetched: the connection was reset$/],
    [`${origin}/hangup`, /could not be fetched: the connection closed without a response$/],
    [`${origin}/short`, /could not be fetched: the connection closed before the response was complete$/],
    [`${origin}/gzip`, /could not be fetched: the content encoding of the response is corrupt$/],
    [`${origin}/garbage`, /could not be fetched: the response is not valid HTTP$/],
    [`${origin}/silent`, /did not arrive within 100 ms$/, { assetTimeoutMs: 100 }],
    [`${origin}/away`, /redirected to http:\/\/127\.0\.0\.1:\d+: the connection was refused$/],
    [`${origin}/file`, /a redirect from http: to file: is not followed$/],
    [origin.replace('http', 'https'), /could not be fetched: this port does not speak TLS/],
    [
      `${origin}/missing`,
      /127\.0\.0\.1 is a private address; allowHosts or the setting ASSET_ALLOW_HOSTS can allow 127\.0\.0\.1$/,
      { allowHosts: [] },
    ],
    [
      origin.replace('127.0.0.1', 'localhost'),
      /localhost has the address (127\.0\.0\.1|::1): .* is a private address; allowHosts .* allow localhost$/,
      { allowHosts: ['example.com'] },
    ],
  ];
  for (const [url, expected, options] of rows) {
    const message = await failureOf(url, options);
    t.match(message, expected, url);
    t.notMatch(message, '\n');
  }
});

t.test('reports certificate errors', async (t) => {
  const folder = join(ROOT, 'test/faults/certificates');
  const pem = (name: string) => readFileSync(join(folder, `${name}.pem`));
  // A root certificate can only be trusted through the environment of a process.
  const run = async (url: string, environment: NodeJS.ProcessEnv) => {
    const program = [...process.execArgv, join(ROOT, 'bin/render.ts'), '-', '-o', '/dev/null'];
    const child = spawn(process.execPath, program, { env: { ...process.env, ...environment } });
    child.stdin.end(JSON.stringify({ canvas, layers: [image(url)] }));
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    t.equal(code, 1);
    return errors;
  };
  const trusted = { NODE_EXTRA_CA_CERTS: join(folder, 'root.pem') };
  const rows: [string, NodeJS.ProcessEnv, string][] = [
    ['sound', {}, 'its TLS certificate comes from an unknown authority (NODE_EXTRA_CA_CERTS can name a file to trust)'],
    ['selfsigned', {}, 'its TLS certificate is self-signed (NODE_EXTRA_CA_CERTS can name a file to trust)'],
    ['expired', trusted, 'its TLS certificate has expired'],
    ['othername', trusted, 'its TLS certificate is for another name: example.com'],
  ];
  await Promise.all(
    rows.map(async ([name, environment, reason]) => {
      const port = await portOf(t, createTlsServer({ key: pem('key'), cert: pem(name) }));
      const url = `https://localhost:${port}/`;
      t.equal(await run(url, environment), `error: layers[0].url: ${url} could not be fetched: ${reason}\n`, name);
    }),
  );
});

t.test('reports the reason on the command line, in warnings too', async (t) => {
  const url = `http://127.0.0.1:${await closedPort()}/a.png`;
  const directory = t.testdir({
    'a.json': JSON.stringify({ canvas, layers: [image(url)] }),
    'b.json': JSON.stringify({ canvas, layers: [image(url, { fallbackColor: 'red' })] }),
  });
  const run = async (words: string, environment = {}) => {
    const cli = createTestContext({ directory, environment });
    return { code: await main(words.split(' '), cli.context), errors: cli.errors() };
  };
  t.strictSame(await run('a.json -o a.png'), {
    code: 1,
    errors: `error: layers[0].url: ${url} could not be fetched: the connection was refused\n`,
  });
  t.strictSame(await run('b.json -o b.png'), {
    code: 0,
    errors: `warning: layers[0].url: fallbackColor is shown instead: ${url} could not be fetched: the connection was refused [image_replaced]\n`,
  });
  t.match(await run('a.json -o a.png', { ASSET_ALLOW_HOSTS: 'example.com' }), {
    code: 1,
    errors: /127\.0\.0\.1 is a private address; .*ASSET_ALLOW_HOSTS/,
  });
});

t.test('hides the reason from clients of the service and logs it with the request id', async (t) => {
  const closed = await closedPort();
  const open = await openFaulty(t, closed);
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: `127.0.0.1:${closed},localhost` });
  const { key } = await whole.caller();
  const ask = async (url: string, more = {}) => {
    const response = await whole.post(key, { canvas, layers: [image(url, more)], responseType: 'json' });
    return { id: response.headers.get('x-request-id'), status: response.status, text: await response.text() };
  };
  const refused = `http://127.0.0.1:${closed}/a?token=secret`;
  const blocked = `http://127.0.0.1:${open}/a`;
  const reset = `http://localhost:${open}/reset`;
  const asked = [];
  for (const url of [refused, blocked, reset]) {
    for (const more of [{}, { fallbackColor: 'red' }, { fallbackColor: 'red' }]) asked.push(await ask(url, more));
  }
  for (const [i, { status, text }] of asked.entries()) {
    t.equal(status, i % 3 === 0 ? 502 : 200);
    t.match(text, /could not be fetched"/);
    t.notMatch(text, /was refused|was reset|private|allowHosts|ASSET_|secret/);
  }
  await whole.stop();
  const reasons: [string, RegExp][] = [
    [refused, /refused$/],
    [blocked, /private address/],
    [reset, /reset$/],
  ];
  for (const [i, { id }] of asked.entries()) {
    const line = whole.log.find(({ requestId }) => requestId === id);
    const [url, reason] = reasons[Math.floor(i / 3)];
    t.match(line?.assetFailures, [{ origin: new URL(url).origin, reason }], 'logs the reason');
  }
  t.notMatch(JSON.stringify(whole.log), 'secret');
});
