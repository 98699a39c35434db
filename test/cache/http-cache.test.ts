// The HTTP cache: how many requests reach a loopback server under each caching header.
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { createAssets } from '../../lib/assets/loader.js';
import { createFetchCache } from '../../lib/cache/http-cache.js';
import type { Fetched } from '../../lib/host.js';
import { freshnessLifetimeMs } from '../../lib/net/freshness.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { eventually } from '../eventually.js';
import { serve } from '../net/server.js';

const LIMITS = { timeoutMs: 600_000, maxBytes: 1000, maxPixels: 1000 };
const MAX_BYTES = 10_000;

t.test('computes the freshness lifetime of a response', async (t) => {
  const date = 'Sat, 01 Jan 2028 00:00:00 GMT';
  const minuteLater = 'Sat, 01 Jan 2028 00:01:00 GMT';
  const cases: [Record<string, string>, number][] = [
    [{}, 0],
    [{ etag: '"a"', 'last-modified': date, date }, 0],
    [{ 'cache-control': 'max-age=60' }, 60],
    [{ 'cache-control': 'public, MAX-AGE=60, immutable' }, 60],
    [{ 'cache-control': 'max-age="60"' }, 60],
    [{ 'cache-control': 'max-age=60,s-maxage=5' }, 5],
    [{ 'cache-control': 's-maxage=0, max-age=60' }, 0],
    [{ 'cache-control': 'max-age=60, must-revalidate, proxy-revalidate' }, 60],
    [{ 'cache-control': 'max-age=60, no-store' }, 0],
    [{ 'cache-control': 'no-cache, max-age=60' }, 0],
    [{ 'cache-control': 'No-Cache="set-cookie", max-age=60' }, 0],
    [{ 'cache-control': 'private, max-age=60' }, 0],
    [{ 'cache-control': 'max-age=60, max-age=10' }, 0],
    [{ 'cache-control': 'max-age=-1' }, 0],
    [{ 'cache-control': 'max-age=soon' }, 0],
    [{ 'cache-control': 'max-age=60', age: '20' }, 40],
    [{ 'cache-control': 'max-age=60', age: '61' }, 0],
    [{ 'cache-control': 'max-age=60', age: 'old' }, 0],
    [{ 'cache-control': 'max-age=60', vary: 'Accept-Encoding, Origin' }, 60],
    [{ 'cache-control': 'max-age=60', vary: 'Origin, *' }, 0],
    [{ expires: minuteLater, date }, 60],
    [{ expires: date, date: minuteLater }, 0],
    [{ expires: '0', date }, 0],
    [{ expires: minuteLater, date, 'cache-control': 'max-age=5' }, 5],
    [{ 'cache-control': 'max-age=99999999999999' }, 2 ** 31],
  ];
  for (const [headers, seconds] of cases)
    t.equal(freshnessLifetimeMs(headers), seconds * 1000, JSON.stringify(headers));
});

/** Starts a server whose paths have different caching headers. */
async function startOrigin() {
  const respond = (res: ServerResponse, header: string) => res.setHeader('Cache-Control', header).end('body');
  return serve({
    '/fresh': (res) => respond(res, 'max-age=60'),
    '/secret': (res) => respond(res, 'no-store'),
    '/slow': (res) => setTimeout(() => respond(res, 'max-age=60'), 100),
    '/slowsecret': (res) => setTimeout(() => respond(res, 'private'), 100),
    '/moved': (res) => res.writeHead(302, { Location: '/fresh' }).end(),
    '/movedforlong': (res) => res.writeHead(301, { Location: '/fresh', 'Cache-Control': 'max-age=60' }).end(),
    '/broken': (res) => res.writeHead(500, { 'Cache-Control': 'max-age=60' }).end(),
  });
}

t.test('reuses a response between payloads while it is fresh', async (t) => {
  const server = await startOrigin();
  t.teardown(server.close);
  let clock = 0;
  const fetchCache = createFetchCache(MAX_BYTES, { now: () => clock });
  const countRequests = async (path: string) => {
    const before = server.hits.length;
    const { bytes } = await createAssets({ ...LIMITS, fetchCache }).file(server.origin + path);
    t.equal(Buffer.from(bytes).toString(), 'body', path);
    return server.hits.length - before;
  };
  t.equal(await countRequests('/fresh'), 1);
  t.equal(await countRequests('/fresh'), 0, 'from the cache');
  t.equal(await countRequests('/fresh#part'), 0, 'ignores the fragment');
  t.equal(await countRequests('/fresh?a'), 1, 'the query is part of the key');
  clock = 59_999;
  t.equal(await countRequests('/fresh'), 0);
  clock = 60_000;
  t.equal(await countRequests('/fresh'), 1, 'stale');
  t.equal(await countRequests('/fresh'), 0);
  for (const _ of [1, 2]) t.equal(await countRequests('/secret'), 1, 'never stored');
  for (const _ of [1, 2])
    t.equal(await countRequests('/moved'), 2, 'does not store through a redirect without caching headers');
  t.equal(await countRequests('/movedforlong'), 2);
  t.equal(await countRequests('/movedforlong'), 0);
  for (const _ of [1, 2]) {
    const before = server.hits.length;
    await t.rejects(createAssets({ ...LIMITS, fetchCache }).file(`${server.origin}/broken`), { code: 'asset_failed' });
    t.equal(server.hits.length, before + 1, 'does not store a failure');
  }
  const guarded = createAssets({ ...LIMITS, fetchCache, allowAddress: () => false });
  await t.rejects(
    guarded.file(`${server.origin}/secret`),
    { code: 'asset_failed' },
    'checks addresses before fetching',
  );
});

