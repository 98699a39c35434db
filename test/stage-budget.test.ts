// Limits of processor time for single stages of a render, with a clock that runs one millisecond with each reading.
import { readFileSync } from 'node:fs';
import t from 'tap';
import '../lib/node-host.js';
import { inspectAsset } from '../lib/assets/inspect.js';
import { createAssets } from '../lib/assets/loader.js';
import { RenderError } from '../lib/errors.js';
import { createFontRegistry } from '../lib/fonts/registry.js';
import { inspectScene, renderScene } from '../lib/render.js';
import { processorTimeMs } from '../lib/resources.js';
import { type StageBegin, StageBudget, type StageLimits, stageTimeout } from '../lib/stage-budget.js';
import { resolve } from '../lib/templates/resolve.js';
import { pngUrl, RED } from './layers/picture.js';

const FONT = `data:font/woff2;base64,${readFileSync('fonts/bebas-neue/bebas-neue-400.woff2').toString('base64')}`;
const svgUrl = (content: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`)}`;

interface Event {
  readonly begin?: StageBegin;
  readonly atMs: number;
}

function tickingLimits(limits: Partial<StageLimits> = {}) {
  let now = 0;
  const events: Event[] = [];
  const stages = new StageBudget({
    decodeMs: 1e9,
    layoutMs: 1e9,
    clock: () => ++now,
    onStageBegin: (begin) => events.push({ begin, atMs: now }),
    onStageEnd: () => events.push({ atMs: now }),
    ...limits,
  });
  return { stages, events, elapsed: () => now };
}

async function run(layers: readonly object[], stages: StageBudget | undefined, isInspection = false): Promise<void> {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e7, maxPixels: 1e6 });
  const payload = { canvas: { width: 40, height: 40 }, layers };
  const scene = resolve(payload, { maxLayers: 100, checkUrl: assets.source });
  const context = { assets, typefaces: createFontRegistry(), stages };
  await (isInspection ? inspectScene(scene, context) : renderScene(scene, context));
}

const text = (more: object) => ({ type: 'text', text: 'Hello', x: 0, y: 0, width: 40, height: 40, ...more });
const image = (url: string, more: object = {}) => ({ type: 'image', x: 0, y: 0, width: 9, height: 9, url, ...more });
const WORDS = 'lorem ipsum '.repeat(5000);

t.test('the layout of a long text ends when its time is over, and names the layer', async (t) => {
  const cases: Record<string, [layers: object[], path: string]> = {
    words: [[text({}), text({ text: WORDS })], 'layers[1].text'],
    'one word': [[text({ text: 'a'.repeat(100_000) })], 'layers[0].text'],
    autoFit: [[text({ text: WORDS, autoFit: true, minFontSize: 0.5 })], 'layers[0].text'],
    'a cut text': [[text({ text: WORDS, maxLines: 2 })], 'layers[0].text'],
    'joined emoji': [[text({ text: '👩‍👩‍👧‍👦\u200d'.repeat(9000) })], 'layers[0].text'],
    'many runs': [[text({ text: 'aא'.repeat(40_000) })], 'layers[0].text'],
    'many paragraphs': [[text({ text: 'a\n'.repeat(40_000) })], 'layers[0].text'],
    'text on a path': [[text({ text: WORDS, textPath: 'M0 0H900' })], 'layers[0].text'],
    'a text in a group': [
      [{ type: 'group', x: 0, y: 0, width: 40, height: 40, layers: [text({}), text({ text: WORDS })] }],
      'layers[0].layers[1].text',
    ],
    'a text that layout measures': [[text({ text: WORDS, height: 'auto' })], 'layers[0].text'],
  };
  for (const [name, [layers, path]] of Object.entries(cases)) {
    for (const isInspection of [false, true]) {
      const { stages } = tickingLimits({ layoutMs: 4 });
      const message = 'layout took more than 0.004 s of processor time';
      const expected = { code: 'render_timeout', message: `${path}: ${message}`, details: [{ path, message }] };
      await t.rejects(run(layers, stages, isInspection), expected, name);
    }
  }
  await t.resolves(run([text({})], tickingLimits({ layoutMs: 4 }).stages), 'a short one is laid out');
});

t.test('all texts of a render share the time of layout', async (t) => {
  const { stages, elapsed } = tickingLimits();
  const part = WORDS.slice(0, 30_000);
  await run([text({ text: part })], stages);
  const layoutMs = Math.floor(2.5 * elapsed());
  const three = [text({ text: part }), text({ text: `${part}.` }), text({ text: `${part}!` })];
  await t.rejects(run(three, tickingLimits({ layoutMs }).stages), { message: /^layers\[2\]\.text: / });
  await t.resolves(run(three.slice(0, 2), tickingLimits({ layoutMs }).stages));
});

