// The memory that the server's own process uses for bodies, assets and answers: counted as it arrives, bounded, released.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { allowPublic } from '../../../lib/net/address-policy.js';
import { createResolver } from '../../../lib/net/dns.js';
import { Admission } from '../../../lib/service/admission/index.js';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { createEngine } from '../../../lib/service/render/engine.js';
import { createLocalPool } from '../../../lib/workers/in-process.js';
import { eventually } from '../../eventually.js';
import { listen, post, raw } from '../socket.js';
import { createWorld, FLAT } from '../world.js';

const BODY = JSON.stringify(FLAT);
const KIB = 1024;
const ONE = { id: 'one', weight: 1 };
const overloaded = { code: 'overloaded' };
const settle = () => new Promise((resolve) => setImmediate(resolve));

t.test('the budget bounds incoming bytes, not answers, and always admits a single holder', async (t) => {
  const memoryBudget = new MemoryBudget(100);
  let told = 0;
  memoryBudget.onRelease(() => told++);
  const [one, two, answer] = [memoryBudget.open('a'), memoryBudget.open('a'), memoryBudget.open('a')];
  one.reserve(90);
  one.reserve(90);
  t.equal(memoryBudget.usedBytes, 180, 'it is alone: it would never find more room');
  t.throws(() => two.reserve(1), overloaded);
  t.throws(() => memoryBudget.assertAvailable('a', 0), overloaded);
  one.release();
  one.release();
  t.equal(told, 1);
  one.reserve(5);
  t.equal(memoryBudget.usedBytes, 0, 'what comes after the end is not counted');
  two.reserve(60);
  t.throws(() => memoryBudget.open('a').reserve(21), overloaded);
  answer.forceReserve(20);
  t.notOk(memoryBudget.isExceeded('a'));
  answer.forceReserve(1);
  t.ok(memoryBudget.isExceeded('a'));
  t.throws(() => memoryBudget.open('a', 10).reserve(11), { code: 'asset_failed', message: /larger than 10 bytes/ });
  two.release();
  answer.release();
  t.equal(memoryBudget.usedBytes, 0);
});

t.test('one owner alone gets four fifths of the budget, and the next one finds room', async (t) => {
  const memoryBudget = new MemoryBudget(1000);
  const fill = (owner: string) => {
    const before = memoryBudget.usedBytes;
    t.throws(() => {
      for (;;) memoryBudget.open(owner).reserve(1);
    }, overloaded);
    return memoryBudget.usedBytes - before;
  };
  t.equal(fill('a'), 800);
  t.equal(fill('b'), 160, 'four fifths of what is left');
  t.equal(fill('c'), 62, 'a sixteenth of the budget is always to be had');
  t.equal(new MemoryBudget(MemoryBudget.bytesFor(800)).bytes, 1000);
});

t.test('answers of one owner that nobody reads leave room for others', async (t) => {
  const memoryBudget = new MemoryBudget(1000);
  memoryBudget.open('a').forceReserve(5000);
  t.ok(memoryBudget.isExceeded('a'));
  t.notOk(memoryBudget.isExceeded('b'));
  const other = memoryBudget.open('b');
  other.reserve(62);
  t.throws(() => other.reserve(1), overloaded);
});

t.test('callers without a key share a tenth, beside the budget', async (t) => {
  const memoryBudget = new MemoryBudget(1000);
  const strangers = [memoryBudget.open(undefined), memoryBudget.open(undefined)];
  strangers[0].forceReserve(60);
  strangers[1].forceReserve(40);
  t.throws(() => strangers[1].forceReserve(1), overloaded, 'also an answer');
  t.throws(() => memoryBudget.open(undefined).reserve(1), overloaded);
  t.equal(memoryBudget.usedBytes, 100);
  const paying = memoryBudget.open('a');
  paying.reserve(800);
  t.notOk(memoryBudget.isExceeded('a'), 'they take nothing from others');
  for (const stranger of strangers) stranger.release();
  t.equal(memoryBudget.usedBytes, 800);
});

