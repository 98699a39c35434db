// Malformed requests on the socket: ambiguous lengths, endless headers, smuggled requests, pipelines. None causes a render
// that was not requested, and the next client is served.
import t, { type Test } from 'tap';
import { jsonRenderAnswer } from '../../lib/service/http/answer.js';
import { eventually } from '../eventually.js';
import { type Listening, listen, post, raw } from './socket.js';
import { createWorld, FLAT, type World } from './world.js';

const BODY = JSON.stringify(FLAT);
/** A whole request, as it would be smuggled in another's body. */
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n';

/** Returns the bytes from the connection until it is closed, or until nothing more comes after an answer. */
async function hearAll(t: Test, port: number, sent: string): Promise<string> {
  const client = raw(t, port);
  client.send(sent);
  const quiet = async () => {
    await client.hears(/\r\n\r\n/);
    await new Promise((resolve) => setTimeout(resolve, 400));
  };
  await Promise.race([client.closed, quiet()]);
  client.socket.destroy();
  return client.heard();
}

const statusesIn = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));

async function start(t: Test): Promise<{ world: World; listening: Listening; key: string }> {
  const world = await createWorld(t);
  const { key } = await world.caller();
  return { world, listening: await listen(t, world.service), key };
}

// fault: 10
t.test('rejects a body of ambiguous length and closes the connection', async (t) => {
  const { world, listening, key } = await start(t);
  const request = (headers: readonly string[], body: string) => post({ key, length: null, headers, body });
  const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  const lengths = `Content-Length: ${BODY.length}`;
  const rows: [string, string][] = [
    ['CL.TE', request([lengths, 'Transfer-Encoding: chunked'], chunked + HIDDEN)],
    ['TE.CL', request(['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked + HIDDEN)],
    ['two lengths', request([lengths, `Content-Length: ${BODY.length + HIDDEN.length}`], BODY + HIDDEN)],
    ['a list of lengths', request([`Content-Length: ${BODY.length}, ${BODY.length + 4}`], BODY + HIDDEN)],
    ['a signed length', request([`Content-Length: +${BODY.length}`], BODY + HIDDEN)],
    ['a negative length', request(['Content-Length: -1'], BODY + HIDDEN)],
    ['a hexadecimal length', request([`Content-Length: 0x${BODY.length.toString(16)}`], BODY + HIDDEN)],
    ['a length too large to count', request([`Content-Length: ${'9'.repeat(40)}`], BODY + HIDDEN)],
    ['a length with a blank in it', request(['Content-Length: 1 2'], BODY + HIDDEN)],
    ['a name with a blank', request([`Content-Length : ${BODY.length}`], BODY + HIDDEN)],
    ['an encoding that is not the last', request(['Transfer-Encoding: chunked, identity'], chunked + HIDDEN)],
    ['an encoding of another name', request(['Transfer-Encoding: xchunked'], chunked + HIDDEN)],
    ['an encoding after a tab', request(['Transfer-Encoding:\tchunked\x0b'], chunked + HIDDEN)],
    ['a folded header', request(['Transfer-Encoding:\r\n chunked', lengths], chunked + HIDDEN)],
    ['a chunk of another size', request(['Transfer-Encoding: chunked'], `zz\r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`)],
    ['a chunk of a negative size', request(['Transfer-Encoding: chunked'], `-1\r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`)],
    ['a chunk that overflows', request(['Transfer-Encoding: chunked'], `${'f'.repeat(17)}\r\n${BODY}${HIDDEN}`)],
    ['extensions without end', request(['Transfer-Encoding: chunked'], `1;${'x'.repeat(70_000)}\r\n{\r\n0\r\n\r\n`)],
    ['lines that end in LF alone', request([lengths], BODY).replaceAll('\r\n', '\n') + HIDDEN],
    ['a bare CR', request([`X-A: b\rContent-Length: ${BODY.length}`], BODY + HIDDEN)],
    ['a NUL in a header', request([lengths, 'X-A: \0'], BODY + HIDDEN)],
    ['no host', post({ key, body: BODY }).replace('Host: test\r\n', '') + HIDDEN],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that is none', post({ key, body: BODY }).replace('HTTP/1.1', 'HTTP/9.9') + HIDDEN],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ];
  const answers = await Promise.all(rows.map(([, sent]) => hearAll(t, listening.port, sent)));
  for (const [i, [name]] of rows.entries()) {
    const statuses = statusesIn(answers[i]);
    t.ok(statuses.length <= 1, `${name}: no second request is seen (${statuses})`);
    for (const status of statuses) t.ok([400, 413, 431, 505].includes(status), `${name}: ${status}`);
    t.notMatch(answers[i], /"status":"ok"/, `${name}: what was hidden is not answered`);
  }
  t.same(world.engine.asked, [], 'nothing is rendered');
  await eventually(() => listening.sockets.size === 0);
  t.equal(listening.sockets.size, 0, 'every connection is closed');
  t.match(await hearAll(t, listening.port, post({ key, body: BODY })), /^HTTP\/1\.1 200 /);
});

// fault: 12
t.test('rejects headers, targets and lines that are too long', async (t) => {
  const { world, listening, key } = await start(t);
  const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y`);
  const rows: [string, string, readonly number[]][] = [
    ['17 KB of one header', post({ key, body: BODY, headers: [`X-Long: ${'x'.repeat(17_000)}`] }), [431]],
    ['2,000 headers', post({ key, body: BODY, headers: many(2000) }), [431]],
    ['a header’s name of 20 KB', post({ key, body: BODY, headers: [`${'x'.repeat(20_000)}: y`] }), [431]],
    ['a target of 1 MB', `GET /${'a'.repeat(2 ** 20)} HTTP/1.1\r\nHost: test\r\n\r\n`, [414, 431]],
    ['a method of 1 MB', `${'A'.repeat(2 ** 20)} / HTTP/1.1\r\nHost: test\r\n\r\n`, [400]],
    ['a key of 12 KB', post({ key: 'a'.repeat(12_000), body: BODY }), [401]],
    [
      '300 short headers, the key the last of them',
      post({ body: BODY, headers: [...many(300), `Authorization: Bearer ${key}`] }),
      [431],
    ],
  ];
  for (const [name, sent, expected] of rows) {
    const [status, ...others] = statusesIn(await hearAll(t, listening.port, sent));
    t.ok(expected.includes(status), `${name}: ${status}`);
    t.same(others, []);
  }
  t.same(world.engine.asked, []);
  t.match(await hearAll(t, listening.port, post({ key, body: BODY })), /^HTTP\/1\.1 200 /);
});

// fault: 15
t.test('answers every method and path over the socket; a preflight needs no key', async (t) => {
  const { listening, key } = await start(t);
  const ask = (method: string, path: string, headers = '') =>
    hearAll(t, listening.port, `${method} ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n${headers}\r\n`);
  const rows: [string, string, number][] = [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'].map((method): [string, string, number] => [
      method,
      '/v1/render',
      405,
    ]),
    ['OPTIONS', '/v1/render', 204],
    ...[
      '/v1/render/',
      '/v1/render/../',
      '//v1//render',
      '/v1/%72ender',
      '/V1/RENDER',
      '/v1/render%00',
      '/v1/./render',
    ].map((path): [string, string, number] => ['POST', path, 404]),
    ['OPTIONS', '*', 404],
  ];
  for (const [method, path, status] of rows) {
    t.match(await ask(method, path), new RegExp(`^HTTP/1\\.1 ${status} `), `${method} ${path}`);
  }
  const preflight = `Origin: null\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\n`;
  const allowed = await ask('OPTIONS', '/v1/render', preflight);
  t.match(allowed, /^HTTP\/1\.1 204 /);
  t.match(allowed, /\r\nAccess-Control-Allow-Origin: \*\r\n/);
  t.match(allowed, /\r\nAccess-Control-Allow-Headers: [^\r]*Authorization/);
  t.notMatch(allowed, /Allow-Credentials/i);
  t.notMatch(await ask('CONNECT', 'test:443', `Authorization: Bearer ${key}\r\n`), /^HTTP\/1\.1 200/);
});

// fault: 15
t.test('answers a hundred pipelined requests in order', async (t) => {
  const { listening, key } = await start(t);
  const requests = Array.from({ length: 100 }, (_, i) =>
    i % 3 === 0
      ? `GET /healthz?${i} HTTP/1.1\r\nHost: test\r\n\r\n`
      : i % 3 === 1
        ? post({ key, body: BODY })
        : post({ key, body: '{' }),
  );
  const client = raw(t, listening.port);
  client.send(requests.join(''));
  await eventually(() => statusesIn(client.heard()).length === 100);
  t.same(
    statusesIn(client.heard()),
    Array.from({ length: 100 }, (_, i) => [200, 200, 400][i % 3]),
  );
});

// fault: 17
t.test('streams an image whose base64 exceeds the maximum string length, with the declared length', async (t) => {
  const bytes = new Uint8Array(201 * 2 ** 20);
  const billing = { creditsRemaining: 1, rendersRemaining: 1, creditsCost: 1, watermarked: false, isFreeTier: false };
  const result = { bytes, sha256: 'x', format: 'png', width: 8192, height: 8192, alt: '', warnings: [] } as const;
  const { body, length } = jsonRenderAnswer({ renderId: 'r', result, durationMs: 1, billing, metadata: { ä: '€' } });
  let sum = 0;
  let longest = 0;
  for (const piece of body as Iterable<string>) {
    const size = Buffer.byteLength(piece);
    sum += size;
    longest = Math.max(longest, size);
  }
  t.equal(sum, length);
  t.ok(sum > 0x1fffffe8, 'longer than a string of V8 may be');
  t.ok(longest <= 2 ** 20);
});