t.test(
  'announces each decoding and the layout of texts that are long or in a font from outside, one after the other',
  async (t) => {
    const { stages, events } = tickingLimits({ decodeMs: 5000, layoutMs: 7000 });
    await run(
      [
        image(pngUrl([[RED]])),
        image(svgUrl('<rect width="9" height="9"/>')),
        image(pngUrl([[RED]])),
        text({ id: 'title', customFontUrl: FONT }),
        text({ text: WORDS }),
        text({}),
      ],
      stages,
    );
    t.equal(events.length % 2, 0);
    const begun = events.filter(({ begin }) => begin);
    t.same(
      events.map(({ begin }) => begin !== undefined),
      events.map((_, i) => i % 2 === 0),
      'none inside another',
    );
    const summary = begun.map(({ begin }) => [begin?.stage, begin?.detail.path, begin?.detail.layerId]);
    t.same(
      summary.sort(),
      [
        ['font', 'layers[3].customFontUrl', 'title'],
        ['layout', 'layers[3].text', 'title'],
        ['layout', 'layers[4].text', undefined],
        ['picture', 'layers[0].url', undefined],
        ['svg', 'layers[1].url', undefined],
      ],
      'a picture that is decoded already, and a short text, are not announced',
    );
    const limits = Object.fromEntries(begun.map(({ begin }) => [begin?.stage, begin?.limitMs]));
    t.match(limits, { font: 6000, picture: 6000, svg: 6000 }, 'with a second in which the stage ends by itself');
    t.ok((limits.layout ?? 0) <= 8000 && (limits.layout ?? 0) > 7900, 'what layout has left');
    t.same(JSON.parse(JSON.stringify(begun)), begun, 'as plain data');
  },
);

t.test('a file that takes too long to decode fails the render, whatever stands in for it', async (t) => {
  const slow = svgUrl('<rect width="1" height="1"/>'.repeat(20_000));
  const { stages, events } = tickingLimits({ decodeMs: 5 });
  const message = 'decoding the SVG took more than 0.005 s of processor time';
  const layers = [image(slow, { fallbackColor: '#f00' }), image(pngUrl([[RED]]))];
  const path = 'layers[0].url';
  const expected = { code: 'render_timeout', message: `${path}: ${message}`, details: [{ path, message }] };
  const error = await run(layers, stages).catch((cause: unknown) => cause);
  t.match(error, expected);
  t.equal(events.filter(({ begin }) => begin).length, 1, 'nothing else is decoded');
  t.equal(events.length, 2, 'the end is announced, too');
  const begin = events[0]?.begin;
  const killed = begin && stageTimeout(begin.detail);
  t.match(killed, expected, 'a parent that kills the process makes the same error');
});

t.test('an asset that is checked has its time, too', async (t) => {
  const { stages, events } = tickingLimits({ decodeMs: 5 });
  const locate = (message: string) => ({ code: 'render_timeout' as const, path: '', message });
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g/>'.repeat(50_000)}</svg>`,
  );
  await t.rejects(inspectAsset(svg, 1e6, stages.decoder(locate)), {
    code: 'render_timeout',
    message: 'decoding the SVG took more than 0.005 s of processor time',
  });
  const other = tickingLimits();
  const font = readFileSync('fonts/bebas-neue/bebas-neue-400.woff2');
  t.match(await inspectAsset(font, 1e6, other.stages.decoder(locate)), { kind: 'font' });
  t.same([events[0]?.begin?.stage, other.events[0]?.begin?.stage], ['svg', 'font']);
});

t.test('time outside the stages is not theirs', async (t) => {
  let now = 0;
  const stages = new StageBudget({ decodeMs: 10, layoutMs: 10, clock: () => now });
  const locate = (message: string) => ({ code: 'render_timeout' as const, path: 'a', message });
  const spend = (ms: number) => {
    now += ms;
    stages.check(10_000);
  };
  stages.layout(locate, 1, () => spend(6));
  spend(100);
  await stages.decoder(locate)('picture', async (check) => {
    now += 9;
    check(10_000);
  });
  stages.layout(locate, 1, () => spend(3));
  t.throws(() => stages.layout(locate, 1, () => spend(2)), RenderError);
});

t.test('the processor time of the process is its clock', (t) => {
  const before = processorTimeMs();
  for (let i = 0; processorTimeMs() < before + 5 && i < 1e9; i++);
  const spent = processorTimeMs() - before;
  t.ok(spent >= 5 && spent < 5000, `${spent} ms`);
  t.end();
});