t.test('renders get the memory that the budget leaves, and none starts while answers exceed it', async (t) => {
  const MB = 2 ** 20;
  const memoryBudget = new MemoryBudget(100 * MB);
  const admission = new Admission({ concurrency: 9, queue: 9, memoryBytes: 200 * MB, memoryBudget });
  const files = memoryBudget.open('another');
  files.forceReserve(100 * MB);
  const first = await admission.reserve(ONE, 60 * MB).acquire(60 * MB);
  let second = false;
  admission
    .reserve(ONE, 60 * MB)
    .acquire(60 * MB)
    .then((leave) => {
      second = true;
      leave();
    });
  await settle();
  t.notOk(second, 'of 200 MiB the files take a half');
  files.release();
  await settle();
  t.ok(second);
  first();
  const answer = memoryBudget.open(ONE.id);
  answer.forceReserve(81 * MB);
  let started = false;
  admission
    .reserve(ONE, 1)
    .acquire(1)
    .then((leave) => {
      started = true;
      leave();
    });
  await settle();
  t.notOk(started);
  answer.release();
  await settle();
  t.ok(started);
  t.match(admission, { running: 0, queued: 0, memory: 0 });
});

// fault: 4
t.test('counts received bytes of a body, not declared ones, and rejects bodies without room', async (t) => {
  const world = await createWorld(t, { settings: { MAX_BODY_BYTES: String(64 * KIB) } });
  const caller = await world.caller({ credits: 5 });
  const { key } = caller;
  const memoryBudget = new MemoryBudget(MemoryBudget.bytesFor(64 * KIB));
  const { port, sockets } = await listen(t, world.service, {}, memoryBudget);
  const promising = Array.from({ length: 5 }, () => raw(t, port));
  for (const client of promising) client.send(post({ key, body: ' ', length: 60 * KIB }));
  await eventually(() => memoryBudget.usedBytes === 5);
  t.equal(memoryBudget.usedBytes, 5);
  const sending = raw(t, port);
  sending.send(post({ key, body: ' '.repeat(50 * KIB), length: 60 * KIB }));
  await eventually(() => memoryBudget.usedBytes >= 50 * KIB);
  const declared = raw(t, port);
  declared.send(post({ key, body: BODY.padEnd(20 * KIB) }));
  const refused = await declared.closed;
  t.match(refused.text, /^HTTP\/1\.1 503 [\s\S]*"code":"overloaded"/);
  t.match(refused.text, /\r\nRetry-After: 1\r\n/);
  t.match(refused.text, /\r\nConnection: close\r\n/i);
  t.notOk(refused.reset);
  const chunked = raw(t, port);
  const head = post({ key, length: null, headers: ['Transfer-Encoding: chunked'] });
  chunked.send(`${head}5000\r\n${' '.repeat(0x5000)}\r\n0\r\n\r\n`);
  t.match((await chunked.closed).text, /^HTTP\/1\.1 503 /);
  const small = raw(t, port);
  small.send(post({ key, body: BODY }));
  t.match(await small.hears(/\r\n\r\n/), /^HTTP\/1\.1 200 /, 'there is room for a small one');
  for (const client of [sending, ...promising]) client.socket.resetAndDestroy();
  small.socket.end();
  await eventually(() => memoryBudget.usedBytes === 0 && sockets.size === 0);
  t.equal(memoryBudget.usedBytes, 0);
  t.equal(await world.balance(caller), 4);
});

