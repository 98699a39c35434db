// The asset loader: fetches and decodes each asset once, limits concurrency and shares images through the cache.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import t from 'tap';
import { createImageCache } from '../../lib/assets/image-cache.js';
import { type AssetOptions, createAssets } from '../../lib/assets/loader.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { eventually } from '../eventually.js';
import { serve } from '../net/server.js';

function png(width: number, height: number, red: number): Buffer {
  const image = new PNG({ width, height });
  for (let i = 0; i < image.data.length; i += 4) image.data.set([red, 20, 30, 255], i);
  return PNG.sync.write(image);
}
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="red"/></svg>';

let aborted = 0;
const server = await serve({
  '/a.png': (res) => setTimeout(() => res.end(png(4, 3, 10)), 20),
  '/same-as-a.png': (res) => res.end(png(4, 3, 10)),
  '/b.png': (res) => res.end(png(2, 2, 200)),
  '/wide.png': (res) => res.end(png(100, 100, 1)),
  '/c.svg': (res) => res.end(svg),
  '/page.png': (res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end('<!doctype html><p>Log in'),
  // long enough that eight requests arrive on a busy machine
  '/slow': (res) => setTimeout(() => res.end('x'), 300),
  '/silent': (res) => res.on('close', () => aborted++),
});
t.teardown(() => server.close());
t.beforeEach(() => {
  server.hits.length = 0;
});

const settings: AssetOptions = { timeoutMs: 600_000, maxBytes: 1_000_000, maxPixels: 5000 };
const at = (path: string) => `${server.origin}${path}`;

t.test('fetches and decodes an asset once for all callers', async (t) => {
  const assets = createAssets(settings);
  const images = await Promise.all(Array.from({ length: 100 }, () => assets.image(at('/a.png'))));
  t.same(server.hits, ['/a.png']);
  t.equal(new Set(images).size, 1);
  t.equal(images[0].width, 4);
  t.same([...images[0].data.subarray(0, 4)], [10, 20, 30, 255]);
  t.equal(await assets.image(at('/a.png')), images[0], 'also for later callers');
  t.equal(await assets.image(at('/same-as-a.png')), images[0], 'shares an image by content');
  const file = await assets.file(at('/a.png'));
  t.equal(await assets.file(at('/a.png')), file);
  t.equal(server.hits.length, 2);
});

t.test('shares failures', async (t) => {
  const assets = createAssets(settings);
  for (let i = 0; i < 3; i++)
    await t.rejects(assets.image(at('/gone.png')), { code: 'asset_failed', message: /answered 404/ });
  t.equal(server.hits.length, 1);
});

t.test('rasterizes an SVG once per size', async (t) => {
  const assets = createAssets(settings);
  const draw = (side: number) => assets.image(at('/c.svg'), { size: { width: side, height: side } });
  const [small, large, again] = await Promise.all([draw(20), draw(40), draw(20)]);
  t.equal(small, again);
  t.not(small, large);
  t.same([small.width, large.width], [20, 40]);
  const [stretched, letterboxed] = await Promise.all(
    [false, true].map((exact) => assets.image(at('/c.svg'), { size: { width: 40, height: 20, exact } })),
  );
  t.same([stretched.isOpaque(), letterboxed.isOpaque()], [true, false]);
  t.equal(server.hits.length, 1);
});

t.test('runs at most eight fetches at a time', async (t) => {
  const assets = createAssets(settings);
  await Promise.all(Array.from({ length: 30 }, (_, i) => assets.file(at(`/slow?${i}`))));
  t.equal(server.hits.length, 30);
  t.equal(server.peak(), 8);
});

// fault: 44
t.test('rejects assets that are not images', async (t) => {
  const assets = createAssets(settings);
  await t.rejects(assets.image(at('/page.png')), { code: 'render_failed', message: /HTML/ });
  await t.rejects(assets.image(at('/wide.png')), { code: 'render_failed', message: /100 × 100/ });
  await t.rejects(assets.image('data:image/png;base64,AAAA'), { code: 'render_failed' });
  await t.rejects(assets.image('data:image/png;base64,'), { code: 'render_failed', message: /empty/ });
  await t.rejects(assets.image('ftp://h/x.png'), { code: 'render_failed', message: /ftp: is not supported/ });
  t.throws(() => assets.source('ftp://h/x.png'), { code: 'render_failed' });
  t.match(assets.source(at('/a.png')), { kind: 'web' });
});

t.test('decodes images in data: URLs', async (t) => {
  const assets = createAssets(settings);
  const image = await assets.image(`data:;base64,${png(5, 6, 7).toString('base64')}`);
  t.same([image.width, image.height], [5, 6]);
  t.equal((await assets.image(`data:image/svg+xml,${svg}`, { size: { width: 8, height: 8 } })).width, 8);
});

t.test('reads local files only if a base directory is set', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a picture.png'), png(7, 3, 9));
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(1_000_001));
  const assets = createAssets({ ...settings, baseDirectory: folder });
  t.equal((await assets.image('a picture.png')).width, 7);
  t.equal((await assets.image('./a picture.png')).width, 7);
  t.equal((await assets.image(`file://${folder}/a%20picture.png`)).width, 7);
  const failures: [string, RegExp][] = [
    ['missing.png', /missing\.png does not exist/],
    ['.', /is not a regular file/],
    ['large.bin', /is larger than 1000000 bytes/],
    ['/dev/zero', /is not a regular file|does not exist/],
  ];
  for (const [path, message] of failures) await t.rejects(assets.file(path), { code: 'asset_failed', message });
  await t.rejects(assets.file('a picture.png', AbortSignal.abort(new Error('stop'))), { message: 'stop' });
  await t.rejects(createAssets(settings).image('a picture.png'), { code: 'render_failed' });
  await t.rejects(createAssets(settings).image(`file://${folder}/a%20picture.png`), { code: 'render_failed' });
});

