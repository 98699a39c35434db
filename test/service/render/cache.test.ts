// The render cache: a repeated request gets the same bytes and is charged again; everything that the image depends on is
// part of the key.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { AssetFile } from '../../../lib/assets/asset-file.js';
import type { RenderRequest } from '../../../lib/contract/api/request.js';
import { RenderError, ServiceError } from '../../../lib/errors.js';
import { allowPublic } from '../../../lib/net/address-policy.js';
import { createResolver } from '../../../lib/net/dns.js';
import { Admission } from '../../../lib/service/admission/index.js';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { createRenderCache, type RenderInputs } from '../../../lib/service/render/cache.js';
import { createEngine } from '../../../lib/service/render/engine.js';
import type { Deadline } from '../../../lib/workers/deadline.js';
import type { Job, JobResult } from '../../../lib/workers/job.js';
import type { RenderPool } from '../../../lib/workers/pool.js';
import { loggedRenders } from '../stores.js';
import { CANVAS, createWorld, FLAT, type World } from '../world.js';

const resultOf = (length: number): JobResult => ({
  bytes: new Uint8Array(length).fill(length),
  format: 'png',
  width: 4,
  height: 3,
  warnings: [],
});

const REQUEST: RenderRequest = {
  kind: 'template',
  templateId: 'one',
  variables: { title: 'A' },
  format: 'png',
  quality: 90,
  lossless: false,
  responseType: 'binary',
};
const RECORD = { name: 'Card', layers: [] };
const PICTURE = { file: new AssetFile(Uint8Array.of(1, 2, 3)), digest: 'a' };
const INPUTS: RenderInputs = {
  workspaceId: 'ws_a',
  request: REQUEST,
  record: RECORD,
  brandVersion: undefined,
  watermark: undefined,
  assets: new Map([['https://a.test/1.png', PICTURE]]),
};
const limitOf = (signal: AbortSignal): Deadline => ({ signal, pause() {}, resume() {}, clear() {} });
const forever = limitOf(new AbortController().signal);

t.test('the key contains everything that the image depends on, and nothing else', async (t) => {
  const { keyOf } = createRenderCache(1e6, 1000);
  const key = keyOf(INPUTS);
  const ask = (changes: Partial<RenderRequest>) =>
    keyOf({ ...INPUTS, request: { ...REQUEST, ...changes } as RenderRequest });
  t.equal(keyOf({ ...INPUTS, record: JSON.parse(JSON.stringify(RECORD)), assets: new Map(INPUTS.assets) }), key);
  t.equal(ask({ metadata: { order: 7 }, responseType: 'json' }), key);
  const others = [
    ask({ variables: { title: 'B' } }),
    ask({ size: 'story' }),
    ask({ locale: 'de' }),
    ask({ alt: 'A card' }),
    ask({ alt: '' }),
    ask({ variables: { title: null } }),
    ask({ variables: { title: Number.POSITIVE_INFINITY } }),
    ask({ variables: { title: '\ud800' } }),
    ask({ variables: { title: '\ufffd' } }),
    ask({ templateId: 'two' }),
    ask({ format: 'webp' }),
    ask({ quality: 91 }),
    keyOf({ ...INPUTS, workspaceId: 'ws_b' }),
    keyOf({ ...INPUTS, record: { ...RECORD, layers: [{}] } }),
    keyOf({ ...INPUTS, watermark: 'Mark' }),
    keyOf({ ...INPUTS, brandVersion: 1 }),
    keyOf({ ...INPUTS, brandVersion: 2 }),
    keyOf({ ...INPUTS, assets: new Map([['https://a.test/1.png', { ...PICTURE, digest: 'b' }]]) }),
    keyOf({ ...INPUTS, assets: new Map([['https://a.test/2.png', PICTURE]]) }),
    keyOf({ ...INPUTS, assets: new Map() }),
  ];
  t.equal(new Set([key, ...others]).size, others.length + 1);
  t.notOk(others.includes(undefined));
  const missing = { code: 'asset_failed', message: 'was refused' } as const;
  t.equal(keyOf({ ...INPUTS, assets: new Map([['https://a.test/1.png', missing]]) }), undefined, 'a file was missing');
  t.equal(createRenderCache(0, 1000).keyOf(INPUTS), undefined, 'nothing is kept');
});

