// Draws that keep what did not change since the last one paint the same pixels as draws from the start, and say the same.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import '../../lib/node-host.js';
import { createImageCache } from '../../lib/assets/image-cache.js';
import { createAssets } from '../../lib/assets/loader.js';
import { childrenOf } from '../../lib/contract/layers/nested-layers.js';
import { RenderError } from '../../lib/errors.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import type { Inspected } from '../../lib/render/inspected.js';
import { RetainedScene } from '../../lib/render/retained.js';
import { type Rendered, renderScene } from '../../lib/render.js';
import { resolve } from '../../lib/templates/resolve.js';
import { createRandom, type Random } from '../fuzz/random.js';
import { pngUrl, RED, shape } from '../layers/picture.js';
import { groupOf, makeCases } from '../parity/cases.js';

const typefaces = createFontRegistry();
const cache = createImageCache(64 * 2 ** 20);

type Fields = Record<string, unknown>;

interface Drawn extends Partial<Rendered> {
  readonly inspected?: Inspected | undefined;
  readonly error?: string;
}

async function draw(payload: unknown, variables: unknown, retained?: RetainedScene, caretsOf?: string): Promise<Drawn> {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e7, maxPixels: 1e7, cache });
  let inspected: Inspected | undefined;
  try {
    const scene = resolve(payload, { maxLayers: 500, checkUrl: assets.source, variables });
    const rendered = await renderScene(scene, {
      assets,
      typefaces,
      pixels: true,
      verify: 'warn',
      retained,
      onlyChanged: retained !== undefined,
      caretsOf,
      onInspected(found) {
        inspected = found;
      },
    });
    return { ...(retained ? withPart(retained, rendered) : rendered), inspected };
  } catch (error) {
    if (error instanceof RenderError) return { error: error.message };
    throw error;
  }
}

const pictures = new WeakMap<RetainedScene, Uint8Array>();

/** The whole picture, where a draw gave a part of it: the last one with that part. */
function withPart(retained: RetainedScene, { part, ...rendered }: Rendered): Rendered {
  let { bytes } = rendered;
  if (part) {
    const whole = pictures.get(retained)!;
    const rowBytes = 4 * (part.right - part.left);
    for (let y = part.top; y < part.bottom; y++) {
      const row = rendered.bytes.subarray((y - part.top) * rowBytes, (y - part.top + 1) * rowBytes);
      whole.set(row, 4 * (y * rendered.width + part.left));
    }
    bytes = whole;
  }
  pictures.set(retained, bytes.slice());
  return { ...rendered, bytes };
}

