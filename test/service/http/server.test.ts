// The HTTP server: clients that are slow, disconnect, send too much or pipeline requests.
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { Connections } from '../../../lib/service/http/connections.js';
import { eventually } from '../../eventually.js';
import { listen, post, raw } from '../socket.js';
import { createWorld, FLAT } from '../world.js';

const BODY = JSON.stringify(FLAT);
const LIMIT = 1000;

// fault: 4
t.test('a client that sends too large a body can read the 413', async (t) => {
  const world = await createWorld(t, { settings: { MAX_BODY_BYTES: String(LIMIT) } });
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  // More than the buffers of both ends hold, so that the client is still sending when it is answered.
  const large = Buffer.alloc(12 * 2 ** 20, ' ');
  const chunked = `Authorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const rows: [string, string, Uint8Array][] = [
    ['with its length', post({ key, length: large.length }), large],
    ['in chunks', `POST /v1/render HTTP/1.1\r\nHost: test\r\n${chunked}${large.length.toString(16)}\r\n`, large],
  ];
  for (const [name, head, body] of rows) {
    const client = raw(t, port);
    client.send(head);
    client.send(body);
    if (name === 'in chunks') client.send('\r\n0\r\n\r\n');
    const { text, reset } = await client.closed;
    t.match(text, /^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"\}$/, name);
    t.match(text, /\r\nConnection: close\r\n/i);
    t.notOk(reset, 'no reset');
  }
  const fits = raw(t, port);
  fits.send(post({ key, body: BODY.padEnd(LIMIT) }));
  t.match(await fits.hears(/^HTTP/), /^HTTP\/1\.1 200 /, 'the limit itself is allowed');
});

t.test('a rejection before the body reaches a client that is still sending it', async (t) => {
  const world = await createWorld(t);
  const { port } = await listen(t, world.service);
  const client = raw(t, port);
  const large = Buffer.alloc(12 * 2 ** 20, ' ');
  client.send(post({ length: large.length, headers: ['Connection: close'] }));
  client.send(large);
  const { text, reset } = await client.closed;
  t.match(text, /^HTTP\/1\.1 401 [\s\S]*"code":"missing_api_key"\}$/);
  t.notOk(reset);
});

// fault: 11
t.test('closes the connection of a client that sends endlessly', async (t) => {
  const world = await createWorld(t, { settings: { MAX_BODY_BYTES: String(LIMIT) } });
  const { key } = await world.caller();
  const { port, sockets } = await listen(t, world.service, { lingerMs: 200 });
  const client = raw(t, port);
  client.send(post({ key, length: 2 ** 40 }));
  const sending = setInterval(() => client.send('x'.repeat(1000)), 20);
  t.teardown(() => clearInterval(sending));
  const { text } = await client.closed;
  t.match(text, /^HTTP\/1\.1 413 /);
  await eventually(() => sockets.size === 0);
  t.equal(sockets.size, 0);
});

// fault: 11
t.test('closes slow clients: no headers, some headers, half a body, an endless one', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  const { port } = await listen(t, world.service, { headersMs: 300, requestMs: 600 });
  const rows: [string, string, RegExp][] = [
    ['nothing', '', /^$|^HTTP\/1\.1 408 /],
    ['half a line', 'POST /v1/ren', /^HTTP\/1\.1 408 /],
    ['half of the headers', 'POST /v1/render HTTP/1.1\r\nHost: test\r\n', /^HTTP\/1\.1 408 /],
    ['half a body', post({ key: caller.key, body: '{', length: 100 }), /^HTTP\/1\.1 408 /],
  ];
  await Promise.all(
    rows.map(async ([name, sent, expected]) => {
      const client = raw(t, port);
      client.send(sent);
      const dripping = setInterval(() => sent !== '' && client.send('x'), 50);
      client.socket.once('close', () => clearInterval(dripping));
      t.match((await client.closed).text, expected, name);
    }),
  );
  t.equal(await world.balance(caller), 1);
  t.same(world.engine.asked, []);
});

// fault: 13
t.test('aborts the render of a client that disconnects, without a charge', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 2 });
  const { port, log, sockets } = await listen(t, world.service);
  let aborted = 0;
  world.engine.before = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted++;
        reject(signal.reason);
      });
    });
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    aborted = 0;
    log.length = 0;
    // two pipelined requests: the second is never begun
    const client = raw(t, port);
    client.send(post({ key: caller.key, body: BODY }) + post({ key: caller.key, body: BODY }));
    await eventually(() => world.engine.asked.length === 1);
    client.socket[leave]();
    await eventually(() => aborted === 1 && log.length === 1 && sockets.size === 0);
    t.equal(aborted, 1, leave);
    t.match(log, [{ clientGone: true }]);
    t.equal(world.engine.asked.length, 1);
    world.engine.asked.length = 0;
  }
  t.equal(await world.balance(caller), 2);
  world.engine.before = () => {};
  t.match(await world.store.hold(caller.workspaceId, 2), { hold: {} }, 'nothing is on hold');
});

t.test('answers a client that closes its side after its request', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 9 });
  const { port, sockets } = await listen(t, world.service);
  const ask = async (text: string) => {
    const client = raw(t, port);
    client.socket.end(text);
    return (await client.closed).text;
  };
  const one = post({ key: caller.key, body: BODY });
  t.match(await ask(one), /^HTTP\/1\.1 200 /);
  const statuses = (await ask(one + one)).match(/HTTP\/1\.1 \d+/g);
  t.same(statuses, ['HTTP/1.1 200', 'HTTP/1.1 200'], 'pipelined ones too');
  world.engine.before = () => new Promise((resolve) => setTimeout(resolve, 1000));
  t.match(await ask(one), /^(HTTP\/1\.1 100 Continue\r\n\r\n)+HTTP\/1\.1 200 /, 'a long render');
  const old = await ask(one.replace('HTTP/1.1', 'HTTP/1.0'));
  t.match(old, /^HTTP\/1\.1 200 /, 'no interim answer to HTTP/1.0');
  world.engine.before = () => {};
  t.equal(await world.balance(caller), 4);
  t.notMatch(await ask(one.slice(0, -3)), /HTTP\/1\.1 200/, 'a request that is cut');
  t.equal(await ask(''), '', 'no request');
  await eventually(() => sockets.size === 0);
});

// fault: 13
t.test('handles a client that disconnects while it sends or reads', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  const { port, log, sockets } = await listen(t, world.service);
  const uploading = raw(t, port);
  uploading.send(post({ key: caller.key, body: '{"canvas"', length: 5000 }));
  await eventually(() => sockets.size === 1);
  uploading.socket.resetAndDestroy();
  await eventually(() => log.length === 1);
  t.match(log, [{ clientGone: true, level: 30 }]);
  t.equal(await world.balance(caller), 1000);

  world.engine.result = { bytes: new Uint8Array(30 * 2 ** 20) };
  for (const responseType of ['binary', 'json']) {
    log.length = 0;
    const reading = raw(t, port, { paused: true });
    reading.send(post({ key: caller.key, body: JSON.stringify({ ...FLAT, responseType }) }));
    await new Promise((resolve) => reading.socket.once('readable', resolve));
    reading.socket.resetAndDestroy();
    await eventually(() => log.length === 1 && sockets.size === 0);
    t.match(log, [{ clientGone: true, status: 200 }], responseType);
  }
});

// fault: 14
t.test('drops a client that reads too slowly, not one at the minimum rate', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  world.engine.result = { bytes: new Uint8Array(30 * 2 ** 20) };
  const slow = await listen(t, world.service, { answerMs: 200, minBytesPerSecond: 1e9 });
  const client = raw(t, slow.port, { paused: true });
  client.send(post({ key, body: BODY }));
  await eventually(() => slow.log.length === 1);
  t.match(slow.log, [{ status: 200, clientGone: true }]);
  await eventually(() => slow.sockets.size === 0);
  t.equal(slow.sockets.size, 0);

  const patient = await listen(t, world.service, { answerMs: 200, minBytesPerSecond: 2 ** 20 });
  const late = raw(t, patient.port, { paused: true });
  late.send(post({ key, body: BODY, headers: ['Connection: close'] }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  let length = 0;
  late.socket.on('data', (chunk) => {
    length += chunk.length;
  });
  await late.closed;
  t.ok(length > 30 * 2 ** 20, 'all of it arrived');
});

// fault: 15
t.test('begins a pipelined request when the answer before it is out', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  let finish = () => {};
  world.engine.before = () => new Promise((resolve) => (finish = () => resolve()));
  const client = raw(t, port);
  client.send(post({ key, body: BODY }).repeat(3));
  for (const count of [1, 2, 3]) {
    await eventually(() => world.engine.asked.length === count);
    await new Promise((resolve) => setTimeout(resolve, 30));
    t.equal(world.engine.asked.length, count);
    finish();
  }
  await eventually(() => client.heard().split('200 OK').length === 4);
});

// fault: 14, 15
t.test('thousands of pipelined requests that nobody reads hold no memory and delay no other client', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const memoryBudget = new MemoryBudget(4 * 2 ** 20);
  const { port, sockets } = await listen(t, world.service, {}, memoryBudget);
  const greedy = raw(t, port, { paused: true });
  greedy.send('GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(2000));
  const readers = Array.from({ length: 50 }, () => raw(t, port, { paused: true }));
  for (const reader of readers) reader.send('GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n');
  await eventually(() => sockets.size === 51);
  const other = raw(t, port);
  for (let i = 1; i <= 3; i++) {
    other.send(post({ key, body: BODY }));
    t.match(await other.hears(new RegExp(`(HTTP/1.1 [\\s\\S]*?\\x04){${i}}$`)), /^HTTP\/1\.1 200 /);
    t.notMatch(other.heard(), / 503 /);
  }
  t.equal(memoryBudget.usedBytes, 0, 'the description is shared by all who read it');
  const patient = raw(t, port);
  patient.send('HEAD /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(2000));
  await eventually(() => patient.heard().split('200 OK').length === 2001);
});

t.test('closes the connection with the most waiting requests when too many wait on all together', async (t) => {
  let begun = 0;
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((_request, response) => {
    void connections.inTurn(response, async (gone) => {
      begun++;
      await Promise.race([held, once(gone, 'abort')]);
      response.end('ok');
      await once(response, 'finish').catch(() => {});
    });
  });
  const connections = new Connections(server, 100);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const get = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
  const modest = raw(t, port);
  modest.send(get.repeat(40));
  await eventually(() => begun === 1);
  const greedy = raw(t, port);
  greedy.send(get.repeat(80));
  await greedy.closed;
  t.notOk(modest.socket.destroyed);
  finish();
  await eventually(() => modest.heard().split('200 OK').length === 41);
  t.equal(modest.heard().match(/200 OK/g)?.length, 40, 'the others go on');
  t.equal(begun, 41);
});

t.test('answers pipelined requests in order, whichever is ready first', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const count = 40;
  let asked = 0;
  world.engine.before = () => new Promise((resolve) => setTimeout(resolve, count - asked++));
  const client = raw(t, port);
  const widths = Array.from({ length: count }, (_, i) => i + 1);
  const bodies = widths.map((width) => JSON.stringify({ canvas: { width, height: 1 }, layers: [] }));
  client.send(bodies.map((body) => post({ key, body })).join(''));
  const text = await client.hears(new RegExp(`X-Canvas-Width: ${count}\r\n[\\s\\S]*\r\n\r\n[\\s\\S]{4}$`));
  t.same(
    Array.from(text.matchAll(/X-Canvas-Width: (\d+)/g), ([, width]) => Number(width)),
    widths,
  );
  await new Promise((resolve) => setImmediate(resolve));
  t.same(warnings, [], 'no listeners pile up');
  process.off('warning', warn);
});

t.test('keeps a connection open after errors, without leaking listeners', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller({ credits: 1 });
  const { port, sockets } = await listen(t, world.service);
  const client = raw(t, port);
  const rows: [string, number][] = [
    ['GET /nothing HTTP/1.1\r\nHost: test\r\n\r\n', 404],
    ['GET /v1/render HTTP/1.1\r\nHost: test\r\n\r\n', 405],
    [post({ body: BODY }), 401],
    [post({ key, body: '{' }), 400],
    [post({ key, body: JSON.stringify({ templateId: 'x' }) }), 404],
    [post({ key, body: BODY }), 200],
    [post({ key, body: BODY }), 402],
  ];
  const counts = new Set<number>();
  for (let round = 0; round < 3; round++) {
    for (const [i, [sent, status]] of rows.entries()) {
      const before = client.heard().length;
      client.send(sent);
      await eventually(() => /\r\n\r\n[\s\S]/.test(client.heard().slice(before)));
      const expected = round > 0 && status === 200 ? 402 : status;
      t.match(client.heard().slice(before), new RegExp(`^HTTP/1\\.1 ${expected} `));
      const [socket] = sockets;
      const listeners = socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0);
      if (round > 0 && i === 0) counts.add(listeners);
    }
  }
  t.equal(counts.size, 1, `always as many listeners: ${[...counts]}`);
});

t.test('answers HEAD with the headers of GET and no body', async (t) => {
  const world = await createWorld(t);
  const { port } = await listen(t, world.service);
  for (const path of ['/healthz', '/openapi.json', '/docs', '/v1/render', '/nothing']) {
    const client = raw(t, port);
    client.send(`HEAD ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
    const { text } = await client.closed;
    t.match(text, /^HTTP\/1\.1 \d{3} [\s\S]*\r\nContent-Length: [1-9]\d*\r\n[\s\S]*\r\n\r\n$/, path);
  }
});

