// One image's header is read once and one URL is parsed once per payload, whatever is done with them: counted as calls of
// the functions that read and parse.
import { Session } from 'node:inspector/promises';
import t from 'tap';
import { encodeImage } from '../../lib/codecs/index.js';
import { parseRequest } from '../../lib/contract/api/request.js';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import { createEngine } from '../../lib/service/render/engine.js';
import { readSettings } from '../../lib/settings.js';
import { AssetCache, AssetLedger } from '../../lib/workers/asset-transfer.js';
import type { JobMessage } from '../../lib/workers/job.js';
import { createCaches, runJob } from '../../lib/workers/run-job.js';
import { render } from '../any-payload.js';
import { fixture, smooth } from '../codecs/pictures.js';

const ROOT = new URL('../..', import.meta.url).href;

const READERS = [
  'sniff',
  'readPngHeader',
  'readJpegHeader',
  'readWebpHeader',
  'readAvifHeader',
  'readGifHeader',
  'readSvgRoot',
  'parseAssetUrl',
] as const;

type Calls = Record<(typeof READERS)[number], number>;

/** Counts how often `work` calls each of the readers. */
async function countCalls(work: () => Promise<unknown>): Promise<Calls> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    // The project's modules, which `npm test` has bundled with this file.
    const isOwn = (url: string) => url.startsWith(ROOT) && !/\/node_modules\/(?!\.cache\/.*\/test\/)/.test(url);
    const called = result.filter(({ url }) => isOwn(url)).flatMap(({ functions }) => functions);
    const count = (name: string) =>
      called.filter(({ functionName }) => functionName === name).reduce((sum, { ranges }) => sum + ranges[0].count, 0);
    return Object.fromEntries(READERS.map((name) => [name, count(name)])) as Calls;
  } finally {
    session.disconnect();
  }
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">A</text></svg>';
const images: readonly Uint8Array[] = [
  await encodeImage(smooth(48, 32), 'png', { quality: 90 }),
  fixture('quadrants-420.jpg'),
  fixture('quadrants-animated.webp'),
  fixture('quadrants-turned.avif'),
  fixture('quadrants-interlaced.gif'),
  Buffer.from(svg),
];
const box = { x: 0, y: 0, width: 40, height: 20 };
const canvas = { width: 40, height: 20 };
const imageLayers = (urls: readonly string[]) => urls.map((url) => ({ type: 'image', url, ...box }));
const dataUrls = images.map((bytes) => `data:;base64,${Buffer.from(bytes).toString('base64')}`);

const ONCE: Calls = {
  sniff: 6,
  readPngHeader: 1,
  readJpegHeader: 1,
  readWebpHeader: 1,
  readAvifHeader: 1,
  readGifHeader: 1,
  readSvgRoot: 1,
  parseAssetUrl: 6,
};

t.test('a render reads the header of each image once', async (t) => {
  // each image in two layers
  const layers = imageLayers([...dataUrls, ...dataUrls]);
  t.same(await countCalls(() => render({ canvas, layers })), ONCE);
  const names = images.map((_, i) => `memory:${i}`);
  const options = { images: Object.fromEntries(images.map((bytes, i) => [String(i), bytes])) };
  t.same(await countCalls(() => render({ canvas, layers: imageLayers([...names, ...names]) }, options)), ONCE);
});

t.test('a malformed header is read once, too', async (t) => {
  const url = `data:;base64,${Buffer.from(images[1].subarray(0, 100)).toString('base64')}`;
  const layers = imageLayers([url, url, url]).map((layer) => ({ ...layer, fallbackColor: '#fff' }));
  t.match(await countCalls(() => render({ canvas, layers })), { sniff: 1, readJpegHeader: 1, parseAssetUrl: 1 });
});

t.test('the service reads a header once to estimate memory, and its worker once to decode', async (t) => {
  const sent: JobMessage[] = [];
  const engine = createEngine({
    pool: {
      async run(job, _signal, listeners) {
        // as a worker gets it
        sent.push(structuredClone(new AssetLedger().pack(job)));
        listeners?.onReleased?.({ cpuMs: 1 });
        return { bytes: new Uint8Array(0), format: 'png', width: 1, height: 1, warnings: [] };
      },
      inspect: () => Promise.reject(new Error('not expected')),
      inspectAsset: () => Promise.reject(new Error('not expected')),
      takeProcess: () => Promise.reject(new Error('there are no documents')),
      ready: async () => {},
      stats: () => ({ idle: 0, restarts: 0, pids: [], processes: [] }),
      close: async () => {},
    },
    admission: {
      reserve: () => ({ acquire: async () => () => {}, release: () => {} }),
      acquireForBatch: async () => () => {},
      batchConcurrency: 1,
      isLight: () => true,
    },
    settings: readSettings({}),
    allowAddress: () => true,
    memoryBudget: new MemoryBudget(2 ** 30),
    resolve: async () => [],
  });
  const request = parseRequest({ canvas, layers: imageLayers([...dataUrls, ...dataUrls]) }, { maxLayers: 99 });
  const { signal } = new AbortController();
  const call = { tenant: { id: 'a', weight: 1 }, watermark: undefined, timeoutMs: 600_000, signal };
  const inService = await countCalls(() => engine.render(request, undefined, call));
  t.same(inService, { ...ONCE, readSvgRoot: 0 }, 'an SVG is parsed in the worker alone');
  t.equal(sent.length, 1);
  const inWorker = await countCalls(() => runJob(new AssetCache().unpack(sent[0]), createCaches()));
  t.same(inWorker, { ...ONCE, parseAssetUrl: 0 });
});