/** Draws the payload as an edit of what `retained` is of, and from the start. Returns the pixels. */
async function compare(t: Test, name: string, payload: unknown, retained: RetainedScene, variables?: unknown) {
  const { bytes: kept, ...saidKept } = await draw(payload, variables, retained);
  const { bytes: whole, ...saidWhole } = await draw(payload, variables);
  t.strictSame(saidKept, saidWhole, `${name}: says the same`);
  if (Buffer.compare(kept ?? Buffer.of(), whole ?? Buffer.of()) !== 0) {
    t.fail(`${name}: paints other pixels`, { payload: JSON.stringify(payload).slice(0, 20_000), variables });
  }
  return whole;
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** All lists of layers of a payload. */
function listsOf(payload: Fields): unknown[][] {
  const lists = [payload.layers, payload.hotspots].filter((list): list is unknown[] => Array.isArray(list));
  const nested = (list: unknown[]): unknown[][] => [
    list,
    ...list.flatMap((layer) => nested(childrenOf(layer) as unknown[])),
  ];
  return lists.flatMap(nested).filter((list) => list.length > 0);
}

const GROUP_FIELDS: readonly Fields[] = [
  {},
  {},
  {},
  { clip: true },
  { backgroundColor: '#ff000040', border: { width: 3, color: '#00f' }, borderRadius: 8 },
  { opacity: 0.5 },
  { rotation: 12 },
  { layout: 'row', gap: 4 },
  { layout: 'column', width: 'auto', height: 'auto' },
  { shadow: { blur: 5, offsetX: 3 } },
  { blendMode: 'multiply' },
];

/** Changes a payload as an editor does. `others`: layers to insert. */
function edit(payload: Fields, random: Random, others: readonly unknown[]): void {
  const list = random.pick(listsOf(payload));
  if (!list) return;
  const at = random.below(list.length);
  const layer = list[at];
  if (!isRecord(layer)) return;
  const kinds = [
    'move',
    'move',
    'text',
    'text',
    'opacity',
    'remove',
    'swap',
    'insert',
    'replace',
    'hide',
    'group',
    'canvas',
    'none',
  ];
  switch (random.pick(kinds)) {
    case 'move':
      if (typeof layer.x === 'number') layer.x += random.pick([1, -3, 0.5]);
      break;
    case 'text':
      if (typeof layer.text === 'string') layer.text += random.pick(['x', ' more', '\n', 'ש']);
      else layer.height = 20 + random.below(60);
      break;
    case 'opacity':
      layer.opacity = random.pick([0, 0.5, 1]);
      break;
    case 'remove':
      if (list.length > 1) list.splice(at, 1);
      break;
    case 'swap':
      list.push(...list.splice(at, 1));
      break;
    case 'insert':
      list.splice(at, 0, structuredClone(random.pick(others)));
      break;
    case 'replace':
      if (layer.key === undefined) list[at] = structuredClone(random.pick(others));
      break;
    case 'hide':
      layer.visible = layer.visible === false;
      break;
    case 'group': {
      const group = { type: 'group', x: 5, y: 5, width: 100, height: 80, ...random.pick(GROUP_FIELDS) };
      const taken = list.splice(at, 1 + random.below(3));
      list.splice(at, 0, { ...group, layers: taken });
      break;
    }
    case 'canvas':
      if (isRecord(payload.canvas))
        payload.canvas.backgroundColor = random.pick(['#fff', '#abc8', 'linear-gradient(red, blue)']);
      break;
  }
}

const cases = await makeCases(40, 'retained');
const layersOf = ({ layers }: Fields) => (Array.isArray(layers) ? layers : []);

t.test('edits of random payloads paint and say the same', async (t) => {
  const random = createRandom('edits');
  const fuzzed = cases.filter((each) => groupOf(each) === 'fuzzed');
  const others = fuzzed.flatMap(({ payload }) => layersOf(payload as Fields));
  for (const { name, payload } of fuzzed) {
    const edited = structuredClone(payload) as Fields;
    const retained = new RetainedScene();
    for (let step = 0; step < 8; step++) {
      await compare(t, `${name} ${step}`, edited, retained);
      edit(edited, random, others);
    }
  }
});

t.test('edits of templates and of their variables paint and say the same', async (t) => {
  const random = createRandom('templates');
  const templates = cases.filter((each) => groupOf(each) === 'templates');
  for (let i = 0; i < 12; i++) {
    const { name, payload, variables } = random.pick(templates);
    const edited = structuredClone(payload) as Fields;
    const values = structuredClone((variables ?? {}) as Fields);
    const others = layersOf(edited).filter(
      (layer) => isRecord(layer) && layer.key === undefined && !listsOf({ layers: [layer] })[1],
    );
    const retained = new RetainedScene();
    for (let step = 0; step < 6; step++) {
      await compare(t, `${name} ${step}`, edited, retained, values);
      const key = random.pick(Object.keys(values));
      if (key !== undefined && random.oneIn(2))
        values[key] = random.pick([`${values[key]}x`, null, 'https://example.com/']);
      else edit(edited, random, others.length > 0 ? others : [shape(1, 1, 5, 5)]);
    }
  }
});

/** The layers whose content is painted again by the draw after the first of two payloads. */
async function repainted(before: unknown, after: unknown): Promise<number> {
  const retained = new RetainedScene();
  // twice: the first change finds what to keep
  await draw(before, {}, retained);
  await draw(after, {}, retained);
  await draw(before, {}, retained);
  let count = 0;
  const paint = retained.paint.bind(retained);
  retained.paint = (canvas, steps, ...others) =>
    paint(
      canvas,
      steps.map((step) => ({
        ...step,
        draw(target) {
          count++;
          step.draw(target);
        },
      })),
      ...others,
    );
  await draw(after, {}, retained);
  return count;
}

const text = (content: string) => ({ type: 'text', text: content, x: 0, y: 0, width: 90, height: 20, fontSize: 12 });
const picture = { type: 'image', url: pngUrl([[RED]]), x: 0, y: 0, width: 9, height: 9 };

t.test('paints only from the layer that changed', async (t) => {
  const canvas = { width: 100, height: 50 };
  const payload = (content: string) => ({
    canvas,
    layers: [shape(0, 0, 9, 9), picture, text(content), shape(5, 5, 9, 9)],
  });
  t.equal(await repainted(payload('a'), payload('b')), 2);
  const first = (x: number) => ({ canvas, layers: [shape(x, 0, 9, 9), picture, text('a')] });
  t.equal(await repainted(first(0), first(1)), 3);
  t.equal(await repainted(payload('a'), { ...payload('a'), canvas: { ...canvas, backgroundColor: '#fff' } }), 4);
});

t.test('paints only the layers that reach what changed, and gives only those pixels', async (t) => {
  const canvas = { width: 100, height: 50 };
  const payload = (x: number) => ({
    canvas,
    layers: [shape(0, 0, 9, 9), shape(x, 10, 5, 5), shape(14, 12, 6, 6), shape(60, 0, 9, 9)],
  });
  t.equal(await repainted(payload(10), payload(12)), 2);
  t.equal(await repainted(payload(30), payload(32)), 1);
  const retained = new RetainedScene();
  for (const x of [30, 31, 32]) await draw(payload(x), {}, retained);
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e7, maxPixels: 1e7, cache });
  const renderPart = (x: number) => {
    const scene = resolve(payload(x), { maxLayers: 500, checkUrl: assets.source });
    return renderScene(scene, { assets, typefaces, pixels: true, retained, onlyChanged: true });
  };
  const moved = await renderPart(33);
  t.same(moved.part, { left: 32, top: 10, right: 38, bottom: 15 });
  t.equal(moved.bytes.length, 4 * 6 * 5);
  const unchanged = await renderPart(33);
  t.equal(unchanged.bytes.length, 0);
});