t.test('collapses concurrent fetches if the response may be shared', async (t) => {
  const server = await startOrigin();
  t.teardown(server.close);
  const fetchCache = createFetchCache(MAX_BYTES);
  const payloads = (path: string) =>
    Promise.all([1, 2, 3].map(() => createAssets({ ...LIMITS, fetchCache }).file(server.origin + path)));
  await payloads('/slow');
  t.equal(server.hits.length, 1);
  await payloads('/slowsecret');
  t.equal(server.hits.length, 4, 'fetches private responses once per payload');
  const initiator = new AbortController();
  const first = createAssets({ ...LIMITS, fetchCache }).file(`${server.origin}/slow?again`, initiator.signal);
  const second = createAssets({ ...LIMITS, fetchCache }).file(`${server.origin}/slow?again`);
  await eventually(() => server.hits.length === 5);
  initiator.abort(new Error('gone'));
  await t.rejects(first, { message: 'gone' });
  t.equal((await second).bytes.length, 4, 'continues after its initiator aborts');
  t.equal(server.hits.length, 5);
});

t.test('gives a stale response while it is fetched again, and forgets it if that fails', async (t) => {
  let clock = 0;
  const cache = createFetchCache(MAX_BYTES, { now: () => clock, staleWhileRevalidate: true });
  const url = new URL('https://example.com/a.png');
  const { signal } = new AbortController();
  let answers: (() => void)[] = [];
  let fetched = 0;
  const get = async () => {
    const bytes = await cache.get(
      url,
      () => {
        const content = ++fetched;
        return new Promise((resolve, reject) => {
          const answer = { bytes: new Uint8Array([content]), freshMs: 10 };
          answers.push(() => (content === 3 ? reject(new Error('gone')) : resolve(answer)));
        });
      },
      signal,
    );
    return bytes[0];
  };
  const answer = async () => {
    for (const each of answers) each();
    answers = [];
    await new Promise((resolve) => setImmediate(resolve));
  };
  const first = get();
  await answer();
  t.equal(await first, 1);
  clock = 11;
  t.equal(await get(), 1);
  t.equal(await get(), 1, 'one fetch is under way');
  t.equal(fetched, 2);
  await answer();
  t.equal(await get(), 2);
  clock = 22;
  t.equal(await get(), 2);
  await answer();
  const last = get();
  await answer();
  t.equal(await last, 4);
});

t.test('evicts the least recently used responses beyond its size limit', async (t) => {
  const fetchCache = createFetchCache(MAX_BYTES);
  const { signal } = new AbortController();
  let fetches = 0;
  const get = (name: string, length: number) =>
    fetchCache.get(
      new URL(`http://a.example/${name}`),
      async (): Promise<Fetched> => {
        fetches++;
        return { bytes: new Uint8Array(length), freshMs: 1000 };
      },
      signal,
    );
  await get('large', MAX_BYTES);
  t.equal(fetchCache.bytes, 0, 'does not store a response larger than the cache');
  for (const name of ['a', 'b', 'c', 'a', 'd']) await get(name, 2500);
  t.ok(fetchCache.bytes > 7500 && fetchCache.bytes <= MAX_BYTES, `${fetchCache.bytes}`);
  fetches = 0;
  await get('a', 2500);
  t.equal(fetches, 0, 'keeps a recently used response');
  await get('b', 2500);
  t.equal(fetches, 1, 'evicts the least recently used response');
  for (let i = 0; i < 1000; i++) await get(`empty${i}`, 0);
  t.ok(fetchCache.bytes <= MAX_BYTES, 'counts empty responses');
});

t.test('decodes a repeated data: URL once', async (t) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const entries = new Map<string, Pixmap>();
  const cache = {
    bytes: 0,
    get: (key: string) => entries.get(key),
    set: (key: string, pixmap: Pixmap) => void entries.set(key, pixmap),
  };
  const image = () => createAssets({ ...LIMITS, cache }).image(`data:image/png;base64,${png}`);
  const first = await image();
  t.equal(await image(), first);
  t.equal(entries.size, 1);
  t.ok(first instanceof Pixmap);
});