// fault: 9
t.test('rejects a compressed body with 415 without decompressing it', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const { url, port } = await listen(t, world.service);
  const ask = (encoding: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${url}/v1/render`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Encoding': encoding },
      body,
    });
  const response = await ask('gzip', new Uint8Array(gzipSync(BODY)));
  t.equal(response.status, 415);
  t.equal(response.headers.get('accept-encoding'), 'identity');
  t.same(await response.json(), {
    success: false,
    error: 'received Content-Encoding "gzip", expected none: send the body uncompressed',
    code: 'unsupported_media_type',
  });
  t.same(world.engine.asked, []);
  t.equal((await ask('identity', new TextEncoder().encode(BODY))).status, 200);
  const chunked = raw(t, port);
  chunked.send(post({ key, length: null, headers: ['Content-Encoding: br', 'Transfer-Encoding: chunked'] }));
  t.match(
    await chunked.hears(/\}$/),
    /^HTTP\/1\.1 415 [\s\S]*unsupported_media_type/,
    'before any of the body has arrived',
  );
});

// fault: 15
t.test('Expect: 100-continue: sends 100 when the body is wanted, otherwise the final answer at once', async (t) => {
  const world = await createWorld(t, { settings: { MAX_BODY_BYTES: String(LIMIT) } });
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  const headers = ['Expect: 100-continue'];
  const invited = raw(t, port);
  invited.send(post({ key, headers, length: BODY.length }));
  t.equal(await invited.hears(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
  invited.send(BODY);
  t.match(await invited.hears(/200 OK/), /\r\n\r\nHTTP\/1\.1 200 OK/);
  for (const [request, status] of [
    [{ length: BODY.length }, 401],
    [{ key, length: LIMIT + 1 }, 413],
  ] as const) {
    const refused = raw(t, port);
    refused.send(post({ ...request, headers }));
    const { text, reset } = await refused.closed;
    t.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
    t.match(text, /\r\nConnection: close\r\n/i, 'what follows can’t be told from the body');
    t.notOk(reset);
  }
});

// fault: 18
t.test('accepts an absolute request URL; treats two Authorization headers as none', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  const rows: [string, number][] = [
    [post({ key, body: BODY }).replace('/v1/render', 'http://test/v1/render?x=/healthz'), 200],
    [post({ key, body: BODY }).replace('/v1/render', '/v1/render?templateId=x'), 200],
    [post({ key, body: BODY }).replace('/v1/render', 'http://test'), 404],
    [post({ key, body: BODY, headers: [`Authorization: Bearer ${key}`] }), 401],
    [post({ key, body: BODY, headers: ['Transfer-Encoding: chunked'] }), 400],
    [post({ key, body: BODY, headers: ['Content-Length: 3'] }), 400],
    [post({ key, body: BODY, headers: [`X-Long: ${'x'.repeat(17_000)}`] }), 431],
  ];
  for (const [sent, status] of rows) {
    const client = raw(t, port);
    client.send(sent);
    t.match(await client.hears(/\r\n\r\n/), new RegExp(`^HTTP/1\\.1 ${status} `), sent.slice(0, 60));
  }
});

// fault: 15
t.test('answers HTTP/1.0 and closes the connection', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  const client = raw(t, port);
  client.send(post({ key, body: BODY }).replace('HTTP/1.1', 'HTTP/1.0'));
  const { text } = await client.closed;
  t.match(text, /^HTTP\/1\.1 200 [\s\S]*\r\nContent-Length: 4\r\n[\s\S]*\r\n\r\n/);
  t.ok(text.endsWith('\r\n\r\n\x01\x02\x03\x04'));
});

// fault: 17
t.test(
  'a large picture in JSON is streamed: of exactly the length that was said, and right to the last byte',
  async (t) => {
    const world = await createWorld(t);
    const { key } = await world.caller();
    const { port } = await listen(t, world.service);
    // A PNG of 4,096 × 4,096 pixels of noise has this size; in JSON that is a third of the longest possible string.
    const bytes = randomFillSync(new Uint8Array(64 * 2 ** 20));
    world.engine.result = { bytes };
    const base64 = Buffer.from(bytes).toString('base64');
    const headers = { Authorization: `Bearer ${key}` };
    const sent = requestHttp({ port, host: '127.0.0.1', path: '/v1/render', method: 'POST', headers });
    sent.end(JSON.stringify({ ...FLAT, responseType: 'json' }));
    const [response] = await new Promise<[import('node:http').IncomingMessage]>((resolve) =>
      sent.once('response', (message) => resolve([message])),
    );
    const hash = createHash('sha256');
    let length = 0;
    let head = '';
    let tail = '';
    for await (const chunk of response as AsyncIterable<Buffer>) {
      hash.update(chunk);
      length += chunk.length;
      if (head.length < 1000) head += chunk.subarray(0, 1000).toString('latin1');
      tail = (tail + chunk.subarray(-1000).toString('latin1')).slice(-1000);
    }
    t.equal(Number(response.headers['content-length']), length);
    const open = head.slice(0, head.indexOf('"base64":"') + '"base64":"'.length);
    const close = tail.slice(tail.lastIndexOf('","billing"'));
    const expected = createHash('sha256').update(open).update(base64).update('","dataUrl":"data:image/png;base64,');
    t.equal(hash.digest('hex'), expected.update(base64).update(close).digest('hex'));
    t.match(JSON.parse(open + close), { success: true, sizeBytes: bytes.length, billing: {} });
  },
);

t.test('logs one line per request, without the key', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  const { url, log } = await listen(t, world.service);
  const authorization = `Bearer ${caller.key}`;
  const path = `${url}/v1/render?key=${caller.key}`;
  await fetch(path, { method: 'POST', headers: { authorization }, body: BODY }).then((reply) => reply.arrayBuffer());
  const wrong = { authorization: `Bearer svc_live_${'0'.repeat(63)}` };
  await fetch(path, { method: 'POST', headers: wrong, body: BODY }).then((reply) => reply.arrayBuffer());
  world.engine.before = () => {
    throw new TypeError('unforeseen');
  };
  const failed = await fetch(path, { method: 'POST', headers: { authorization }, body: BODY });
  const { requestId } = (await failed.json()) as { requestId: string };
  await eventually(() => log.length === 3);
  const { keyId, workspaceId } = caller;
  const common = { method: 'POST', path: '/v1/render' };
  t.match(log, [
    { ...common, level: 30, status: 200, keyId, workspaceId, bytes: 4 },
    { ...common, level: 30, status: 401, code: 'invalid_api_key' },
    { ...common, level: 50, status: 500, code: 'internal_error', requestId, err: { message: 'unforeseen' } },
  ]);
  t.notMatch(JSON.stringify(log), /svc_live_/);
});

t.test('a service that rejects costs only that connection', async (t) => {
  const world = await createWorld(t);
  let broken = true;
  const { url, log } = await listen(t, (request) =>
    broken ? Promise.reject(new Error('broken')) : world.service(request),
  );
  await t.rejects(fetch(`${url}/healthz`));
  t.match(log, [{ level: 50, err: { message: 'broken' } }]);
  broken = false;
  const status = await new Promise((resolve) => get(`${url}/healthz`, (reply) => resolve(reply.resume().statusCode)));
  t.equal(status, 200);
});

// before: two Host headers, and HTTP/0.9, were served
t.test('answers 400 to several Host headers, and to HTTP/0.9', async (t) => {
  const world = await createWorld(t);
  const { port } = await listen(t, world.service);
  const rows = {
    'two hosts': 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'the same host twice': 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n',
    'two hosts of HTTP/1.0': 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n',
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'HTTP/0.9 with its version': 'GET /healthz HTTP/0.9\r\nHost: a\r\n\r\n',
    'HTTP/0.9': 'GET /healthz\r\n\r\n',
  };
  for (const [name, sent] of Object.entries(rows)) {
    const client = raw(t, port);
    client.send(sent);
    t.match((await client.closed).text, /^HTTP\/1\.1 400 Bad Request\r\n/, name);
  }
  const one = raw(t, port);
  one.send('GET /nothing HTTP/1.0\r\nHost: a\r\n\r\n');
  t.match((await one.closed).text, /^HTTP\/1\.1 404 /, 'one host');
});
