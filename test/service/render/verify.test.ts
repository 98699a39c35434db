// Renders that are measured instead of charged, and the files that previews load: the engine's part of the dashboard.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { parseRequest } from '../../../lib/contract/api/request.js';
import { allowPublic } from '../../../lib/net/address-policy.js';
import { createResolver } from '../../../lib/net/dns.js';
import { Admission } from '../../../lib/service/admission/index.js';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import type { EngineCall } from '../../../lib/service/render/call.js';
import { createEngine, type FileCall } from '../../../lib/service/render/engine.js';
import { readSettings } from '../../../lib/settings.js';
import { createLocalPool } from '../../../lib/workers/in-process.js';
import { createPool, type RenderPool } from '../../../lib/workers/pool.js';
import { createRenderer } from '../../any-payload.js';
import { fixture } from '../../codecs/pictures.js';

const call: EngineCall & FileCall = {
  tenant: { id: 'ws_a', weight: 1 },
  workspaceId: 'ws_a',
  owner: 'ws_a',
  watermark: undefined,
  timeoutMs: 600_000,
  signal: new AbortController().signal,
};

interface Setup {
  readonly pool?: RenderPool;
  readonly settings?: Readonly<Record<string, string>>;
  readonly memoryBudget?: MemoryBudget;
}

function open({ pool = createLocalPool(), settings, memoryBudget = new MemoryBudget(2 ** 30) }: Setup = {}) {
  const all = readSettings({ ASSET_TIMEOUT_MS: '600000', ...settings });
  return createEngine({
    pool,
    admission: new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 }),
    settings: all,
    allowAddress: allowPublic(all.ASSET_ALLOW_HOSTS),
    memoryBudget,
    resolve: createResolver(),
  });
}

const card = (format: string, backgroundColor: string) => ({
  canvas: { width: 64, height: 40, backgroundColor },
  layers: [{ type: 'text', text: 'Half', x: 4, y: 4, width: 56, height: 32, fontSize: 20, color: '#0f08' }],
  format,
});
const sha256 = (bytes: Uint8Array | Uint8ClampedArray) => createHash('sha256').update(bytes).digest('hex');
const request = (body: unknown) => parseRequest(body, { maxLayers: 100 });

t.test('a verified render has the digest of the pixels before they are encoded', async (t) => {
  const engine = open();
  const renderer = createRenderer();
  for (const background of ['transparent', '#fff', '#12345678']) {
    const { data } = await renderer.renderToPixels(card('png', background));
    for (const format of ['png', 'jpeg', 'webp']) {
      const image = await engine.verify(request(card(format, background)), undefined, call);
      t.equal(image.pixelsSha256, sha256(data), `${format} on ${background}`);
      t.equal(image.format, format);
    }
  }
});

t.test('it has the same bytes as a render, times for each stage, and the watermark if there is one', async (t) => {
  const engine = open();
  const body = request(card('png', '#fff'));
  const [plain, again, marked, rendered] = [
    await engine.verify(body, undefined, call),
    await engine.verify(body, undefined, call),
    await engine.verify(body, undefined, { ...call, watermark: 'Example' }),
    await engine.render(body, undefined, call),
  ];
  t.same(plain.bytes, rendered.bytes);
  t.equal(plain.sha256, rendered.sha256);
  t.equal(again.pixelsSha256, plain.pixelsSha256);
  t.not(marked.pixelsSha256, plain.pixelsSha256);
  t.same(
    plain.timings.map(([stage]) => stage),
    ['check', 'queue', 'load', 'layout', 'paint', 'encode'],
  );
  t.ok(plain.timings.every(([, milliseconds]) => milliseconds >= 0));
  t.equal(rendered.pixelsSha256, undefined, 'an ordinary render has no such digest');
  t.equal(engine.stats().renderCache.hits, 0, 'and none of them came from the cache');
});

t.test('a render process computes the digest', async (t) => {
  const lines: string[] = [];
  const pool = createPool({ workers: 1, spares: 0, report: (line) => lines.push(line) });
  t.teardown(() => pool.close());
  const image = await open({ pool }).verify(request(card('png', '#fff')), undefined, call);
  const { data } = await createRenderer().renderToPixels(card('png', '#fff'));
  t.equal(image.pixelsSha256, sha256(data));
  t.same(lines, []);
});

/** A site with one picture, and how often it was asked for. */
async function openSite(t: Test) {
  const picture = fixture('quadrants-420.jpg');
  const hits: string[] = [];
  const site = createServer(({ url = '' }, response) => {
    hits.push(url);
    if (url !== '/a.jpg') response.writeHead(404).end();
    else response.setHeader('Cache-Control', 'max-age=60').end(picture);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  return { picture, hits, host };
}

t.test('a file comes from the cache of renders, through their guard', async (t) => {
  const { picture, hits, host } = await openSite(t);
  const engine = open({ settings: { ASSET_ALLOW_HOSTS: host } });
  const url = `http://${host}/a.jpg`;
  const box = { x: 0, y: 0, width: 8, height: 8 };
  const layers = [{ type: 'image', url, ...box }];
  await engine.render(request({ canvas: { width: 8, height: 8 }, layers }), undefined, call);
  const [file] = await Promise.all([engine.fetchAsset(url, call), engine.fetchAsset(url, call)]);
  t.same(Buffer.from(file.bytes), Buffer.from(picture));
  t.same(hits, ['/a.jpg'], 'it was fetched once');
  await t.rejects(engine.fetchAsset(`http://${host}/b.jpg`, call), { code: 'asset_failed' });
  await t.rejects(open().fetchAsset(url, call), { code: 'asset_failed' }, 'a private address');
  const reasons: unknown[] = [];
  const onAssetFailure = (failure: unknown) => void reasons.push(failure);
  await t.rejects(open().fetchAsset(url, { ...call, onAssetFailure }));
  t.match(reasons, [{ origin: `http://${host}` }], 'the log gets the reason');
});

t.test('a file is within the limits of size and memory', async (t) => {
  const { picture, host } = await openSite(t);
  const url = `http://${host}/a.jpg`;
  const settings = { ASSET_ALLOW_HOSTS: host };
  const small = open({ settings: { ...settings, ASSET_MAX_BYTES: String(picture.length - 1) } });
  await t.rejects(small.fetchAsset(url, call), { code: 'asset_failed' });
  const memoryBudget = new MemoryBudget(100);
  const other = memoryBudget.open('ws_a');
  other.reserve(100);
  await t.rejects(open({ settings, memoryBudget }).fetchAsset(url, call), { code: 'overloaded' });
  other.release();
  t.equal(memoryBudget.usedBytes, 0, 'nothing stays reserved');
});

t.test('only files of the web and of the workspace are fetched', async (t) => {
  const engine = open();
  for (const url of [
    'data:,x',
    'file:///etc/passwd',
    '/etc/passwd',
    'memory:a',
    '',
    'javascript:1',
    'http://',
    'http://a:b@c/',
  ]) {
    await t.rejects(engine.fetchAsset(url, call), { code: 'render_failed' }, JSON.stringify(url));
  }
});