t.test('stays within its bound and evicts the least recently used', async (t) => {
  const cache = createRenderCache(10_000, 1000);
  let draws = 0;
  const get = (key: string | undefined, length = 1000) =>
    cache.get(
      key,
      async () => {
        draws++;
        return resultOf(length);
      },
      forever,
    );
  const first = await get('a');
  t.strictSame((await get('a')).bytes, first.bytes);
  t.equal(draws, 1);
  for (const key of ['b', 'c', 'd']) await get(key);
  await get('a');
  for (const key of ['e', 'f']) await get(key);
  t.ok(cache.bytes <= 10_000 && cache.bytes > 4000, `${cache.bytes}`);
  draws = 0;
  await get('a');
  t.equal(draws, 0);
  await get('b');
  t.equal(draws, 1, 'the one unused for longest went');
  const held = cache.bytes;
  await get('large', 20_000);
  t.equal(cache.bytes, held, 'one that fills it alone is not kept');
  for (let i = 0; i < 2; i++) await get(undefined);
  t.equal(draws, 4, 'nor one without a name');
});

t.test('copies the bytes out of the worker’s message', async (t) => {
  const cache = createRenderCache(1e6, 1000);
  const message = new Uint8Array(500_000).fill(9);
  await cache.get('a', async () => ({ ...resultOf(0), bytes: message.subarray(10, 20) }), forever);
  const { bytes } = await cache.get('a', () => Promise.reject(new Error('kept')), forever);
  t.equal(bytes.buffer.byteLength, 10);
  t.strictSame(bytes, new Uint8Array(10).fill(9));
});