// fault: 14
t.test('counts an answer until the client has read it, and admits nothing meanwhile', async (t) => {
  const world = await createWorld(t);
  const { key, workspaceId } = await world.caller();
  world.engine.result = { bytes: new Uint8Array(30 * 2 ** 20) };
  for (const responseType of ['binary', 'json']) {
    const memoryBudget = new MemoryBudget(20 * 2 ** 20);
    const limits = { answerMs: 400, minBytesPerSecond: 1e9 };
    const { port, sockets } = await listen(t, world.service, limits, memoryBudget);
    const slow = raw(t, port, { paused: true });
    slow.send(post({ key, body: JSON.stringify({ ...FLAT, responseType }) }));
    await eventually(() => memoryBudget.isExceeded(workspaceId));
    t.ok(
      memoryBudget.usedBytes >= 30 * 2 ** 20 && memoryBudget.usedBytes < 31 * 2 ** 20,
      `${responseType}: ${memoryBudget.usedBytes}`,
    );
    const other = raw(t, port);
    other.send(post({ key, body: BODY, headers: ['Connection: close'] }));
    t.match((await other.closed).text, /^HTTP\/1\.1 503 /);
    await eventually(() => memoryBudget.usedBytes === 0 && sockets.size === 0);
    t.equal(memoryBudget.usedBytes, 0, 'its time is up');
    const next = raw(t, port, { paused: true });
    next.send(post({ key, body: BODY }));
    await eventually(() => memoryBudget.isExceeded(workspaceId));
    next.socket.resetAndDestroy();
    await eventually(() => memoryBudget.usedBytes === 0);
    t.equal(memoryBudget.usedBytes, 0, 'its reader is gone');
  }
});

// fault: 14
t.test('drops a client that reads fast and then stops', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  world.engine.result = { bytes: new Uint8Array(40 * 2 ** 20) };
  const half = 20 * 2 ** 20;
  // a busy machine may not read the half in time: then the client was no fast one, and the next has longer
  for (const maxAnswerMs of [700, 7_000, 70_000]) {
    const memoryBudget = new MemoryBudget(2 ** 30);
    const limits = { answerMs: 100, minBytesPerSecond: 1, maxAnswerMs };
    const { port, sockets } = await listen(t, world.service, limits, memoryBudget);
    const client = raw(t, port, { paused: true });
    let read = 0;
    let isClosed = false;
    client.socket.on('data', (chunk) => {
      read += chunk.length;
      if (read > half) client.socket.pause();
    });
    client.socket.on('close', () => {
      isClosed = true;
    });
    client.send(post({ key, body: BODY }));
    await eventually(() => read > half || isClosed);
    if (read <= half) continue;
    await eventually(() => sockets.size === 0);
    t.equal(sockets.size, 0);
    t.equal(memoryBudget.usedBytes, 0);
    return;
  }
  t.fail('no client read the half');
});

t.test('counts assets while they arrive; without room rejects the render', async (t) => {
  const held: number[] = [];
  const memoryBudget = new MemoryBudget(100 * KIB);
  const origin = createServer((request, response) => {
    response.write(Buffer.alloc(60 * KIB));
    if (request.url === '/hanging') return;
    response.end(Buffer.alloc(60 * KIB));
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    origin.closeAllConnections();
    origin.close();
  });
  const host = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const pool = createLocalPool();
  const admission = new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 });
  const world = await createWorld(t, {
    engine: (settings) =>
      createEngine({
        pool,
        admission,
        settings,
        memoryBudget,
        resolve: createResolver(),
        allowAddress: allowPublic([host]),
      }),
  });
  const caller = await world.caller({ credits: 3 });
  const ask = (path: string, signal?: AbortSignal) => {
    const at = { x: 0, y: 0, width: 2, height: 2 };
    const layers = [{ type: 'image', ...at, url: `http://${host}${path}`, fallbackColor: 'red' }];
    return world.ask({ key: caller.key, body: { ...FLAT, layers }, ...(signal && { signal }) });
  };
  const leaving = new AbortController();
  const hanging = ask('/hanging', leaving.signal);
  await eventually(() => memoryBudget.usedBytes >= 60 * KIB);
  held.push(memoryBudget.usedBytes);
  const refused = await ask('/whole');
  t.match(refused, { status: 503, json: overloaded });
  leaving.abort(new Error('left'));
  await hanging;
  await eventually(() => memoryBudget.usedBytes === 0);
  held.push(memoryBudget.usedBytes);
  t.same(held, [60 * KIB, 0]);
  t.equal((await world.store.balance(caller.workspaceId)).balance, 3);
});
