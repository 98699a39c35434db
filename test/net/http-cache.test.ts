// What is kept of the web from payload to payload: how often a loopback server is asked, under every caching header.
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { createAssets } from '../../lib/assets/loader.js';
import { freshnessLifetimeMs } from '../../lib/net/freshness.js';
import { createFetchCache, type Fetched } from '../../lib/net/http-cache.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { eventually } from '../eventually.js';
import { serve } from './server.js';

const LIMITS = { timeoutMs: 600_000, maxBytes: 1000, maxPixels: 1000 };
const MAXIMUM = 10_000;

t.test('how long an answer may be used again', async (t) => {
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

/** A server that answers its path's own word, under the caching header that `?` names. */
async function origin() {
  const answer = (res: ServerResponse, header: string) => res.setHeader('Cache-Control', header).end('body');
  return serve({
    '/fresh': (res) => answer(res, 'max-age=60'),
    '/secret': (res) => answer(res, 'no-store'),
    '/slow': (res) => setTimeout(() => answer(res, 'max-age=60'), 100),
    '/slowsecret': (res) => setTimeout(() => answer(res, 'private'), 100),
    '/moved': (res) => res.writeHead(302, { Location: '/fresh' }).end(),
    '/movedforlong': (res) => res.writeHead(301, { Location: '/fresh', 'Cache-Control': 'max-age=60' }).end(),
    '/broken': (res) => res.writeHead(500, { 'Cache-Control': 'max-age=60' }).end(),
  });
}

t.test('one fetch for many payloads, as long as its origin allows', async (t) => {
  const server = await origin();
  t.teardown(server.close);
  let clock = 0;
  const fetchCache = createFetchCache(MAXIMUM, () => clock);
  const asks = async (path: string) => {
    const before = server.hits.length;
    const bytes = await createAssets({ ...LIMITS, fetchCache }).bytes(server.origin + path);
    t.equal(Buffer.from(bytes).toString(), 'body', path);
    return server.hits.length - before;
  };
  t.equal(await asks('/fresh'), 1);
  t.equal(await asks('/fresh'), 0, 'from the cache');
  t.equal(await asks('/fresh#part'), 0, 'a fragment names no other asset');
  t.equal(await asks('/fresh?a'), 1, 'a query does');
  clock = 59_999;
  t.equal(await asks('/fresh'), 0);
  clock = 60_000;
  t.equal(await asks('/fresh'), 1, 'stale');
  t.equal(await asks('/fresh'), 0);
  for (const _ of [1, 2]) t.equal(await asks('/secret'), 1, 'never kept');
  for (const _ of [1, 2]) t.equal(await asks('/moved'), 2, 'a redirect that says nothing is not kept');
  t.equal(await asks('/movedforlong'), 2);
  t.equal(await asks('/movedforlong'), 0);
  for (const _ of [1, 2]) {
    const before = server.hits.length;
    await t.rejects(createAssets({ ...LIMITS, fetchCache }).bytes(`${server.origin}/broken`), { code: 'asset_failed' });
    t.equal(server.hits.length, before + 1, 'a failure is not kept');
  }
  const guarded = createAssets({ ...LIMITS, fetchCache, allowAddress: () => false });
  await t.rejects(guarded.bytes(`${server.origin}/secret`), { code: 'asset_failed' }, 'what is fetched is vetted');
});

t.test('payloads that run at once share a fetch, where its answer may be shared', async (t) => {
  const server = await origin();
  t.teardown(server.close);
  const fetchCache = createFetchCache(MAXIMUM);
  const payloads = (path: string) =>
    Promise.all([1, 2, 3].map(() => createAssets({ ...LIMITS, fetchCache }).bytes(server.origin + path)));
  await payloads('/slow');
  t.equal(server.hits.length, 1);
  await payloads('/slowsecret');
  t.equal(server.hits.length, 4, 'private: one for each');
  const leaving = new AbortController();
  const first = createAssets({ ...LIMITS, fetchCache }).bytes(`${server.origin}/slow?again`, leaving.signal);
  const second = createAssets({ ...LIMITS, fetchCache }).bytes(`${server.origin}/slow?again`);
  await eventually(() => server.hits.length === 5);
  leaving.abort(new Error('gone'));
  await t.rejects(first, { message: 'gone' });
  t.equal((await second).length, 4, 'who started it may leave');
  t.equal(server.hits.length, 5);
});

t.test('bounded', async (t) => {
  const fetchCache = createFetchCache(MAXIMUM);
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
  await get('large', MAXIMUM);
  t.equal(fetchCache.bytes, 0, 'what is larger than all of it is not kept');
  for (const name of ['a', 'b', 'c', 'a', 'd']) await get(name, 2500);
  t.ok(fetchCache.bytes > 7500 && fetchCache.bytes <= MAXIMUM, `${fetchCache.bytes}`);
  fetches = 0;
  await get('a', 2500);
  t.equal(fetches, 0, 'used last but one');
  await get('b', 2500);
  t.equal(fetches, 1, 'the one unused for longest went');
  for (let i = 0; i < 1000; i++) await get(`empty${i}`, 0);
  t.ok(fetchCache.bytes <= MAXIMUM, 'empty answers count');
});

t.test('a data: URL that comes again is decoded once', async (t) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const kept = new Map<string, Pixmap>();
  const cache = {
    bytes: 0,
    get: (key: string) => kept.get(key),
    set: (key: string, pixmap: Pixmap) => void kept.set(key, pixmap),
  };
  const image = () => createAssets({ ...LIMITS, cache }).image(`data:image/png;base64,${png}`);
  const first = await image();
  t.equal(await image(), first);
  t.equal(kept.size, 1);
  t.ok(first instanceof Pixmap);
});