t.test('concurrent requests share a render; failures are not cached', async (t) => {
  const cache = createRenderCache(1e6, 1000);
  let land = (_result: JobResult) => {};
  let draws = 0;
  let given: AbortSignal | undefined;
  const draw = ({ signal }: Deadline) => {
    draws++;
    given = signal;
    return new Promise<JobResult>((resolve, reject) => {
      land = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const leaving = new AbortController();
  const first = cache.get('a', draw, limitOf(leaving.signal));
  const second = cache.get('a', draw, forever);
  leaving.abort(new ServiceError('internal_error', 'the client went away'));
  await t.rejects(first, { message: 'the client went away' });
  t.equal(given?.aborted, false, 'the other still waits');
  land(resultOf(5));
  t.equal((await second).bytes.length, 5);
  t.equal(draws, 1);

  const alone = new AbortController();
  const third = cache.get('b', draw, limitOf(alone.signal));
  alone.abort(new RenderError('render_timeout', 'late'));
  await t.rejects(third, { code: 'render_timeout' });
  t.match(given?.reason, { code: 'render_timeout' }, 'nobody waits: the render ends, for the same reason');

  const failing = () => Promise.reject(new RenderError('render_failed', 'bad'));
  await t.rejects(cache.get('c', failing, forever), { code: 'render_failed' });
  t.equal((await cache.get('c', async () => resultOf(6), forever)).bytes.length, 6);

  const endless = createRenderCache(1e6, 20).get('d', draw, forever);
  await t.rejects(endless, { code: 'render_timeout' }, 'whoever waits, it ends in time');
});

/** A service whose pictures are numbered, so that a repeated one shows. */
async function numbered(t: Test, settings: Record<string, string> = {}, world: Parameters<typeof createWorld>[1] = {}) {
  const jobs: Job[] = [];
  const pool: RenderPool = {
    run: async (job, _signal, { onReleased } = {}) => {
      onReleased?.();
      return { ...resultOf(0), bytes: Uint8Array.of(jobs.push(job)) };
    },
    inspect: () => Promise.reject(new Error('not expected')),
    inspectAsset: () => Promise.reject(new Error('not expected')),
    takeProcess: () => Promise.reject(new Error('there are no documents')),
    ready: async () => {},
    stats: () => ({ idle: 0, restarts: 0, pids: [], processes: [] }),
    close: async () => {},
  };
  const made = await createWorld(t, {
    ...world,
    settings,
    engine: (all) =>
      createEngine({
        pool,
        admission: new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 }),
        settings: all,
        allowAddress: allowPublic(all.ASSET_ALLOW_HOSTS),
        memoryBudget: new MemoryBudget(2 ** 30),
        resolve: createResolver(),
      }),
  });
  return { world: made, jobs };
}

const ask = async (world: World, key: string, body: unknown) => {
  const reply = await world.ask({ key, body });
  return reply.status === 200 ? reply.bytes[0] : reply.status;
};

t.test('a repeated request gets the same bytes, and is charged, counted and logged', async (t) => {
  const { world, jobs } = await numbered(t);
  const caller = await world.caller({ credits: 3 });
  const replies = [];
  for (let i = 0; i < 2; i++) replies.push(await world.ask({ key: caller.key, body: { ...FLAT, metadata: { i } } }));
  const [first, second] = replies;
  t.equal(jobs.length, 1);
  t.strictSame(second.bytes, first.bytes);
  t.same([...second.headers.keys()], [...first.headers.keys()]);
  t.same(
    replies.map(({ headers }) => headers.get('x-service-credits-remaining')),
    ['2', '1'],
  );
  t.same(
    replies.map(({ headers }) => headers.get('x-ratelimit-remaining')),
    ['999', '998'],
  );
  t.equal(await world.balance(caller), 1);
  const log = await loggedRenders(world.store, caller.workspaceId);
  t.match(log, [{ sizeBytes: 1, metadata: { i: 1 } }, { metadata: { i: 0 } }]);
  await ask(world, caller.key, FLAT);
  t.equal(await ask(world, caller.key, FLAT), 402, 'a kept picture is not free');
});

t.test('RENDER_CACHE_MB=0 disables the cache', async (t) => {
  const { world, jobs } = await numbered(t, { RENDER_CACHE_MB: '0' });
  const { key } = await world.caller();
  for (let i = 0; i < 3; i++) await ask(world, key, FLAT);
  t.equal(jobs.length, 3);
});

t.test('two workspaces share nothing; two keys of one workspace share renders', async (t) => {
  const { world } = await numbered(t);
  const one = await world.caller();
  const sameWorkspace = await world.caller({ workspaceId: one.workspaceId });
  const other = await world.caller();
  const free = await world.caller({ plan: 'free' });
  const seen = [];
  for (const { key } of [one, sameWorkspace, other, free, other]) seen.push(await ask(world, key, FLAT));
  t.same(seen, [1, 1, 2, 3, 2]);
});

t.test('renders again for an edited template and for other variables', async (t) => {
  const record = { name: 'Card', width: 8, height: 8, background: { color: '#fff' }, layers: [], hotspots: [] };
  let current: unknown = record;
  const { world } = await numbered(
    t,
    {},
    { storeVerbs: { findTemplate: async () => ({ record: current, version: 1 }) } },
  );
  const { key } = await world.caller();
  const body = { templateId: 'card', responseType: 'binary' };
  const seen = [await ask(world, key, body), await ask(world, key, body)];
  current = { ...record, background: { color: '#000' } };
  seen.push(await ask(world, key, body), await ask(world, key, { ...body, variables: { a: 1 } }));
  current = record;
  seen.push(await ask(world, key, body));
  t.same(seen, [1, 1, 2, 3, 1]);
});

t.test('renders again when an asset has changed; does not cache a render whose asset failed', async (t) => {
  let file = Buffer.from('one');
  const origin = createServer((request, response) => {
    if (request.url === '/gone') response.statusCode = 404;
    response.setHeader('Cache-Control', 'no-store').end(file);
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  t.teardown(() => origin.close());
  const host = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const { world } = await numbered(t, { ASSET_ALLOW_HOSTS: host });
  const { key } = await world.caller();
  const payload = (path: string) => ({
    canvas: CANVAS,
    layers: [{ type: 'image', x: 0, y: 0, width: 2, height: 2, url: `http://${host}${path}`, fallbackColor: '#fff' }],
  });
  const seen = [await ask(world, key, payload('/')), await ask(world, key, payload('/'))];
  file = Buffer.from('two');
  seen.push(await ask(world, key, payload('/')));
  file = Buffer.from('one');
  seen.push(await ask(world, key, payload('/')));
  t.same(seen, [1, 1, 2, 1]);
  t.same([await ask(world, key, payload('/gone')), await ask(world, key, payload('/gone'))], [3, 4]);
});
