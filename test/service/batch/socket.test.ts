// Batches through a real socket: streaming, backpressure, slow readers, clients that leave, and batches that are cut.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createClient } from '../../../lib/client/index.js';
import type { Service } from '../../../lib/service/request.js';
import { listen, raw, post as rawPost } from '../socket.js';
import { loggedRenders } from '../stores.js';
import { startWhole } from '../whole.js';
import { createWorld, FLAT } from '../world.js';
import { parseLines, SCOPES } from './reply.js';

const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...FLAT, name: `n${i}`, quality: 1 + (i % 90) }));

async function post(
  url: string,
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  return await fetch(`${url}/v1/batches`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

t.test('each row arrives as soon as it is done', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const { url, log } = await listen(t, world.service);
  let go = () => {};
  world.engine.before = () => {
    if (world.engine.asked.length !== 3) return undefined;
    return new Promise<void>((resolve) => {
      go = resolve;
    });
  };
  const answer = await post(url, caller.key, { items: items(5) });
  t.equal(answer.headers.get('content-type'), 'application/x-ndjson');
  t.equal(answer.headers.get('content-length'), null);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.split('\n').length === 3) {
      t.notMatch(text, '"done"', 'two rows are here while the third one renders');
      go();
    }
  }
  const { rows, summary } = parseLines(text);
  t.equal(rows.length, 5);
  t.match(summary, { succeeded: 5, failed: 0, creditsRemaining: 995 });
  while (log.length === 0) await new Promise((resolve) => setImmediate(resolve));
  t.match(log, [{ route: '/v1/batches', status: 200, rows: 5, succeeded: 5, failed: 0, bytes: text.length }]);
});

/** An answer of one chunk, and then of what `next` gives. */
function streaming(next: () => Promise<string | undefined>): Service {
  return async () => ({
    requestId: 'r',
    answer: {
      status: 200,
      headers: new Map(),
      length: undefined,
      body: (async function* () {
        for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
      })(),
    },
  });
}

t.test('the clock of a slow reader runs only while bytes wait for it', async (t) => {
  let asked = 0;
  const quiet = streaming(async () => {
    if (asked++ === 3) return undefined;
    // longer than a reader may take
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 'x';
  });
  const limits = { answerMs: 200, minBytesPerSecond: 1e9, maxAnswerMs: 200 };
  const { url } = await listen(t, quiet, limits);
  t.equal(await (await fetch(url)).text(), 'xxx', 'the server alone was slow');

  const piece = 'y'.repeat(2 ** 20);
  let made = 0;
  const loud = streaming(async () => {
    made++;
    return made > 500 ? undefined : piece;
  });
  const { port, log } = await listen(t, loud, limits);
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.match(log[0], { clientGone: true });
  t.ok(made < 400, `asked for ${made} MiB although nobody read`);
});

t.test('stops when the client leaves', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const { url, log } = await listen(t, world.service);
  const leaving = new AbortController();
  const ended: Promise<unknown>[] = [];
  world.engine.before = ({ signal }) => {
    if (world.engine.asked.length <= 2) return undefined;
    const end = new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    ended.push(end.catch(() => undefined));
    return end;
  };
  const answer = await post(url, caller.key, { items: items(50) }, {}, leaving.signal);
  const reader = answer.body!.getReader();
  await reader.read();
  while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  await Promise.all(ended);
  while (log.length === 0) await new Promise((resolve) => setImmediate(resolve));
  t.match(log[0], { clientGone: true, level: 30, rows: 50 });
  t.ok(world.engine.asked.length <= 6);
});

t.test('answers a client that closes its side, with empty lines while it waits', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const { port } = await listen(t, world.service);
  world.engine.before = () =>
    world.engine.asked.length === 2 ? new Promise<void>((resolve) => setTimeout(resolve, 1000)) : undefined;
  const body = JSON.stringify({ items: Array(2).fill(FLAT) });
  const client = raw(t, port);
  client.socket.end(rawPost({ key: caller.key, body }).replace('/v1/render', '/v1/batches'));
  const { text } = await client.closed;
  t.match(text, /"index":0,[^\n]*\n[\s\S]*\r\n\n\r\n[\s\S]*"index":1,[\s\S]*"done":true,"succeeded":2/);
});

/** A proxy that cuts each connection after a number of bytes of its answer, unless `bytesOf` gives none. */
async function startProxy(t: Test, port: number, bytesOf: () => number | undefined) {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    let left = bytesOf();
    const node = connect(port, '127.0.0.1');
    const end = () => {
      client.destroy();
      node.destroy();
    };
    for (const socket of [client, node]) sockets.add(socket.on('error', end).on('close', end));
    client.on('data', (bytes) => node.write(bytes));
    node.on('data', (bytes) => {
      client.write(left === undefined ? bytes : bytes.subarray(0, left));
      if (left === undefined) return;
      left -= bytes.length;
      if (left > 0) return;
      cuts++;
      client.destroySoon();
      node.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: () => cuts };
}

/** Numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

t.test('cut at random places and sent again until it is done, every row is charged once', async (t) => {
  const whole = await startWhole(t, {});
  const random = seeded(7);
  const rows = 40;
  for (const repeat of ['by hand', 'by the client'] as const) {
    const { key, workspaceId } = await whole.caller({ scopes: SCOPES, credits: rows });
    let left = 12;
    const bytesOf = () => (left-- > 0 ? 1 + Math.floor(random() * 4000) : undefined);
    const proxy = await startProxy(t, Number(new URL(whole.url).port), bytesOf);
    if (repeat === 'by hand') {
      for (;;) {
        const answer = await post(
          proxy.url,
          key,
          { items: items(rows) },
          { 'Idempotency-Key': 'k', Connection: 'close' },
        )
          .then((each) => each.text())
          .catch(() => '');
        if (!/"done":true/.test(answer)) continue;
        t.match(parseLines(answer).summary, { succeeded: rows, failed: 0, creditsRemaining: 0 });
        break;
      }
    } else {
      const client = createClient({ baseUrl: proxy.url, apiKey: key, retries: 50 });
      const seen: number[] = [];
      for await (const row of client.batch({ items: items(rows) })) {
        t.ok(row.success);
        seen.push(row.index);
      }
      t.same(
        seen,
        Array.from({ length: rows }, (_, i) => i),
        'each comes once, in order',
      );
    }
    t.ok(proxy.cuts() > 5, `${proxy.cuts()} cuts ${repeat}`);
    t.equal((await whole.store.balance(workspaceId)).balance, 0);
    const log = (await loggedRenders(whole.store, workspaceId)).filter(({ creditsCost }) => creditsCost > 0);
    t.equal(log.length, rows, 'as many charges as rows');
  }
});