t.test('paints only from the layer that changed in a group that is drawn straight onto the canvas', async (t) => {
  const canvas = { width: 100, height: 50 };
  const group = { type: 'group', x: 0, y: 0, width: 90, height: 40, layout: 'column' };
  const layers = (content: string, more: object) => [
    shape(0, 0, 9, 9),
    { ...group, ...more, layers: [picture, text('above'), text(content)] },
  ];
  const payload = (content: string, more: object) => ({ canvas, layers: layers(content, more) });
  // the text, and the border of the group
  t.equal(await repainted(payload('a', {}), payload('b', {})), 2);
  t.equal(await repainted(payload('a', { clip: true }), payload('b', { clip: true })), 1);
  t.equal(await repainted(payload('a', { opacity: 0.5 }), payload('b', { opacity: 0.5 })), 1);
});

t.test('a draw that fails changes nothing', async (t) => {
  const canvas = { width: 100, height: 50 };
  const retained = new RetainedScene();
  const payload = (content: string, url: string) => ({
    canvas,
    layers: [shape(0, 0, 9, 9), text(content), { ...picture, url }],
  });
  await compare(t, 'before', payload('a', picture.url), retained);
  await compare(t, 'failed', payload('b', 'data:image/png;base64,AAAA'), retained);
  await compare(t, 'after', payload('b', picture.url), retained);
  await compare(t, 'again', payload('c', picture.url), retained);
});