t.test('aborts a fetch when its last caller aborts', async (t) => {
  const assets = createAssets(settings);
  const [first, second] = [new AbortController(), new AbortController()];
  const one = assets.file(at('/silent'), first.signal);
  const two = assets.file(at('/silent'), second.signal);
  await eventually(() => server.hits.length === 1);
  first.abort(new Error('first aborted'));
  await t.rejects(one, { message: 'first aborted' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(aborted, 0);
  second.abort(new Error('second aborted'));
  await t.rejects(two, { message: 'second aborted' });
  await eventually(() => aborted === 1);
  t.equal(aborted, 1);

  const later = new AbortController();
  const again = assets.file(at('/silent'), later.signal);
  await eventually(() => server.hits.length === 2);
  t.equal(server.hits.length, 2, 'starts a new fetch after an abort');
  later.abort(new Error('enough'));
  await t.rejects(again, { message: 'enough' });
});

t.test('lets many callers wait on one signal without a warning', async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const { signal } = new AbortController();
  const assets = createAssets(settings);
  await Promise.all(Array.from({ length: 30 }, (_, i) => assets.image(at(`/b.png?${i}`), { signal })));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(warnings, []);
});

t.test('keeps decoded images between payloads', async (t) => {
  const cache = createImageCache(1000);
  const first = await createAssets({ ...settings, cache }).image(at('/a.png'));
  t.equal(cache.bytes, 48);
  t.equal(await createAssets({ ...settings, cache }).image(at('/a.png')), first);
  t.equal(server.hits.length, 2, 'fetches again: the cache is keyed by content');
  t.not(await createAssets(settings).image(at('/a.png')), first, 'decodes again without the cache');
});

t.test('evicts the least recently used image', async (t) => {
  const cache = createImageCache(3 * 400);
  const [a, b, c, d] = Array.from({ length: 4 }, () => new Pixmap(10, 10));
  cache.set('a', a);
  cache.set('b', b);
  cache.set('c', c);
  t.equal(cache.get('a'), a);
  cache.set('d', d);
  t.equal(cache.bytes, 1200);
  t.same([cache.get('a'), cache.get('b'), cache.get('c'), cache.get('d')].map(Boolean), [true, false, true, true]);
  cache.set('a', new Pixmap(5, 10));
  t.equal(cache.bytes, 1000, 'counts a replaced image once');
  cache.set('huge', new Pixmap(100, 100));
  t.equal(cache.get('huge'), undefined);
  t.equal(cache.bytes, 1000);
});

t.test('renders text inside an SVG in a bundled font', async (t) => {
  const svg = (inner: string) =>
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20">${inner}</svg>`)}`;
  const assets = createAssets({ timeoutMs: 600_000, maxBytes: 1e6, maxPixels: 1e6 });
  const size = { width: 80, height: 20 };
  const text = await assets.image(svg('<text x="2" y="16" font-size="16">Text</text>'), { size });
  const empty = await assets.image(svg('<g/>'), { size });
  t.ok(
    text.data.some((value) => value > 0),
    'draws the text',
  );
  t.notOk(
    empty.data.some((value) => value > 0),
    'draws nothing without text',
  );
});