t.test('a picture is decoded once, wherever its layer goes; an SVG again at another size', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
  const bytes = new Uint8Array(Buffer.from(svg));
  const retained = new RetainedScene();
  const decoded: string[] = [];
  const drawImages = async (pictures: readonly object[], images: Readonly<Record<string, Uint8Array>>) => {
    // nothing but what is retained is shared
    const known = new Map(Object.entries(images));
    const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e7, maxPixels: 1e7, images: known });
    const payload = { canvas: { width: 100, height: 50 }, layers: pictures };
    const scene = resolve(payload, { maxLayers: 500, checkUrl: assets.source });
    const image: typeof assets.image = (url, options) => {
      decoded.push(url);
      return assets.image(url, options);
    };
    await renderScene(scene, { assets: { ...assets, image }, typefaces, pixels: true, retained });
    return decoded.splice(0);
  };
  const png = Buffer.from(pngUrl([[RED]]).split(',')[1], 'base64');
  const other = Buffer.from(pngUrl([[RED, RED]]).split(',')[1], 'base64');
  const images = { png, svg: bytes };
  const at = (name: string, more: object) => ({ ...picture, url: `memory:${name}`, ...more });
  t.same(await drawImages([at('png', {}), at('svg', {})], images), ['memory:png', 'memory:svg']);
  t.same(await drawImages([at('png', { x: 5 }), at('svg', { x: 5 })], images), []);
  t.same(await drawImages([at('png', { width: 20 }), at('svg', { width: 20, height: 20 })], images), ['memory:svg']);
  t.same(await drawImages([at('png', {}), at('svg', { width: 20, height: 20 })], { ...images, png: other }), [
    'memory:png',
  ]);
});

t.test('a code is read again when something covers it', async (t) => {
  const retained = new RetainedScene();
  const code = { type: 'qrcode', data: 'https://example.com/', x: 0, y: 0, width: 80, height: 80 };
  const canvas = { width: 100, height: 100, backgroundColor: '#ffffff' };
  const covered = async (x: number) => {
    const { warnings } = await draw({ canvas, layers: [code, shape(x, 0, 60, 80)] }, undefined, retained);
    return warnings?.map(({ path }) => path);
  };
  t.same(await covered(85), []);
  t.same(await covered(10), ['layers[0].data']);
  t.same(await covered(10), ['layers[0].data']);
  t.same(await covered(86), []);
});

t.test('keeps nothing of a draw but what the next one reuses', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const retained = new RetainedScene();
  const loaders: WeakRef<object>[] = [];
  for (let edit = 0; edit < 4; edit++) {
    const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e7, maxPixels: 1e7, cache });
    loaders.push(new WeakRef(assets));
    const payload = { canvas: { width: 100, height: 50 }, layers: [text('a'), picture, text(`b${edit}`)] };
    const scene = resolve(payload, { maxLayers: 500, checkUrl: assets.source });
    await renderScene(scene, { assets, typefaces, pixels: true, retained, onInspected() {} });
  }
  // weak references hold their target until the job ends
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  // the stack may still hold the loader of the last draw
  t.strictSame(
    loaders.slice(0, -1).map((each) => each.deref()),
    [undefined, undefined, undefined],
  );
});

t.test('gives the carets of a text that did not change', async (t) => {
  const retained = new RetainedScene();
  const payload = { canvas: { width: 100, height: 50 }, layers: [text('a'), text('bc')] };
  await draw(payload, {}, retained);
  const { inspected } = await draw(payload, {}, retained, 'layers[1]');
  t.equal(inspected?.carets?.stops.length, 3);
  t.equal((await draw(payload, {}, retained)).inspected?.carets, undefined);
});
